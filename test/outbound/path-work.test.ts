// Tests the path leases of one of several nodes: what may be claimed, what releasing a lease waits for, and what a new lease
// brings.
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog } from '../../src/lib/runtime/index.js';
import { pathLease } from '../../src/nodes/assignment.rules.js';
import { smarthostSite } from '../../src/outbound/route/egress-pools.js';
import { compileProviders } from '../../src/outbound/route/provider.rules.js';
import { ActiveLimits } from '../../src/outbound/shape/active-limits.js';
import { UNLIMITED } from '../../src/outbound/shape/limit.js';
import { PathLeases } from '../../src/outbound/shape/path-leases.js';
import type { SourceSite } from '../../src/outbound/shape/circuit-breakers.js';
import type { PathUse } from '../../src/outbound/shape/path-limits.js';
import { PathWork } from '../../src/outbound/shape/path-work.js';
import { Paths, type Path, type PathSource } from '../../src/outbound/shape/paths.js';
import { PersistedCounters } from '../../src/outbound/shape/persisted-counters.js';
import { compileShaping } from '../../src/outbound/shape/shaping.rules.js';
import type { LimitOverride } from '../../src/outbound/outbound.tables.js';
import { readShipped } from '../../src/settings/shipped.js';
import type { Plan } from '../../src/database/change.js';

const MINUTE = 60_000;
const GIVEN_UP_MS = 30_000;
/** Each has one lease. */
const [OURS, THEIRS] = ['mx.ours.test', 'mx.theirs.test'];

/** Longer than the time between two polls. */
const A_WHILE = 60;

// The test controls deadlines, while polls wait in real time.
beforeEach(() => void vi.useFakeTimers({ toFake: ['hrtime', 'Date'] }));
afterEach(() => void vi.useRealTimers());

function setUp() {
  const log = createLog('silent');
  const clock = (): number => Date.now();
  const owned = new Set([pathLease('default', OURS)]);
  const closing = new Set<string>();
  const leases = new PathLeases({
    hasPeers: true,
    isUsable: () => true,
    owns: (source, group) => owned.has(pathLease(source, group)),
    hasNode: (source) => source !== 'far',
    leaseOf: pathLease,
    holds: (lease) => owned.has(lease) || closing.has(lease),
  });
  const plans: Plan[] = [];
  const failures: Error[] = [];
  const commit = (plan: Plan): Promise<unknown> => {
    plans.push(plan);
    const failure = failures.shift();
    if (failure) return Promise.reject(failure);
    return new Promise((resolve) => setTimeout(resolve, 5));
  };
  const limits = new ActiveLimits([], { commit, clock, log });
  const counters = new PersistedCounters(new Map(), { commit, clock, log });
  const sessions = { change: vi.fn(), recall: vi.fn(), forget: vi.fn() };
  const { names } = compileProviders(readShipped('providers'));
  const shaping = compileShaping(readShipped('shaping'), { defaults: { connections: 4 } }, names);
  const paths = new Paths({ shaping, limits, counters, clock, sessions });
  const stored = { overrides: [] as LimitOverride[], states: new Map<string, string>() };
  const reads: number[] = [];
  const forgotten: string[] = [];
  const known = new Set<string>();
  const work = new PathWork(
    {
      overrides: (now) => {
        reads.push(now);
        return Promise.resolve(stored.overrides);
      },
      states: () => Promise.resolve(stored.states),
    },
    {
      breakers: {
        forgetSites: (isMeant: (site: SourceSite) => boolean) => {
          for (const key of known) if (isMeant(siteOf(key))) forgotten.push(key);
        },
      } as never,
      ...{ leases, paths, limits, counters, clock, log },
    },
  );
  const source = (name: string, via: PathSource['via'] = 'mta'): PathSource => ({
    ...{ via, name, address4: null, address6: null, ehloName: 'mta.here.test' },
  });
  const pathTo = (group: string, from = source('default')): Path =>
    paths.of(from, {
      ...{ domain: group, provider: null, site: group, siteHosts: [group], group },
      ...{ isOwnNetwork: false, families: [4], lookedUpAt: 0 },
    });
  const useOf = (path: Path): PathUse => {
    const site = { source: path.plan.source, site: path.group, provider: null };
    return { path, site, tenantKey: '', rank: 0, hasOther: false };
  };
  return {
    ...{ leases, limits, counters, paths, sessions, work, stored, forgotten, known, owned, closing },
    ...{ plans, failures, reads, pathTo, useOf, source },
  };
}

