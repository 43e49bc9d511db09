// Chooses the next queue, in memory. Queues with due mail take turns within their rank, queues that a limit holds wait, and the
// others sleep until their first message is due. The scheduler only says where to look; the rows decide.
import { Fifo } from '../../lib/concurrency/index.js';
import { BULK_RANK } from '../../messages/queue-rank.rules.js';
import type { Admission } from './admission.js';
import type { Reservation } from '../shape/limit.js';
import type { QueueKey, ThrottleRow } from './queue.store.js';

const MAX_QUEUES_REMEMBERED = 20_000;
/** Queues checked, and woken, by one `pick`: a hundred thousand that a limit holds must not stop the event loop. */
const MOST_CHECKS = 1_000;
/** Beyond this number, queues continue in the order in which they were held. */
const MOST_SORTED = 5_000;
/** Maximum number of remembered queues of other nodes. Their rows are not read until this node receives their paths. */
const MOST_ELSEWHERE = 200_000;

/** A queue to claim from. */
export interface QueuePick {
  queueId: number;
  limit: number;
  /** Reservation of `limit` messages. One is split off for each claimed message. */
  reservation: Reservation;
  /** Counted by the claim. */
  throttle: ThrottleRow | null;
}

interface Queue {
  key: QueueKey;
  /**
   * ready: in its rank's round; claiming: being claimed from; at_limit: waits for a slot of its group; held: a limit is
   * closed, until dueAt or until it opens; asleep: nothing is due before dueAt; empty.
   */
  state: 'ready' | 'claiming' | 'at_limit' | 'held' | 'asleep' | 'empty';
  dueAt: number;
  /** When its first message was due, if known. Queues that were held together continue in the order of their mail. */
  firstAt: number;
  /** Mail arrived while it was being claimed from. */
  isNotified: boolean;
  /** The group whose free slot woke the queue. If the queue does not use the slot, the next queue gets it. */
  wokenBy: string | null;
}

/** Number of messages that may be claimed now: in all, and of bulk mail. */
export interface FreeCapacity {
  all: number;
  bulk: number;
}

export class Scheduler {
  readonly #admission: Admission;
  readonly #maxPerTurn: number;
  readonly #queues = new Map<number, Queue>();
  readonly #rounds = new Map<number, Fifo<Queue>>();
  /** Queues in the state `held`, in the order in which they were held. */
  readonly #held = new Set<Queue>();
  #hasUnchecked = false;
  /** Queues whose mail other nodes deliver. Nothing else is stored about them. */
  readonly #elsewhere = new Set<number>();
  readonly #sleepers = new TimerHeap();
  /** By group, then by rank: the lowest rank is woken first. */
  readonly #atLimit = new Map<string, Map<number, Fifo<Queue>>>();

  /** `maxPerTurn`: most messages taken from a queue in one turn. */
  constructor({ admission, maxPerTurn }: { admission: Admission; maxPerTurn: number }) {
    this.#admission = admission;
    this.#maxPerTurn = maxPerTurn;
  }

