// Tests nodes on one in-memory database in simulated time: regardless of which nodes join, leave, die or hang, no two nodes have
// the same lease at a time, and each lease soon moves to the right node.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog, monotonicMs } from '../../src/lib/runtime/index.js';
import type { DividedRoom } from '../../src/lib/concurrency/index.js';
import { ROOMS, roomLeases, wantedLeases, type RoomName } from '../../src/nodes/assignment.rules.js';
import { NODE_ROLES } from '../../src/contract/names.js';
import { Cluster } from '../../src/nodes/cluster.js';
import type { Outbound } from '../../src/outbound/outbound.js';
import type { NodeMessage } from '../../src/nodes/node-messages.rules.js';
import type { LivingNode, NewNode, NodeStore } from '../../src/nodes/nodes.store.js';
import { sized } from '../support/run-size.js';

const LOOK_MS = 1_000;
const STEP_MS = 50;
const NAMES = wantedLeases([{ id: '', roles: [], sources: ['default'], isLeaving: false }]).map(
  ({ name }) => name,
);
const ROOM_NAMES = Object.keys(ROOMS) as RoomName[]; // its keys
const LEASES = 64 + ROOM_NAMES.flatMap(roomLeases).length;
/** Numbers of workspaces: each part of a room has some. */
const WORKSPACES = Array.from({ length: 20 }, (_, i) => i + 1);
/** Enough that each path lease covers at least one of them. */
const GROUPS = Array.from({ length: 500 }, (_, i) => `mx${i}.example`);

/** Rows of nodes and leases, and the sessions of living nodes. */
class Database {
  readonly nodes = new Map<string, Omit<LivingNode, 'silentMs'> & { seenAt: number }>();
  readonly leases = new Map<string, { owner: string | null; generation: number }>();
  readonly sessions = new Set<number>();
  readonly members: Member[] = [];
  isAway = false;
  /** Nodes whose connections another node has closed. */
  readonly cutOff: string[] = [];
  /** Per node. */
  commits = 7;

  store(member: { failing: Set<string>; isCut: boolean }): NodeStore {
    const ask = async <T>(what: string, work: () => T): Promise<T> => {
      // A round trip.
      await new Promise((resolve) => setTimeout(resolve, 2));
      if (this.isAway || member.isCut) throw new Error('The database is away.');
      if (member.failing.has(`${what} before`)) throw new Error('Nothing was kept.');
      const result = work();
      if (member.failing.has(`${what} after`)) throw new Error('The answer is lost.');
      return result;
    };
    const lives = (id: string | null): boolean => id !== null && this.nodes.has(id);
    return {
      register: () => Promise.reject(new Error('The test enters nodes.')),
      adopt: () => Promise.resolve(),
      commitsOf: (id) => ask('commitsOf', () => (lives(id) ? this.commits : null)),
      nodes: () =>
        ask('nodes', () =>
          [...this.nodes.values()].map(({ seenAt, ...node }) => ({
            ...node,
            silentMs: monotonicMs() - seenAt,
          })),
        ),
      leases: () =>
        ask('leases', () =>
          [...this.leases].map(([name, { owner, generation }]) => ({
            ...{ name, node_id: owner, generation, since: 0 },
          })),
        ),
      take: (names, id) =>
        ask('take', () =>
          lives(id)
            ? names.filter((name) => {
                const { owner = null, generation = 0 } = this.leases.get(name) ?? {};
                if (owner !== id && lives(owner)) return false;
                this.leases.set(name, { owner: id, generation: generation + 1 });
                return true;
              })
            : [],
        ),
      release: (names, id) =>
        ask('release', () => {
          for (const name of names) {
            const lease = this.leases.get(name);
            if (lease?.owner === id) lease.owner = null;
          }
        }),
      leave: (id) =>
        ask('leave', () => {
          const node = this.nodes.get(id);
          if (node) node.isLeaving = true;
        }),
      setSources: (id, sources) =>
        ask('setSources', () => {
          const node = this.nodes.get(id);
          if (node) node.sources = sources;
        }),
      remove: (id, { silentMs }) =>
        ask('remove', () => {
          const node = this.nodes.get(id);
          if (!node || monotonicMs() - node.seenAt < silentMs) return false;
          this.nodes.delete(id);
          for (const lease of this.leases.values()) if (lease.owner === id) lease.owner = null;
          return true;
        }),
    };
  }
}

