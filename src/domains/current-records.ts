// The records of a domain in DNS at this moment, for shared pages: cached for seconds, and simultaneous requests share one
// check.
import { createLruCache } from '../lib/runtime/lru-cache.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { DomainStores } from './stores.js';
import { checkDomain, type DomainCheckDeps } from './check-domain.js';
import {
  domainRecords,
  readResults,
  withResults,
  type DomainOwner,
  type RecordWithResult,
} from './domain-records.js';

/** A look is good for so long. */
const FRESH_MS = 20_000;
const DOMAINS = 1_000;

export interface RecordLookDeps extends DomainCheckDeps {
  store: Pick<DomainStores, 'domains'>;
  clock: Clock;
}

export interface SeenRecords {
  records: RecordWithResult[];
  /** Epoch ms. */
  at: number;
}

/** `dnsResults`: of the last check, for what nobody answers now. */
export type LookAtRecords = (owner: DomainOwner, dnsResults: string | null) => Promise<SeenRecords>;

export function createRecordLook(deps: RecordLookDeps): LookAtRecords {
  const { store, clock } = deps;
  const looks = createLruCache<string, { at: number; seen: Promise<SeenRecords> }>(DOMAINS);

  async function look(owner: DomainOwner, dnsResults: string | null, at: number): Promise<SeenRecords> {
    const keys = await store.domains.dkimKeys([owner.id]);
    const previous = readResults(dnsResults);
    const { results } = await checkDomain(deps, { owner, keys, previous }, at);
    return { records: withResults(domainRecords(owner, keys, deps.settings), results), at };
  }

  return (owner, dnsResults) => {
    const now = clock();
    const known = looks.get(owner.id);
    if (known && now - known.at < FRESH_MS) return known.seen;
    const seen = look(owner, dnsResults, now);
    looks.set(owner.id, { at: now, seen });
    seen.catch(() => looks.delete(owner.id));
    return seen;
  };
}
