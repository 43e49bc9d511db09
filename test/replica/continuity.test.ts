// Tests that a replica continues after any end of the server if every commit is still in the log, and starts another generation
// if not.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../src/database/engine/sqlite-driver.js';
import type { ReplicaStorage } from '../../src/replica/replica-storage.js';
import {
  contentOf,
  openReplicaRig,
  REPLICA_KEY,
  REPLICA_KEY_SET,
  REPLICA_NAMES,
  type ReplicaRig,
} from '../support/replica-rig.js';
import { sized } from '../support/run-size.js';

const OTHER_WRITER = fileURLToPath(new URL('../support/other-writer.mjs', import.meta.url));
const WRITER = fileURLToPath(new URL('../support/replica-writer.mjs', import.meta.url));
let rig: ReplicaRig;
beforeEach(() => (rig = openReplicaRig()));
afterEach(() => rig.close());

const write = (text = 'a note'): void =>
  void rig.writer.prepare('INSERT INTO notes (text) VALUES (?)').run(text);

/** Replicates for a while and stops. */
async function replicateOnce(): Promise<void> {
  const shipper = rig.ship();
  await rig.replicating(shipper);
  write();
  await shipper.store();
  await rig.stop(shipper);
}

async function expectRestorable(): Promise<void> {
  expect(await rig.restore()).toMatchObject({ gap: null, content: rig.content() });
}

describe('a server that stopped in order', () => {
  it('continues its generation without another base copy', async () => {
    await replicateOnce();
    const again = rig.ship();
    await rig.replicating(again);
    write();
    await again.store();
    expect(again.state.generation).toBe(1);
    expect(await rig.storage.list(REPLICA_NAMES.bases)).toHaveLength(2);
    await expectRestorable();
  });

  it('makes another base copy if the manifest of the newest one is damaged', async () => {
    await replicateOnce();
    const bases = (await rig.storage.list(REPLICA_NAMES.bases)).filter((name) => name.endsWith('.json'));
    for (const name of bases) truncateSync(join(rig.storageFolder, name), 100);
    await rig.replicating(rig.ship({ timing: { keepMs: 0 } }));
    await expectRestorable();
    expect(rig.logged.filter(({ level }) => level >= 40)).toEqual([]);
  });

  it('stores the last commits when it stops', async () => {
    const shipper = rig.ship({ timing: { intervalMs: 60_000 } });
    await shipper.store();
    write('the last one');
    await rig.stop(shipper);
    await expectRestorable();
  });

  it('begins another generation if something else wrote meanwhile', async () => {
    await replicateOnce();
    write('by a command');
    rig.writer.pragma('wal_checkpoint(TRUNCATE)');
    const again = rig.ship();
    await rig.replicating(again);
    expect(again.state.generation).toBe(2);
    await expectRestorable();
  });
});

describe('a log that is held', () => {
  it('cannot be emptied by another process, so nothing is missed', async () => {
    const shipper = rig.ship({ timing: { intervalMs: 60_000, logBytes: 2 ** 40 } });
    await shipper.store();
    write('before');
    const other = new Database(rig.file, { timeout: 0 });
    expect(other.pragma('wal_checkpoint(TRUNCATE)', { simple: true })).toBe(1);
    write('after');
    other.exec(`INSERT INTO notes (text) VALUES ('of another process')`);
    expect(other.pragma('wal_checkpoint(RESTART)', { simple: true })).toBe(1);
    other.close();
    await shipper.store();
    expect(shipper.state.generation).toBe(1);
    await expectRestorable();
  });
});

describe('a log that is emptied', () => {
  it('loses nothing that another process commits meanwhile', async () => {
    const shipper = rig.ship();
    await rig.replicating(shipper);
    const other = fork(OTHER_WRITER, [rig.file, '1500']);
    await once(other, 'exit');
    await shipper.store();
    expect(shipper.state.generation).toBe(1);
    await expectRestorable();
  });
});

describe('a server that was killed', () => {
  let child: ChildProcess | null = null;
  afterEach(() => child?.kill('SIGKILL'));

  async function start(): Promise<ChildProcess> {
    const paths = [rig.file, join(rig.folder, 'replica'), rig.storageFolder];
    child = fork(WRITER, [...paths, REPLICA_KEY.toString('hex'), REPLICA_KEY_SET]);
    await once(child, 'message');
    return child;
  }

  async function killAfter(rows: number, waits: boolean): Promise<number> {
    const running = await start();
    running.send({ rows: 1 });
    const [{ generation }] = (await once(running, 'message')) as [{ generation: number }];
    running.send({ rows });
    if (waits) await once(running, 'message');
    running.kill('SIGKILL');
    await once(running, 'exit');
    return generation;
  }

  it('continues its generation, with commits that were not stored yet', async () => {
    rig.writer.close();
    for (let round = 0; round < sized({ small: 4, full: 30 }); round++) {
      expect(await killAfter(1 + ((round * 37) % 400), round % 2 === 0)).toBe(1);
    }
    const running = await start();
    running.send({ rows: 1 });
    await once(running, 'message');
    running.kill('SIGKILL');
    await once(running, 'exit');
    const real = new Database(rig.file);
    expect(await rig.restore()).toMatchObject({ gap: null, content: contentOf(real) });
    real.close();
  });

  it('begins another generation if the log was written back meanwhile', async () => {
    rig.writer.close();
    await killAfter(50, false);
    const other = new Database(rig.file);
    other.exec(`INSERT INTO notes (text) VALUES ('by a command')`);
    other.close(); // the last connection, which writes the log back
    expect(await killAfter(1, true)).toBe(2);
    const real = new Database(rig.file);
    expect(await rig.restore()).toMatchObject({ gap: null, content: contentOf(real) });
    real.close();
  });
});

