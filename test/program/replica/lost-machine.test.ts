// Loses the machine under load: kills its server and removes its data folder. With MAILKEEL_REPLICA_WAIT, every accepted message
// is in the restored database; without it, messages of the last seconds may be missing.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Database } from '../../../src/database/engine/sqlite-driver.js';
import { adminJson, createAppliance, type Appliance } from '../../support/appliance.js';
import { type FakeBucket, startFakeBucket } from '../../support/fake-bucket.js';
import { IS_ON_POSTGRES } from '../../support/postgres-databases.js';
import { sized } from '../../support/run-size.js';
import { waitFor } from '../../support/wait.js';

const ROUNDS = sized({ small: 2, full: 20 });
const CLIENTS = 8;
/** Messages that a round accepts at least. */
const MESSAGES = 60;
/** A replica without waiting may lack so much. */
const LATE_MS = 5_000;
const QUICK = { MAILKEEL_RATE_LIMIT_TEST: '0', MAILKEEL_REPLICA_INTERVAL: '100ms' };

let folder = '';
let appliance: Appliance | null = null;
let bucket: FakeBucket | null = null;
afterEach(async () => {
  await appliance?.close();
  await bucket?.close();
  [appliance, bucket] = [null, null];
  rmSync(folder, { recursive: true, force: true });
});

interface Accepted {
  id: string;
  at: number;
}

/** Sends until the server is killed, and returns the messages that it accepted. */
async function sendUntilKilled(running: Appliance): Promise<{ accepted: Accepted[]; killedAt: number }> {
  const accepted: Accepted[] = [];
  let isOver = false;
  const body = {
    ...{ from: 'me@example.com', to: 'delivered@example.com', subject: 'Hello' },
    text: 'x'.repeat(4_000),
  };
  const client = async (): Promise<void> => {
    while (!isOver) {
      const answer = await running
        .api('POST', '/v1/messages', { key: running.keys.test_key, body })
        .catch(() => null);
      if (answer?.status === 202) accepted.push({ id: (answer.json as { id: string }).id, at: Date.now() });
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  await waitFor(
    'accepted messages',
    () => accepted.length,
    (count) => count >= MESSAGES,
    60_000,
  );
  // Not while the first base copy is being stored.
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 1_500));
  const killedAt = Date.now();
  await running.end('SIGKILL');
  isOver = true;
  await Promise.all(clients);
  return { accepted: accepted.filter(({ at }) => at <= killedAt), killedAt };
}

async function loseMachine(
  env: Record<string, string>,
): Promise<{ lost: Accepted[]; accepted: number; killedAt: number }> {
  folder = mkdtempSync(join(tmpdir(), 'replica-'));
  const running = await createAppliance({
    env: { ...QUICK, MAILKEEL_REPLICA_TO: join(folder, 'storage'), ...env },
  });
  appliance = running;
  await running.start();
  cpSync(join(running.dataDir, 'keys'), join(folder, 'keys'), { recursive: true });
  const { accepted, killedAt } = await sendUntilKilled(running);
  rmSync(running.dataDir, { recursive: true });
  const dataDir = join(folder, 'new');
  const restored = await adminJson(
    { ...running.env, MAILKEEL_DATA_DIR: dataDir },
    ...['restore', 'latest', '--keys', join(folder, 'keys')],
  );
  expect(restored.error).toBe('');
  expect(restored).toMatchObject({ code: 0, value: { gap: null } });
  const database = new Database(join(dataDir, 'mail.db'), { readonly: true });
  const found = new Set(database.prepare('SELECT public_id FROM messages').pluck().all());
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
  database.close();
  await running.close();
  appliance = null;
  rmSync(folder, { recursive: true, force: true });
  return { lost: accepted.filter(({ id }) => !found.has(id)), accepted: accepted.length, killedAt };
}

/** The replica is of the SQLite file. */
describe.skipIf(IS_ON_POSTGRES)('a lost machine', () => {
  it('loses no accepted message if it waits for the replica', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { lost, accepted } = await loseMachine({ MAILKEEL_REPLICA_WAIT: 'true' });
      expect(lost).toEqual([]);
      expect(accepted).toBeGreaterThanOrEqual(MESSAGES);
    }
  }, 1_800_000);

  it('loses none with a bucket that is slow', async () => {
    bucket = await startFakeBucket();
    bucket.mood.delayMs = 30;
    const { lost } = await loseMachine({ ...bucket.env(), MAILKEEL_REPLICA_WAIT: 'true' });
    expect(lost).toEqual([]);
  }, 120_000);

  it('loses the messages of the last seconds at most if it does not wait', async () => {
    for (let round = 0; round < ROUNDS / 2; round++) {
      const { lost, killedAt } = await loseMachine({});
      expect(lost.filter(({ at }) => killedAt - at > LATE_MS)).toEqual([]);
    }
  }, 1_800_000);
});