interface Member {
  node: NewNode;
  cluster: Cluster;
  rooms: Map<RoomName, DividedRoom>;
  /** `METHOD before` and `METHOD after`: the calls that fail, before or after they took effect. */
  failing: Set<string>;
  /** Its connections lead nowhere. */
  isCut: boolean;
  /** Gained and lost leases, and current work. */
  gained: string[];
  lost: string[];
  heard: NodeMessage[];
  /** Releasing paths waits for this. */
  ending: Promise<void>;
  beating: NodeJS.Timeout;
  session: { aliveAt: number; openSince: number };
}

let database: Database;

beforeEach(() => {
  vi.useFakeTimers();
  database = new Database();
});
afterEach(() => vi.useRealTimers());

async function enter(
  id: string,
  wish: Partial<NewNode> = {},
  failing: readonly string[] = [],
): Promise<Member> {
  const node: NewNode = {
    ...{ id, lockNumber: database.members.length + 1, host: id, version: '1.2.3' },
    ...{ roles: NODE_ROLES, sources: ['default'], ...wish },
  };
  const now = monotonicMs();
  database.nodes.set(id, { ...node, isLeaving: false, startedAt: now, seenAt: now });
  database.sessions.add(node.lockNumber);
  const member = {
    ...{ node, rooms: new Map(), failing: new Set(failing), isCut: false, gained: [], lost: [], heard: [] },
    ...{ ending: Promise.resolve(), session: { aliveAt: now, openSince: now - 60_000 } },
  } as unknown as Member; // completed below
  member.cluster = new Cluster({
    node,
    store: database.store(member),
    log: createLog('silent'),
    commits: { last: 7, timeOf: (count) => (count === 7 ? 1_000 : null) },
    session: {
      isAway: false,
      get isFenced() {
        return monotonicMs() - member.session.aliveAt > 5_000;
      },
      clockOffsetMs: 0,
      endWork: (nodeId) => Promise.resolve(void database.cutOff.push(nodeId)),
      get openSince() {
        return member.session.openSince;
      },
      isGone: (lockNumber) =>
        database.isAway || member.isCut
          ? Promise.reject(new Error('The connection is lost.'))
          : Promise.resolve(!database.sessions.has(lockNumber)),
      send(payload) {
        if (database.isAway || member.isCut) return;
        setTimeout(() => {
          for (const one of database.members) if (!one.isCut) one.cluster.receive(payload);
        }, 1);
      },
    },
  });
  member.cluster.subscribe((message) => member.heard.push(message));
  member.beating = setInterval(() => {
    if (database.isAway || member.isCut) return;
    const row = database.nodes.get(id);
    if (!row) return;
    row.seenAt = member.session.aliveAt = monotonicMs();
  }, 2_000);
  database.members.push(member);
  const pathWork: Outbound['pathWork'] = {
    gained(leases) {
      if (member.failing.has('gained')) return Promise.reject(new Error('Not read.'));
      member.gained.push(...leases);
      return Promise.resolve();
    },
    lost(lease) {
      member.lost.push(lease);
      return member.ending;
    },
  };
  // It waits for timers, which `pass` advances.
  void member.cluster.start(pathWork);
  await pass(STEP_MS);
  return member;
}

/** Lets time pass, and checks that no lease belongs to two nodes meanwhile. */
async function pass(ms: number): Promise<void> {
  const shared: string[] = [];
  for (let passed = 0; passed < ms; passed += STEP_MS) {
    await vi.advanceTimersByTimeAsync(STEP_MS);
    shared.push(...sharedWork());
  }
  expect(shared).toEqual([]);
}

