// Tests that limits set by replies are listed and reported as reasons only while active.
import { expect, it } from 'vitest';
import { compileProviders } from '../../src/outbound/route/provider.rules.js';
import { compileShaping } from '../../src/outbound/shape/shaping.rules.js';
import { readShipped } from '../../src/settings/shipped.js';
import { createLog } from '../../src/lib/runtime/index.js';
import { ActiveLimits, type NewLimit } from '../../src/outbound/shape/active-limits.js';
import type { Limit } from '../../src/outbound/shape/limit.js';
import { createPathRates, createSuspensions, type PathUse } from '../../src/outbound/shape/path-limits.js';
import { Paths } from '../../src/outbound/shape/paths.js';
import { PersistedCounters } from '../../src/outbound/shape/persisted-counters.js';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 2);
const GROUP = 'mx.there.test';

function pathWithLimits() {
  let now = START;
  const clock = (): number => now;
  const log = createLog('fatal');
  let isDown = false;
  const commit = (): Promise<unknown> =>
    isDown ? Promise.reject(new Error('disk full')) : Promise.resolve();
  const { names } = compileProviders(readShipped('providers'));
  const limits = new ActiveLimits([], { commit, clock, log });
  const counters = new PersistedCounters(new Map(), { commit, clock, log });
  const paths = new Paths({
    shaping: compileShaping(
      readShipped('shaping'),
      { defaults: { connections: 4, connections_max: 8 } },
      names,
    ),
    ...{ limits, counters, clock },
    sessions: { change: () => undefined, recall: () => undefined, forget: () => undefined },
  });
  const path = paths.of(
    { via: 'mta', name: 'default', address4: null, address6: null, ehloName: 'mta.here.test' },
    {
      domain: 'there.test',
      provider: null,
      site: GROUP,
      siteHosts: [GROUP],
      group: GROUP,
      isOwnNetwork: false,
      lookedUpAt: 0,
      families: [4],
    },
  );
  const put = (limit: Pick<NewLimit, 'kind' | 'value' | 'rule' | 'expiresAt'>): void => {
    const where = { path: path.key, provider: null, site: GROUP, source: 'default' };
    limits.put({ ...where, reason: 'a reply', reply: '', ...limit });
  };
  const pass = (milliseconds: number): void => {
    now += milliseconds;
  };
  const adaptive = (): unknown => {
    const [row] = paths.overrides();
    return row && (JSON.parse(row.value) as { limit: number }).limit;
  };
  const fail = (): void => {
    isDown = true;
  };
  return { paths, path, limits, counters, put, pass, fail, adaptive };
}

it('shows an adaptive limit that has grown since the refusal that set it', () => {
  const { paths, path, adaptive } = pathWithLimits();
  for (let i = 0; i < 4; i += 1) paths.opened(path);
  paths.crowded(path, { reason: 'a session was refused', reply: '' });
  const before = path.plan.limits.connections;
  expect(adaptive()).toBe(before);
  for (let i = 0; i < 200 && path.plan.limits.connections === before; i += 1) paths.accepted(path);
  expect(path.plan.limits.connections).toBeGreaterThan(before);
  expect(adaptive()).toBe(path.plan.limits.connections);
});

it('does not show expired limits, even before they are deleted', () => {
  const { paths, limits, put, pass } = pathWithLimits();
  put({ kind: 'suspend', value: {}, rule: 'short', expiresAt: START + MINUTE });
  expect(paths.overrides()).toHaveLength(1);
  pass(MINUTE);
  expect([paths.overrides(), limits.list().length]).toEqual([[], 1]);
});

it('shows the later end of two suspensions, and the lower of two rates', () => {
  const { path, limits, counters, put } = pathWithLimits();
  const site = { source: 'default', site: GROUP, provider: null };
  const use: PathUse = { path, site, tenantKey: '', rank: 0, hasOther: false };
  const reasonOf = (limit: Limit<PathUse>) => {
    const found = limit.check(use, START);
    return found.kind === 'closed' ? found.reason : null;
  };
  put({ kind: 'suspend', value: {}, rule: 'short', expiresAt: START + MINUTE });
  put({ kind: 'suspend', value: {}, rule: 'long', expiresAt: START + 9 * MINUTE });
  expect(reasonOf(createSuspensions(limits))).toMatchObject({ until: START + 9 * MINUTE });

  const rate = (count: number) => ({ count, perMs: MINUTE, burst: 1 });
  put({ kind: 'rate', value: rate(60), rule: 'wide', expiresAt: START + MINUTE });
  put({ kind: 'rate', value: rate(6), rule: 'tight', expiresAt: START + MINUTE });
  const rates = createPathRates(limits, counters);
  rates.reserve(use, 1, START);
  expect(reasonOf(rates)?.detail).toContain('rule tight');
});

it('loads the limits of some paths from other nodes without changing others', async () => {
  const { path, limits, put, pass } = pathWithLimits();
  put({ kind: 'suspend', value: {}, rule: 'ours', expiresAt: START + 9 * MINUTE });
  const [ours] = limits.list();
  if (!ours) throw new Error('There is no limit.');
  const rows = [
    { ...ours, id: 'ovr_1', rule: 'theirs', expires_at: START + MINUTE, value: '{"limit":2}' },
    { ...ours, id: 'ovr_2', path: 'default > elsewhere.test' },
  ];
  limits.reload(rows, (row) => row.path !== path.key);
  expect(limits.list().map(({ id }) => id)).toEqual([ours.id, 'ovr_2']);
  limits.reload(rows, (row) => row.path === path.key);
  expect(limits.of(path.key)).toEqual([{ row: rows[0], value: { limit: 2 } }]);
  expect(limits.list()).toHaveLength(2);
  // The end of a limit counts as well.
  pass(MINUTE);
  expect(limits.expire().map(({ id }) => id)).toEqual(['ovr_1']);
  limits.reload([], () => true);
  expect(limits.list()).toEqual([]);
  await limits.settled();
});

it('drops a limit that another node has removed, without writing it', () => {
  const { path, limits, put } = pathWithLimits();
  put({ kind: 'suspend', value: {}, rule: 'ours', expiresAt: START + MINUTE });
  const id = limits.list()[0]?.id ?? '';
  expect(limits.forget('ovr_unknown')).toBeNull();
  expect(limits.forget(id)).toMatchObject({ id, path: path.key });
  expect([limits.list(), limits.of(path.key), limits.forget(id)]).toEqual([[], [], null]);
});

it('recognizes limits that another node has removed by their missing rows', async () => {
  const { limits, put, pass, fail } = pathWithLimits();
  for (const rule of ['kept', 'removed', 'short'])
    put({ kind: 'suspend', value: {}, rule, expiresAt: START + (rule === 'short' ? 1 : 9 * MINUTE) });
  await limits.settled();
  fail();
  put({ kind: 'suspend', value: {}, rule: 'not written', expiresAt: START + 9 * MINUTE });
  await limits.settled();
  const rows = limits.list().filter(({ rule }) => rule === 'kept');
  const removed = (before: number): string[] => limits.removedElsewhere(rows, before).map(({ rule }) => rule);
  // They may have been written after the rows were read.
  expect(removed(START)).toEqual([]);
  pass(MINUTE);
  expect(removed(START + MINUTE)).toEqual(['removed']);
});
