// Tests that a restore reports how far it came and returns a consistent database, or refuses, whatever happens to the files of a
// replica.
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listBases } from '../../src/replica/base-copy.js';
import { openReplicaRig, REPLICA_NAMES, type ReplicaRig } from '../support/replica-rig.js';
import { removeSurplus } from '../../src/replica/kept.js';
import { fixedClock } from '../support/fixed-clock.js';

const HOUR = 3_600_000;
let rig: ReplicaRig;
beforeEach(() => (rig = openReplicaRig()));
afterEach(() => rig.close());

const pathOf = (name: string): string => join(rig.storageFolder, name);
const increment = (number: number): string => pathOf(REPLICA_NAMES.increment(1, number));
const names = (): string[] => readdirSync(rig.storageFolder).toSorted();

function changeLastOctet(path: string): void {
  const octets = readFileSync(path);
  const last = octets.length - 1;
  octets.writeUInt8(octets.readUInt8(last) ^ 1, last);
  writeFileSync(path, octets);
}

function makeLater(path: string): void {
  writeFileSync(path, readFileSync(path, 'utf8').replace('"format": 1', '"format": 2'));
}

/** Stores six increments, each with one row, and returns the contents of the database after each. */
async function storeSix(): Promise<string[]> {
  const shipper = rig.ship();
  await rig.replicating(shipper);
  const contents = [''];
  for (let i = 1; i <= 6; i++) {
    rig.writer.prepare('INSERT INTO notes (text) VALUES (?)').run(`note ${i}`);
    await shipper.store();
    contents[shipper.state.increment] = rig.content();
  }
  await rig.stop(shipper);
  return contents;
}

describe('increments', () => {
  it.each([
    ['missing', 'is missing', () => rmSync(increment(4))],
    ['cut', 'is damaged, or belongs to other keys', () => truncateSync(increment(4), 400)],
    ['empty', 'has no readable first line', () => truncateSync(increment(4), 0)],
    [
      'replaced by another',
      'is another file than its name says',
      () => copyFileSync(increment(3), increment(4)),
    ],
    [
      'changed in its pages',
      'is damaged, or belongs to other keys',
      () => {
        changeLastOctet(increment(4));
      },
    ],
    [
      'changed in its first line',
      'is damaged, or belongs to other keys',
      () => {
        const text = readFileSync(increment(4), 'latin1').replace('"number":4', '"number":5');
        writeFileSync(increment(4), text, 'latin1');
      },
    ],
  ])('are applied up to one that is %s', async (_, problem, harm) => {
    const contents = await storeSix();
    harm();
    const restored = await rig.restore();
    expect(restored.reached.increment).toBe(3);
    expect(restored.content).toBe(contents[3]);
    expect(restored.gap).toContain(`increment 4 ${problem}, and `);
    expect(restored.gap).toContain(' later increments cannot be used without it');
  });

  it('are not applied in another order', async () => {
    const contents = await storeSix();
    renameSync(increment(4), increment(9_999));
    renameSync(increment(5), increment(4));
    renameSync(increment(9_999), increment(5));
    const restored = await rig.restore();
    expect(restored).toMatchObject({ reached: { increment: 3 }, content: contents[3] });
    expect(restored.gap).toContain('increment 4 is another file than its name says');
  });
});

describe('a file that cannot be stored in a folder', () => {
  it('leaves nothing behind, as on a full disk', async () => {
    mkdirSync(pathOf('occupied'));
    await expect(rig.storage.put('occupied', Buffer.from('a'))).rejects.toThrow();
    expect(await rig.storage.create('occupied', Buffer.from('a'))).toBe(false);
    expect(names()).toEqual(['occupied']);
  });
});

describe('a base copy', () => {
  it('whose part was changed is refused if there is no other', async () => {
    await storeSix();
    for (const part of names().filter((name) => name.endsWith('-000001.pages')))
      changeLastOctet(pathOf(part));
    await expect(rig.restore()).rejects.toThrow('-000001.pages is damaged or changed.');
  });

  it.each([
    ['whose part was changed', /-000001\.pages$/, changeLastOctet],
    ['whose part is missing', /-000001\.pages$/, rmSync],
    ['whose manifest was cut', /\.json$/, (path: string) => truncateSync(path, 100)],
    ['whose manifest is of a later release', /\.json$/, makeLater],
  ])('%s is replaced by the one before, with the increments since', async (_, ending, harm) => {
    const first = rig.ship();
    await rig.replicating(first);
    rig.writer.exec(`INSERT INTO notes (text) VALUES ('a note')`);
    await first.store();
    await rig.stop(first);
    // Does not share parts with the first copy, because it does not know which pages changed.
    const second = rig.ship({ timing: { copyMs: 0 } });
    await expect.poll(async () => (await listBases(rig.storage, REPLICA_NAMES)).length).toBeGreaterThan(1);
    await rig.stop(second);
    const [oldest] = await listBases(rig.storage, REPLICA_NAMES);
    const kept = REPLICA_NAMES.base(1, oldest?.after ?? 0).replace('.json', '');
    const later = names().filter((name) => name.includes('-base-') && !name.startsWith(kept));
    for (const name of later) if (ending.test(name)) harm(pathOf(name));
    expect(await rig.restore()).toMatchObject({ gap: null, content: rig.content() });
  });

  it('is stored whole again if parts of the one before were removed', async () => {
    const clock = fixedClock();
    const shipper = rig.ship({ clock: clock.now, timing: { copyMs: HOUR } });
    rig.writer.exec('INSERT INTO notes (text) VALUES (randomblob(100000))');
    await rig.replicating(shipper);
    // The second copy is the first that knows the changed pages.
    for (let count = 2; count <= 3; count++) {
      for (const name of names()) if (/-base-.*\.pages$/.test(name)) rmSync(pathOf(name));
      rig.writer.exec(`INSERT INTO notes (text) VALUES ('a note')`);
      await shipper.store();
      clock.advance(HOUR);
      await expect.poll(async () => (await listBases(rig.storage, REPLICA_NAMES)).length).toBe(count);
    }
    expect(await rig.restore()).toMatchObject({ gap: null, content: rig.content() });
  });

  it('without its manifest does not exist', async () => {
    await storeSix();
    for (const name of names()) if (/-base-.*\.json$/.test(name)) rmSync(pathOf(name));
    await expect(rig.restore()).rejects.toThrow('has no complete base copy.');
  });
});