/** Work that more than one node may do: groups, and rooms with their workspaces. */
function sharedWork(): string[] {
  const ownersOf = (group: string): number =>
    database.members.filter(({ cluster }) => cluster.owns('default', group)).length;
  return [
    ...GROUPS.slice(0, 40).filter((group) => ownersOf(group) > 1),
    ...ROOM_NAMES.flatMap((name) => {
      const inside = database.members.filter((member) => canEnter(member, name));
      if (inside.length < 2) return [];
      const places = inside.flatMap((member) => placesIn(member, name));
      return places.length > new Set(places).size ? [`${name}: ${places.join(' ')}`] : [];
    }),
  ];
}

/** As the room's worker stores it. */
function roomOf({ cluster, rooms }: Member, name: RoomName): DividedRoom {
  const room = rooms.get(name) ?? cluster.room(name);
  rooms.set(name, room);
  return room;
}

/** Workspaces that the node may work on in the room. */
function placesIn(member: Member, name: RoomName): number[] {
  const room = roomOf(member, name);
  return canEnter(member, name) ? WORKSPACES.filter((workspace) => room.has(workspace)) : [];
}

function canEnter(member: Member, name: RoomName): boolean {
  const leave = roomOf(member, name).enter();
  leave?.();
  return leave !== null;
}

/** Nodes that may do the room's work of a workspace. */
function insideOf(name: RoomName, workspaceNumber = 1): Member[] {
  return database.members.filter((member) => placesIn(member, name).includes(workspaceNumber));
}

/** Dies immediately, without notice and without a session. */
function kill(member: Member): void {
  clearInterval(member.beating);
  member.isCut = true;
  database.sessions.delete(member.node.lockNumber);
}

/** The number of leases of each node, by the rows and by its own state. */
function shares(): Record<string, number> {
  const found: Record<string, number> = {};
  const notHeld: string[] = [];
  for (const name of NAMES) {
    const owner = database.leases.get(name)?.owner ?? 'nobody';
    found[owner] = (found[owner] ?? 0) + 1;
  }
  for (const { node, cluster } of database.members)
    for (const name of NAMES)
      if (database.leases.get(name)?.owner === node.id && !cluster.holds(name)) notHeld.push(name);
  expect(notHeld).toEqual([]);
  return found;
}

/** Each path and room belongs to exactly one node. */
function expectAllOwned(): void {
  const notOnce = GROUPS.filter(
    (group) => database.members.filter(({ cluster }) => cluster.owns('default', group)).length !== 1,
  );
  for (const name of ROOM_NAMES) {
    const places = database.members.flatMap((member) => placesIn(member, name)).toSorted((a, b) => a - b);
    if (places.join() !== WORKSPACES.join()) notOnce.push(`${name}: ${places.join(' ')}`);
  }
  expect(notOnce).toEqual([]);
}

const total = (of: Record<string, number>): number => Object.values(of).reduce((sum, one) => sum + one, 0);