/** Of a key, `source > site`. */
function siteOf(key: string): SourceSite {
  const [source = '', site = ''] = key.split(' > ');
  return { source, site, provider: null };
}

function limitOf(path: string, of: Partial<LimitOverride> = {}): LimitOverride {
  return {
    ...{ id: `ovr ${path}`, path, ...siteOf(path), kind: 'suspend', value: '{}' },
    ...{
      sub_tenant_key: '',
      rule: 'deferred',
      reason: 'a reply',
      reply: '',
      created_at: 0,
      expires_at: 9e15,
    },
    ...of,
  };
}

/** Whether it has resolved by now. */
function watch(promise: Promise<unknown>): { isDone: boolean } {
  const seen = { isDone: false };
  void promise.then(() => (seen.isDone = true));
  return seen;
}

describe('a path', () => {
  it('is open on the node with its lease, and closed on the others without a reason for waiting', () => {
    const { leases, pathTo, useOf, owned, source } = setUp();
    expect(leases.check(useOf(pathTo(OURS)))).toEqual(UNLIMITED);
    expect(leases.check(useOf(pathTo(THEIRS)))).toMatchObject({ kind: 'closed', isElsewhere: true });
    owned.add(pathLease('default', THEIRS));
    expect(leases.check(useOf(pathTo(THEIRS)))).toEqual(UNLIMITED);
    // No node has the address, so another route may be used.
    expect(leases.check(useOf(pathTo(THEIRS, source('far'))))).toMatchObject({
      ...{ kind: 'closed', isSourceDown: true, reason: { code: 'source_unreachable' } },
    });
  });

  it('of a smarthost differs from that of a source with the same name', () => {
    const { leases, pathTo, source, owned, useOf } = setUp();
    const site = smarthostSite('default');
    const relayed = pathTo(site, source('default', 'smarthost'));
    expect(leases.leaseOf(relayed)).toBe(pathLease(site, site));
    expect(leases.leaseOf(relayed)).not.toBe(leases.leaseOf(pathTo(OURS)));
    expect(leases.check(useOf(relayed))).toMatchObject({ kind: 'closed' });
    owned.add(pathLease(site, site));
    expect(leases.check(useOf(relayed))).toEqual(UNLIMITED);
    expect(leases.leaseOfKey(relayed.key)).toBe(leases.leaseOf(relayed));
  });

  it('has a key that identifies its lease, and a source as a whole has none', () => {
    const { leases, pathTo, source } = setUp();
    for (const path of [pathTo(OURS), pathTo(OURS, source('a#1')), pathTo('google', source('second'))])
      expect(leases.leaseOfKey(path.key)).toBe(leases.leaseOf(path));
    expect(leases.leaseOfKey('default > *')).toBeNull();
    expect(leases.leaseOfKey('')).toBeNull();
    expect(leases.leaseOfKey('throttle 1 tnt_1')).toBeNull();
  });

  it('counts attempts in flight for its lease until they end', () => {
    const { leases, pathTo, useOf } = setUp();
    const path = pathTo(OURS);
    const lease = leases.leaseOf(path);
    const [first, second] = [leases.reserve(useOf(path), 2), leases.reserve(useOf(path), 1)];
    expect(leases.inFlight(lease)).toBe(3);
    first(1, true);
    second(1, false);
    expect(leases.inFlight(lease)).toBe(1);
    first(1, true);
    expect([leases.inFlight(lease), leases.inFlight('another')]).toEqual([0, 0]);
  });
});

