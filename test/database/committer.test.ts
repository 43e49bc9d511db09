import { describe, expect, it } from 'vitest';
import { createCommitter, groupSize } from '../../src/database/committer.js';
import { groupEnded, type EndedGroup } from '../../src/database/committed.js';
import { engineKinds } from '../support/open-engines.js';

/** Returns the sizes of the groups of `clients` that each wait for a result, and return `later` groups afterwards. */
function groupsOf(clients: number, later: number): number[] {
  const sizes: number[] = [];
  const returning = Array.from({ length: later }, () => 0);
  let waiting = clients;
  let before = 0;
  for (let i = 0; i < 40; i += 1) {
    const size = groupSize(waiting, before);
    sizes.push(size);
    returning.push(size);
    waiting += (returning.shift() ?? 0) - size;
    before = size;
  }
  return sizes.slice(-4);
}

it('forms equal groups if clients return only after the next group has begun', () => {
  expect(groupsOf(50, 1)).toEqual([25, 25, 25, 25]);
  expect(groupsOf(200, 1)).toEqual([100, 100, 100, 100]);
});

it('includes all clients if they return before the next group begins', () => {
  expect(groupsOf(50, 0)).toEqual([50, 50, 50, 50]);
});

it('does not divide a few', () => {
  for (let waiting = 1; waiting < 8; waiting += 1) expect(groupSize(waiting, 0)).toBe(waiting);
  expect(groupSize(8, 0)).toBe(4);
});

describe.each(engineKinds())('a backlog of background work on $name', (kind) => {
  /** Commits `count` background works of 5 ms each, and then an urgent one. Returns the order, and the sizes of the groups. */
  async function behind(count: number): Promise<{ order: string[]; sizes: number[]; holdsThread: boolean }> {
    const opened = await kind.openMigrated();
    let now = 0;
    const order: string[] = [];
    const sizes: number[] = [];
    const forget = groupEnded.subscribe(({ size }: EndedGroup) => sizes.push(size));
    const committer = createCommitter(opened.engine, { maxGroup: 200, now: () => now });
    const work = (name: string) => (): Promise<void> => {
      now += 5;
      order.push(name);
      return Promise.resolve();
    };
    const all = Array.from({ length: count }, (_, n) => committer.commit(work(`background ${n}`)));
    all.push(committer.commitPlan(work('urgent'), () => null, 'urgent'));
    await Promise.all(all);
    forget();
    await opened.close();
    return { order, sizes, holdsThread: opened.engine.groupMs !== null };
  }

  it("does not delay a client's plan", async () => {
    const { order } = await behind(100);
    expect(order[0]).toBe('urgent');
    expect(order.slice(1)).toEqual(Array.from({ length: 100 }, (_, n) => `background ${n}`));
  });

  it('uses limited time of the main thread per group, and is completed', async () => {
    const { order, sizes, holdsThread } = await behind(100);
    expect(order).toHaveLength(101);
    // 20 ms, for works that take 5 ms.
    expect(Math.max(...sizes)).toBe(holdsThread ? 4 : 51);
  });

  it('continues while clients commit continuously', async () => {
    const opened = await kind.openMigrated();
    const committer = createCommitter(opened.engine, { maxGroup: 8 });
    const order: string[] = [];
    const urgent = Array.from({ length: 40 }, () =>
      committer.commitPlan(
        () => Promise.resolve(order.push('urgent')),
        () => null,
        'urgent',
      ),
    );
    const background = Array.from({ length: 4 }, () =>
      committer.commit(() => Promise.resolve(order.push('background'))),
    );
    await Promise.all([...urgent, ...background]);
    expect(order.lastIndexOf('background')).toBeLessThan(17);
    await opened.close();
  });
});
