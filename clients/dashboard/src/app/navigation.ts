// The pages in the side bar and the palette, in their groups.
import type { CommonTexts } from '../texts/common.js';
import type { IconName } from '../ui/icon.js';

type NavName = keyof CommonTexts['nav'];

export interface NavItem {
  name: NavName;
  to: string;
  icon: IconName;
  /** Set if the page is not available in the other environment. */
  only?: 'live' | 'test';
  /** Shows how many wait, beside its name. */
  counts?: 'approvals';
  /** The role that the page requires. */
  least?: 'member' | 'admin';
}

export interface NavGroup {
  name: NavName | null;
  items: readonly NavItem[];
}

export const NAVIGATION: readonly NavGroup[] = [
  {
    name: null,
    items: [
      { name: 'getStarted', to: '/get-started', icon: 'start' },
      { name: 'overview', to: '/', icon: 'overview' },
    ],
  },
  {
    name: 'send',
    items: [
      { name: 'messages', to: '/messages', icon: 'mail' },
      { name: 'approvals', to: '/approvals', icon: 'approval', counts: 'approvals' },
      { name: 'sandbox', to: '/sandbox', icon: 'sandbox', only: 'test' },
      { name: 'threads', to: '/threads', icon: 'threads' },
      { name: 'templates', to: '/templates', icon: 'template' },
    ],
  },
  {
    name: 'audience',
    items: [
      { name: 'contacts', to: '/contacts', icon: 'contacts' },
      { name: 'lists', to: '/lists', icon: 'lists' },
      { name: 'campaigns', to: '/campaigns', icon: 'campaign' },
      { name: 'sequences', to: '/sequences', icon: 'sequence' },
      { name: 'imports', to: '/imports', icon: 'import' },
      { name: 'suppressions', to: '/suppressions', icon: 'suppressed' },
    ],
  },
  {
    name: 'tenants',
    items: [
      { name: 'subTenants', to: '/sub-tenants', icon: 'tenants' },
      { name: 'senders', to: '/senders', icon: 'domain' },
    ],
  },
  {
    name: 'delivery',
    items: [
      { name: 'queue', to: '/queue', icon: 'queue' },
      { name: 'bounces', to: '/bounces', icon: 'bounce' },
      { name: 'health', to: '/health', icon: 'health' },
    ],
  },
  {
    name: 'developers',
    items: [
      { name: 'apiKeys', to: '/api-keys', icon: 'key', least: 'admin' },
      { name: 'smtp', to: '/smtp', icon: 'smtp' },
      { name: 'webhooks', to: '/webhooks', icon: 'webhook' },
      { name: 'events', to: '/events', icon: 'events' },
      { name: 'requests', to: '/requests', icon: 'requests', least: 'member' },
    ],
  },
  {
    name: 'organization',
    items: [
      { name: 'settings', to: '/settings', icon: 'settings' },
      { name: 'people', to: '/people', icon: 'people' },
      { name: 'usage', to: '/usage', icon: 'usage' },
      { name: 'auditLog', to: '/audit-log', icon: 'audit', least: 'admin' },
    ],
  },
];

/** Whether the page at this path is the item's, or one below it. */
export function isCurrent(item: NavItem, path: string): boolean {
  if (item.to === '/') return path === '' || path === '/';
  if (item.name === 'imports' && /^\/(account-imports|exports|bulk-actions)(\/|$)/.test(path)) return true;
  return path === item.to || path.startsWith(`${item.to}/`);
}
