// Every page below a workspace and an environment. The code of a page is loaded when it is first opened.
import { createRoute, lazyRouteComponent, type AnyRoute } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { loadChunk } from './load-chunk.js';

export function pagesOf(place: AnyRoute): AnyRoute[] {
  function page<M extends Record<K, ComponentType>, K extends string>(
    path: string,
    load: () => Promise<M>,
    name: K,
  ): AnyRoute {
    return createRoute({
      getParentRoute: () => place,
      path,
      component: lazyRouteComponent(() => loadChunk(load), name),
    });
  }
  return [
    page('/', () => import('../pages/overview/overview.js'), 'OverviewPage'),
    page('/get-started', () => import('../pages/overview/get-started.js'), 'GetStartedPage'),
    page('/messages', () => import('../pages/messages/messages.js'), 'MessagesPage'),
    page('/messages/new', () => import('../pages/messages/new-message.js'), 'NewMessagePage'),
    page('/messages/$id', () => import('../pages/messages/message.js'), 'MessagePage'),
    page('/sandbox', () => import('../pages/sandbox/sandbox.js'), 'SandboxPage'),
    page('/threads', () => import('../pages/threads/threads.js'), 'ThreadsPage'),
    page('/threads/$id', () => import('../pages/threads/thread.js'), 'ThreadPage'),
    page('/approvals', () => import('../pages/approvals/approvals.js'), 'ApprovalsPage'),
    page('/approvals/$id', () => import('../pages/approvals/approval.js'), 'ApprovalPage'),
    page('/templates', () => import('../pages/templates/templates.js'), 'TemplatesPage'),
    page('/templates/new', () => import('../pages/templates/template.js'), 'NewTemplatePage'),
    page('/templates/$id', () => import('../pages/templates/template.js'), 'TemplatePage'),
    page('/contacts', () => import('../pages/contacts/contacts.js'), 'ContactsPage'),
    page('/contacts/$id', () => import('../pages/contacts/contact.js'), 'ContactPage'),
    page('/lists', () => import('../pages/lists/lists.js'), 'ListsPage'),
    page('/lists/$id', () => import('../pages/lists/list.js'), 'ListPage'),
    page('/imports', () => import('../pages/imports/imports.js'), 'ImportsPage'),
    page('/imports/new', () => import('../pages/imports/new-import.js'), 'NewImportPage'),
    page('/imports/$id', () => import('../pages/imports/import.js'), 'ImportPage'),
    page('/account-imports', () => import('../pages/imports/account-imports.js'), 'AccountImportsPage'),
    page(
      '/account-imports/new',
      () => import('../pages/imports/new-account-import.js'),
      'NewAccountImportPage',
    ),
    page('/account-imports/$id', () => import('../pages/imports/account-import.js'), 'AccountImportPage'),
    page('/exports', () => import('../pages/imports/exports.js'), 'ExportsPage'),
    page('/bulk-actions', () => import('../pages/imports/bulk-actions.js'), 'BulkActionsPage'),
    page('/campaigns', () => import('../pages/campaigns/campaigns.js'), 'CampaignsPage'),
    page('/campaigns/new', () => import('../pages/campaigns/new-campaign.js'), 'NewCampaignPage'),
    page('/campaigns/$id', () => import('../pages/campaigns/campaign.js'), 'CampaignPage'),
    page('/sequences', () => import('../pages/sequences/sequences.js'), 'SequencesPage'),
    page('/sequences/new', () => import('../pages/sequences/sequence-editor.js'), 'NewSequencePage'),
    page('/sequences/$id', () => import('../pages/sequences/sequence.js'), 'SequencePage'),
    page('/sequences/$id/edit', () => import('../pages/sequences/sequence-editor.js'), 'EditSequencePage'),
    page('/suppressions', () => import('../pages/suppressions/suppressions.js'), 'SuppressionsPage'),
    page('/sub-tenants', () => import('../pages/sub-tenants/sub-tenants.js'), 'SubTenantsPage'),
    page('/sub-tenants/$id', () => import('../pages/sub-tenants/sub-tenant.js'), 'SubTenantPage'),
    page('/senders', () => import('../pages/senders/senders.js'), 'SendersPage'),
    page('/senders/$id', () => import('../pages/senders/sender.js'), 'SenderPage'),
    page('/queue', () => import('../pages/queue/queue.js'), 'QueuePage'),
    page('/queue/$domain', () => import('../pages/queue/destination.js'), 'DestinationPage'),
    page('/bounces', () => import('../pages/bounces/bounces.js'), 'BouncesPage'),
    page('/health', () => import('../pages/health/health.js'), 'HealthPage'),
    page('/webhooks', () => import('../pages/webhooks/webhooks.js'), 'WebhooksPage'),
    page('/webhooks/$id', () => import('../pages/webhooks/webhook.js'), 'WebhookPage'),
    page('/api-keys', () => import('../pages/api-keys/api-keys.js'), 'ApiKeysPage'),
    page('/smtp', () => import('../pages/smtp/smtp.js'), 'SmtpPage'),
    page('/events', () => import('../pages/events/events.js'), 'EventsPage'),
    page('/requests', () => import('../pages/requests/requests.js'), 'RequestsPage'),
    page('/settings', () => import('../pages/settings/settings.js'), 'SettingsPage'),
    page('/people', () => import('../pages/people/people.js'), 'PeoplePage'),
    page('/usage', () => import('../pages/usage/usage.js'), 'UsagePage'),
    page('/audit-log', () => import('../pages/audit-log/audit-log.js'), 'AuditLogPage'),
    page('/account', () => import('../pages/account/account.js'), 'AccountPage'),
    page('/account/alerts', () => import('../pages/account/alerts.js'), 'AlertsPage'),
  ];
}