  /** Reports that the queue has received mail. Returns false for an unknown queue, which must be described with `put`. */
  notify(queueId: number): boolean {
    if (this.#elsewhere.has(queueId)) return true;
    const queue = this.#queues.get(queueId);
    if (!queue) return false;
    if (queue.state === 'claiming') queue.isNotified = true;
    if (queue.state === 'asleep' || queue.state === 'empty') this.#ready(queue);
    return true;
  }

  put(key: QueueKey, dueAt: number | null, now: number): void {
    if (this.#elsewhere.has(key.queueId)) return;
    const known = this.#queues.get(key.queueId);
    if (known) {
      const isEarlier = known.state === 'asleep' && dueAt !== null && dueAt < known.dueAt;
      if (known.state === 'empty' || isEarlier) this.#arrange(known, dueAt, now);
      return;
    }
    const queue: Queue = {
      key,
      state: 'claiming',
      dueAt: Infinity,
      firstAt: Infinity,
      isNotified: false,
      wokenBy: null,
    };
    this.#queues.set(key.queueId, queue);
    this.#arrange(queue, dueAt, now);
  }

  /** The last `pick` ended before it had checked all queues that are ready: another may find more. */
  get hasUnchecked(): boolean {
    return this.#hasUnchecked;
  }

  /** Returns queues to claim from, within the free capacity. Return each of them through `claimed`. */
  pick(free: FreeCapacity, now: number): QueuePick[] {
    this.#wake(now);
    const picks: QueuePick[] = [];
    let { all, bulk } = free;
    let checks = 0;
    for (const rank of [...this.#rounds.keys()].sort((a, b) => a - b)) {
      const round = this.#rounds.get(rank);
      const isBulk = rank >= BULK_RANK;
      while (checks < MOST_CHECKS) {
        const left = isBulk ? Math.min(all, bulk) : all;
        const queue = left > 0 ? round?.shift() : undefined;
        if (!queue) break;
        checks += 1;
        const pick = this.#takeTurn(queue, left, now);
        if (!pick) continue;
        picks.push(pick);
        all -= pick.limit;
        if (isBulk) bulk -= pick.limit;
      }
      if (round?.length === 0) this.#rounds.delete(rank);
    }
    this.#hasUnchecked = checks === MOST_CHECKS;
    return picks;
  }

  /** Ends a turn. Releases the rest of its reservation, because fewer messages were found. `dueAt` is the time of the next one. */
  claimed({ queueId, reservation }: QueuePick, dueAt: number | null, now: number): void {
    const unused = reservation.count;
    if (unused > 0) {
      reservation.release(false);
      this.#wakeAtLimit(reservation.group, unused);
    }
    const queue = this.#queues.get(queueId);
    if (!queue) return;
    this.#arrange(queue, queue.isNotified ? Math.min(dueAt ?? now, now) : dueAt, now);
    queue.isNotified = false;
  }

  /** A message of the group has ended, and its slot is free. */
  slotFreed(group: string): void {
    this.#wakeAtLimit(group, 1);
  }

  /** A limit may have opened: queues that are held or wait for a slot are checked again. */
  recheck(): void {
    this.#readyInOrder([...this.#held]);
    for (const ranks of this.#atLimit.values()) {
      for (const list of ranks.values()) {
        for (let queue = list.shift(); queue; queue = list.shift()) this.#ready(queue);
      }
    }
    this.#atLimit.clear();
  }

  /** This node may have received paths. Queues of other nodes are checked again when they are put. */
  forgetElsewhere(): void {
    this.#elsewhere.clear();
  }

  /** When the next sleeping queue is due; null when none sleeps. */
  nextDueAt(): number | null {
    return this.#sleepers.next();
  }

  #ready(queue: Queue): void {
    this.#held.delete(queue);
    queue.state = 'ready';
    const { rank } = queue.key;
    let round = this.#rounds.get(rank);
    if (!round) this.#rounds.set(rank, (round = new Fifo()));
    round.push(queue);
  }

  #arrange(queue: Queue, dueAt: number | null, now: number): void {
    queue.firstAt = queue.dueAt = dueAt ?? Infinity;
    if (queue.dueAt <= now) {
      this.#ready(queue);
      return;
    }
    if (dueAt === null) {
      // Nothing waits there. It is remembered, since the next message would only bring it back, but not without end.
      queue.state = 'empty';
      if (this.#queues.size > MAX_QUEUES_REMEMBERED) this.#queues.delete(queue.key.queueId);
      return;
    }
    queue.state = 'asleep';
    this.#sleepers.add(queue.key.queueId, queue.dueAt);
  }

  #wake(now: number): void {
    const woken: Queue[] = [];
    for (const { id, at } of this.#sleepers.due(now, MOST_CHECKS)) {
      const queue = this.#queues.get(id);
      if (queue && (queue.state === 'asleep' || queue.state === 'held') && queue.dueAt === at)
        woken.push(queue);
    }
    this.#readyInOrder(woken);
  }

  /** A limit that opens may have room for one queue only: one that many share must not go to the same ones each time. */
  #readyInOrder(list: Queue[]): void {
    if (list.length <= MOST_SORTED) list.sort((a, b) => a.firstAt - b.firstAt);
    for (const queue of list) this.#ready(queue);
  }

