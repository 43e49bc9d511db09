// Tests a server that waits for its replica: it confirms nothing that the storage does not have, and immediately refuses what it
// cannot store.
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../../src/database/engine/sqlite-driver.js';
import {
  adminJson,
  COMMAND_LINE,
  createAppliance,
  type Answer,
  type Appliance,
} from '../../support/appliance.js';
import { writeRestored } from '../../../src/replica/identity.js';
import { watch, WATCHED } from '../../support/drill.js';
import { type FakeBucket, startFakeBucket } from '../../support/fake-bucket.js';
import { IS_ON_POSTGRES } from '../../support/postgres-databases.js';
import { layered, tuned } from '../../support/tuning.js';
import { waitFor } from '../../support/wait.js';

const WAIT_MS = 1_500;
const AWAY_MS = 3_000;
const GRACE_MS = 5_000;
const BODY = {
  ...{ from: 'me@example.com', to: 'delivered@example.com', subject: 'Hello', text: 'Hi' },
};

let folder: string;
let bucket: FakeBucket;
let appliance: Appliance;
async function start(process: 'own' | 'shared'): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'replica-'));
  bucket = await startFakeBucket();
  const times = { replicaWaitMs: WAIT_MS, replicaAwayMs: AWAY_MS, metricsReadMs: 200 };
  appliance = await createAppliance({
    process,
    env: layered(WATCHED, tuned(times), bucket.env(), {
      ...{ MAILKEEL_REPLICA_WAIT: 'true', MAILKEEL_REPLICA_INTERVAL: '100ms' },
      ...{ MAILKEEL_RATE_LIMIT_TEST: '0', MAILKEEL_SHUTDOWN_GRACE: `${GRACE_MS}ms` },
    }),
  });
  await appliance.start();
  cpSync(join(appliance.dataDir, 'keys'), join(folder, 'keys'), { recursive: true });
}
afterEach(async () => {
  bucket.mood.isFailing = false;
  bucket.mood.isSilent = false;
  await appliance.close();
  await bucket.close();
  rmSync(folder, { recursive: true, force: true });
});

const send = (more: Record<string, unknown> = {}): Promise<Answer> =>
  appliance.api('POST', '/v1/messages', { key: appliance.keys.test_key, body: { ...BODY, ...more } });

const sent = async (): Promise<string> => {
  const { status, json } = await send();
  expect(status).toBe(202);
  return (json as { id: string }).id;
};

async function restored(
  command: string[],
  name: string,
  more: Record<string, string> = {},
): Promise<Set<unknown>> {
  const dataDir = join(folder, name);
  const env = { ...appliance.env, ...more, MAILKEEL_DATA_DIR: dataDir };
  const { code, error } = await adminJson(env, ...command, '--keys', join(folder, 'keys'));
  expect([code, error]).toEqual([0, '']);
  const database = new Database(join(dataDir, 'mail.db'), { readonly: true });
  const found = new Set(database.prepare('SELECT public_id FROM messages').pluck().all());
  database.close();
  return found;
}

