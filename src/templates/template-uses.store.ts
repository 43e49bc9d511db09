// The sequences, campaigns and lists that send a template.
import type { Kysely } from 'kysely';
import type { Scope } from '../store/scope.js';
import type { Tables } from '../store/tables.js';
import type { Template } from './templates.tables.js';

/** A sequence, a campaign or a list that sends a template. */
export interface TemplateUse {
  id: string;
  name: string;
  sub_tenant_id: string | null;
}
export interface TemplateUses {
  sequences: TemplateUse[];
  campaigns: TemplateUse[];
  /** Lists whose confirmation mail is made from it. */
  lists: TemplateUse[];
}

const UNFINISHED = ['draft', 'scheduled', 'sending', 'paused'] as const;

/** `meantBy` reads the id of the template that its slug means in a scope. */
export async function templateUses(
  db: Kysely<Tables>,
  scope: Scope,
  { id, slug }: Pick<Template, 'id' | 'slug'>,
  meantBy: (owner: Scope) => Promise<string | undefined>,
): Promise<TemplateUses> {
  const [sequences, campaigns, lists] = await Promise.all([
    sequencesWith(db, scope, { id, slug }, meantBy),
    campaignsWith(db, scope, id),
    listsWith(db, scope, id),
  ]);
  return { sequences, campaigns, lists };
}

/** Campaigns that are not over. */
function campaignsWith(db: Kysely<Tables>, scope: Scope, id: string): Promise<TemplateUse[]> {
  return db
    .selectFrom('environments as e')
    .innerJoin('campaigns as c', 'c.environment_id', 'e.id')
    .select(['c.id', 'c.name', 'c.sub_tenant_id'])
    .where('e.workspace_id', '=', scope.workspaceId)
    .where('c.deleted_at', 'is', null)
    .where('c.status', 'in', UNFINISHED)
    .where((eb) =>
      eb.or([
        eb('c.template_id', '=', id),
        eb('c.variants', 'like', `%"${id}"%`),
        eb('c.split', 'like', `%"${id}"%`),
      ]),
    )
    .orderBy('c.id')
    .execute();
}

function listsWith(db: Kysely<Tables>, scope: Scope, id: string): Promise<TemplateUse[]> {
  return db
    .selectFrom('environments as e')
    .innerJoin('contact_lists as l', 'l.environment_id', 'e.id')
    .select(['l.id', 'l.name', 'l.sub_tenant_id'])
    .where('e.workspace_id', '=', scope.workspaceId)
    .where('l.deleted_at', 'is', null)
    .where('l.confirmation_template_id', '=', id)
    .orderBy('l.number')
    .execute();
}

/** Sequences whose steps name the template by its id, or by a slug that means it there. */
async function sequencesWith(
  db: Kysely<Tables>,
  scope: Scope,
  { id, slug }: Pick<Template, 'id' | 'slug'>,
  meantBy: (owner: Scope) => Promise<string | undefined>,
): Promise<TemplateUse[]> {
  const found = await db
    .selectFrom('environments as e')
    .innerJoin('sequences as s', 's.environment_id', 'e.id')
    .select(['s.id', 's.name', 's.sub_tenant_id', 's.environment_id', 's.steps', 'e.mode'])
    .where('e.workspace_id', '=', scope.workspaceId)
    .where('s.deleted_at', 'is', null)
    .where((eb) =>
      eb.or([id, slug].map((name) => eb('s.steps', 'like', `%"template":${JSON.stringify(name)}%`))),
    )
    .orderBy('s.number')
    .execute();
  const uses: TemplateUse[] = [];
  /** The slug means the same template in all sequences of an owner. */
  const meant = new Map<string, string | undefined>();
  for (const { id: sequenceId, name, sub_tenant_id, environment_id, steps, mode } of found) {
    const owner = { ...scope, environmentId: environment_id, mode, subTenantId: sub_tenant_id };
    const key = `${environment_id} ${sub_tenant_id}`;
    if (!meant.has(key)) meant.set(key, await meantBy(owner));
    const names = templatesIn(steps);
    if (names.includes(id) || (names.includes(slug) && meant.get(key) === id))
      uses.push({ id: sequenceId, name, sub_tenant_id });
  }
  return uses;
}

/** The templates that the steps of a sequence send, as they name them. */
function templatesIn(steps: string): string[] {
  const parsed = JSON.parse(steps) as { type: string; template?: string }[];
  return parsed.flatMap(({ type, template }) =>
    type === 'send' && template !== undefined ? [template] : [],
  );
}
