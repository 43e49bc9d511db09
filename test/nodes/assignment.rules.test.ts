import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NODE_ROLES } from '../../src/contract/names.js';
import {
  pathLease,
  roomLease,
  roomLeases,
  ROOMS,
  wantedLeases,
  wantedOwner,
  type Candidate,
  type RoomName,
} from '../../src/nodes/assignment.rules.js';
import { smarthostSite } from '../../src/outbound/route/egress-pools.js';

const PARTS = 64;

const node = (id: string, wish: Partial<Candidate> = {}): Candidate => ({
  ...{ id, roles: NODE_ROLES, sources: ['default'], isLeaving: false, ...wish },
});
const nodesOf = (count: number, wish: Partial<Candidate> = {}): Candidate[] =>
  Array.from({ length: count }, (_, i) => node(`nod_01K${i}QWERTY`, wish));

/** The assigned owner of each lease. */
function owners(nodes: readonly Candidate[]): Map<string, string | null> {
  return new Map(wantedLeases(nodes).map((lease) => [lease.name, wantedOwner(lease, nodes)]));
}
const countOf = (of: ReadonlyMap<string, string | null>, id: string): number =>
  [...of.values()].filter((owner) => owner === id).length;

const someNodes = fc.uniqueArray(
  fc.record({
    id: fc.stringMatching(/^nod_[0-9A-Z]{6}$/),
    roles: fc.subarray([...NODE_ROLES]),
    sources: fc.subarray(['default', 'a', 'a#1', 'smarthost relay', 'two words', '']),
    isLeaving: fc.boolean(),
  }),
  { selector: ({ id }) => id, maxLength: 6 },
);