/** The replica is of the SQLite file. */
describe.skipIf(IS_ON_POSTGRES)('a server that waits for its replica', () => {
  beforeEach(() => start('shared'));

  it('reports that the outcome is unknown, then refuses immediately, is not ready, and recovers automatically', async () => {
    await sent();
    bucket.mood.isFailing = true;
    const since = performance.now();
    const unknown = await send({ idempotency_key: 'one' });
    expect(performance.now() - since).toBeGreaterThanOrEqual(WAIT_MS);
    expect(unknown).toMatchObject({ status: 503, json: { error: { code: 'unavailable' } } });
    expect(unknown.text).toContain('is stored on this machine but not in the replica yet');
    // A repetition gets no stronger confirmation than the first request.
    expect((await send({ idempotency_key: 'one' })).status).toBe(503);
    const header = { headers: { 'Idempotency-Key': 'two' }, key: appliance.keys.test_key, body: BODY };
    for (let i = 0; i < 2; i++)
      expect((await appliance.api('POST', '/v1/messages', header)).status).toBe(503);

    const refused = await waitFor(
      'a refusal at once',
      async () => {
        const at = performance.now();
        return { ...(await send()), ms: performance.now() - at };
      },
      ({ text }) => text.includes('Nothing was stored'),
    );
    expect(refused.status).toBe(503);
    expect(refused.ms).toBeLessThan(WAIT_MS);
    const ready = await waitFor(
      'the reason',
      () => appliance.api('GET', '/readyz'),
      ({ text }) => text.includes('The server cannot store changes: the replica does not respond'),
    );
    expect(ready.status).toBe(503);
    expect(await watch(appliance).metric('mailkeel_replica_away')).toBe(1);
    expect(await watch(appliance).metric('mailkeel_replica_lag_seconds')).toBeGreaterThan(0);

    bucket.mood.isFailing = false;
    await waitFor(
      'the server to be ready',
      () => appliance.api('GET', '/readyz'),
      ({ status }) => status === 200,
    );
    // The message of the lost response was stored once.
    const again = await send({ idempotency_key: 'one' });
    expect(again.status).toBe(202);
    const last = await sent();
    await watch(appliance).metricIs('mailkeel_replica_lag_seconds', '', (lag) => lag === 0);
    expect(await watch(appliance).metric('mailkeel_replica_restorable')).toBe(1);
    const found = await restored(['restore', 'latest'], 'new');
    expect(found.has((again.json as { id: string }).id)).toBe(true);
    expect(found.has(last)).toBe(true);
  }, 180_000);

  it.each(['is silent', 'stores the full copy slowly'])(
    'refuses at once, too, while the storage %s',
    async (how) => {
      await sent();
      let starting = Promise.resolve();
      if (how === 'is silent') bucket.mood.isSilent = true;
      else {
        await appliance.end();
        // Another generation begins.
        await writeRestored(join(appliance.dataDir, 'replica'), { restored: 'earlier' });
        bucket.mood.isCopySlow = true;
        starting = appliance.start();
      }
      const refused = await waitFor(
        'a refusal at once',
        () => send().catch(() => null),
        (answer) => answer?.text.includes('Nothing was stored') === true,
        30_000,
      );
      expect(refused?.status).toBe(503);
      const ready = await appliance.api('GET', '/readyz');
      expect(ready.status).toBe(503);
      expect(ready.text).toContain(
        how === 'is silent'
          ? 'the replica has been behind for '
          : 'the replica has no complete full copy yet',
      );
      bucket.mood.isSilent = false;
      bucket.mood.isCopySlow = false;
      await waitFor(
        'the server to be ready',
        () => appliance.api('GET', '/readyz'),
        ({ status }) => status === 200,
        60_000,
      );
      await starting;
      await sent();
    },
    180_000,
  );

  it('continues if the machine that would take over cannot restore the replica', async () => {
    await sent();
    const parts = [...bucket.objects].filter(([name]) => name.includes('-base-') && name.endsWith('.pages'));
    for (const [name] of parts) bucket.objects.delete(name);
    const env = { ...appliance.env, MAILKEEL_DATA_DIR: join(folder, 'promoted') };
    const keys = ['--keys', join(folder, 'keys')];
    const { code, error } = await adminJson(env, 'promote', ...keys);
    expect([code, error]).toEqual([4, expect.stringContaining('.pages is missing.')]);
    const id = await sent();
    for (const [name, octets] of parts) bucket.objects.set(name, octets);
    expect((await restored(['promote'], 'promoted')).has(id)).toBe(true);
  }, 180_000);

  it('learns from a restore that a later generation cannot be used, but not from one that has nothing', async () => {
    await sent();
    await appliance.end();
    const claim = [...bucket.objects.keys()].find((name) => name.includes('-claim-000001.json')) ?? '';
    const later = { format: 1, kind: 'replica_claim', generation: 2, server: 'b', begun_at: new Date() };
    bucket.objects.set(claim.replace('000001', '000002'), Buffer.from(JSON.stringify(later)));
    const gapOf = async (name: string, ...more: string[]): Promise<unknown> => {
      const env = { ...appliance.env, MAILKEEL_DATA_DIR: join(folder, name) };
      const { value } = await adminJson(env, 'restore', 'latest', '--keys', join(folder, 'keys'), ...more);
      return (value as { gap?: unknown }).gap;
    };
    expect(await gapOf('a')).toBeNull();
    bucket.objects.set(claim.replace('claim-000001.json', '000002-0000000001.pages'), Buffer.from('a'));
    expect(await gapOf('b')).toBe('generation 2 has no complete base copy, so what it contains is missing');
    const before = ['--until', new Date(later.begun_at.getTime() - 1).toISOString()];
    expect(await gapOf('c', ...before)).toBeNull();
    expect(await gapOf('d', '--until', new Date().toISOString())).toContain('at that time');
  }, 180_000);

  it('restores no older backup instead if a machine has other keys', async () => {
    const id = await sent();
    await appliance.end();
    const dataDir = join(folder, 'new');
    const env = { ...appliance.env, MAILKEEL_DATA_DIR: dataDir };
    expect((await adminJson(env, 'bootstrap')).code).toBe(0);
    const refused = await adminJson(env, 'restore', 'latest', '--force');
    expect(refused.error).toContain(`has no replica that the keys in ${join(dataDir, 'keys')} open.`);
    rmSync(join(dataDir, 'keys'), { recursive: true });
    expect((await restored(['restore', 'latest', '--force'], 'new')).has(id)).toBe(true);
  }, 180_000);
});

