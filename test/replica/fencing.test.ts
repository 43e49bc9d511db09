// Tests that one server writes a replica. A server that takes it over ends the previous one, and no commit that it confirmed is
// lost.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../src/database/engine/sqlite-driver.js';
import { claimGeneration, newestClaim } from '../../src/replica/claims.js';
import { writeRestored } from '../../src/replica/identity.js';
import { systemClock } from '../../src/lib/runtime/index.js';
import { openReplicaFolder, openReplicaRig, REPLICA_NAMES, type ReplicaRig } from '../support/replica-rig.js';

let rig: ReplicaRig;
beforeEach(() => (rig = openReplicaRig()));
afterEach(() => rig.close());

const takeOver = (): Promise<number> =>
  claimGeneration(rig.storage, REPLICA_NAMES, {
    server: randomBytes(16).toString('hex'),
    clock: systemClock,
  });

describe('a server whose replica was taken over', () => {
  it('learns of it with its next increment, and stores nothing more', async () => {
    const shipper = rig.ship();
    await rig.replicating(shipper);
    expect(await takeOver()).toBe(2);
    rig.writer.exec(`INSERT INTO notes (text) VALUES ('too late')`);
    await expect.poll(() => rig.fenced).toEqual([2]);
    expect(shipper.state.phase).toBe('fenced');
    const stored = await rig.storage.list(REPLICA_NAMES.increments(1));
    rig.writer.exec(`INSERT INTO notes (text) VALUES ('later still')`);
    await rig.stop(shipper);
    expect(await rig.storage.list(REPLICA_NAMES.increments(1))).toEqual(stored);
  });

  it('learns of it at its next start, too', async () => {
    const shipper = rig.ship();
    await rig.replicating(shipper);
    await rig.stop(shipper);
    await takeOver();
    const again = rig.ship();
    await expect.poll(() => rig.fenced).toEqual([2]);
    expect(again.state.phase).toBe('fenced');
    expect((await newestClaim(rig.storage, REPLICA_NAMES))?.generation).toBe(2);
  });

  it('confirms nothing that a restore after the takeover does not have', async () => {
    const shipper = rig.ship();
    await rig.replicating(shipper);
    const confirmed: number[] = [];
    let isTaken = false;
    const insert = rig.writer.prepare('INSERT INTO notes (text) VALUES (?) RETURNING id').pluck();
    const writing = (async () => {
      while (rig.fenced.length === 0) {
        const ids = Array.from({ length: 3 }, (_, i) => insert.get(`note ${i}`) as number);
        await Promise.race([
          shipper.store().then(() => confirmed.push(...ids)),
          expect.poll(() => rig.fenced.length, { timeout: 20_000 }).toBeGreaterThan(0),
        ]);
        if (confirmed.length > 60 && !isTaken) {
          isTaken = true;
          void takeOver();
        }
      }
    })();
    await writing;
    const { file } = await rig.restore();
    const copy = new Database(file);
    const found = new Set(copy.prepare('SELECT id FROM notes').pluck().all() as number[]);
    copy.close();
    expect(confirmed.filter((id) => !found.has(id))).toEqual([]);
    expect(confirmed.length).toBeGreaterThan(60);
  });
});

describe('a data folder that has not written the replica before', () => {
  const folder = (): string => join(rig.folder, 'of-another-machine');
  async function replicateAs(): Promise<{ generation: number; increment: number }> {
    const shipper = rig.ship();
    await rig.replicating(shipper);
    rig.writer.exec(`INSERT INTO notes (text) VALUES ('confirmed')`);
    await shipper.store();
    const { generation, increment } = shipper.state;
    await rig.stop(shipper);
    return { generation, increment };
  }

  it('does not take over a replica that it does not continue', async () => {
    await replicateAs();
    rig.ship({ folder: folder() });
    await expect.poll(() => rig.behind).toEqual([1]);
    expect((await newestClaim(rig.storage, REPLICA_NAMES))?.generation).toBe(1);
  });

  it('continues the state that was restored into it', async () => {
    await writeRestored(folder(), { restored: await replicateAs() });
    const shipper = rig.ship({ folder: folder() });
    await rig.replicating(shipper);
    expect([shipper.state.generation, rig.behind]).toEqual([2, []]);
  });

  it('does not take over if the other server went on after the restore', async () => {
    const { generation, increment } = await replicateAs();
    await writeRestored(folder(), { restored: { generation, increment: increment - 1 } });
    for (let starts = 1; starts <= 2; starts++) {
      const shipper = rig.ship({ folder: folder() });
      await expect.poll(() => rig.behind.length).toBe(starts);
      await rig.stop(shipper);
    }
    expect(rig.behind).toEqual([1, 1]);
  });

  it('takes over with an earlier state that was chosen', async () => {
    await replicateAs();
    await writeRestored(folder(), { restored: 'earlier' });
    const shipper = rig.ship({ folder: folder() });
    await rig.replicating(shipper);
    expect(shipper.state.generation).toBe(2);
  });
});

describe('a claim', () => {
  it('belongs to one server even if many begin a generation at the same time', async () => {
    const claimed = await Promise.all(Array.from({ length: 8 }, () => takeOver()));
    expect(new Set(claimed).size).toBe(8);
    expect(Math.max(...claimed)).toBe((await newestClaim(rig.storage, REPLICA_NAMES))?.generation);
  });

  it('of another installation in the same storage is ignored', async () => {
    const shipper = rig.ship();
    await rig.replicating(shipper);
    await rig.storage.put('replica-ffffffffffffffff-claim-000009.json', Buffer.from('{}'));
    rig.writer.exec(`INSERT INTO notes (text) VALUES ('mine')`);
    await shipper.store();
    expect(rig.fenced).toEqual([]);
    expect(shipper.state.generation).toBe(1);
  });
});

describe('a new storage', () => {
  it('gets its own generation and base copy', async () => {
    const shipper = rig.ship();
    await rig.replicating(shipper);
    await rig.stop(shipper);
    const other = openReplicaFolder(join(rig.folder, 'other-storage'));
    const moved = rig.ship({ storage: other });
    await rig.replicating(moved);
    expect(moved.state.generation).toBe(1);
    expect(await other.list(REPLICA_NAMES.bases)).not.toEqual([]);
  });
});
