// Which lane goes next, in memory: lanes with due mail take turns within their rank, lanes that the gate holds back wait
// aside, the others sleep until their first message is due. The rows are the truth; this only says where to look.
import { BULK_RANK } from '../shape/in-flight-window.rules.js';
import type { Gate } from './admission.js';
import type { QueueKey } from './queue.store.js';

const MAX_LANES_REMEMBERED = 20_000;

export interface LanePick {
  queueId: number;
  limit: number;
  /** Where the gate counts them. */
  place: string;
}

interface Lane {
  facts: QueueKey;
  /**
   * ready: in its rank's round; busy: being claimed from; waiting: its place is full; held: the gate is closed, until
   * dueAt or a word from outside; asleep: nothing is due before dueAt; empty.
   */
  state: 'ready' | 'busy' | 'waiting' | 'held' | 'asleep' | 'empty';
  dueAt: number;
  /** When the first message of it was due, as far as is known: lanes that were held together go on in the order of their mail. */
  firstAt: number;
  /** Mail arrived while a claim was under way. */
  isRung: boolean;
  /** The place whose free room woke it; if it does not take that, the next one is to have it. */
  wokenBy: string | null;
}

export interface LaneBoardOptions {
  gate: Gate;
  /** Most messages taken from a lane in one turn. */
  maxPerTurn: number;
}

/** How many may be claimed now: in all, and of bulk mail. */
export interface Room {
  all: number;
  bulk: number;
}

export interface LaneBoard {
  /** False for a lane that is not known yet: describe it with `put`. */
  ring(queueId: number): boolean;
  put(lane: QueueKey, dueAt: number | null, now: number): void;
  /** Lanes to claim from, within `room`; each must come back through `claimed`. */
  pick(room: Room, now: number): LanePick[];
  claimed(pick: LanePick, taken: number, dueAt: number | null, now: number): void;
  /** A claimed message is settled: its place has room. */
  released(place: string): void;
  /** The gate may have opened: lanes that it held are asked about again. */
  reconsider(): void;
  /** When the next sleeping lane is due; null when none sleeps. */
  nextDueAt(): number | null;
}

