// Every page of the dashboard, by an address with content in the filled workspace.
import type { DashboardWorld } from '../dashboard-world.js';

export interface ShownPage {
  /** Name of the screenshot and of the test. */
  name: string;
  path: string;
  /** Text that the page must contain, if it is known. */
  shows?: string;
  /** Live unless given. */
  environment?: 'test';
  /** Has the same layout as another page of the list, so axe examines it only in full size. */
  isAlike?: true;
}

export function pagesOf(world: DashboardWorld): ShownPage[] {
  const page = (name: string, path: string, shows = ''): ShownPage => ({ name, path, shows });
  const alike = (...given: Parameters<typeof page>): ShownPage => ({ ...page(...given), isAlike: true });
  const inSandbox = (name: string, path: string): ShownPage => ({ name, path, environment: 'test' });
  const { approvalId, live, sandbox, campaigns, sequences, tenants, senders, templates, audience, webhooks } =
    world;
  return [
    page('overview', '/', 'Needs attention'),
    inSandbox('get-started', '/get-started'),
    page('messages', '/messages'),
    page('message', `/messages/${live.deferred}`),
    alike('message-attempts', `/messages/${live.bounced}?tab=attempts`),
    page('message-content', `/messages/${live.templated}?tab=content`),
    alike('message-webhooks', `/messages/${live.delivered}?tab=deliveries`),
    page('message-proof', `/messages/${live.delivered}?tab=proof`),
    inSandbox('new-message', '/messages/new'),
    inSandbox('sandbox', `/sandbox?message=${sandbox.messages.clicked}`),
    inSandbox('threads', '/threads'),
    inSandbox('thread', `/threads/${sandbox.threadId}`),
    alike('approvals', '/approvals', 'Your refund'),
    page('approval', `/approvals/${approvalId}`, 'refunds.example.net'),
    page('templates', '/templates', 'Monthly letter'),
    page('template', `/templates/${templates.letter}`, 'no value'),
    page('contacts', '/contacts'),
    page('contact', `/contacts/${audience.contactId}`, 'Custom fields'),
    alike('contacts-filtered', '/contacts?q=a&status=active'),
    alike('lists', '/lists', 'Potters in Halden'),
    page('list', `/lists/${audience.letterList}`, 'Remove'),
    page('list-growth', `/lists/${audience.letterList}?tab=growth`, 'Contacts per day'),
    alike('list-tags', `/lists/${audience.letterList}?tab=tags`, 'pottery'),
    page('list-form', `/lists/${audience.openList}?tab=form`, 'list_key'),
    page('segment', `/lists/${audience.segment}`, 'city is Halden'),
    alike('imports', '/imports', '6 of 6'),
    page('import', `/imports/${audience.importId}`, 'The address is missing.'),
    page('new-import', '/imports/new', 'Dry run'),
    alike('account-imports', '/account-imports', 'dry run'),
    page('account-import', `/account-imports/${audience.accountImportId}`, 'changed nothing'),
    page('new-account-import', '/account-imports/new', 'Start dry run'),
    alike('exports', '/exports', 'Messages'),
    alike('bulk-actions', '/bulk-actions', 'Suppress addresses'),
    alike('campaigns', '/campaigns', 'March letter'),
    page('campaign-plan', `/campaigns/${campaigns.draft}?tab=plan`),
    page('campaign-preflight', `/campaigns/${campaigns.draft}?tab=check`, 'Postal address'),
    page('campaign-copies', `/campaigns/${campaigns.draft}?tab=copies`, 'Each preview shows exactly'),
    page('campaign-progress', `/campaigns/${campaigns.sending}`, 'A/B test in progress'),
    page('campaign-results', `/campaigns/${campaigns.sent}?tab=results`, 'Engagement funnel'),
    alike('sequences', '/sequences', 'From sign-up to the first course'),
    page('sequence', `/sequences/${sequences.onboarding}`, 'Steps'),
    page('sequence-editor', `/sequences/${sequences.onboarding}/edit`, 'Go to step'),
    alike('suppressions', '/suppressions', 'The recipient unsubscribed.'),
    alike('sub-tenants', '/sub-tenants', 'Velo Werkstatt Süd'),
    page('sub-tenant', `/sub-tenants/${tenants.throttled}`, 'Throttled'),
    alike('sub-tenant-rules', `/sub-tenants/${tenants.throttled}?tab=rules`),
    page('sub-tenant-dns', `/sub-tenants/${tenants.wrong}?tab=dns`),
    alike('senders', '/senders', 'fernhill.example'),
    alike('sender', `/senders/${senders.wrong}`, 'DNS records'),
    page('queue', '/queue', 'slowmail.example'),
    page('route-shares', '/queue?tab=shares', 'through the smarthost'),
    page('destination', '/queue/slowmail.example', 'Greylisted'),
    alike('bounces', '/bounces', 'Sender blocks'),
    page('health', '/health', 'Server'),
    page('api-keys', '/api-keys'),
    page('smtp', '/smtp'),
    page('webhooks', '/webhooks', 'The booking service'),
    page('webhook', `/webhooks/${webhooks.failing}`),
    alike('webhook-answering', `/webhooks/${webhooks.good}`, 'Message delivered'),
    alike('webhook-replays', `/webhooks/${webhooks.good}?tab=replays`, 'Details'),
    alike('events', '/events', 'Message delivered'),
    alike('requests', '/requests', '/v1/'),
    page('settings', '/settings'),
    page('people', '/people'),
    page('usage', '/usage', 'transactional'),
    page('audit-log', '/audit-log', 'Olga Fernhill'),
    page('account', '/account'),
    page('alerts', '/account/alerts', 'Quiet hours'),
  ];
}