describe('storage that does not respond', () => {
  let isAway = false;
  const flaky = (): ReplicaStorage => {
    const { storage } = rig;
    const unless = <T>(work: () => Promise<T>): Promise<T> =>
      isAway ? Promise.reject(new Error('no route to host')) : work();
    return {
      ...storage,
      put: (name, octets) => unless(() => storage.put(name, octets)),
      create: (name, octets) => unless(() => storage.create(name, octets)),
      get: (name, most) => unless(() => storage.get(name, most)),
      list: (start, after) => unless(() => storage.list(start, after)),
      remove: (name) => unless(() => storage.remove(name)),
    };
  };
  beforeEach(() => (isAway = false));

  it('is reported, and gets what waited when it is back', async () => {
    const shipper = rig.ship({ storage: flaky() });
    await rig.replicating(shipper);
    isAway = true;
    for (let i = 0; i < 5; i++) write();
    await expect.poll(() => shipper.state.away?.reason).toBe('no route to host');
    expect(shipper.state.waitingBytes).toBeGreaterThan(0);
    expect(shipper.state.waitingSince).not.toBeNull();
    expect(rig.logged.filter(({ msg }) => msg === 'replica storage does not respond')).toHaveLength(1);
    isAway = false;
    await shipper.store();
    expect(shipper.state).toMatchObject({ away: null, waitingBytes: 0, waitingSince: null, generation: 1 });
    await expectRestorable();
  });

  it('gets few increments of much that waited', async () => {
    const shipper = rig.ship({ storage: flaky(), timing: { logBytes: 2 ** 30 } });
    await rig.replicating(shipper);
    isAway = true;
    const before = shipper.state.increment;
    for (let i = 0; i < 100; i++) {
      write();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    isAway = false;
    await shipper.store();
    expect(shipper.state.increment - before).toBeLessThan(15);
    await expectRestorable();
  });

  it('gets a new generation if more waited than the machine may keep', async () => {
    const shipper = rig.ship({ storage: flaky(), timing: { waitingBytes: 700_000 } });
    await rig.replicating(shipper);
    isAway = true;
    for (let i = 0; i < 120; i++) {
      rig.writer.exec('INSERT INTO notes (text) VALUES (randomblob(20000))');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await expect
      .poll(() => rig.logged.some(({ reason }) => reason === 'more waits than this machine may keep'))
      .toBe(true);
    expect(shipper.state.waitingBytes).toBeLessThan(1_000_000);
    isAway = false;
    await shipper.store();
    await expectRestorable();
  });

  it('does not let the log grow without bound when it is away from the start', async () => {
    isAway = true;
    const shipper = rig.ship({ storage: flaky(), timing: { waitingBytes: 200_000 } });
    for (let i = 0; i < 120; i++) rig.writer.exec('INSERT INTO notes (text) VALUES (randomblob(20000))');
    const whole = statSync(`${rig.file}-wal`).size;
    await expect
      .poll(() => {
        write();
        return statSync(`${rig.file}-wal`).size;
      })
      .toBeLessThan(whole / 10);
    isAway = false;
    await shipper.store();
    await expectRestorable();
  });

  it('is no longer reported when it responds again, even if nothing waits', async () => {
    isAway = true;
    const shipper = rig.ship({ storage: flaky() });
    await expect.poll(() => shipper.state.away).not.toBeNull();
    isAway = false;
    await rig.replicating(shipper);
    await expect.poll(() => shipper.state.away).toBeNull();
  });
});

describe('a power failure', () => {
  it.each([
    ['empty', 0],
    ['cut', 100],
  ])('that leaves the last increment of the machine %s does not end the replica', async (_, bytes) => {
    await replicateOnce();
    const refuse = (): Promise<never> => Promise.reject(new Error('no route to host'));
    const away = { ...rig.storage, put: refuse, create: refuse };
    const shipper = rig.ship({ storage: away });
    await expect.poll(() => shipper.state.phase).toBe('replicating');
    write('not stored');
    await expect.poll(() => shipper.state.waitingBytes).toBeGreaterThan(0);
    await rig.stop(shipper, 0);
    const spool = join(rig.folder, 'replica');
    const last = readdirSync(spool)
      .filter((name) => name.endsWith('.pages'))
      .toSorted()
      .at(-1);
    if (last === undefined) throw new Error('Nothing waits.');
    truncateSync(join(spool, last), bytes);
    const again = rig.ship();
    write('afterwards');
    await again.store();
    await expectRestorable();
  });
});
