// Dependencies that app gives templates.
import type { Clock } from '../lib/runtime/index.js';
import type { Scope } from '../database/scope.js';
import type { Submitter } from '../http/access/caller.js';
import type { TemplateStores } from './stores.js';
import type { Renderer } from './rendering/renderer.js';
import type { TemplateSources } from './sources.js';
import type { Template, TemplateUse } from './templates.tables.js';

/** Finds the bulk mail that sends a template. */
interface TemplateSenders {
  /** Returns the campaigns that are not finished. */
  campaigns: (scope: Scope, id: string) => Promise<TemplateUse[]>;
  sequences: (scope: Scope, template: Pick<Template, 'id' | 'slug'>) => Promise<TemplateUse[]>;
}

/** Sends a rendered template to people who try it out. */
interface TestMail {
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
    submitter: Submitter & { idempotencyHeader: null },
  ): Promise<{ message: TestMessage; copies: readonly TestMessage[] }>;
}

interface TestMessage {
  public_id: string;
  to_email: string;
  status: string;
}

export interface TemplateContext {
  store: TemplateStores;
  sources: TemplateSources;
  senders: TemplateSenders;
  renderer: Renderer;
  testMail: TestMail;
  clock: Clock;
  /** Base of the sample unsubscribe link in previews, without a slash at the end. */
  publicUrl: string;
}
