// Finds the MTA-STS policy that currently applies to a domain through DNS and HTTPS, caches it until it expires, and renews it
// daily (RFC 8461 sections 3, 5.1, 10.2).
import type { OutboundContext } from '../context.js';
import { LRUCache } from 'lru-cache';
import { parseStsPolicy, readStsRecords, type StsLookup } from '../../lib/tls-policy/index.js';
import { createSemaphore } from '../../lib/concurrency/index.js';
import type { DnsResolver } from '../../lib/dns/index.js';
import type { FetchPolicy } from '../../lib/http/index.js';
import { canonicalHost } from '../../lib/dns-answers/index.js';
import type { Clock, Log } from '../../lib/runtime/index.js';
import {
  dropStsPolicy,
  markStsPolicyUsed,
  type KeptStsPolicy,
  type StsPolicyStore,
} from './sts-policies.store.js';
import {
  policyAnswer,
  policyChanges,
  failedPolicy,
  isFetchDue,
  LOOK_MS,
  markedUsed,
  REFRESH_MS,
  cachedCharacters,
  fetchedPolicy,
  UNKNOWN,
  type CachedPolicy,
  type StsFailure,
} from './sts-cached-policy.js';
import type { Change, Plan } from '../../database/change.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A domain's TXT record is read again after this time when no resolver could answer. */
const LOOK_AGAIN_MS = MINUTE;
/** A domain that no mail went to for so long has its policy no longer renewed; it still binds until it expires. */
const IN_USE_MS = 30 * DAY;
const DEFAULT_WAIT_MS = 10_000;
const MAX_FETCHES = 64;
const REFRESHES = 8;
const PAGE = 200;
const MAX_DOMAINS = 50_000;
const MAX_CHARACTERS = 64 * 1024 * 1024;
/** Counted for each domain at least, so that there are at most `MAX_DOMAINS`. */
const LEAST_CHARACTERS = MAX_CHARACTERS / MAX_DOMAINS;

interface StsPolicyOptions {
  store: StsPolicyStore;
  commit: (plan: Plan) => Promise<unknown>;
  fetchPolicy: FetchPolicy;
  /** A cached policy could not be fetched again. Recorded for the TLS report, because its mail continues without a failure. */
  onStale: (policy: KeptStsPolicy, failure: { resultType: StsFailure; detail: string }) => void;
  /** The longest that policyFor waits for DNS and the policy host. */
  waitMs?: number;
}

/** A check of one domain's DNS and perhaps its policy host. */
interface Flight {
  answer: Promise<StsLookup>;
  /** Answers with what is known so far, while the lookup continues. */
  answerNow: () => void;
  before: CachedPolicy;
  isFetching: boolean;
}

