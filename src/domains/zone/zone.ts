// Answers for the zone that is delegated to us: each question from what the store holds at that moment, so that a new
// sub-tenant, a new key and a moved one are there with the commit that made them.
import {
  answerFromZone,
  REFUSED,
  type ZoneAnswer,
  type ZoneQuestion,
  type ZoneRecord,
} from '../../lib/dns/zone-answer.rules.js';
import type { ZoneFacts } from './zone-facts.rules.js';
import { placeInZone, type ZonePlace } from './zone-names.rules.js';
import { isPermissionName, PERMISSION_VALUE } from '../report-addresses.rules.js';
import { canonicalHost, labelsBelow } from '../../lib/dns/dns-answer.rules.js';
import {
  aliasedKeyRecords,
  ownZoneRecords,
  soaOf,
  tenantZoneRecords,
  type ZonePolicy,
} from './zone-records.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { PLATFORM_OWNER } from '../domains.store.js';
import type { DomainStores } from '../stores.js';

const OWN_RECORDS_MS = 10_000;

/** Reports about any domain may come to ours (RFC 7489 section 7.1). */
function reportPermission(name: string, { bounceDomain, ttlS }: ZoneFacts): ZoneRecord[] {
  if (!isPermissionName(name, bounceDomain)) return [];
  return [{ type: 'TXT', name, ttlS, value: PERMISSION_VALUE }];
}

export interface ZoneDeps {
  store: Pick<DomainStores, 'zone'>;
  /** Asked for each question; the zone and the platform's domain in them never change. */
  facts: () => ZoneFacts;
  /** Null: we have no MTA-STS policy. */
  policy: ZonePolicy | null;
  clock: Clock;
}

export interface Zone {
  /** Rejects when the store cannot be read. */
  answer(question: ZoneQuestion): Promise<ZoneAnswer>;
}

export function createZone({ store, facts, policy, clock }: ZoneDeps): Zone {
  const { platformDomain, zone } = facts();
  const signsBelow = platformDomain !== null && labelsBelow(platformDomain, zone) !== null;
  let kept: { records: ZoneRecord[]; at: number } | null = null;

  /** The keys of the platform's domain can move; beside them only a certificate comes or goes now and then. */
  async function ownRecords(now: number): Promise<readonly ZoneRecord[]> {
    if (signsBelow) {
      return ownZoneRecords(facts(), await store.zone.keysOf(PLATFORM_OWNER, platformDomain), policy);
    }
    if (kept === null || now - kept.at >= OWN_RECORDS_MS) {
      kept = { records: ownZoneRecords(facts(), [], policy), at: now };
    }
    return kept.records;
  }

  async function recordsAround(place: ZonePlace): Promise<ZoneRecord[]> {
    switch (place.kind) {
      case 'outside':
      case 'own':
        return [];
      case 'domain': {
        const tenant = await store.zone.tenantByDomain(place.domain);
        return tenant ? tenantZoneRecords(tenant, facts(), policy) : [];
      }
      case 'keys': {
        const tenant = await store.zone.tenantById(place.tenantId);
        return tenant ? aliasedKeyRecords(tenant, facts()) : [];
      }
    }
  }

  return {
    async answer(question) {
      const place = placeInZone(question.name, zone);
      if (place.kind === 'outside') return REFUSED;
      const now = clock();
      const records = [
        ...(await ownRecords(now)),
        ...(await recordsAround(place)),
        ...reportPermission(canonicalHost(question.name), facts()),
      ];
      return answerFromZone(question, { soa: soaOf(facts(), now), records });
    },
  };
}
