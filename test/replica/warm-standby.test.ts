// Tests a second machine that follows a replica and is ready to take over.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listBases } from '../../src/replica/base-copy.js';
import { fileHash } from '../../src/replica/page-file.js';
import { ReplicaCopy, type ReplicaSource } from '../../src/replica/replica-copy.js';
import type { ReplicaStorage } from '../../src/replica/replica-storage.js';
import { WarmStandby } from '../../src/replica/warm-standby.js';
import { contentOfCopy, openReplicaRig, REPLICA_NAMES, type ReplicaRig } from '../support/replica-rig.js';

let rig: ReplicaRig;
beforeEach(() => (rig = openReplicaRig()));
afterEach(() => rig.close());

const note = (text: string): void => void rig.writer.prepare('INSERT INTO notes (text) VALUES (?)').run(text);
const follow = (): Promise<WarmStandby> => WarmStandby.open(rig.source, join(rig.folder, 'follow'));

describe('a standby', () => {
  it('has every increment soon after the server has stored it', async () => {
    const shipper = rig.ship();
    await rig.replicating(shipper);
    const standby = await follow();
    for (let i = 0; i < 5; i++) {
      note(`note ${i}`);
      await shipper.store();
      expect(await standby.advance()).toBeNull();
      expect(contentOfCopy(standby.file)).toBe(rig.content());
      expect(standby.reached.increment).toBe(shipper.state.increment);
    }
    standby.close();
  });

  it('continues after it was killed while it applied increments', async () => {
    const shipper = rig.ship();
    await rig.replicating(shipper);
    const killed = await follow();
    note('first');
    await shipper.store();
    await killed.advance();
    // Its progress is no longer written, and the file is ahead of it.
    note('second');
    await shipper.store();
    const copy = ReplicaCopy.reopen(rig.source, killed.file, {
      ...killed.reached,
      hash: await hashOf(killed.reached.increment),
      consistentFrom: 0,
    });
    await copy.advance();
    copy.close();
    killed.close();
    note('third');
    await shipper.store();
    const again = await follow();
    expect(await again.advance()).toBeNull();
    expect(contentOfCopy(again.file)).toBe(rig.content());
    again.close();
  });

  it('begins again with a later generation, and after a gap', async () => {
    const first = rig.ship();
    await rig.replicating(first);
    const standby = await follow();
    await standby.advance();
    await rig.stop(first);
    note('while the server was stopped');
    rig.writer.pragma('wal_checkpoint(TRUNCATE)');
    const second = rig.ship({ timing: { copyMs: 0 } });
    await rig.replicating(second);
    expect(await standby.advance()).toBeNull();
    expect(standby.reached.generation).toBe(2);
    expect(contentOfCopy(standby.file)).toBe(rig.content());

    const { increment } = standby.reached;
    note('lost');
    await second.store();
    const before = await newestBase();
    rmSync(join(rig.storageFolder, REPLICA_NAMES.increment(2, increment + 1)), { force: true });
    note('after the gap');
    await second.store();
    await expect.poll(newestBase).not.toEqual(before);
    await second.store();
    await expect.poll(() => standby.advance()).toBeNull();
    expect(contentOfCopy(standby.file)).toBe(rig.content());
    standby.close();
  });

  it('tries again if it could not fetch the base copy of a later generation', async () => {
    let isAway = false;
    const get: ReplicaStorage['get'] = (name, most) =>
      isAway && name.endsWith('.pages')
        ? Promise.reject(new Error('no route to host'))
        : rig.storage.get(name, most);
    const source = { ...rig.source, storage: { ...rig.storage, get } };
    const standby = await beginLaterGeneration(source);
    isAway = true;
    for (let i = 0; i < 3; i++) await expect(standby.advance()).rejects.toThrow('no route to host');
    isAway = false;
    expect(await standby.advance()).toBeNull();
    expect(standby.reached.generation).toBe(2);
    expect(contentOfCopy(standby.file)).toBe(rig.content());
    standby.close();
  });

  it('keeps the previous generation if the base copy of a later one is damaged, and reports it', async () => {
    const standby = await beginLaterGeneration(rig.source);
    const name =
      (await rig.storage.list(REPLICA_NAMES.bases)).findLast((one) => one.endsWith('.pages')) ?? '';
    rmSync(join(rig.storageFolder, name));
    for (let i = 0; i < 2; i++) expect(await standby.advance()).toBe('the newest base copy is damaged');
    expect(standby.reached.generation).toBe(1);
    expect(standby.isConsistent).toBe(true);
    standby.close();
  });

  it('can be opened again when its base copy is no longer kept', async () => {
    const shipper = rig.ship();
    await rig.replicating(shipper);
    const standby = await follow();
    note('a note');
    await shipper.store();
    await standby.advance();
    standby.close();
    for (const name of await rig.storage.list(REPLICA_NAMES.bases)) await rig.storage.remove(name);
    note('another');
    await shipper.store();
    const again = await follow();
    expect(await again.advance()).toBeNull();
    expect(again.isConsistent).toBe(true);
    expect(contentOfCopy(again.file)).toBe(rig.content());
    again.close();
  });
});

/** Follows one generation, and lets the server start the next. */
async function beginLaterGeneration(source: ReplicaSource): Promise<WarmStandby> {
  const first = rig.ship();
  await rig.replicating(first);
  const standby = await WarmStandby.open(source, join(rig.folder, 'follow'));
  await standby.advance();
  await rig.stop(first);
  note('while the server was stopped');
  rig.writer.pragma('wal_checkpoint(TRUNCATE)');
  await rig.replicating(rig.ship());
  return standby;
}

async function newestBase(): Promise<{ after: number }> {
  const newest = (await listBases(rig.storage, REPLICA_NAMES)).at(-1);
  if (newest === undefined) throw new Error('There is no base copy.');
  return newest;
}

async function hashOf(increment: number): Promise<string> {
  const octets = await rig.storage.get(REPLICA_NAMES.increment(1, increment), 2 ** 30);
  return fileHash(octets ?? Buffer.alloc(0));
}