/** The MTA-STS policies that are known: cached here, written to the store, looked up when mail needs one. */
export class StsPolicies {
  readonly #resolver: DnsResolver;
  readonly #fetchPolicy: FetchPolicy;
  readonly #store: StsPolicyStore;
  readonly #commit: (plan: Plan) => Promise<unknown>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #onStale: StsPolicyOptions['onStale'];
  /** Limited by size alone, because `max` would reserve the memory of all entries. */
  readonly #cachedPolicies = new LRUCache<string, CachedPolicy>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (policy) => Math.ceil(Math.max(cachedCharacters(policy), LEAST_CHARACTERS)),
  });
  readonly #flights = new Map<string, Flight>();
  readonly #semaphore = createSemaphore(MAX_FETCHES);
  readonly #stopping = new AbortController();
  readonly #waitMs: number;

  constructor(
    { resolver, clock, log }: Pick<OutboundContext, 'resolver' | 'clock' | 'log'>,
    { store, commit, fetchPolicy, onStale, waitMs = DEFAULT_WAIT_MS }: StsPolicyOptions,
  ) {
    this.#resolver = resolver;
    this.#fetchPolicy = fetchPolicy;
    this.#store = store;
    this.#commit = commit;
    this.#clock = clock;
    this.#log = log;
    this.#onStale = onStale;
    this.#waitMs = waitMs;
  }

  /**
   * For a recipient domain in A-labels. Asks the network at most every few minutes per domain, and then waits for it
   * no longer than `waitMs`. Rejects when the store does, and after `stop`.
   */
  policyFor(rawDomain: string): Promise<StsLookup> {
    const domain = canonicalHost(rawDomain);
    const known = this.#cachedPolicies.get(domain);
    const now = this.#clock();
    if (known && now < known.nextLookAt) return Promise.resolve(policyAnswer(known, now));
    return (this.#flights.get(domain) ?? this.#startFlight(domain)).answer;
  }

  /** Fetches the policies in use whose last fetch is a day old, and deletes expired ones. Run it every hour. */
  async refresh(): Promise<void> {
    await this.#deleteExpired();
    const now = this.#clock();
    const due = { now, fetchedBefore: now - REFRESH_MS, usedSince: now - IN_USE_MS, limit: PAGE };
    for (let afterDomain = ''; !this.#stopping.signal.aborted;) {
      const page = await this.#store.dueForRefresh({ ...due, afterDomain });
      const last = page.at(-1);
      if (!last) return;
      afterDomain = last.domain;
      const waiting = [...page];
      const worker = async (): Promise<void> => {
        for (let policy = waiting.shift(); policy; policy = waiting.shift()) {
          if (this.#stopping.signal.aborted) return;
          await this.#refreshOne(policy);
        }
      };
      await this.#untilStopped(Promise.all(Array.from({ length: REFRESHES }, worker)));
    }
  }

  /** Stops the fetches in progress. Nothing is committed afterwards. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Commits the result. The cache already has it, so an unavailable database delays no mail. */
  async #save(changes: Change[], domain: string): Promise<void> {
    if (changes.length === 0 || this.#stopping.signal.aborted) return;
    try {
      await this.#commit(changes);
    } catch (error) {
      this.#log.error({ err: error, domain }, 'saving MTA-STS policy failed');
    }
  }

  /**
   * Returns the cached policy after a fetch. Rejects if the fetch was stopped by this server, which says nothing about the policy.
   */
  async #fetchCachedPolicy(
    domain: string,
    id: string,
    before: CachedPolicy,
    usedAt?: number,
  ): Promise<CachedPolicy> {
    const fetched = await this.#semaphore.run(() => this.#fetchPolicy(domain, this.#stopping.signal));
    this.#stopping.signal.throwIfAborted();
    const now = this.#clock();
    const fail = (resultType: StsFailure, detail: string): CachedPolicy => {
      // A domain with a policy would like to know before it expires (RFC 8461 section 5.1).
      const level = before.policy ? 'warn' : 'info';
      this.#log[level]({ domain, result_type: resultType, detail }, 'an MTA-STS policy could not be fetched');
      if (before.policy && now < before.policy.expiresAt)
        this.#onStale(before.policy, { resultType, detail });
      return failedPolicy(before, { id, resultType, detail }, now);
    };
    if (fetched.kind === 'failed') return fail(fetched.resultType, fetched.detail);
    const parsed = parseStsPolicy(fetched.text);
    if (parsed.kind === 'invalid') return fail('sts-policy-invalid', parsed.problem);
    const after = fetchedPolicy({ domain, id, policy: parsed.policy, now, usedAt: usedAt ?? now });
    await this.#save(policyChanges(before, after), domain);
    return after;
  }

  /** Returns the domain's cached policy after reading its record and, if necessary, fetching the policy from its host. */
  async #look(domain: string, flight: Flight): Promise<CachedPolicy> {
    const before = this.#cachedPolicies.get(domain) ?? {
      ...UNKNOWN,
      policy: await this.#store.policy(domain),
    };
    flight.before = before;
    const answer = await this.#resolver.txt(`_mta-sts.${domain}`);
    const now = this.#clock();
    const used = markedUsed(before, now);
    if (used.policy !== before.policy) await this.#save([markStsPolicyUsed(domain, now)], domain);
    flight.before = used;
    if (answer.kind === 'failed') return { ...used, nextLookAt: now + LOOK_AGAIN_MS };
    const id = answer.kind === 'found' ? readStsRecords(answer.records) : null;
    const nextLookAt = now + LOOK_MS;
    // A missing record does not remove the policy, because an attacker who forges DNS could remove the record (section 5.1).
    if (id === null) return { ...used, failure: null, nextLookAt };
    if (!isFetchDue(used, id, now)) return { ...used, nextLookAt };
    flight.isFetching = true;
    // Retries a fetch that failed before, without delaying mail.
    if (used.failure?.id === id) flight.answerNow();
    return this.#fetchCachedPolicy(domain, id, used);
  }

  #startFlight(domain: string): Flight {
    const flight: Flight = {
      answer: Promise.resolve({ kind: 'none' }),
      answerNow: () => undefined,
      before: this.#cachedPolicies.get(domain) ?? UNKNOWN,
      isFetching: false,
    };
    let isAnswered = false;
    flight.answer = new Promise((resolve, reject) => {
      flight.answerNow = () => {
        isAnswered = true;
        resolve(interimAnswer(flight, this.#clock(), this.#waitMs));
      };
      const timer = setTimeout(flight.answerNow, this.#waitMs).unref();
      const land = (): void => {
        clearTimeout(timer);
        this.#flights.delete(domain);
      };
      this.#look(domain, flight).then(
        (cached) => {
          land();
          this.#cachedPolicies.set(domain, cached);
          resolve(policyAnswer(cached, this.#clock()));
        },
        (error: unknown) => {
          land();
          if (isAnswered && !this.#stopping.signal.aborted) {
            this.#log.error({ err: error, domain }, 'MTA-STS lookup failed');
          }
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      );
    });
    this.#flights.set(domain, flight);
    return flight;
  }

  /** Renews one policy. Without its TXT record it is left to expire: that is how a domain ends its use of MTA-STS. */
  async #refreshOne(policy: KeptStsPolicy): Promise<void> {
    const { domain } = policy;
    const known = this.#cachedPolicies.get(domain);
    if (this.#flights.has(domain) || (known?.failure && known.failure.retryAt > this.#clock())) return;
    const answer = await this.#resolver.txt(`_mta-sts.${domain}`);
    const id = answer.kind === 'found' ? readStsRecords(answer.records) : null;
    if (id === null && answer.kind !== 'failed') return;
    const before: CachedPolicy = { ...UNKNOWN, ...known, policy };
    const usedAt = known?.policy?.checkedAt ?? policy.checkedAt;
    this.#cachedPolicies.set(domain, await this.#fetchCachedPolicy(domain, id ?? policy.id, before, usedAt));
  }

  async #deleteExpired(): Promise<void> {
    for (;;) {
      const expired = await this.#store.expired(this.#clock() - DAY, PAGE);
      if (expired.length === 0 || this.#stopping.signal.aborted) return;
      await this.#commit(expired.map(dropStsPolicy));
    }
  }

  async #untilStopped(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!this.#stopping.signal.aborted) throw error;
    }
  }
}

/** While the lookup continues, returns the previous result, or that the policy host is slow. */
function interimAnswer({ before, isFetching }: Flight, now: number, waitMs: number): StsLookup {
  const known = policyAnswer(before, now);
  if (known.kind !== 'none' || !isFetching) return known;
  const detail = `no policy within ${waitMs} ms`;
  return { kind: 'failed', resultType: 'sts-policy-fetch-error', detail };
}
