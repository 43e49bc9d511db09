// Parses the sources of templates: checks new ones, and finds the variables of stored ones.
import { Refusal } from '../contract/refusal.js';
import type { Scope } from '../database/scope.js';
import { createLruCache } from '../lib/runtime/index.js';
import type { Renderer } from './rendering/renderer.js';
import type { TemplateWithContent } from './templates.store.js';

const KNOWN_VARIABLES = 10_000;

export interface Sources {
  subject: string | null;
  html: string | null;
  text: string | null;
  inline_css: 0 | 1;
}

/** Parses in the renderer's threads, and remembers the variables of stored versions. */
export class TemplateSources {
  readonly #renderer: Renderer;
  readonly #known = createLruCache<string, string[]>(KNOWN_VARIABLES);

  constructor(renderer: Renderer) {
    this.#renderer = renderer;
  }

  /** Refuses with `content_required`, or with `template_invalid` (details: part, line, column). */
  async check(scope: Scope, sources: Sources): Promise<void> {
    if (!sources.html && !sources.text) {
      throw new Refusal('content_required', 'The template must have html or text.', { param: 'html' });
    }
    const answer = await this.#parse(scope, sources);
    if (answer.kind === 'valid') return;
    const { part, line, column, message } = answer;
    const where = line === undefined ? '' : ` (line ${line})`;
    throw new Refusal('template_invalid', `${message.replace(/\.$/, '')}${where}.`, {
      param: part,
      details: { part, line, column },
    });
  }

  /** Returns the names that a stored template uses. */
  async readVariables(scope: Scope, row: TemplateWithContent): Promise<string[]> {
    const version = `${row.id} ${row.version}`;
    const found = this.#known.get(version);
    if (found) return found;
    const answer = await this.#parse(scope, { ...row, inline_css: 0 });
    // A version that an earlier release accepted may be invalid now, and must still be shown.
    const variables = answer.kind === 'valid' ? answer.variables : [];
    this.#known.set(version, variables);
    return variables;
  }

  async #parse(scope: Scope, { subject, html, text, inline_css }: Sources) {
    const answer = await this.#renderer.check({
      subject,
      html,
      text,
      inlineCss: inline_css === 1,
      owner: scope.subTenantId ?? scope.workspaceId,
    });
    if (answer.kind === 'busy') {
      throw new Refusal(
        'unavailable',
        'The server is parsing too many templates. Nothing was stored. Try again.',
      );
    }
    return answer;
  }
}
