// Tests servers that join a PostgreSQL database where others work: with only the master key of the first, they work as its nodes.
// Also tests broken sessions, hanging servers, and servers that may not start yet.
import { copyFileSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { adminJson, createAppliance, mailkeel, serverEnds, type Appliance } from '../support/appliance.js';
import { contactsCsv, fileText, sendImport, transferWhen } from '../support/imported-contacts.js';
import { startNodeRig, type NodeRig } from '../support/mail-rig.js';
import { runNodes } from '../support/node-run.js';
import { builtSteps } from '../support/built.js';
import { addStep, MADE_UP } from '../support/made-up-step.js';
import { runOnServer } from '../support/postgres-databases.js';
import { ensurePostgres, startPostgres, type PostgresServer } from '../support/postgres-server.js';
import { firstOf, isFullSize, sized } from '../support/run-size.js';
import { startSlowProxy } from '../support/slow-proxy.js';
import { startSmtpSink } from '../support/smtp-sink.js';
import { tuned } from '../support/tuning.js';
import { waitFor } from '../support/wait.js';

const skipReason = ensurePostgres();
if (skipReason !== null) console.warn(`skipped: servers beside each other on PostgreSQL: ${skipReason}`);

/** Sessions of servers, by which they know of each other. */
const SESSIONS = `SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'mailkeel server %' AND pid IN
  (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted)`;
/** A step of the migrations that makes one table, and does no more. */
const { messages: MESSAGES, imported: IMPORTED } = sized({
  small: { messages: 200, imported: 3_000 },
  full: { messages: 400, imported: 8_000 },
});
const DOMAINS = 24;
const DRAFT = { from: 'me@example.com', to: 'delivered@example.com', subject: 'Hello', text: 'It works.' };

describe.skipIf(skipReason !== null)('servers on one database', () => {
  let server: PostgresServer;
  let url = '';
  let folders: string[] = [];
  let running: Appliance[] = [];
  let removeStep = (): void => {};

  beforeAll(async () => {
    server = await startPostgres();
    // After a restart of PostgreSQL, servers that worked before come first, so a new one would wait.
    await waitFor(
      'the server to be ten seconds old',
      () => server.run("SELECT clock_timestamp() - pg_postmaster_start_time() > '10 s' AS yes"),
      ([row]) => row?.['yes'] === true,
    );
  });
  afterEach(async () => {
    for (const one of running) await one.close();
    removeStep();
    removeStep = () => {};
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
    [running, folders] = [[], []];
  });
  afterAll(() => server.close());

  function newFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'mailkeel-beside-'));
    folders.push(folder);
    return folder;
  }

  /** A server on a new database; `own` if it is killed. */
  async function startFirst(process: 'own' | 'shared' = 'shared', more = {}): Promise<Appliance> {
    ({ url } = await server.makeDatabase());
    const env = { MAILKEEL_DATABASE_URL: url, ...more };
    const first = await createAppliance({ dataDir: newFolder(), env, process });
    running.push(first);
    await first.start();
    return first;
  }

  /** A server on the same database, with an empty folder and the master key. `isReady` rejects if it ends. */
  async function startSecond(
    first: Appliance,
    more: Record<string, string> = {},
    process: 'own' | 'shared' = 'shared',
  ): Promise<{ second: Appliance; isReady: Promise<void> }> {
    const masterKey = join(newFolder(), 'master.key');
    copyFileSync(join(first.dataDir, 'keys', 'master.json'), masterKey);
    const env = { ...more, MAILKEEL_DATABASE_URL: url, MAILKEEL_MASTER_KEY_FILE: masterKey };
    const second = await createAppliance({ dataDir: newFolder(), env, keys: first.keys, process });
    running.push(second);
    return { second, isReady: second.start() };
  }

  const statusOf = (of: Appliance, path: string): Promise<number> =>
    fetch(`${of.url}${path}`).then(
      ({ status }) => status,
      () => 0,
    );

  const statusIs = (of: Appliance, path: string, status: number): Promise<number> =>
    waitFor(
      `${path} to answer ${status}`,
      () => statusOf(of, path),
      (found) => found === status,
    );

  /** Sessions of which no pid is among the former ones. */
  const sessionsBut = async (former: readonly unknown[] = []): Promise<unknown[]> =>
    (await server.run(SESSIONS)).map(({ pid }) => pid).filter((pid) => !former.includes(pid));
  const endSession = (pid: unknown) => server.run(`SELECT pg_terminate_backend(${String(pid)})`);

  const newSession = (former: readonly unknown[], deadlineMs?: number): Promise<unknown[]> =>
    waitFor(
      'another session',
      () => sessionsBut(former),
      (pids) => pids.length === 1,
      deadlineMs,
    );
  const logged = (of: Appliance, line: string): Promise<string> =>
    waitFor(
      `the line "${line}"`,
      () => Promise.resolve(of.output()),
      (text) => text.includes(line),
    );
  const accepts = async (of: Appliance): Promise<string> => {
    const { status, json } = await of.api('POST', '/v1/messages', { body: DRAFT, key: of.keys.test_key });
    expect(status).toBe(202);
    return String(json.id);
  };
  const isDelivered = (of: Appliance, id: string) =>
    waitFor(
      'the delivery',
      () => of.api('GET', `/v1/messages/${id}`, { key: of.keys.test_key }),
      ({ json }) => json.status === 'delivered',
    );

  it('work at the same time, and one continues after the other is killed', async () => {
    const first = await startFirst('own');
    const { second, isReady } = await startSecond(first);
    await isReady;
    expect([await statusOf(first, '/readyz'), await statusOf(second, '/readyz')]).toEqual([200, 200]);
    expect(second.output()).not.toContain('on standby');
    await isDelivered(second, await accepts(first));
    await isDelivered(first, await accepts(second));
    const id = await accepts(first);
    await first.end('SIGKILL');
    await isDelivered(second, id);
    await isDelivered(second, await accepts(second));
    // It issues proofs that the first would have issued.
    const { json: proof } = await second.api('GET', `/v1/messages/${id}/proof`, { key: first.keys.test_key });
    const verified = await second.api('POST', '/v1/proof/verify', { body: proof, key: '' });
    expect([verified.status, verified.json.valid]).toEqual([200, true]);
  });

  it.runIf(isFullSize)('continue with the files of another: imports, exports, certificate', async () => {
    const settings = { MAILKEEL_TLS_CERT: '', MAILKEEL_TLS_KEY: '', MAILKEEL_RATE_LIMIT_LIVE: '0' };
    const first = await startFirst('own', settings);
    const imported = `/v1/imports/${await sendImport(first, contactsCsv(1_000), '?tags=early')}`;
    await transferWhen(first, imported, (one) => one['finished_at'] !== null);
    const made = await first.api('POST', '/v1/exports', { body: { format: 'csv' } });
    const exported = `/v1/exports/${(made.json as { id: string }).id}`;
    await transferWhen(first, exported, (one) => one['finished_at'] !== null);
    const file = await fileText(first, `${exported}/file`);
    const path = `/v1/imports/${await sendImport(first, contactsCsv(IMPORTED), '?tags=late')}`;
    await transferWhen(first, path, (one) => Number(one['processed']) >= IMPORTED / 10);
    const { second, isReady } = await startSecond(first, settings);
    await first.end('SIGKILL');
    await isReady;
    const seen = await transferWhen(second, path, () => true);
    expect(seen).toMatchObject({ finished_at: null });
    const done = await transferWhen(second, path, (one) => one['finished_at'] !== null);
    expect(done).toMatchObject({ status: 'completed', processed: IMPORTED, failed: IMPORTED / 100 });
    const refused = (await fileText(second, `${path}/rejected`)).trimEnd().split('\r\n');
    expect([refused.length, new Set(refused).size]).toEqual([1 + IMPORTED / 100, 1 + IMPORTED / 100]);
    expect(await fileText(second, `${exported}/file`)).toBe(file);
    expect(file.split('\r\n').length).toBeGreaterThan(900);
    const [one, two] = [first, second].map((of) => /"fingerprint":"([^"]+)"/.exec(of.output())?.[1]);
    expect([one !== undefined, two]).toEqual([true, one]);
    const kept = [first, second].flatMap(({ dataDir }) => readdirSync(dataDir));
    expect(kept.filter((name) => ['transfers', 'tls', 'archive'].includes(name))).toEqual([]);
    const { stdout } = await mailkeel(['doctor', '--json'], second.env);
    const { checks } = JSON.parse(stdout) as { checks: { name: string; observed: string }[] };
    expect(checks.find(({ name }) => name === 'certificate')?.observed).toMatch(/self-signed/);
  });

  it.each(firstOf(1, ['beside the first', 'when the first has ended']))(
    'with another master key are refused with a sentence %s',
    async (when) => {
      const first = await startFirst();
      if (when !== 'beside the first') await first.end();
      const wrong = join(newFolder(), 'wrong.key');
      writeFileSync(wrong, Buffer.alloc(32, 7).toString('base64'));
      const ended = await serverEnds({
        ...first.env,
        MAILKEEL_DATA_DIR: newFolder(),
        MAILKEEL_HTTP_PORT: '0',
        MAILKEEL_MASTER_KEY_FILE: wrong,
      });
      expect([ended.code, ended.stderr]).toEqual([
        1,
        expect.stringContaining('The master key does not match the database'),
      ]);
      if (when === 'beside the first') await isDelivered(first, await accepts(first));
    },
  );

  it('refuse commands that need the database exclusively', async () => {
    const first = await startFirst();
    const env = { ...first.env, MAILKEEL_DATA_DIR: newFolder() };
    copyFileSync(join(first.dataDir, 'keys', 'master.json'), join(env.MAILKEEL_DATA_DIR, 'master.key'));
    const held = await adminJson(
      { ...env, MAILKEEL_MASTER_KEY_FILE: join(env.MAILKEEL_DATA_DIR, 'master.key') },
      ...['restore', '--hold'],
    );
    expect([held.code === 0, held.error]).toEqual([false, expect.stringContaining('is using this database')]);
  });

  it.runIf(isFullSize)('get a new session if theirs breaks', async () => {
    const first = await startFirst();
    const before = await sessionsBut();
    expect(before).toHaveLength(1);
    await endSession(before[0]);
    await newSession(before);
    expect(await statusOf(first, '/readyz')).toBe(200);
    await logged(first, 'database connection restored');
    await isDelivered(first, await accepts(first));
  });

  it.runIf(isFullSize)('get a new session if theirs ends without notice', async () => {
    const { url: direct } = await server.makeDatabase();
    const proxy = await startSlowProxy(server.port);
    url = direct.replace(/:\d+\//, `:${proxy.port}/`);
    const env = { MAILKEEL_DATABASE_URL: url };
    const first = await createAppliance({ dataDir: newFolder(), env, process: 'shared' });
    running.push(first);
    await first.start();
    const before = await sessionsBut();
    // From here on, open connections lead nowhere, and new ones work.
    proxy.forget();
    await newSession(before, 60_000);
    await logged(first, 'database connection restored');
    await isDelivered(first, await accepts(first));
    await proxy.close();
  });

  const LEDGER = 'SELECT name, opens_from, applied_at, took_ms, program FROM schema_steps';
  const change = (statement: string) =>
    runOnServer(statement, new URL(new URL(url).pathname, server.url).href);

  it.runIf(isFullSize)('wait with pending migrations while others work', async () => {
    const first = await startFirst();
    await change(`CREATE TABLE kept AS ${LEDGER}`);
    await change('DELETE FROM schema_steps');
    const { second, isReady } = await startSecond(first, {}, 'own');
    await statusIs(second, '/healthz', 200);
    expect([await statusOf(second, '/readyz'), await statusOf(first, '/readyz')]).toEqual([503, 200]);
    expect(second.output()).toContain('servers of the previous release are still running');
    const refused = await second.api('POST', '/v1/messages', { body: {} });
    expect([refused.status, refused.json, refused.headers.get('retry-after')]).toMatchObject([
      503,
      { error: { type: 'unavailable' } },
      '5',
    ]);
    const id = await accepts(first);
    // The server checks the ledger several times meanwhile.
    await pause(3_000);
    expect(await statusOf(second, '/readyz')).toBe(503);
    await change('INSERT INTO schema_steps SELECT * FROM kept');
    await isReady;
    await isDelivered(second, id);
  });

  it.runIf(isFullSize)('run pending migrations when the others have ended', async () => {
    const first = await startFirst();
    removeStep = addStep(MADE_UP, await builtSteps());
    const { second, isReady } = await startSecond(first);
    await statusIs(second, '/healthz', 200);
    expect(await statusOf(second, '/readyz')).toBe(503);
    const id = await accepts(first);
    expect(await change(`${LEDGER} WHERE name = '${MADE_UP.name}'`)).toEqual([]);
    await first.end('SIGTERM');
    await isReady;
    expect(await change(`${LEDGER} WHERE name = '${MADE_UP.name}'`)).toHaveLength(1);
    await isDelivered(second, id);
  });

  it.runIf(isFullSize)('on standby stop on request', async () => {
    const first = await startFirst();
    await change('DELETE FROM schema_steps');
    const { second, isReady } = await startSecond(first, {}, 'own');
    const ended = isReady.catch((error: unknown) => String(error));
    await statusIs(second, '/healthz', 200);
    await second.end('SIGTERM');
    expect(await ended).toContain('the program ended before it was ready');
    expect(await statusOf(first, '/readyz')).toBe(200);
    expect(await sessionsBut()).toHaveLength(1);
  });

  describe('that deliver', () => {
    let sink: Awaited<ReturnType<typeof startSmtpSink>>;
    let rig: NodeRig;

    afterEach(async () => {
      await rig.close();
      await sink.close();
    });

    /** Two nodes, and the sessions of each. */
    async function startTwo(process: 'own' | 'shared' = 'shared') {
      sink = await startSmtpSink({ keep: true });
      rig = await startNodeRig({ server, mxPort: sink.port, env: tuned({ queuePollMs: 2_000 }) });
      const [ofFirst] = await sessionsBut();
      const second = await rig.newNode({}, process);
      await second.start();
      await rig.settled(2);
      const [ofSecond] = await sessionsBut([ofFirst]);
      return { nodes: [rig.first, second], second, ofSecond };
    }
    const run = { messages: MESSAGES, clients: 6, domains: DOMAINS };

    it('lose nothing and send nothing twice while their sessions break', async () => {
      const { nodes } = await startTwo();
      let broken = 0;
      const misfortune = async (signal: AbortSignal): Promise<void> => {
        while (!signal.aborted) {
          for (const pid of await sessionsBut()) await endSession(pid);
          broken += 1;
          await pause(1_500);
        }
      };
      const result = await runNodes(rig, { sink, nodes }, { ...run, misfortune });
      console.info(`sessions broken ${broken} times, ${result.refused} refused`);
      expect(result).toMatchObject({ accepted: MESSAGES, lost: [], doubles: 0 });
      expect(nodes.map((node) => node.hasEnded())).toEqual([false, false]);
      expect(await rig.settled(2)).toHaveLength(2);
    });

    it.runIf(isFullSize)(
      'lose nothing if one hangs without its session, and it ends when it wakes',
      async () => {
        const { nodes, second, ofSecond } = await startTwo('own');
        const child = second.process();
        const misfortune = async (): Promise<void> => {
          await pause(500);
          child.kill('SIGSTOP');
          await endSession(ofSecond);
          try {
            await rig.settled(1);
          } finally {
            child.kill('SIGCONT');
          }
          await waitFor(
            'it to end',
            () => Promise.resolve(child.exitCode),
            (code) => code !== null,
          );
        };
        const result = await runNodes(rig, { sink, nodes }, { ...run, misfortune });
        console.info(`${result.refused} refused, ${result.doubles} arrived twice`);
        expect(result).toMatchObject({ accepted: MESSAGES, lost: [], unflagged: [] });
        expect(child.exitCode).toBe(1);
        expect(second.output()).toContain('other nodes have taken over the work of this server');
      },
    );
  });
});
