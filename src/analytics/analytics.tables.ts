// Tables of counters, made from the events.
import type { BounceCategory } from '../contract/names.js';
import type { Measure } from './analytics.schema.js';
import { type ColumnsOf, int, table, text } from '../database/columns.js';

/** Actions of recipients on an opened or clicked message; distinguishes a first time from a further one. */
export const engagement = table('engagement', {
  message_id: int(),
  opens: int(),
  machine_opens: int(),
  clicks: int(),
  machine_clicks: int(),
});
export type EngagementTable = ColumnsOf<typeof engagement>;

export const statDays = table('stat_days', {
  environment_id: int(),
  /** '' for mail without a sub-tenant, `*` for all mail of the environment. */
  sub_tenant_key: text(),
  type: text<'transactional' | 'marketing' | 'sales'>(),
  /** Days since the epoch, UTC. */
  day: int(),
  measure: text<Measure>(),
  n: int(),
});

/** All mail by hour, for a month. */
export const statHours = table('stat_hours', {
  environment_id: int(),
  sub_tenant_key: text(),
  /** Hours since the epoch, UTC. */
  hour: int(),
  type: text<'transactional' | 'marketing' | 'sales'>(),
  measure: text<Measure>(),
  n: int(),
});

export const statGroups = table('stat_groups', {
  environment_id: int(),
  sub_tenant_key: text(),
  dimension: text<'tag' | 'provider' | 'route'>(),
  day: int(),
  /** The tag; the name of the provider; the route and its side. */
  value: text(),
  type: text<'transactional' | 'marketing' | 'sales'>(),
  measure: text<Measure>(),
  n: int(),
});

export const statBounces = table('stat_bounces', {
  environment_id: int(),
  sub_tenant_key: text(),
  day: int(),
  category: text<BounceCategory>(),
  bounce_type: text<'hard' | 'soft'>(),
  provider: text(),
  n: int(),
});

/** Tags that are counted separately, up to a limit. */
export const countedTags = table('counted_tags', {
  environment_id: int(),
  tag: text(),
});

/** Provider of a domain's mail servers when mail last went there. */
export const domainProviders = table('domain_providers', {
  domain: text(),
  provider: text(),
});

export const sourceStats = table('source_stats', {
  /** A campaign's or a sequence's id. */
  source_id: text(),
  /** '' for the base. */
  variant: text(),
  measure: text<Measure>(),
  n: int(),
});
export type SourceStatTable = ColumnsOf<typeof sourceStats>;

export const sourceHours = table('source_hours', {
  source_id: text(),
  /** Hours since the epoch, UTC. */
  hour: int(),
  measure: text<Measure>(),
  n: int(),
});

export const sourceLinks = table('source_links', {
  source_id: text(),
  url: text(),
  clicks: int(),
  /** Messages whose link was clicked at least once by a person. */
  people: int(),
  machine_clicks: int(),
});
export type SourceLinkTable = ColumnsOf<typeof sourceLinks>;

/** Events of a sub-tenant's mail in one hour, by the time of the events. */
export const tenantHours = table('tenant_hours', {
  environment_id: int(),
  sub_tenant_id: text(),
  /** Hours since the epoch, UTC. */
  hour: int(),
  sent: int(),
  delivered: int(),
  bounced: int(),
  complained: int(),
});
