// What waits per destination, as a picture that is used again for a moment: whoever polls, however often and however
// much waits, takes a bounded share of this process.
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../lib/runtime/clock.js';
import type { DestinationPause, LanePicture, QueueViewStore } from './queue-view.store.js';
import type { Page, PageRequest, Scope } from '../../store/scope.js';
import { pageOf } from '../../store/scope.js';

const MAX_PICTURES = 200;
/** A picture is used for so many times as long as it took: one part in twenty of the time goes into pictures. */
const SHARE = 20;
/** Characters; with the depth before it, so much has room in a cursor. */
const LONGEST_NAME_IN_PLACE = 100;

/** The lanes of one recipient domain, together. */
export interface Destination {
  domain: string;
  /** The fullest first. */
  lanes: LanePicture[];
  pauses: DestinationPause[];
  depth: number;
  due: number;
  leased: number;
  held: number;
  /** Row id; null when nothing waits. */
  oldestId: number | null;
  nextDueAt: number | null;
}

export interface QueuePictures {
  /** All destinations of the scope, the deepest first. */
  destinations(scope: Scope): Promise<Destination[]>;
  /** One of them as it is now; empty when nothing waits. */
  destination(scope: Scope, domain: string): Promise<Destination>;
  /** Something was changed: the next look is a new one. */
  forget(): void;
}

export interface QueuePictureDeps {
  queueView: QueueViewStore;
  clock: Clock;
  /** How long a picture is used at least. */
  ageMs: number;
}

export function createQueuePictures({ queueView, clock, ageMs }: QueuePictureDeps): QueuePictures {
  const pictures = new LRUCache<string, { until: number; picture: Promise<Destination[]> }>({
    max: MAX_PICTURES,
  });

  function take(scope: Scope, key: string): Promise<Destination[]> {
    const begun = clock();
    const entry = { until: Infinity, picture: look(scope) };
    pictures.set(key, entry);
    entry.picture.then(
      () => {
        const now = clock();
        entry.until = now + Math.max(ageMs, SHARE * (now - begun));
      },
      () => pictures.delete(key),
    );
    return entry.picture;
  }

  async function look(scope: Scope): Promise<Destination[]> {
    return gather(scope, await queueView.lanes(scope, clock()), await queueView.pauses(scope));
  }

  return {
    destinations(scope) {
      const key = `${scope.environmentId} ${scope.subTenantId ?? ''}`;
      const known = pictures.get(key);
      return known && clock() < known.until ? known.picture : take(scope, key);
    },
    async destination(scope, domain) {
      const lanes = await queueView.lanes(scope, clock(), domain);
      const [found] = gather(scope, lanes, await queueView.pauses(scope, domain));
      return found ?? emptyDestination(domain);
    },
    forget: () => pictures.clear(),
  };
}

function gather(
  { subTenantId }: Scope,
  lanes: readonly LanePicture[],
  pauses: readonly DestinationPause[],
): Destination[] {
  const destinations = new Map<string, Destination>();
  const of = (domain: string): Destination => {
    const known = destinations.get(domain) ?? emptyDestination(domain);
    destinations.set(domain, known);
    return known;
  };
  for (const lane of lanes) addLane(of(lane.domain), lane);
  for (const pause of pauses) {
    // A pause of the whole workspace concerns a sub-tenant where it holds mail of theirs.
    const isOwn = subTenantId === null || pause.sub_tenant_key === subTenantId;
    if (isOwn || destinations.has(pause.domain)) of(pause.domain).pauses.push(pause);
  }
  const found = [...destinations.values()];
  for (const destination of found) destination.lanes.sort((a, b) => b.waiting - a.waiting);
  return found.sort(byDepth);
}

function byDepth(a: Pick<Destination, 'depth' | 'domain'>, b: Pick<Destination, 'depth' | 'domain'>): number {
  return b.depth - a.depth || (a.domain < b.domain ? -1 : Number(a.domain > b.domain));
}

function emptyDestination(domain: string): Destination {
  const nothing = { depth: 0, due: 0, leased: 0, held: 0, oldestId: null, nextDueAt: null };
  return { domain, lanes: [], pauses: [], ...nothing };
}

function addLane(destination: Destination, lane: LanePicture): void {
  destination.lanes.push(lane);
  destination.depth += lane.waiting + lane.leased;
  destination.due += lane.due;
  destination.leased += lane.leased;
  destination.held += lane.held;
  destination.oldestId = Math.min(destination.oldestId ?? Infinity, lane.oldestId);
  if (lane.nextDueAt !== null) {
    destination.nextDueAt = Math.min(destination.nextDueAt ?? Infinity, lane.nextDueAt);
  }
}

/** A page of the picture. Where depths change between two pages a destination may be seen twice, or not at all. */
export function pageOfDestinations(
  destinations: readonly Destination[],
  page: PageRequest,
): Page<Destination> {
  const [depth = '', named = ''] = page.after?.split(':') ?? [];
  const domain = destinations.find((one) => nameInPlace(one.domain) === named)?.domain ?? named;
  const after = { depth: Number(depth), domain };
  const start = page.after === null ? 0 : destinations.findIndex((one) => byDepth(one, after) > 0);
  const rows = start < 0 ? [] : destinations.slice(start, start + page.limit + 1);
  return pageOf(rows, page.limit, (one) => `${one.depth}:${nameInPlace(one.domain)}`);
}

/** A domain as a place names it: a long one by its digest, since cursors have a length. */
function nameInPlace(domain: string): string {
  if (domain.length <= LONGEST_NAME_IN_PLACE) return domain;
  return createHash('sha256').update(domain).digest('hex');
}
