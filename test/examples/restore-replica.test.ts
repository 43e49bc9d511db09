// Tests examples/restore-replica: a program that knows only the documented format restores the same file as Mailkeel, page by
// page.
import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { waitFor } from '../support/wait.js';
import {
  openReplicaRig,
  REPLICA_MASTER_KEY,
  REPLICA_NAMES,
  type ReplicaRig,
} from '../support/replica-rig.js';

const SCRIPT = 'examples/restore-replica/restore.mjs';
const run = promisify(execFile);
let rig: ReplicaRig;
let key: string;
beforeEach(() => {
  rig = openReplicaRig();
  key = join(rig.folder, 'key');
  writeFileSync(key, `${REPLICA_MASTER_KEY.toString('base64')}\n`);
});
afterEach(() => rig.close());

let runs = 0;
async function restore(
  ...more: string[]
): Promise<{ code: unknown; stdout: string; stderr: string; file: string }> {
  const file = join(rig.folder, `by-example-${(runs += 1)}.db`);
  try {
    const { stdout, stderr } = await run(process.execPath, [SCRIPT, rig.storageFolder, key, file, ...more]);
    return { code: 0, stdout, stderr, file };
  } catch (error) {
    return { ...(error as { code: unknown; stdout: string; stderr: string }), file };
  }
}

/** Base copies that share parts, a database that shrinks, and a transaction of several increments. */
async function replicate(): Promise<void> {
  const shipper = rig.ship({ timing: { copyMs: 200 } });
  await rig.replicating(shipper);
  const insert = rig.writer.prepare('INSERT INTO notes (text) VALUES (randomblob(?))');
  rig.writer.transaction(() => {
    for (let i = 0; i < 6_000; i++) insert.run(900);
  })();
  await shipper.store();
  const { at } = shipper.state.base ?? { at: 0 };
  await waitFor('another base copy', () => {
    insert.run(10);
    return (shipper.state.base?.at ?? 0) > at;
  });
  rig.writer.exec('DELETE FROM notes WHERE id > 2000');
  rig.writer.pragma('incremental_vacuum');
  insert.run(1);
  await shipper.store();
  await rig.stop(shipper);
}

it('restores the same pages as Mailkeel', async () => {
  await replicate();
  const { reached, gap, file } = await rig.restore();
  const found = await restore();
  expect(found).toMatchObject({ code: 0, stderr: '' });
  expect(gap).toBeNull();
  expect(found.stdout).toBe(`Restored generation 1 up to increment ${reached.increment}.\n`);
  expect(readFileSync(found.file).equals(readFileSync(file))).toBe(true);
}, 60_000);

it('names a gap, and refuses another key or a time before the first copy', async () => {
  const shipper = rig.ship();
  await rig.replicating(shipper);
  for (let i = 0; i < 4; i++) {
    rig.writer.exec('INSERT INTO notes (text) VALUES (randomblob(100))');
    await shipper.store();
  }
  await rig.stop(shipper);
  const { reached } = await rig.restore();
  expect(await restore('2020-01-01T00:00:00Z')).toMatchObject({
    code: 1,
    stderr: 'There is no complete base copy for this key and time.\n',
  });
  const increments = await rig.storage.list(REPLICA_NAMES.increments(1));
  const lost = increments.at(-2);
  if (lost === undefined) throw new Error('There are too few increments.');
  rmSync(join(rig.storageFolder, lost));
  const found = await restore();
  expect(found.code).toBe(1);
  expect(found.stderr).toContain(`increment ${reached.increment - 1} is missing`);
  writeFileSync(key, Buffer.alloc(32, 1).toString('base64'));
  expect((await restore()).stderr).toContain('There is no complete base copy');
});