  #wakeAtLimit(group: string, count: number): void {
    const ranks = this.#atLimit.get(group);
    if (!ranks) return;
    let left = count;
    for (const rank of [...ranks.keys()].sort((a, b) => a - b)) {
      const list = ranks.get(rank);
      for (; left > 0; left -= 1) {
        const queue = list?.shift();
        if (!queue) break;
        queue.wokenBy = group;
        this.#ready(queue);
      }
      if (list?.length === 0) ranks.delete(rank);
      if (left <= 0) break;
    }
    if (ranks.size === 0) this.#atLimit.delete(group);
  }

  /** Takes the queue's turn. Returns null if a limit holds the queue. */
  #takeTurn(queue: Queue, left: number, now: number): QueuePick | null {
    const found = this.#admission.check(queue.key, now);
    const { wokenBy } = queue;
    queue.wokenBy = null;
    const group = 'group' in found ? found.group : null;
    if (wokenBy !== null && group !== wokenBy) this.#wakeAtLimit(wokenBy, 1);
    if (found.kind === 'elsewhere') {
      this.#leaveToOthers(queue);
      return null;
    }
    if (found.kind === 'at_limit') {
      this.#waitForSlot(queue, found.group);
      return null;
    }
    if (found.kind === 'closed') {
      this.#hold(queue, found.reason.until, now);
      return null;
    }
    const limit = Math.min(left, this.#maxPerTurn, found.capacity);
    queue.state = 'claiming';
    queue.isNotified = false;
    const reservation = this.#admission.reserve(queue.key, found.group, limit);
    const throttle = this.#admission.sharedThrottleOf?.(queue.key) ?? null;
    return { queueId: queue.key.queueId, limit, reservation, throttle };
  }

  #leaveToOthers({ key: { queueId } }: Queue): void {
    this.#queues.delete(queueId);
    if (this.#elsewhere.size >= MOST_ELSEWHERE) this.#elsewhere.clear();
    this.#elsewhere.add(queueId);
  }

  #waitForSlot(queue: Queue, group: string): void {
    queue.state = 'at_limit';
    let ranks = this.#atLimit.get(group);
    if (!ranks) this.#atLimit.set(group, (ranks = new Map<number, Fifo<Queue>>()));
    const { rank } = queue.key;
    let list = ranks.get(rank);
    if (!list) ranks.set(rank, (list = new Fifo()));
    list.push(queue);
  }

  #hold(queue: Queue, until: number | null, now: number): void {
    queue.state = 'held';
    this.#held.add(queue);
    queue.dueAt = until ?? Infinity;
    // A notified queue has new mail that is due now.
    queue.firstAt = Math.min(queue.firstAt, now);
    if (until !== null) this.#sleepers.add(queue.key.queueId, until);
  }
}

/** A binary heap of times. A queue that is woken and sleeps again until the same time is in it once. */
class TimerHeap {
  readonly #heap: { id: number; at: number }[] = [];
  readonly #known = new Set<string>();

  add(id: number, time: number): void {
    const key = `${id}/${time}`;
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.#heap.push({ id, at: time });
    for (let i = this.#heap.length - 1; i > 0;) {
      const parent = (i - 1) >> 1;
      if (this.#at(parent) <= this.#at(i)) return;
      this.#swap(i, parent);
      i = parent;
    }
  }

  /** Removes the earliest due queues, up to `most`. */
  due(now: number, most: number): { id: number; at: number }[] {
    const woken: { id: number; at: number }[] = [];
    while (this.#at(0) <= now && woken.length < most) {
      const [first] = this.#heap;
      const last = this.#heap.pop();
      if (!first || !last) break;
      woken.push(first);
      this.#known.delete(`${first.id}/${first.at}`);
      if (this.#heap.length > 0) {
        this.#heap[0] = last;
        this.#sink();
      }
    }
    return woken;
  }

  next(): number | null {
    return this.#heap[0]?.at ?? null;
  }

  #at(i: number): number {
    return this.#heap[i]?.at ?? Infinity;
  }

  #swap(i: number, j: number): void {
    const [a, b] = [this.#heap[i], this.#heap[j]];
    if (a && b) [this.#heap[i], this.#heap[j]] = [b, a];
  }

  #sink(): void {
    for (let i = 0; ;) {
      const left = 2 * i + 1;
      const smaller = this.#at(left + 1) < this.#at(left) ? left + 1 : left;
      if (this.#at(smaller) >= this.#at(i)) return;
      this.#swap(i, smaller);
      i = smaller;
    }
  }
}