describe('a restore to a time', () => {
  it('returns the state of that time, across generations', async () => {
    const clock = fixedClock();
    const states: { at: number; content: string }[] = [];
    const note = async (shipper: ReturnType<ReplicaRig['ship']>): Promise<void> => {
      rig.writer.exec(`INSERT INTO notes (text) VALUES ('at ${clock.advance(60_000)}')`);
      await shipper.store();
      states.push({ at: clock.now(), content: rig.content() });
    };
    const first = rig.ship({ clock: clock.now });
    await rig.replicating(first);
    for (let i = 0; i < 3; i++) await note(first);
    await rig.stop(first);
    rig.writer.exec(`INSERT INTO notes (text) VALUES ('while it was stopped')`);
    rig.writer.pragma('wal_checkpoint(TRUNCATE)');
    clock.advance(60_000);
    const second = rig.ship({ clock: clock.now });
    await rig.replicating(second);
    for (let i = 0; i < 3; i++) await note(second);
    await rig.stop(second);
    expect(second.state.generation).toBe(2);
    for (const { at, content } of states) {
      expect((await rig.restore(at)).content).toBe(content);
      expect((await rig.restore(at + 59_999)).content).toBe(content);
    }
    await expect(rig.restore(Date.UTC(2026, 0, 1))).rejects.toThrow(
      'has no complete base copy for 2026-01-01T00:00:00.000Z.',
    );
  });
});

describe('a base copy that is removed', () => {
  it.each(['.json', '.pages'])('with its %s files is replaced by another within minutes', async (ending) => {
    let now = Date.now();
    const shipper = rig.ship({ clock: () => now });
    await rig.replicating(shipper);
    for (const name of names().filter((file) => file.includes('-base-') && file.endsWith(ending)))
      rmSync(pathOf(name));
    rig.writer.exec(`INSERT INTO notes (text) VALUES ('later')`);
    now += 301_000;
    await expect
      .poll(() => rig.logged.some(({ msg }) => msg.startsWith('replica base copy removed')))
      .toBe(true);
    await shipper.store();
    expect(await rig.restore()).toMatchObject({ gap: null, content: rig.content() });
  });
});

describe('retention', () => {
  it('removes files that no state of the kept time needs, and leaves every such state restorable', async () => {
    const clock = fixedClock();
    const shipper = rig.ship({ clock: clock.now, timing: { copyMs: 6 * HOUR, keepMs: 24 * HOUR } });
    await rig.replicating(shipper);
    const states: { at: number; content: string }[] = [];
    for (let hour = 0; hour < 60; hour++) {
      rig.writer.exec(`INSERT INTO notes (text) VALUES ('hour ${hour}')`);
      await shipper.store();
      states.push({ at: clock.now(), content: rig.content() });
      const base = shipper.state.base?.at ?? 0;
      if (clock.advance(HOUR) - base < 6 * HOUR) continue;
      await expect.poll(() => (shipper.state.base?.at ?? 0) > base).toBe(true);
    }
    await rig.stop(shipper);
    const now = clock.now();
    for (const { at, content } of states.filter((state) => state.at >= now - 24 * HOUR)) {
      expect((await rig.restore(at)).content).toBe(content);
    }
    const manifests = names().filter((name) => /-base-.*\.json$/.test(name));
    expect(manifests.length).toBeLessThanOrEqual(6);
    expect(names().filter((name) => /-\d{6}-\d{10}\.pages$/.test(name)).length).toBeLessThan(90);
    await expect(rig.restore(now - 48 * HOUR)).rejects.toThrow('has no complete base copy for');
  });

  it('does not delay a stop', async () => {
    const removed: string[] = [];
    const storage = { ...rig.storage, remove: (name: string) => Promise.resolve(void removed.push(name)) };
    const shipper = rig.ship();
    await rig.replicating(shipper);
    await rig.storage.put(REPLICA_NAMES.basePart(0, 0, 1), Buffer.alloc(0));
    await removeSurplus(storage, REPLICA_NAMES, { keepSince: Date.now(), isStopping: () => true });
    expect(removed).toEqual([]);
    await removeSurplus(storage, REPLICA_NAMES, { keepSince: Date.now(), isStopping: () => false });
    expect(removed).toContain(REPLICA_NAMES.basePart(0, 0, 1));
  });
});
