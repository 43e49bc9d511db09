// Templates and their versions.
import type { Kysely } from 'kysely';
import type { Mode } from '../contract/names.js';
import { holding, paged } from '../database/paged.js';
import { type Page, type PageRequest, type Scope, cutPage } from '../database/scope.js';
import {
  type Template,
  type TemplateVersion,
  templates,
  savedBlocks,
  type templateVersions,
} from './templates.tables.js';
import type { Change } from '../database/change.js';
import { update, remove } from '../database/rows.js';
import type { environments } from '../accounts/accounts.tables.js';
import type { TablesOf } from '../database/columns.js';

type Known = TablesOf<typeof environments | typeof templateVersions | typeof templates>;

export type TemplateWithContent = Template &
  Pick<TemplateVersion, 'subject' | 'html' | 'text' | 'inline_css'> & { mode: Mode };

/** Names a version of a template. */
interface TemplatePin {
  template_id: string;
  version: number;
}
type PinnedTemplate = TemplateVersion & Pick<Template, 'name'>;

const PINS_AT_ONCE = 100;

export function createTemplateStore(db: Kysely<Known>) {
  return { ...templateReads(db), ...versionReads(db) };
}

function templateReads(db: Kysely<Known>) {
  /** Selects the templates that a scope may use. The test environment may use live templates, too. */
  const current = (scope: Scope) =>
    scope.mode === 'live' ? inBoth(scope).where('t.environment_id', '=', scope.environmentId) : inBoth(scope);

  const inBoth = (scope: Scope) => {
    const query = db
      .selectFrom('environments as e')
      .innerJoin('templates as t', 't.environment_id', 'e.id')
      .innerJoin('template_versions as v', (join) =>
        join.onRef('v.template_id', '=', 't.id').onRef('v.version', '=', 't.version'),
      )
      .selectAll('t')
      .select(['v.subject', 'v.html', 'v.text', 'v.inline_css', 'e.mode'])
      .where('e.workspace_id', '=', scope.workspaceId)
      .where('t.deleted_at', 'is', null);
    // A sub-tenant sees its own templates and the workspace's.
    return scope.subTenantId === null
      ? query
      : query.where((eb) =>
          eb.or([eb('t.sub_tenant_id', 'is', null), eb('t.sub_tenant_id', '=', scope.subTenantId)]),
        );
  };

  const ofSlug = async (scope: Scope, slug: string): Promise<TemplateWithContent | null> => {
    let query = current(scope).where('t.slug', '=', slug);
    if (scope.subTenantId === null) query = query.where('t.sub_tenant_id', 'is', null);
    const rows = await query.execute();
    const own = rows.filter((row) => row.environment_id === scope.environmentId);
    const first = own.length > 0 ? own : rows;
    return first.find((row) => row.sub_tenant_id !== null) ?? first[0] ?? null;
  };

  return {
    async template(scope: Scope, id: string): Promise<TemplateWithContent | null> {
      return (await current(scope).where('t.id', '=', id).executeTakeFirst()) ?? null;
    },

    /** Reads a template of either environment. */
    async templateOfEither(scope: Scope, id: string): Promise<TemplateWithContent | null> {
      return (await inBoth(scope).where('t.id', '=', id).executeTakeFirst()) ?? null;
    },

    /**
     * Reads the template that a slug refers to in this scope. The scope's own environment wins over the live one, and
     * then the sub-tenant's template over the workspace's.
     */
    templateBySlug: ofSlug,

    async templates(
      scope: Scope,
      page: PageRequest,
      { q }: { q?: string } = {},
    ): Promise<Page<TemplateWithContent>> {
      let query = paged(current(scope), page, { key: 'id', of: 't' });
      if (q !== undefined) query = query.where(holding(['t.name', 't.slug', 'v.subject'], q));
      return cutPage(await query.execute(), page.limit, (row) => row.id);
    },
  };
}

function versionReads(db: Kysely<Known>) {
  return {
    /** Reads the designs of versions that have one, by template id. No other read returns designs, because sending does not need them. */
    async designsOf(pins: readonly TemplatePin[]): Promise<Map<string, string>> {
      const designs = new Map<string, string>();
      for (let at = 0; at < pins.length; at += PINS_AT_ONCE) {
        const rows = await db
          .selectFrom('template_versions as v')
          .select(['v.template_id', 'v.design'])
          .where('v.design', 'is not', null)
          .where((eb) =>
            eb.or(
              pins
                .slice(at, at + PINS_AT_ONCE)
                .map((pin) =>
                  eb.and([eb('v.template_id', '=', pin.template_id), eb('v.version', '=', pin.version)]),
                ),
            ),
          )
          .execute();
        for (const { template_id: id, design } of rows) if (design !== null) designs.set(id, design);
      }
      return designs;
    },

    async versions(templateId: string, page: PageRequest): Promise<Page<TemplateVersion>> {
      const query = paged(
        db.selectFrom('template_versions').selectAll().where('template_id', '=', templateId),
        page,
        { key: 'version', isNumber: true },
      );
      return cutPage(await query.execute(), page.limit, (row) => String(row.version));
    },

    async version(templateId: string, version: number): Promise<TemplateVersion | null> {
      const query = db
        .selectFrom('template_versions')
        .selectAll()
        .where('template_id', '=', templateId)
        .where('version', '=', version);
      return (await query.executeTakeFirst()) ?? null;
    },

    /** Reads versions of any scope, including those of deleted templates. Each existing one is returned once, in no order. */
    async versionsOf(pins: readonly TemplatePin[]): Promise<PinnedTemplate[]> {
      const distinct = [...new Map(pins.map((pin) => [`${pin.template_id} ${pin.version}`, pin])).values()];
      const found: PinnedTemplate[] = [];
      for (let at = 0; at < distinct.length; at += PINS_AT_ONCE) {
        const some = distinct.slice(at, at + PINS_AT_ONCE);
        const query = db
          .selectFrom('template_versions as v')
          .innerJoin('templates as t', 't.id', 'v.template_id')
          .selectAll('v')
          .select('t.name')
          .where((eb) =>
            eb.or(
              some.map((pin) =>
                eb.and([eb('v.template_id', '=', pin.template_id), eb('v.version', '=', pin.version)]),
              ),
            ),
          );
        found.push(...(await query.execute()));
      }
      return found;
    },
  };
}

/** Removes the templates and saved blocks of a sub-tenant. */
export function forgetTemplates(subTenantId: string, now: number): Change[] {
  return [
    update(templates, {
      set: { deleted_at: now, updated_at: now },
      where: { sub_tenant_id: subTenantId, deleted_at: null },
    }),
    remove(savedBlocks, { where: { sub_tenant_id: subTenantId } }),
  ];
}
