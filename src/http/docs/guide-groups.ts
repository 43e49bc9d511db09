// The guides in the order of the side bar, grouped by task. test/http/docs-site.test.ts checks that each guide is in one group.
import type { Guide } from './guides.js';

interface GuideGroup {
  title: string;
  slugs: readonly string[];
}

export const GUIDE_GROUPS: readonly GuideGroup[] = [
  { title: 'Get started', slugs: ['quickstart', 'dashboard', 'requests', 'sdk', 'cli', 'mcp', 'relay'] },
  { title: 'Send mail', slugs: ['templates', 'explain', 'tracking', 'threads', 'inboxes', 'errors'] },
  { title: 'Events and analytics', slugs: ['webhooks', 'events', 'analytics'] },
  {
    title: 'Campaigns and contacts',
    slugs: ['contacts', 'campaigns', 'sequences', 'bulk-actions', 'public-pages', 'bulk-rules'],
  },
  {
    title: 'Domains and reputation',
    slugs: ['domains', 'dkim', 'zone', 'reputation', 'dmarc-reports', 'share-links'],
  },
  { title: 'Accounts and access', slugs: ['accounts', 'send-policies', 'approvals', 'people'] },
  {
    title: 'Migrate from another provider',
    slugs: [
      'moving-in',
      'leaving',
      'workspace-exports',
      'compat',
      'compat-resend',
      'compat-postmark',
      'compat-sendgrid',
      'compat-mailgun',
      'compat-ses',
      'compat-operations',
    ],
  },
  {
    title: 'Run a server',
    slugs: [
      ...[
        'runbook',
        'config',
        'sizing',
        'shaping',
        'alerts',
        'retention',
        'replica',
        'postgresql',
        'scale-out',
        'drills',
      ],
      ...['monitoring/metrics', 'monitoring/logs-and-traces'],
    ],
  },
  { title: 'Internals', slugs: ['glossary', 'standards', 'architecture', 'benchmarks'] },
];

/** Returns the guides with these slugs, in that order. Guides that are not installed are left out. */
export function selectGuides(slugs: readonly string[], guides: readonly Guide[]): Guide[] {
  return slugs.flatMap((slug) => guides.find((guide) => guide.slug === slug) ?? []);
}
