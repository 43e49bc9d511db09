// What creating, changing and showing a template have in common: its sources are checked, its names found, its slug free.
import { LRUCache } from 'lru-cache';
import { slugProblem } from '../../contract/template.js';
import { Refusal, invalidFields } from '../../contract/refusal.js';
import type { Scope } from '../../store/scope.js';
import type { Store } from '../../store/store.js';
import type { TemplateWithContent } from '../../store/templates.js';
import type { Renderer } from '../../work/submission/renderer.js';

const KNOWN_VARIABLES = 10_000;

export interface Sources {
  subject: string | null;
  html: string | null;
  text: string | null;
}

export interface TemplateSources {
  /** The names that new sources read. Refuses `content_required` and `template_invalid` (details: part, line). */
  check(scope: Scope, sources: Sources): Promise<string[]>;
  /** The names that a stored template reads. */
  variablesOf(scope: Scope, row: TemplateWithContent): Promise<string[]>;
}

/** Parsing happens in the renderer's threads; what it found for a stored version is remembered. */
export function createTemplateSources(renderer: Renderer): TemplateSources {
  const known = new LRUCache<string, string[]>({ max: KNOWN_VARIABLES });

  async function ask(scope: Scope, { subject, html, text }: Sources) {
    const answer = await renderer.check({
      subject,
      html,
      text,
      owner: scope.subTenantId ?? scope.workspaceId,
    });
    if (answer.kind === 'busy') {
      throw new Refusal('unavailable', 'Too many templates are being read; nothing was kept. Try again.');
    }
    return answer;
  }

  return {
    async check(scope, sources) {
      if (!sources.html && !sources.text) {
        throw new Refusal('content_required', 'The template has neither html nor text.', { param: 'html' });
      }
      const answer = await ask(scope, sources);
      if (answer.kind === 'valid') return answer.variables;
      const { part, line, column, message } = answer;
      const where = line === undefined ? '' : ` (line ${line})`;
      throw new Refusal('template_invalid', `${message.replace(/\.$/, '')}${where}.`, {
        param: part,
        details: { part, line, column },
      });
    },

    async variablesOf(scope, row) {
      const version = `${row.id} ${row.version}`;
      const found = known.get(version);
      if (found) return found;
      const answer = await ask(scope, row);
      // Saved under the rules of an earlier release: it can still be shown.
      const variables = answer.kind === 'valid' ? answer.variables : [];
      known.set(version, variables);
      return variables;
    },
  };
}

/** Refuses a slug of the wrong form, and `slug_taken` when the owner has another template with it. */
export async function refuseSlug(
  store: Pick<Store, 'templates'>,
  scope: Scope,
  slug: string,
  butFor?: string,
): Promise<void> {
  const problem = slugProblem(slug);
  if (problem !== null) throw invalidFields([{ path: 'slug', message: problem }]);
  if (await isSlugTaken(store, scope, slug, butFor)) {
    throw new Refusal('slug_taken', undefined, { param: 'slug' });
  }
}

/** Only the owner's own templates count: a sub-tenant may take a slug of the workspace to replace its template. */
export async function isSlugTaken(
  store: Pick<Store, 'templates'>,
  scope: Scope,
  slug: string,
  butFor?: string,
): Promise<boolean> {
  const found = await store.templates.templateBySlug(scope, slug);
  return found !== null && found.sub_tenant_id === scope.subTenantId && found.id !== butFor;
}