describe('a released lease', () => {
  it('closes its paths, and waits for attempts and sessions, including opening ones', async () => {
    const { work, leases, paths, pathTo, useOf, sessions } = setUp();
    const [path, other] = [pathTo(OURS), pathTo(THEIRS)];
    const hold = leases.reserve(useOf(path), 1);
    paths.opening(path, null);
    paths.opening(other, null);
    paths.opened(other);
    const lost = watch(work.lost(leases.leaseOf(path)));
    expect(path.plan.limits.connections).toBe(0);
    expect(other.plan.limits.connections).toBeGreaterThan(0);
    for (const call of [sessions.recall, sessions.change]) expect(call.mock.calls).toEqual([[path]]);
    await pause(A_WHILE);
    hold(1, true);
    await pause(A_WHILE);
    expect([lost.isDone, sessions.forget.mock.calls]).toEqual([false, []]);
    path.sessions -= 1;
    await pause(A_WHILE);
    expect(lost.isDone).toBe(true);
    expect(sessions.forget.mock.calls).toEqual([[path]]);
    expect([paths.byKey(path.key), paths.byKey(other.key)]).toEqual([undefined, other]);
  });

  it('ends when counters and limits are written', async () => {
    const { work, leases, counters, limits, pathTo, plans } = setUp();
    const path = pathTo(OURS);
    counters.put(`rate ${path.key}`, 7);
    limits.put({
      ...{ path: path.key, provider: null, site: OURS, source: 'default', kind: 'suspend', value: {} },
      ...{ rule: 'deferred', reason: 'a reply', reply: '', expiresAt: Date.now() + MINUTE },
    });
    const lost = watch(work.lost(leases.leaseOf(path)));
    await new Promise(setImmediate);
    expect([lost.isDone, plans.length]).toEqual([false, 2]);
    await pause(A_WHILE);
    expect(lost.isDone).toBe(true);
    expect(JSON.stringify(plans)).toContain(`rate ${path.key}`);
  });

  it('is written until it succeeds, so that the next node has current counts', async () => {
    const { work, leases, counters, pathTo, plans, failures } = setUp();
    const path = pathTo(OURS);
    counters.put(`rate ${path.key}`, 7);
    failures.push(new Error('the database is away'));
    const lost = watch(work.lost(leases.leaseOf(path)));
    await pause(A_WHILE);
    expect([lost.isDone, plans.length]).toEqual([false, 1]);
    await pause(500 + A_WHILE);
    expect([lost.isDone, plans.length]).toEqual([true, 2]);
  });

  it('keeps the used connection rate', async () => {
    const { work, leases, paths, pathTo, plans } = setUp();
    const path = pathTo(OURS);
    paths.opening(path, 9000);
    expect(path.plan.openedTat).toBe(9000);
    path.sessions -= 1;
    await work.lost(leases.leaseOf(path));
    expect(JSON.stringify(plans)).toContain(`connections ${path.key}`);
  });

  it('does not wait forever for a slow peer', async () => {
    const { work, leases, pathTo, useOf } = setUp();
    const path = pathTo(OURS);
    leases.reserve(useOf(path), 1);
    const lost = watch(work.lost(leases.leaseOf(path)));
    vi.advanceTimersByTime(GIVEN_UP_MS - 100);
    await pause(A_WHILE);
    expect(lost.isDone).toBe(false);
    vi.advanceTimersByTime(200);
    await pause(A_WHILE);
    expect(lost.isDone).toBe(true);
  });

  it('without work ends immediately', async () => {
    const { work } = setUp();
    const lost = watch(work.lost(pathLease('default', 'mx.unknown.test')));
    await pause(A_WHILE);
    expect(lost.isDone).toBe(true);
  });
});

