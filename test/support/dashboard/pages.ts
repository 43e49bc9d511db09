// Every page of the dashboard by an address that shows something, in the filled workspace.
import type { DashboardWorld } from '../dashboard-world.js';

export interface ShownPage {
  /** Of the picture and of the test. */
  name: string;
  path: string;
  /** Live unless given. */
  environment?: 'test';
}

export function pagesOf(world: DashboardWorld): ShownPage[] {
  const page = (name: string, path: string): ShownPage => ({ name, path });
  const inSandbox = (name: string, path: string): ShownPage => ({ name, path, environment: 'test' });
  const { live, sandbox, campaigns, sequences, tenants, senders, templates, audience, webhooks } = world;
  return [
    page('overview', '/'),
    inSandbox('get-started', '/get-started'),
    page('messages', '/messages'),
    page('message', `/messages/${live.deferred}`),
    page('message-attempts', `/messages/${live.bounced}?tab=attempts`),
    page('message-content', `/messages/${live.templated}?tab=content`),
    page('message-webhooks', `/messages/${live.delivered}?tab=deliveries`),
    page('message-proof', `/messages/${live.delivered}?tab=proof`),
    inSandbox('new-message', '/messages/new'),
    inSandbox('sandbox', `/sandbox?message=${sandbox.messages.clicked}`),
    inSandbox('threads', '/threads'),
    inSandbox('thread', `/threads/${sandbox.threadId}`),
    page('templates', '/templates'),
    page('template', `/templates/${templates.letter}`),
    page('contacts', '/contacts'),
    page('contact', `/contacts/${audience.contactId}`),
    page('contacts-filtered', '/contacts?q=a&status=active'),
    page('lists', '/lists'),
    page('list', `/lists/${audience.letterList}`),
    page('list-growth', `/lists/${audience.letterList}?tab=growth`),
    page('list-tags', `/lists/${audience.letterList}?tab=tags`),
    page('list-form', `/lists/${audience.openList}?tab=form`),
    page('segment', `/lists/${audience.segment}`),
    page('imports', '/imports'),
    page('import', `/imports/${audience.importId}`),
    page('new-import', '/imports/new'),
    page('exports', '/exports'),
    page('bulk-actions', '/bulk-actions'),
    page('campaigns', '/campaigns'),
    page('campaign-plan', `/campaigns/${campaigns.draft}?tab=plan`),
    page('campaign-preflight', `/campaigns/${campaigns.draft}?tab=check`),
    page('campaign-copies', `/campaigns/${campaigns.draft}?tab=copies`),
    page('campaign-progress', `/campaigns/${campaigns.sending}`),
    page('campaign-results', `/campaigns/${campaigns.sent}?tab=results`),
    page('sequences', '/sequences'),
    page('sequence', `/sequences/${sequences.onboarding}`),
    page('sequence-editor', `/sequences/${sequences.onboarding}/edit`),
    page('suppressions', '/suppressions'),
    page('sub-tenants', '/sub-tenants'),
    page('sub-tenant', `/sub-tenants/${tenants.throttled}`),
    page('sub-tenant-rules', `/sub-tenants/${tenants.throttled}?tab=rules`),
    page('sub-tenant-dns', `/sub-tenants/${tenants.wrong}?tab=dns`),
    page('senders', '/senders'),
    page('sender', `/senders/${senders.wrong}`),
    page('queue', '/queue'),
    page('destination', '/queue/slowmail.example'),
    page('bounces', '/bounces'),
    page('health', '/health'),
    page('api-keys', '/api-keys'),
    page('smtp', '/smtp'),
    page('webhooks', '/webhooks'),
    page('webhook', `/webhooks/${webhooks.failing}`),
    page('webhook-answering', `/webhooks/${webhooks.good}`),
    page('webhook-replays', `/webhooks/${webhooks.good}?tab=replays`),
    page('events', '/events'),
    page('requests', '/requests'),
    page('settings', '/settings'),
    page('people', '/people'),
    page('usage', '/usage'),
    page('audit-log', '/audit-log'),
    page('account', '/account'),
  ];
}