describe('nodes on one database', () => {
  it('own all leases if there is only one', async () => {
    const only = await enter('nod_a');
    await pass(LOOK_MS);
    expect(shares()).toEqual({ nod_a: LEASES });
    expect(only.gained.length).toBe(64);
    expectAllOwned();
    expect(only.cluster.hasPeers).toBe(false);
    expect(only.heard).toContainEqual({ kind: 'queues', ids: null });
  });

  it('share the leases as they join, with one owner each', async () => {
    const first = await enter('nod_a');
    await pass(LOOK_MS);
    await enter('nod_b');
    await pass(2 * LOOK_MS);
    expectAllOwned();
    const two = shares();
    expect(total(two)).toBe(LEASES);
    expect(Math.min(two['nod_a'] ?? 0, two['nod_b'] ?? 0)).toBeGreaterThan(20);
    for (const name of ['webhooks', 'campaigns', 'sequences'] as const) {
      const workers = WORKSPACES.map((workspace) => insideOf(name, workspace)[0]);
      expect(new Set(workers).size).toBe(2);
    }
    await enter('nod_c');
    await pass(2 * LOOK_MS);
    expectAllOwned();
    const three = shares();
    expect(Object.keys(three)).toHaveLength(3);
    // All moved leases go to the newest node.
    expect(three['nod_c']).toBe((two['nod_a'] ?? 0) + (two['nod_b'] ?? 0) - LEASES + (three['nod_c'] ?? 0));
    expect(three['nod_a']).toBeLessThanOrEqual(two['nod_a'] ?? 0);
    expect(first.cluster.view().nodes).toHaveLength(3);
    expect(first.cluster.hasPeers).toBe(true);
  });

  it('settle if they join at the same time', async () => {
    await Promise.all(['nod_a', 'nod_b', 'nod_c'].map((id) => enter(id)));
    await pass(3 * LOOK_MS);
    expectAllOwned();
    expect(Object.keys(shares())).toHaveLength(3);
  });

  it("don't take leases that another node has not released", async () => {
    const first = await enter('nod_a');
    await pass(LOOK_MS);
    let end = (): void => undefined;
    first.ending = new Promise((resolve) => (end = resolve));
    const leave = first.cluster.room('campaigns').enter();
    const second = await enter('nod_b');
    await pass(5 * LOOK_MS);
    expect(first.lost.length).toBeGreaterThan(20);
    expect(second.gained).toEqual([]);
    expect(first.cluster.holds(first.lost[0] ?? '')).toBe(true);
    end();
    leave?.();
    await pass(2 * LOOK_MS);
    expect([...second.gained].sort()).toEqual([...first.lost].sort());
    expect(first.cluster.holds(first.lost[0] ?? '')).toBe(false);
    expectAllOwned();
  });

  it('open a room to its listeners when they get it', async () => {
    const first = await enter('nod_a', { roles: ['schedules'] });
    const opened = vi.fn();
    const second = await enter('nod_b', { roles: ['inbound'] });
    second.cluster.room('inbound').onOpened(opened);
    first.cluster.room('inbound').onOpened(opened);
    await pass(LOOK_MS);
    expect(insideOf('inbound')).toEqual([second]);
    expect(first.cluster.missingRoles()).toEqual(['api', 'relay', 'mta', 'webhooks', 'dns']);
    const third = await enter('nod_c', { roles: ['inbound'] });
    third.cluster.room('inbound').onOpened(opened);
    opened.mockClear();
    kill(second);
    await pass(9_000);
    expect(insideOf('inbound')).toEqual([third]);
    expect(insideOf('webhooks')).toEqual([]);
  });

  it('exchange messages about queues in batches, without receiving their own', async () => {
    const [first, second] = [await enter('nod_a'), await enter('nod_b')];
    await pass(2 * LOOK_MS);
    for (const member of [first, second]) member.heard.length = 0;
    first.cluster.publishQueues([1, 2]);
    first.cluster.publishQueues([2, 3]);
    first.cluster.publishQueues([]);
    first.cluster.publishEvents();
    first.cluster.publishEvents();
    first.cluster.publish({ kind: 'probe', domain: 'example.com' });
    await pass(200);
    expect(first.heard).toEqual([]);
    expect(second.heard).toEqual([
      { kind: 'probe', domain: 'example.com' },
      { kind: 'queues', ids: [1, 2, 3] },
      { kind: 'events' },
    ]);
  });
});

