// Dependencies and helpers that the routes of templates share.
import type { TemplateWire } from './template.schema.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Scope } from '../database/scope.js';
import type { TemplateStores } from './stores.js';
import type { TemplateWithContent } from './templates.store.js';
import type { Renderer } from './rendering/renderer.js';
import type { TemplateSources } from './edit.routes.js';
import type { Template, TemplateUse } from './templates.tables.js';

/** Finds the bulk mail that sends a template. */
export interface TemplateSenders {
  /** Returns the campaigns that are not finished. */
  campaigns: (scope: Scope, id: string) => Promise<TemplateUse[]>;
  sequences: (scope: Scope, template: Pick<Template, 'id' | 'slug'>) => Promise<TemplateUse[]>;
}

/** Sends a rendered template to people who try it out. */
export interface TestMail {
  accept(
    scope: Scope,
    message: {
      to: string[];
      from?: string;
      subject: string;
      html?: string;
      text?: string;
      render: false;
      type: 'transactional';
      tags: string[];
      metadata: Record<string, string>;
      track_opens: false;
      track_clicks: false;
    },
    submitter: { actor: 'api' | 'user'; keyId: string | null; idempotencyHeader: null },
  ): Promise<{ message: TestMessage; copies: readonly TestMessage[] }>;
}

interface TestMessage {
  public_id: string;
  to_email: string;
  status: string;
}

export interface TemplateRouteDeps {
  store: Pick<TemplateStores, 'templates' | 'contacts' | 'lists' | 'tenants' | 'accounts' | 'commit'>;
  senders: TemplateSenders;
  renderer: Renderer;
  testMail: TestMail;
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
