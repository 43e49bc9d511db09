// Answers queries about the delegated zone from the database, so that sub-tenants and keys appear when they are committed.
import {
  answerFromZone,
  canonicalHost,
  labelsBelow,
  REFUSED,
  type ZoneAnswer,
  type ZoneQuestion,
  type ZoneRecord,
} from '../../lib/dns-answers/index.js';
import type { ZoneFacts } from './zone-facts.rules.js';
import { placeInZone, type ZonePlace } from './zone-names.rules.js';
import { isPermissionName, PERMISSION_VALUE } from '../report-addresses.rules.js';
import {
  aliasedKeyRecords,
  ownZoneRecords,
  buildSoa,
  tenantZoneRecords,
  type ZonePolicy,
} from './zone-records.rules.js';
import type { Clock } from '../../lib/runtime/index.js';
import { PLATFORM_OWNER } from '../domains.store.js';
import type { DomainContext } from '../context.js';
import type { DomainStores } from '../stores.js';

const OWN_RECORDS_MS = 10_000;

/** Permits reports about any domain to be sent to the bounce domain (RFC 7489 section 7.1). */
function reportPermission(name: string, { bounceDomain, ttlS }: ZoneFacts): ZoneRecord[] {
  if (!isPermissionName(name, bounceDomain)) return [];
  return [{ type: 'TXT', name, ttlS, value: PERMISSION_VALUE }];
}

export class Zone {
  readonly #store: DomainStores;
  readonly #clock: Clock;
  readonly #facts: () => ZoneFacts;
  readonly #policy: ZonePolicy | null;
  #kept: { records: ZoneRecord[]; at: number } | null = null;

  /** `facts` is called for each query. Its zone and platform domain never change. `policy` is `null` without MTA-STS. */
  constructor(
    { store, clock }: Pick<DomainContext, 'store' | 'clock'>,
    facts: () => ZoneFacts,
    policy: ZonePolicy | null,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#facts = facts;
    this.#policy = policy;
  }

  /** Rejects if the store cannot be read. */
  async answer(question: ZoneQuestion): Promise<ZoneAnswer> {
    const place = placeInZone(question.name, this.#facts().zone);
    if (place.kind === 'outside') return REFUSED;
    const now = this.#clock();
    const records = [
      ...(await this.#ownRecords(now)),
      ...(await this.#recordsAround(place)),
      ...reportPermission(canonicalHost(question.name), this.#facts()),
    ];
    return answerFromZone(question, { soa: buildSoa(this.#facts(), now), records });
  }

  /** Caches the records for seconds, unless they contain the platform domain's keys, which can change at any time. */
  async #ownRecords(now: number): Promise<readonly ZoneRecord[]> {
    const facts = this.#facts();
    const { platformDomain, zone } = facts;
    if (platformDomain !== null && labelsBelow(platformDomain, zone) !== null) {
      const keys = await this.#store.zone.keysOf(PLATFORM_OWNER, platformDomain);
      return ownZoneRecords(this.#facts(), keys, this.#policy);
    }
    if (this.#kept === null || now - this.#kept.at >= OWN_RECORDS_MS) {
      this.#kept = { records: ownZoneRecords(facts, [], this.#policy), at: now };
    }
    return this.#kept.records;
  }

  async #recordsAround(place: ZonePlace): Promise<ZoneRecord[]> {
    switch (place.kind) {
      case 'outside':
      case 'own':
        return [];
      case 'domain': {
        const tenant = await this.#store.zone.tenantByDomain(place.domain);
        return tenant ? tenantZoneRecords(tenant, this.#facts(), this.#policy) : [];
      }
      case 'keys': {
        const tenant = await this.#store.zone.tenantById(place.tenantId);
        return tenant ? aliasedKeyRecords(tenant, this.#facts()) : [];
      }
    }
  }
}