describe('state that other nodes have stored', () => {
  const OUR_PATH = `default > ${OURS}`;
  const THEIR_PATH = `default > ${THEIRS}`;

  function setUpStored() {
    const all = setUp();
    const { counters, limits, stored, known } = all;
    for (const path of [OUR_PATH, THEIR_PATH]) {
      counters.put(`rate ${path}`, 1);
      counters.put(`warm-up ${path}`, 1);
      limits.put({
        ...{ path, ...siteOf(path), kind: 'suspend', value: { of: 'memory' } },
        ...{ rule: 'deferred', reason: 'a reply', reply: '', expiresAt: 9e15 },
      });
      known.add(path);
      stored.states.set(`rate ${path}`, '2').set(`warm-up ${path}`, '2').set(`blocked ${path}`, '2');
      stored.overrides.push(limitOf(path, { value: '{"of":"rows"}' }));
    }
    known.add('default > *');
    stored.states.set('throttle 1 tnt_1', '2');
    counters.put('throttle 1 tnt_1', 1);
    const seen = (path: string) => [
      counters.get(`rate ${path}`),
      counters.get(`warm-up ${path}`),
      counters.get(`blocked ${path}`),
      limits.of(path).map(({ value }) => value),
    ];
    return { ...all, seen };
  }
  const FROM_ROWS = [2, 2, 2, [{ of: 'rows' }]];
  const FROM_MEMORY = [1, 1, undefined, [{ of: 'memory' }]];

  it('is read when a lease is gained, for its paths only', async () => {
    const { work, seen, counters, forgotten, reads } = setUpStored();
    await work.gained(new Set([pathLease('default', THEIRS)]));
    expect([seen(THEIR_PATH), seen(OUR_PATH)]).toEqual([FROM_ROWS, FROM_MEMORY]);
    expect(counters.get('throttle 1 tnt_1')).toBe(1);
    expect(forgotten).toEqual([THEIR_PATH]);
    expect(reads).toHaveLength(1);
  });

  it('replaces the known connection window and rate of a path', async () => {
    const { work, stored, pathTo } = setUpStored();
    const before = pathTo(THEIRS);
    stored.states.set(`connections ${THEIR_PATH}`, '7000');
    const window = { ...before.window, limit: 1 };
    stored.overrides = [
      limitOf(THEIR_PATH, { kind: 'connections', rule: 'adaptive', value: JSON.stringify(window) }),
    ];
    expect([before.plan.limits.connections, before.plan.openedTat]).toEqual([4, null]);
    await work.gained(new Set([pathLease('default', THEIRS)]));
    const after = pathTo(THEIRS);
    expect([after.plan.limits.connections, after.plan.openedTat]).toEqual([1, 7000]);
  });

  it('removes known limits that no longer exist when a lease is gained', async () => {
    const { work, seen, stored } = setUpStored();
    stored.overrides.length = 0;
    await work.gained(new Set([pathLease('default', THEIRS)]));
    expect(seen(THEIR_PATH)).toEqual([2, 2, 2, []]);
  });

  it('is shown for paths of other nodes, without changing own paths and those being released', () => {
    const { work, seen, stored, forgotten, closing, counters } = setUpStored();
    const both = { overrides: stored.overrides, counters: stored.states };
    closing.add(pathLease('default', THEIRS));
    work.align(both);
    expect([seen(OUR_PATH), seen(THEIR_PATH), forgotten]).toEqual([FROM_MEMORY, FROM_MEMORY, []]);
    closing.clear();
    work.align(both);
    expect([seen(OUR_PATH), seen(THEIR_PATH), forgotten]).toEqual([FROM_MEMORY, FROM_ROWS, [THEIR_PATH]]);
    expect(counters.get('throttle 1 tnt_1')).toBe(1);
  });
});

it('does nothing for a single node', async () => {
  const { paths, limits, counters } = setUp();
  const work = new PathWork(
    { overrides: () => Promise.resolve([]), states: () => Promise.resolve(new Map()) },
    {
      ...{ leases: null, paths, limits, counters, breakers: { forgetSites: () => undefined } as never },
      ...{ clock: () => 0, log: createLog('silent') },
    },
  );
  counters.put(`rate default > ${OURS}`, 1);
  work.align({ overrides: [], counters: new Map([[`rate default > ${OURS}`, '2']]) });
  await work.lost('path default#1');
  expect(counters.get(`rate default > ${OURS}`)).toBe(1);
});