describe('a node that leaves', () => {
  it('releases everything, and the others get it immediately', async () => {
    const [first, second] = [await enter('nod_a'), await enter('nod_b')];
    await pass(2 * LOOK_MS);
    const leaving = first.cluster.leave();
    expect(first.cluster.isLeaving).toBe(true);
    await pass(500);
    await leaving;
    expect(shares()).toEqual({ nod_b: LEASES });
    expectAllOwned();
    const stopped = first.cluster.stop();
    await pass(STEP_MS);
    await stopped;
    await pass(STEP_MS);
    expect(second.cluster.view().nodes.map(({ id }) => id)).toEqual(['nod_b']);
  });

  it('stops waiting for work that does not end, and removing its row releases the rest', async () => {
    const [first] = [await enter('nod_a'), await enter('nod_b')];
    await pass(2 * LOOK_MS);
    first.ending = new Promise(() => undefined);
    first.lost.length = 0;
    const leaving = first.cluster.leave();
    await pass(11_000);
    await leaving;
    expect(shares()['nod_a']).toBe(first.lost.length);
    const stopped = first.cluster.stop();
    await pass(500);
    await stopped;
    expect(Object.keys(shares())).toEqual(['nod_b']);
  });

  it('releases everything if it is the last one', async () => {
    const only = await enter('nod_a');
    const leaving = only.cluster.leave();
    await pass(500);
    await leaving;
    expect(shares()).toEqual({ nobody: LEASES });
  });
});

describe('a node that dies', () => {
  it('is detected after six seconds of silence without its session', async () => {
    const [first, second] = [await enter('nod_a'), await enter('nod_b')];
    await pass(2 * LOOK_MS);
    kill(first);
    await pass(5_000);
    expect(database.nodes.has('nod_a')).toBe(true);
    await pass(4_000);
    expect(database.nodes.has('nod_a')).toBe(false);
    expect(shares()).toEqual({ nod_b: LEASES });
    expect(second.cluster.hasPeers).toBe(false);
  });

  it('is detected after a minute if it hangs with its session, and does nothing meanwhile', async () => {
    const [first, second] = [await enter('nod_a'), await enter('nod_b')];
    await pass(2 * LOOK_MS);
    first.isCut = true;
    await pass(8_000);
    expect(first.cluster.isFenced).toBe(true);
    for (const group of GROUPS) expect(first.cluster.owns('default', group)).toBe(false);
    for (const name of ROOM_NAMES) expect(insideOf(name)).not.toContain(first);
    await pass(48_000);
    expect(database.nodes.has('nod_a')).toBe(true);
    await pass(8_000);
    expect(database.nodes.has('nod_a')).toBe(false);
    expect(shares()).toEqual({ nod_b: LEASES });
    // It returns, and is no longer one of the nodes.
    first.isCut = false;
    first.session.aliveAt = monotonicMs();
    second.heard.length = 0;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(shares()).toEqual({ nod_b: LEASES });
  });

  it('has its connections closed after five seconds by nodes that trust their own connection', async () => {
    const first = await enter('first');
    const second = await enter('second');
    await pass(3_000);
    second.isCut = true;
    clearInterval(second.beating);
    await pass(4_500);
    expect(database.cutOff).toEqual([]);
    first.session.openSince = monotonicMs();
    await pass(3_000);
    expect(database.cutOff).toEqual([]);
    first.session.openSince -= 60_000;
    await pass(LOOK_MS);
    expect(new Set(database.cutOff)).toEqual(new Set(['second']));
  });

  it('is not declared dead by a node whose own connection was just lost', async () => {
    const [first, second] = [await enter('nod_a'), await enter('nod_b')];
    await pass(2 * LOOK_MS);
    kill(first);
    second.session.openSince = monotonicMs();
    await pass(9_500);
    expect(database.nodes.has('nod_a')).toBe(true);
    await pass(1_500);
    expect(database.nodes.has('nod_a')).toBe(false);
  });
});

