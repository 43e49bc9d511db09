// Additions to the counters of mail.
import type { Measure } from './analytics.schema.js';
import type { BounceCategory, MessageType, RouteSide } from '../contract/names.js';
import type { ReputationSums } from '../tenants/reputation-rates.rules.js';

/** Groups of mail that are counted separately; `route` for each side of a route with a share. */
export type GroupDimension = 'tag' | 'provider' | 'route';

/** The value of a side in the dimension `route`. */
export function routeSideKey(route: string, side: RouteSide): string {
  return `${route} ${side}`;
}

/** The additions of a batch of events by counter, each key once. */
export interface EventCounters {
  days: {
    environmentId: number;
    /** '' without a sub-tenant, ALL_TENANTS for all mail. */
    subTenantKey: string;
    type: MessageType;
    /** Days since the epoch, UTC. */
    day: number;
    measure: Measure;
    n: number;
  }[];
  /** Hours since the epoch, UTC. */
  allHours: {
    environmentId: number;
    subTenantKey: string;
    type: MessageType;
    hour: number;
    measure: Measure;
    n: number;
  }[];
  groups: {
    environmentId: number;
    subTenantKey: string;
    dimension: GroupDimension;
    value: string;
    type: MessageType;
    day: number;
    measure: Measure;
    n: number;
  }[];
  bounces: {
    environmentId: number;
    subTenantKey: string;
    day: number;
    category: BounceCategory;
    bounceType: 'hard' | 'soft';
    provider: string;
    n: number;
  }[];
  /** Of sub-tenants' mail; hours since the epoch, UTC. */
  tenantHours: ({ environmentId: number; subTenantId: string; hour: number } & ReputationSums)[];
  sources: { sourceId: string; variant: string; measure: Measure; n: number }[];
  /** Hours since the epoch, UTC. */
  hours: { sourceId: string; hour: number; measure: Measure; n: number }[];
  links: { sourceId: string; url: string; clicks: number; people: number; machineClicks: number }[];
  engagements: {
    messageId: number;
    opens: number;
    machineOpens: number;
    clicks: number;
    machineClicks: number;
  }[];
}
