// What the routes of templates are given, and what they share.
import type { TemplateWire } from '../../../contract/template.js';
import type { Clock } from '../../../runtime/clock.js';
import type { Scope } from '../../../store/scope.js';
import type { Store } from '../../../store/store.js';
import type { TemplateWithContent } from '../../../store/templates.js';
import type { Submission } from '../../../work/submission/accept.js';
import type { Renderer } from '../../../work/submission/renderer.js';
import type { TemplateSources } from '../template-edit.js';

export interface TemplateRouteDeps {
  store: Pick<Store, 'templates' | 'audience' | 'tenants' | 'accounts' | 'commit'>;
  renderer: Renderer;
  submission: Pick<Submission, 'accept'>;
  clock: Clock;
  /** Base of the sample unsubscribe link in previews, without a slash at the end. */
  publicUrl: string;
}

export type TemplateContext = TemplateRouteDeps & {
  sources: TemplateSources;
  /** Refuses `not_found`. */
  find: (scope: Scope, idOrSlug: string) => Promise<TemplateWithContent>;
  present: (scope: Scope, row: TemplateWithContent) => Promise<TemplateWire>;
  presentAll: (scope: Scope, rows: readonly TemplateWithContent[]) => Promise<TemplateWire[]>;
};

export const tags = ['Templates'];