describe('a database outage', () => {
  it('stops exclusive work, which resumes with the same owners', async () => {
    const [first, second] = [await enter('nod_a'), await enter('nod_b')];
    await pass(2 * LOOK_MS);
    const before = shares();
    database.isAway = true;
    await pass(120_000);
    expect([first.cluster.isFenced, second.cluster.isFenced]).toEqual([true, true]);
    for (const member of database.members) {
      member.heard.length = 0;
      member.session.openSince = monotonicMs();
    }
    database.isAway = false;
    await pass(4_000);
    expect(shares()).toEqual(before);
    expectAllOwned();
    // Work that was held meanwhile continues.
    for (const { heard } of [first, second]) expect(heard).toContainEqual({ kind: 'queues', ids: null });
  });

  it('that lost commits is distinguished from one without loss', async () => {
    const { cluster } = await enter('nod_a');
    const ask = async (): Promise<number | null> => {
      const lost = cluster.lostCommitsSince();
      await pass(STEP_MS);
      return lost;
    };
    expect(await ask()).toBeNull();
    // A commit whose result was lost may have been stored.
    database.commits = 8;
    expect(await ask()).toBeNull();
    database.commits = 6;
    expect(await ask()).toBe(1_000);
    // Removed by others, which the heartbeat shows.
    database.nodes.delete('nod_a');
    expect(await ask()).toBeNull();
  });

  it('during a release of leases releases them later', async () => {
    const first = await enter('nod_a');
    await pass(LOOK_MS);
    first.failing.add('release before');
    const second = await enter('nod_b');
    await pass(3 * LOOK_MS);
    expect(second.gained).toEqual([]);
    first.failing.clear();
    await pass(3 * LOOK_MS);
    expectAllOwned();
  });

  it.each(['take before', 'take after', 'gained', 'leases before', 'nodes before', 'release after'])(
    'for a moment leaves no lease unowned (%s)',
    async (what) => {
      const first = await enter('nod_a');
      await pass(LOOK_MS);
      first.failing.add(what);
      const second = await enter('nod_b', {}, [what]);
      await pass(3 * LOOK_MS);
      for (const { failing } of [first, second]) failing.clear();
      await pass(3 * LOOK_MS);
      expectAllOwned();
      expect(Object.keys(shares()).sort()).toEqual(['nod_a', 'nod_b']);
    },
  );

  it('while leases are taken leaves none with a node that does not know about it', async () => {
    const first = await enter('nod_a');
    await pass(LOOK_MS);
    kill(first);
    const second = await enter('nod_b', {}, ['take after']);
    await pass(10_000);
    expect(new Set([...database.leases.values()].map(({ owner }) => owner))).toEqual(new Set(['nod_b']));
    expect(second.gained).toEqual([]);
    // Another node is to have some of its leases, which it does not know yet.
    await enter('nod_c');
    second.failing.clear();
    await pass(3 * LOOK_MS);
    expectAllOwned();
    expect(Object.keys(shares()).sort()).toEqual(['nod_b', 'nod_c']);
  });
});

describe('in any sequence of events', () => {
  it.each(sized({ small: [1], full: [1, 2, 3, 4, 5, 6] }))(
    'no lease has two owners, and each finally has one (%i)',
    async (seed) => {
      let state = seed;
      const random = (below: number): number => {
        state = (state * 48_271) % 2_147_483_647;
        return state % below;
      };
      let ids = 0;
      await enter(`nod_${(ids += 1)}`);
      for (let step = 0; step < 25; step += 1) {
        const living = database.members.filter(
          ({ node, isCut }) =>
            database.nodes.has(node.id) && !isCut && !database.nodes.get(node.id)?.isLeaving,
        );
        const one = living[random(living.length || 1)];
        const move = random(6);
        if (move === 0 && living.length < 4) await enter(`nod_${(ids += 1)}`);
        else if (move === 1 && one && living.length > 1) kill(one);
        else if (move === 2 && one && living.length > 1) {
          void one.cluster.leave().then(() => {
            clearInterval(one.beating);
            database.sessions.delete(one.node.lockNumber);
            return one.cluster.stop();
          });
        } else if (move === 3 && one) {
          const faults = [
            'take after',
            'take before',
            'gained',
            'release before',
            'release after',
            'leases before',
          ];
          one.failing.add(faults[random(faults.length)] ?? '');
        } else for (const { failing } of living) failing.clear();
        await pass(STEP_MS * (1 + random(40)));
      }
      for (const { failing } of database.members) failing.clear();
      await pass(15_000);
      expectAllOwned();
      expect(shares()['nobody']).toBeUndefined();
    },
  );
});