export function createLaneBoard({ gate, maxPerTurn }: LaneBoardOptions): LaneBoard {
  const lanes = new Map<number, Lane>();
  const rounds = new Map<number, Lane[]>();
  const sleepers = createAlarm();
  /** By place, then by rank: what has the lower rank is woken first. */
  const waitingFor = new Map<string, Map<number, Lane[]>>();

  function ready(lane: Lane): void {
    lane.state = 'ready';
    const { rank } = lane.facts;
    let round = rounds.get(rank);
    if (!round) rounds.set(rank, (round = []));
    round.push(lane);
  }

  function place(lane: Lane, dueAt: number | null, now: number): void {
    lane.firstAt = lane.dueAt = dueAt ?? Infinity;
    if (lane.dueAt <= now) {
      ready(lane);
      return;
    }
    if (dueAt === null) {
      // Nothing waits there. It is remembered, since the next message would only bring it back, but not without end.
      lane.state = 'empty';
      if (lanes.size > MAX_LANES_REMEMBERED) lanes.delete(lane.facts.queueId);
      return;
    }
    lane.state = 'asleep';
    sleepers.add(lane.facts.queueId, lane.dueAt);
  }

  function wake(now: number): void {
    const woken: Lane[] = [];
    for (const { id, at } of sleepers.due(now)) {
      const lane = lanes.get(id);
      if (lane && (lane.state === 'asleep' || lane.state === 'held') && lane.dueAt === at) woken.push(lane);
    }
    readyInOrder(woken);
  }

  /** What opens may have room for one of them only: a limit that many lanes share must not go to the same ones each time. */
  function readyInOrder(list: Lane[]): void {
    for (const lane of list.sort((a, b) => a.firstAt - b.firstAt)) ready(lane);
  }

  function waitFor(lane: Lane, place: string): void {
    lane.state = 'waiting';
    let ranks = waitingFor.get(place);
    if (!ranks) waitingFor.set(place, (ranks = new Map<number, Lane[]>()));
    const { rank } = lane.facts;
    const list = ranks.get(rank);
    if (list) list.push(lane);
    else ranks.set(rank, [lane]);
  }

  function hold(lane: Lane, until: number | null, now: number): void {
    lane.state = 'held';
    lane.dueAt = until ?? Infinity;
    // It was rung: what has just come is due now.
    lane.firstAt = Math.min(lane.firstAt, now);
    if (until !== null) sleepers.add(lane.facts.queueId, until);
  }

  function release(at: string, count: number): void {
    gate.giveBack(at, count);
    wakeWaiting(at, count);
  }

  function wakeWaiting(at: string, count: number): void {
    const ranks = waitingFor.get(at);
    if (!ranks) return;
    let left = count;
    for (const rank of [...ranks.keys()].sort((a, b) => a - b)) {
      const list = ranks.get(rank) ?? [];
      const woken = list.splice(0, left);
      for (const lane of woken) {
        lane.wokenBy = at;
        ready(lane);
      }
      if (list.length === 0) ranks.delete(rank);
      left -= woken.length;
      if (left <= 0) break;
    }
    if (ranks.size === 0) waitingFor.delete(at);
  }

  /** Takes the lane's turn; null when the gate holds it back. */
  function turn(lane: Lane, left: number, now: number): LanePick | null {
    const answer = gate.allow(lane.facts, now);
    const { wokenBy } = lane;
    lane.wokenBy = null;
    if (wokenBy !== null && (answer.kind === 'closed' || answer.place !== wokenBy)) wakeWaiting(wokenBy, 1);
    if (answer.kind === 'full') {
      waitFor(lane, answer.place);
      return null;
    }
    if (answer.kind === 'closed') {
      hold(lane, answer.until, now);
      return null;
    }
    const limit = Math.min(left, maxPerTurn, answer.room);
    lane.state = 'busy';
    lane.isRung = false;
    // Reserved until `claimed` says how many there were.
    gate.take(lane.facts, answer.place, limit);
    return { queueId: lane.facts.queueId, limit, place: answer.place };
  }

  return {
    ring(queueId) {
      const lane = lanes.get(queueId);
      if (!lane) return false;
      if (lane.state === 'busy') lane.isRung = true;
      if (lane.state === 'asleep' || lane.state === 'empty') ready(lane);
      return true;
    },
    put(facts, dueAt, now) {
      const known = lanes.get(facts.queueId);
      if (known) {
        const isEarlier = known.state === 'asleep' && dueAt !== null && dueAt < known.dueAt;
        if (known.state === 'empty' || isEarlier) place(known, dueAt, now);
        return;
      }
      const lane: Lane = {
        facts,
        state: 'busy',
        dueAt: Infinity,
        firstAt: Infinity,
        isRung: false,
        wokenBy: null,
      };
      lanes.set(facts.queueId, lane);
      place(lane, dueAt, now);
    },
    pick(room, now) {
      wake(now);
      const picks: LanePick[] = [];
      let { all, bulk } = room;
      for (const rank of [...rounds.keys()].sort((a, b) => a - b)) {
        const round = rounds.get(rank) ?? [];
        const isBulk = rank >= BULK_RANK;
        while (round.length > 0) {
          const left = isBulk ? Math.min(all, bulk) : all;
          const lane = left > 0 ? round.shift() : undefined;
          if (!lane) break;
          const pick = turn(lane, left, now);
          if (!pick) continue;
          picks.push(pick);
          all -= pick.limit;
          if (isBulk) bulk -= pick.limit;
        }
        if (round.length === 0) rounds.delete(rank);
      }
      return picks;
    },
    claimed({ queueId, limit, place: at }, taken, dueAt, now) {
      const lane = lanes.get(queueId);
      if (taken < limit) {
        if (lane) gate.unused(lane.facts, limit - taken);
        release(at, limit - taken);
      }
      if (!lane) return;
      place(lane, lane.isRung ? Math.min(dueAt ?? now, now) : dueAt, now);
      lane.isRung = false;
    },
    released: (at) => release(at, 1),
    reconsider() {
      readyInOrder([...lanes.values()].filter(({ state }) => state === 'held'));
      for (const ranks of waitingFor.values()) for (const list of ranks.values()) list.forEach(ready);
      waitingFor.clear();
    },
    nextDueAt: () => sleepers.next(),
  };
}

interface Alarm {
  add(id: number, at: number): void;
  due(now: number): { id: number; at: number }[];
  next(): number | null;
}

/** A binary heap of times. A lane that is rung and sleeps again until the same time is in it once. */
function createAlarm(): Alarm {
  const heap: { id: number; at: number }[] = [];
  const known = new Set<string>();

  function swap(i: number, j: number): void {
    const [a, b] = [heap[i], heap[j]];
    if (a && b) [heap[i], heap[j]] = [b, a];
  }
  const at = (i: number): number => heap[i]?.at ?? Infinity;

  function sink(): void {
    for (let i = 0; ;) {
      const left = 2 * i + 1;
      const smaller = at(left + 1) < at(left) ? left + 1 : left;
      if (at(smaller) >= at(i)) return;
      swap(i, smaller);
      i = smaller;
    }
  }

  return {
    add(id, time) {
      const key = `${id}/${time}`;
      if (known.has(key)) return;
      known.add(key);
      heap.push({ id, at: time });
      for (let i = heap.length - 1; i > 0;) {
        const parent = (i - 1) >> 1;
        if (at(parent) <= at(i)) return;
        swap(i, parent);
        i = parent;
      }
    },
    due(now) {
      const woken: { id: number; at: number }[] = [];
      while (at(0) <= now) {
        const [first] = heap;
        const last = heap.pop();
        if (!first || !last) break;
        woken.push(first);
        known.delete(`${first.id}/${first.at}`);
        if (heap.length > 0) {
          heap[0] = last;
          sink();
        }
      }
      return woken;
    },
    next: () => heap[0]?.at ?? null,
  };
}
