// Looks up the current DNS records of a domain for shared pages. Results are cached for seconds, and simultaneous requests
// share one check.
import { createLruCache } from '../lib/runtime/index.js';
import type { DomainContext } from './context.js';
import { checkDomain, type CheckContext } from './check-domain.js';
import {
  domainRecords,
  readResults,
  withResults,
  type DomainOwner,
  type RecordWithResult,
} from './domain-records.js';

const FRESH_MS = 20_000;
const DOMAINS = 1_000;

export interface CurrentRecords {
  records: RecordWithResult[];
  /** Epoch ms. */
  at: number;
}

/** Falls back to the `dnsResults` of the last check if a lookup fails. */
export type ReadCurrentRecords = (owner: DomainOwner, dnsResults: string | null) => Promise<CurrentRecords>;

export function createCurrentRecords(
  context: Pick<DomainContext, 'store' | 'clock'> & CheckContext,
): ReadCurrentRecords {
  const { store, clock } = context;
  const looks = createLruCache<string, { at: number; seen: Promise<CurrentRecords> }>(DOMAINS);

  async function look(owner: DomainOwner, dnsResults: string | null, at: number): Promise<CurrentRecords> {
    const keys = await store.domains.dkimKeys([owner.id]);
    const previous = readResults(dnsResults);
    const { results } = await checkDomain(context, { owner, keys, previous }, at);
    return { records: withResults(domainRecords(owner, keys, context.settings), results), at };
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