describe('each lease', () => {
  it('belongs to exactly one eligible node, independent of the order', () => {
    fc.assert(
      fc.property(someNodes, (nodes) => {
        const found = owners(nodes);
        const reversed = owners(nodes.toReversed());
        expect(reversed.size).toBe(found.size);
        expect([...reversed].filter(([name, owner]) => found.get(name) !== owner)).toEqual([]);
        const wrong: string[] = [];
        for (const lease of wantedLeases(nodes)) {
          const able = nodes.filter(
            ({ roles, sources, isLeaving }) =>
              !isLeaving &&
              roles.includes(lease.role) &&
              (lease.source === null || sources.includes(lease.source)),
          );
          const owner = found.get(lease.name);
          const isRight = able.length === 0 ? owner === null : able.some(({ id }) => id === owner);
          if (!isRight) wrong.push(`${lease.name}: ${owner}`);
        }
        expect(wrong).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it('has a unique name for any source names', () => {
    const sources = ['a', 'a#1', 'a#1#1', 'room inbound', 'path a', 'a ', ' a', '', '#', 'smarthost relay'];
    const names = wantedLeases([node('nod_1', { sources })]).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const rooms = (Object.keys(ROOMS) as RoomName[]).flatMap(roomLeases);
    expect(names).toHaveLength(rooms.length + sources.length * PARTS);
  });

  it('exists once, however many nodes have the source', () => {
    expect(wantedLeases(nodesOf(3))).toEqual(wantedLeases(nodesOf(1)));
  });

  it('of a path is one of those of its source', () => {
    const groups = Array.from({ length: 2_000 }, (_, i) => `mx${i}.example`);
    for (const source of ['default', 'a#1', 'two words', smarthostSite('default')]) {
      const names = new Set(wantedLeases([node('nod_1', { sources: [source] })]).map(({ name }) => name));
      const found = groups.map((group) => pathLease(source, group));
      expect(found.filter((name) => !names.has(name))).toEqual([]);
      // All parts are used.
      expect(new Set(found).size).toBe(PARTS);
    }
    expect(pathLease('default', 'google')).not.toBe(pathLease(smarthostSite('default'), 'google'));
  });

  it('has the same name in every release, because it is stored in the database', () => {
    expect([pathLease('default', 'google'), pathLease('a#1', 'mx.example.com')]).toEqual([
      'path default#43',
      'path a#1#28',
    ]);
    expect(roomLease('delivery reports', 7)).toBe('room delivery reports');
    expect([roomLease('webhooks', 1), roomLease('campaigns', 18)]).toEqual([
      'room webhooks#1',
      'room campaigns#2',
    ]);
  });
});

describe('a node', () => {
  it('has all leases if it is alone, and a fair share otherwise', () => {
    const [only] = nodesOf(1);
    expect(new Set(owners(nodesOf(1)).values())).toEqual(new Set([only?.id]));
    for (const count of [2, 3, 5]) {
      const nodes = nodesOf(count, { sources: ['a', 'b', 'c', 'd'] });
      const found = owners(nodes);
      const fair = found.size / count;
      for (const { id } of nodes) {
        expect(countOf(found, id)).toBeGreaterThan(0.6 * fair);
        expect(countOf(found, id)).toBeLessThan(1.5 * fair);
      }
    }
  });

  it('that joins gets its share without moving leases between the others', () => {
    for (const count of [1, 2, 3, 5]) {
      const all = nodesOf(count + 1, { sources: ['a', 'b', 'c', 'd'] });
      const [before, after] = [owners(all.slice(0, count)), owners(all)];
      const newest = all[count]?.id ?? '';
      const moved = [...after].filter(([name, owner]) => owner !== before.get(name));
      expect(new Set(moved.map(([, owner]) => owner))).toEqual(new Set([newest]));
      expect(moved.length).toBe(countOf(after, newest));
      expect(moved.length).toBeLessThan((1.5 * after.size) / (count + 1));
    }
  });

  it('that leaves passes its share to the others without moving leases between them', () => {
    const all = nodesOf(4, { sources: ['a', 'b'] });
    const [gone] = all;
    const [before, after] = [owners(all), owners(all.slice(1))];
    for (const [name, owner] of after)
      if (before.get(name) !== gone?.id) expect(owner).toBe(before.get(name));
    const heirs = new Set(
      [...after].flatMap(([name, owner]) => (before.get(name) === gone?.id ? [owner] : [])),
    );
    expect(heirs.size).toBe(3);
  });

  it('that is leaving gets no leases, even if it is the last one', () => {
    const [first, second] = nodesOf(2);
    const found = owners([node(first?.id ?? '', { isLeaving: true }), node(second?.id ?? '')]);
    expect(countOf(found, first?.id ?? '')).toBe(0);
    expect(countOf(found, second?.id ?? '')).toBe(found.size);
    expect(new Set(owners(nodesOf(2, { isLeaving: true })).values())).toEqual(new Set([null]));
  });

  it('gets only the rooms of its roles', () => {
    const nodes = [
      node('nod_web', { roles: ['api'], sources: [] }),
      node('nod_out', { roles: ['mta', 'relay'] }),
      node('nod_work', { roles: ['schedules', 'webhooks'] }),
    ];
    const found = owners(nodes);
    const rooms = Object.fromEntries(
      (Object.keys(ROOMS) as RoomName[]).map((name) => [name, found.get(roomLease(name, 1))]),
    );
    expect(rooms).toEqual({
      ...{ schedules: 'nod_work', campaigns: 'nod_work', sequences: 'nod_work', transfers: 'nod_work' },
      ...{ statistics: 'nod_work', 'delivery reports': 'nod_out', inbound: null, webhooks: 'nod_work' },
      certificates: 'nod_web',
    });
    const paths = [...found].filter(([name]) => name.startsWith('path '));
    expect(new Set(paths.map(([, owner]) => owner))).toEqual(new Set(['nod_out']));
  });

  it('gets only paths of its own sources, and of smarthosts like every node', () => {
    const relay = smarthostSite('shared');
    const nodes = [
      node('nod_1', { sources: ['first', 'shared', relay] }),
      node('nod_2', { sources: ['shared', relay] }),
      node('nod_3', { sources: [relay], roles: ['api'] }),
    ];
    const bySource = new Map<string, Set<string | null>>();
    for (const lease of wantedLeases(nodes)) {
      if (lease.source === null) continue;
      const found = bySource.get(lease.source) ?? new Set();
      bySource.set(lease.source, found.add(wantedOwner(lease, nodes)));
    }
    expect(bySource.get('first')).toEqual(new Set(['nod_1']));
    expect(bySource.get('shared')).toEqual(new Set(['nod_1', 'nod_2']));
    expect(bySource.get(relay)).toEqual(new Set(['nod_1', 'nod_2']));
  });
});
