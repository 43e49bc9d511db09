// Snapshots of queued mail by destination. They are reused for a moment, so that polling clients take a bounded share of this
// process.
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../lib/runtime/index.js';
import type { QueueSnapshot, QueueViewStore } from './queue-view.store.js';
import { type Page, type PageRequest, type Scope, cutPage } from '../../database/scope.js';
import type { DestinationPause } from '../outbound.tables.js';
import type { OutboundContext } from '../context.js';

const MAX_SNAPSHOTS = 200;
const AGE_MS = 1_000;
/** A snapshot is reused for this multiple of the time that it took, so that snapshots take at most a twentieth of the time. */
const SHARE = 20;
/** Longest domain that a cursor contains in plain text. */
const LONGEST_PLAIN_NAME = 100;

/** The queues of one recipient domain, together. */
export interface Destination {
  domain: string;
  /** Fullest first. */
  queues: QueueSnapshot[];
  pauses: DestinationPause[];
  depth: number;
  due: number;
  leased: number;
  held: number;
  /** Row ID; `null` if the queue is empty. */
  oldestId: number | null;
  nextDueAt: number | null;
}

export class QueueSnapshots {
  readonly #queueView: QueueViewStore;
  readonly #clock: Clock;
  readonly #ageMs: number;
  readonly #snapshots = new LRUCache<string, { until: number; snapshot: Promise<Destination[]> }>({
    max: MAX_SNAPSHOTS,
  });

  /** `ageMs`: minimum time (ms) that a snapshot is reused. */
  constructor({ store, clock }: Pick<OutboundContext, 'store' | 'clock'>, ageMs = AGE_MS) {
    this.#queueView = store.queueView;
    this.#clock = clock;
    this.#ageMs = ageMs;
  }

  /** All destinations of the scope, fullest first. */
  destinations(scope: Scope): Promise<Destination[]> {
    const key = `${scope.environmentId} ${scope.subTenantId ?? ''}`;
    const known = this.#snapshots.get(key);
    return known && this.#clock() < known.until ? known.snapshot : this.#take(scope, key);
  }

  /** Reads the current state of one destination. */
  async destination(scope: Scope, domain: string): Promise<Destination> {
    const queues = await this.#queueView.queues(scope, this.#clock(), domain);
    const [found] = gather(scope, queues, await this.#queueView.pauses(scope, domain));
    return found ?? emptyDestination(domain);
  }

  /** Discards the snapshots after a change. */
  forget(): void {
    this.#snapshots.clear();
  }

  #take(scope: Scope, key: string): Promise<Destination[]> {
    const begun = this.#clock();
    const entry = { until: Infinity, snapshot: this.#look(scope) };
    this.#snapshots.set(key, entry);
    entry.snapshot.then(
      () => {
        const now = this.#clock();
        entry.until = now + Math.max(this.#ageMs, SHARE * (now - begun));
      },
      () => this.#snapshots.delete(key),
    );
    return entry.snapshot;
  }

  async #look(scope: Scope): Promise<Destination[]> {
    const queues = await this.#queueView.queues(scope, this.#clock());
    return gather(scope, queues, await this.#queueView.pauses(scope));
  }
}

function gather(
  { subTenantId }: Scope,
  queues: readonly QueueSnapshot[],
  pauses: readonly DestinationPause[],
): Destination[] {
  const destinations = new Map<string, Destination>();
  const of = (domain: string): Destination => {
    const known = destinations.get(domain) ?? emptyDestination(domain);
    destinations.set(domain, known);
    return known;
  };
  for (const queue of queues) addQueue(of(queue.domain), queue);
  for (const pause of pauses) {
    // A sub-tenant sees a pause of the whole workspace if it holds some of its mail.
    const isOwn = subTenantId === null || pause.sub_tenant_key === subTenantId;
    if (isOwn || destinations.has(pause.domain)) of(pause.domain).pauses.push(pause);
  }
  const found = [...destinations.values()];
  for (const destination of found) destination.queues.sort((a, b) => b.waiting - a.waiting);
  return found.sort(byDepth);
}

function byDepth(a: Pick<Destination, 'depth' | 'domain'>, b: Pick<Destination, 'depth' | 'domain'>): number {
  return b.depth - a.depth || (a.domain < b.domain ? -1 : Number(a.domain > b.domain));
}

function emptyDestination(domain: string): Destination {
  const nothing = { depth: 0, due: 0, leased: 0, held: 0, oldestId: null, nextDueAt: null };
  return { domain, queues: [], pauses: [], ...nothing };
}

function addQueue(destination: Destination, queue: QueueSnapshot): void {
  destination.queues.push(queue);
  destination.depth += queue.waiting + queue.leased;
  destination.due += queue.due;
  destination.leased += queue.leased;
  destination.held += queue.held;
  destination.oldestId = Math.min(destination.oldestId ?? Infinity, queue.oldestId);
  if (queue.nextDueAt !== null) {
    destination.nextDueAt = Math.min(destination.nextDueAt ?? Infinity, queue.nextDueAt);
  }
}

/** A page of the snapshot. A destination may be repeated or missed if depths change between two pages. */
export function pageOfDestinations(
  destinations: readonly Destination[],
  page: PageRequest,
): Page<Destination> {
  const [depth = '', named = ''] = page.after?.split(':') ?? [];
  const domain = destinations.find((one) => cursorName(one.domain) === named)?.domain ?? named;
  const after = { depth: Number(depth), domain };
  const start = page.after === null ? 0 : destinations.findIndex((one) => byDepth(one, after) > 0);
  const rows = start < 0 ? [] : destinations.slice(start, start + page.limit + 1);
  return cutPage(rows, page.limit, (one) => `${one.depth}:${cursorName(one.domain)}`);
}

/** The name of a domain in a cursor. Cursors have a maximum length, so a long one is its digest. */
function cursorName(domain: string): string {
  if (domain.length <= LONGEST_PLAIN_NAME) return domain;
  return createHash('sha256').update(domain).digest('hex');
}