describe.skipIf(IS_ON_POSTGRES)('a process that waits for its replica', () => {
  beforeEach(() => start('own'));

  it("accepts a message once the storage has it, and responds after the storage's delay", async () => {
    await sent();
    bucket.mood.delayMs = 200;
    const since = performance.now();
    const id = await sent();
    expect(performance.now() - since).toBeGreaterThanOrEqual(200);
    await appliance.end('SIGKILL');
    bucket.mood.delayMs = 0;
    expect((await restored(['restore', 'latest'], 'new')).has(id)).toBe(true);
  }, 120_000);

  it('ends when another machine takes over, which has every message that was accepted', async () => {
    const accepted: string[] = [];
    let isOver = false;
    const clients = Array.from({ length: 6 }, async () => {
      while (!isOver) {
        const answer = await send().catch(() => null);
        if (answer?.status === 202) accepted.push((answer.json as { id: string }).id);
      }
    });
    await waitFor(
      'accepted messages',
      () => accepted.length,
      (count) => count > 40,
    );
    const found = await restored(['promote'], 'promoted');
    await waitFor('the old server to end', () => appliance.hasEnded());
    isOver = true;
    await Promise.all(clients);
    expect(accepted.filter((id) => !found.has(id))).toEqual([]);
    expect(appliance.output()).toContain('another server has taken over the replica: shutting down');
    // Its supervisor restarts it, and it ends before it accepts mail.
    await expect(appliance.start()).rejects.toThrow('ended before it was ready');
    expect(appliance.output()).not.toMatch(/^ {2}Data {2}/m);
  }, 180_000);

  it('starts while its storage is away, and ends in order', async () => {
    await sent();
    await appliance.end();
    bucket.mood.isFailing = true;
    const starting = appliance.start();
    await waitFor('the log to say so', () => appliance.output().includes('replica storage does not respond'));
    bucket.mood.isFailing = false;
    await starting;
    const id = await sent();
    bucket.mood.isFailing = true;
    void send().catch(() => undefined);
    const since = performance.now();
    await appliance.end();
    expect(performance.now() - since).toBeLessThan(GRACE_MS + 15_000);
    bucket.mood.isFailing = false;
    expect((await restored(['restore', 'latest'], 'new')).has(id)).toBe(true);
  }, 180_000);
});

describe.skipIf(IS_ON_POSTGRES)('a machine that follows', () => {
  beforeEach(() => start('own'));

  it('says how far it is, and takes over from where it was killed', async () => {
    await sent();
    const dataDir = join(folder, 'standby');
    const follower = await createAppliance({
      dataDir,
      keys: appliance.keys,
      env: { ...bucket.env(), MAILKEEL_REPLICA_INTERVAL: '100ms' },
    });
    rmSync(join(dataDir, 'keys'), { recursive: true, force: true });
    cpSync(join(folder, 'keys'), join(dataDir, 'keys'), { recursive: true });
    const follow = (program: string) =>
      spawn(process.execPath, [program, 'admin', 'follow'], {
        env: { PATH: process.env['PATH'] ?? '', ...follower.env },
        stdio: 'ignore',
      });
    let child = follow(COMMAND_LINE);
    const state = async (): Promise<{ increment?: number; generation?: number }> => {
      try {
        return (await (await fetch(`${follower.url}/readyz`)).json()) as { increment?: number };
      } catch {
        return {};
      }
    };
    await waitFor('the copy', state, ({ increment = 0 }) => increment > 0);
    const before = (await state()).increment ?? 0;
    await sent();
    await waitFor('the next increment', state, ({ increment = 0 }) => increment > before);
    child.kill('SIGKILL');
    await sent();
    // Started as an operator does, through the command that forwards a supervisor's signal.
    child = follow('clients/cli/bin/mailkeel.js');
    await waitFor('the copy again', state, ({ increment = 0 }) => increment > before + 1);
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
    const last = await sent();
    await appliance.end('SIGKILL');
    const { code, error } = await adminJson(follower.env, 'promote');
    expect([code, error]).toEqual([0, '']);
    const database = new Database(join(dataDir, 'mail.db'), { readonly: true });
    expect(database.prepare('SELECT COUNT(*) FROM messages WHERE public_id = ?').pluck().get(last)).toBe(1);
    database.close();
  }, 180_000);
});
