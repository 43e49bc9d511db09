// Tests a replica in a bucket: slow, failing and silent stores, and stores that ignore conditions.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimGeneration, newestClaim } from '../../src/replica/claims.js';
import { openReplicaStorage, type ReplicaStorage } from '../../src/replica/replica-storage.js';
import { systemClock } from '../../src/lib/runtime/index.js';
import { type FakeBucket, startFakeBucket } from '../support/fake-bucket.js';
import { openReplicaRig, REPLICA_NAMES, type ReplicaRig } from '../support/replica-rig.js';

let bucket: FakeBucket;
let storage: ReplicaStorage;
let rig: ReplicaRig;
beforeEach(async () => {
  bucket = await startFakeBucket();
  const to = 's3://mail/a/prefix';
  storage = openReplicaStorage(
    {
      ...{ replicaTo: to, backupS3Endpoint: bucket.endpoint, backupS3Region: 'eu-test-1' },
      ...{ backupS3AccessKeyId: 'AKIAEXAMPLE', backupS3SecretAccessKey: 'secret', extraCaFile: null },
    },
    to,
  );
  rig = openReplicaRig({ storage });
});
afterEach(async () => {
  bucket.mood.isFailing = false;
  await rig.close();
  await storage.close();
  await bucket.close();
});

const note = (): void => void rig.writer.exec('INSERT INTO notes (text) VALUES (randomblob(500))');

describe('a replica in a bucket', () => {
  it('has everything in files below its prefix, and is restored from there', async () => {
    const shipper = rig.ship();
    await rig.replicating(shipper);
    for (let i = 0; i < 20; i++) {
      note();
      await shipper.store();
    }
    expect([...bucket.objects.keys()].every((name) => name.startsWith('a/prefix/replica-'))).toBe(true);
    expect(await rig.restore()).toMatchObject({ gap: null, content: rig.content() });
  });

  it('stores one increment for all commits that wait while the one before is stored', async () => {
    const shipper = rig.ship({ timing: { intervalMs: 60_000 } });
    await shipper.store();
    bucket.mood.delayMs = 50;
    const before = shipper.state.increment;
    const waiting = Array.from({ length: 40 }, async (_, i) => {
      await new Promise((resolve) => setTimeout(resolve, i * 5));
      note();
      await shipper.store();
    });
    await Promise.all(waiting);
    const stored = shipper.state.increment - before;
    expect(stored).toBeGreaterThan(1);
    expect(stored).toBeLessThan(20);
    bucket.mood.delayMs = 0;
    expect(await rig.restore()).toMatchObject({ gap: null, content: rig.content() });
  });

  it('continues after refusals, even in the middle of a base copy', async () => {
    bucket.mood.isFailing = true;
    const shipper = rig.ship();
    note();
    await expect.poll(() => shipper.state.away).not.toBeNull();
    bucket.mood.isFailing = false;
    await expect.poll(() => shipper.state.phase).not.toBe('starting');
    bucket.mood.isFailing = true;
    note();
    await expect.poll(() => shipper.state.away).not.toBeNull();
    bucket.mood.isFailing = false;
    await shipper.store();
    expect(await rig.restore()).toMatchObject({ gap: null, content: rig.content() });
  });

  it('waits for another upload of a file, and does not take it for that of another server', async () => {
    const shipper = rig.ship();
    await rig.replicating(shipper);
    bucket.mood.conflicts = 1;
    note();
    await shipper.store();
    expect([bucket.mood.conflicts, shipper.state.generation]).toEqual([0, 1]);
    expect(await rig.restore()).toMatchObject({ gap: null, content: rig.content() });
  });

  it('is restored although connections are lost in the middle of files', async () => {
    const shipper = rig.ship();
    await rig.replicating(shipper);
    note();
    await shipper.store();
    bucket.mood.cuts = 2;
    expect(await rig.restore()).toMatchObject({ gap: null, content: rig.content() });
    expect(bucket.mood.cuts).toBe(0);
  });

  it('lists more files than one page has', async () => {
    for (let i = 0; i < 2_300; i++)
      bucket.objects.set(`a/prefix/other-${String(i).padStart(5, '0')}`, Buffer.alloc(0));
    const names = await storage.list('other-', 'other-00099');
    expect([names.length, names[0], names.at(-1)]).toEqual([2_200, 'other-00100', 'other-02299']);
  });
});

describe('a store that refuses conditions', () => {
  it('replicates all the same', async () => {
    bucket.mood.refusesConditions = true;
    const shipper = rig.ship();
    await rig.replicating(shipper);
    note();
    await shipper.store();
    expect(shipper.state.away).toBeNull();
    expect(await rig.restore()).toMatchObject({ gap: null, content: rig.content() });
  });
});

describe('a store that ignores conditions', () => {
  beforeEach(() => (bucket.mood.knowsConditions = false));

  it('replicates all the same', async () => {
    const shipper = rig.ship();
    await rig.replicating(shipper);
    note();
    await shipper.store();
    await rig.stop(shipper);
    const again = rig.ship();
    await rig.replicating(again);
    note();
    await again.store();
    expect(again.state.generation).toBe(1);
    expect(await rig.restore()).toMatchObject({ gap: null, content: rig.content() });
  });

  it('gets no second increment of a number, as from two copies of a data folder', async () => {
    const shipper = rig.ship();
    await rig.replicating(shipper);
    expect(await storage.mayReplace()).toBe(true);
    const name = REPLICA_NAMES.increment(1, shipper.state.increment + 1);
    await storage.put(name, Buffer.from('of the other copy'));
    note();
    await shipper.store();
    expect(shipper.state.generation).toBe(2);
    expect((await storage.get(name, 1_000))?.toString()).toBe('of the other copy');
    expect(await rig.restore()).toMatchObject({ gap: null, content: rig.content() });
  });

  it('gives each generation to the server that wrote its claim last', async () => {
    const servers = ['a', 'b', 'c'];
    const claimed = await Promise.all(
      servers.map((server) => claimGeneration(storage, REPLICA_NAMES, { server, clock: systemClock })),
    );
    const newest = await newestClaim(storage, REPLICA_NAMES);
    expect(newest?.generation).toBe(Math.max(...claimed));
    expect(servers[claimed.indexOf(Math.max(...claimed))]).toBe(newest?.server);
  });
});
