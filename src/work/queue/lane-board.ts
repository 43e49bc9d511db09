// Which lane goes next, in memory: lanes with due mail take turns within their rank, lanes of a full destination wait
// aside, the others sleep until their first message is due. The rows are the truth; this only says where to look.

const MAX_LANES_REMEMBERED = 20_000;

export interface LanePick {
  laneId: number;
  limit: number;
}

interface Lane {
  laneId: number;
  domain: string;
  rank: number;
  /** ready: in its rank's round; busy: being claimed from; waiting: its destination is full; asleep: until dueAt; empty. */
  state: 'ready' | 'busy' | 'waiting' | 'asleep' | 'empty';
  dueAt: number;
  /** Mail arrived while a claim was under way. */
  isRung: boolean;
}

export interface LaneBoardOptions {
  /** Most claimed messages of one destination domain. */
  maxPerDomain: number;
  /** Most messages taken from a lane in one turn. */
  maxPerTurn: number;
}

export interface LaneBoard {
  /** False for a lane that is not known yet: describe it with `put`. */
  ring(laneId: number): boolean;
  put(lane: { laneId: number; domain: string; rank: number }, dueAt: number | null, now: number): void;
  /** Lanes to claim from, at most `room` messages in all; each must come back through `claimed`. */
  pick(room: number, now: number): LanePick[];
  claimed(pick: LanePick, taken: number, dueAt: number | null, now: number): void;
  /** A claimed message of this domain is settled. */
  released(domain: string): void;
  /** When the next sleeping lane is due; null when none sleeps. */
  nextDueAt(): number | null;
}

export function createLaneBoard(options: LaneBoardOptions): LaneBoard {
  const lanes = new Map<number, Lane>();
  const rounds = new Map<number, Lane[]>();
  const sleepers = createAlarm();
  const inFlight = new Map<string, number>();
  const waitingFor = new Map<string, Lane[]>();

  function ready(lane: Lane): void {
    lane.state = 'ready';
    let round = rounds.get(lane.rank);
    if (!round) rounds.set(lane.rank, (round = []));
    round.push(lane);
  }

  function place(lane: Lane, dueAt: number | null, now: number): void {
    lane.dueAt = dueAt ?? Infinity;
    if (lane.dueAt <= now) {
      ready(lane);
      return;
    }
    if (dueAt === null) {
      // Nothing waits there. It is remembered, since the next message would only bring it back, but not without end.
      lane.state = 'empty';
      if (lanes.size > MAX_LANES_REMEMBERED) lanes.delete(lane.laneId);
      return;
    }
    lane.state = 'asleep';
    sleepers.add(lane.laneId, lane.dueAt);
  }

  function wake(now: number): void {
    for (const { id, at } of sleepers.due(now)) {
      const lane = lanes.get(id);
      if (lane?.state === 'asleep' && lane.dueAt === at) ready(lane);
    }
  }

  function roomFor(domain: string): number {
    return options.maxPerDomain - (inFlight.get(domain) ?? 0);
  }

  function waitFor(lane: Lane): void {
    lane.state = 'waiting';
    const list = waitingFor.get(lane.domain);
    if (list) list.push(lane);
    else waitingFor.set(lane.domain, [lane]);
  }

  function release(domain: string): void {
    const left = (inFlight.get(domain) ?? 0) - 1;
    if (left > 0) inFlight.set(domain, left);
    else inFlight.delete(domain);
    const list = waitingFor.get(domain);
    const lane = list?.shift();
    if (list?.length === 0) waitingFor.delete(domain);
    if (lane) ready(lane);
  }

  return {
    ring(laneId) {
      const lane = lanes.get(laneId);
      if (!lane) return false;
      if (lane.state === 'busy') lane.isRung = true;
      if (lane.state === 'asleep' || lane.state === 'empty') ready(lane);
      return true;
    },
    put({ laneId, domain, rank }, dueAt, now) {
      const known = lanes.get(laneId);
      if (known) {
        const isEarlier = known.state === 'asleep' && dueAt !== null && dueAt < known.dueAt;
        if (known.state === 'empty' || isEarlier) place(known, dueAt, now);
        return;
      }
      const lane: Lane = { laneId, domain, rank, state: 'busy', dueAt: Infinity, isRung: false };
      lanes.set(laneId, lane);
      place(lane, dueAt, now);
    },
    pick(room, now) {
      wake(now);
      const picks: LanePick[] = [];
      let left = room;
      for (const rank of [...rounds.keys()].sort((a, b) => a - b)) {
        const round = rounds.get(rank) ?? [];
        while (left > 0 && round.length > 0) {
          const lane = round.shift();
          if (!lane) break;
          const limit = Math.min(left, options.maxPerTurn, roomFor(lane.domain));
          if (limit <= 0) {
            waitFor(lane);
            continue;
          }
          lane.state = 'busy';
          lane.isRung = false;
          // Reserved until `claimed` says how many there were.
          inFlight.set(lane.domain, (inFlight.get(lane.domain) ?? 0) + limit);
          picks.push({ laneId: lane.laneId, limit });
          left -= limit;
        }
        if (round.length === 0) rounds.delete(rank);
      }
      return picks;
    },
    claimed({ laneId, limit }, taken, dueAt, now) {
      const lane = lanes.get(laneId);
      if (!lane) return;
      for (let i = taken; i < limit; i++) release(lane.domain);
      place(lane, lane.isRung ? now : dueAt, now);
      lane.isRung = false;
    },
    released: release,
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
