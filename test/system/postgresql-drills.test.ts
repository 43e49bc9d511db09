// Tests the program on a PostgreSQL server that is restarted, killed, unreachable, slow, full or read-only: requests are refused
// with 503 and a retry time, the process survives, accepted mail is not lost, and work resumes automatically.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withReadStore, withReadStoreIfThere } from '../../src/app/installation/open-existing.js';
import { createNodeStore, commitCounter } from '../../src/nodes/nodes.store.js';
import { createCommitter } from '../../src/database/committer.js';
import { openEngine } from '../../src/database/engine/place.js';
import { lockDatabaseNow } from '../../src/database/engine/postgres-session.js';
import { serverEnds, type Answer } from '../support/appliance.js';
import { startHttpReceiver } from '../support/http-receiver.js';
import { runWithKills } from '../support/kill-run.js';
import { startMailRig, type MailRig } from '../support/mail-rig.js';
import { postMail } from '../support/post-mail.js';
import { temporaryFolder } from '../support/open-engines.js';
import { runOnServer } from '../support/postgres-databases.js';
import {
  ensurePostgres,
  startPostgres,
  type OwnDatabase,
  type PostgresServer,
} from '../support/postgres-server.js';
import { isFullSize, sized } from '../support/run-size.js';
import { startSlowProxy, type SlowProxy } from '../support/slow-proxy.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { tuned } from '../support/tuning.js';
import { waitFor } from '../support/wait.js';

const skipReason = ensurePostgres();
if (skipReason !== null) console.warn(`skipped: drills of a PostgreSQL server: ${skipReason}`);

const MESSAGES = 120;
const MISFORTUNE_AT = 30;
/** Longer than a program waits for a connection. */
const AWAY_MS = 10_000;
/** Longer than the server's limit for a statement. */
const ANSWERED_MS = 45_000;

const atPort = (url: string, port: number): string => url.replace(/:\d+\//, `:${port}/`);

describe.skipIf(skipReason !== null)('a PostgreSQL server', () => {
  let server: PostgresServer;
  let database: OwnDatabase;
  let sink: SmtpSink;
  const folder = temporaryFolder();

  beforeAll(async () => {
    server = await startPostgres();
    sink = await startSmtpSink({ keep: true });
  });
  afterAll(async () => {
    await server.close();
    await sink.close();
    folder.remove();
  });

  /** A program on a new database of the server, by its socket; `through` a proxy. */
  async function start(through?: SlowProxy): Promise<MailRig> {
    database = await server.makeDatabase();
    const url = through === undefined ? database.socketUrl : atPort(database.url, through.port);
    return startMailRig({
      mxPort: sink.port,
      env: { MAILKEEL_DATABASE_URL: url, ...tuned({ queuePollMs: 500 }) },
    });
  }

  const probe = (on: MailRig, path: string): Promise<Answer> => on.appliance.api('GET', path, { key: '' });

  const readiness = (on: MailRig, status: number): Promise<Answer> =>
    waitFor(
      `/readyz to be ${status}`,
      () => probe(on, '/readyz'),
      (answer) => answer.status === status,
    );

  const submit = (on: MailRig, to: string, more: Record<string, unknown> = {}): Promise<Answer> =>
    on.appliance.api('POST', '/v1/messages', { body: on.draft(to, more) });

  /** Key of the last refused request. */
  let key = '';

  /** Writes are refused and can be retried; the process survives and reports the problem. */
  async function expectRefusals(on: MailRig): Promise<void> {
    // A session learns of a changed setting a moment after the server.
    const answer = await waitFor(
      'a request to be refused',
      () => {
        key = randomUUID();
        return submit(on, 'refused', { idempotency_key: key });
      },
      ({ status }) => status !== 202,
    );
    expect([answer.status, answer.json]).toMatchObject([503, { error: { type: 'unavailable' } }]);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    await readiness(on, 503);
    expect((await probe(on, '/healthz')).status).toBe(200);
    expect(on.appliance.process().exitCode).toBeNull();
  }

  /** Recovers automatically: refused requests are accepted once, and their mail arrives. */
  async function expectWork(on: MailRig): Promise<void> {
    await readiness(on, 200);
    const again = await waitFor(
      'the request to be accepted',
      () => submit(on, 'refused', { idempotency_key: key }),
      ({ status }) => status === 202,
    );
    await on.reached(again.json.id as string, 'delivered');
    expect(on.appliance.process().exitCode).toBeNull();
  }

  const restarts = [
    ['SIGKILL', 'url'],
    ['fast', 'socketUrl'],
  ] as const;
  it.each(restarts.slice(0, sized({ small: 1, full: 2 })))(
    'that is restarted under load (%s) loses nothing, and flags all duplicates',
    async (how, by) => {
      const { [by]: url } = await server.makeDatabase();
      const pids = new Set<number | undefined>();
      let output = (): string => '';
      const result = await runWithKills({
        messages: MESSAGES,
        clients: 6,
        killAt: [MISFORTUNE_AT, 2 * MISFORTUNE_AT],
        env: { MAILKEEL_DATABASE_URL: url, ...tuned({ queuePollMs: 500 }) },
        async misfortune(on) {
          pids.add(on.appliance.process().pid);
          ({ output } = on.appliance);
          await server.stop(how);
          await server.start();
          expect(on.appliance.process().exitCode).toBeNull();
        },
      });
      console.info(`${how}: ${result.refused} refused, ${result.doubles} arrived twice`);
      expect(pids.size).toBe(1);
      expect(result).toMatchObject({ accepted: MESSAGES, lost: [], foreign: [], unflagged: [] });
      expect(result).toMatchObject({ withoutRetryAfter: 0, unanswered: 0 });
      const lines = output().split('\n');
      expect(lines.filter((line) => line.includes('"stack"'))).toEqual([]);
      expect(lines.filter((line) => line.includes('message on hold'))).toEqual([]);
      const lost = lines.filter((line) => line.includes('database connection lost'));
      expect([1, 2]).toContain(lost.length);
    },
  );

  it('that is killed during a COMMIT has committed or not, regardless of later events', async () => {
    const { url } = await server.makeDatabase();
    const proxy = await startSlowProxy(server.port);
    const place = { kind: 'server', url: atPort(url, proxy.port) } as const;
    const engine = await openEngine(place, { busyTimeoutMs: 0 });
    try {
      const nodes = createNodeStore(engine);
      const id = 'nod_00000000000000000000000001';
      await nodes.register(
        { id, lockNumber: 1, host: 'here', version: '1.0.0', roles: [], sources: [] },
        { isAlone: true },
      );
      await runOnServer('CREATE TABLE kept (number INT)', url);
      const committer = createCommitter(engine, { maxGroup: 10, counter: () => commitCounter(id) });
      const isHeld = proxy.stallAt('COMMIT');
      const work = committer.commit(({ tx }) => Promise.resolve(tx.run('INSERT INTO kept VALUES (1)', [])));
      await isHeld;
      await server.stop('SIGKILL');
      await server.start();
      // A crashed server reuses the ids of transactions that it has lost.
      for (let i = 0; i < 50; i += 1) await runOnServer('INSERT INTO kept VALUES (2)', url);
      proxy.flow();
      await work;
      expect(await runOnServer('SELECT * FROM kept WHERE number = 1', url)).toHaveLength(1);
      expect(await nodes.commitsOf(id)).toBe(1);
    } finally {
      await engine.close();
      await proxy.close();
    }
  });

  it.runIf(isFullSize)(
    'that is unavailable is waited for, and mail, webhooks and due work continue automatically',
    async () => {
      const on = await start();
      const receiver = await startHttpReceiver();
      try {
        await on.appliance.api('POST', '/v1/webhook-endpoints', {
          body: { url: receiver.url, events: ['message.delivered'] },
        });
        const dueAt = new Date(Date.now() + AWAY_MS / 2).toISOString();
        const scheduled = (await submit(on, 'scheduled', { send_at: dueAt })).json.id as string;
        await server.stop();
        await expectRefusals(on);
        const inbound = await postMail({
          port: on.appliance.mailPort('Inbound'),
          from: 'ann@receiver.example',
          to: 'orders@shop.example',
          raw: 'Subject: Hi\r\n\r\nHi\r\n',
        });
        expect(inbound.code).toBe(451);
        await pause(AWAY_MS);
        await server.start();
        await expectWork(on);
        await on.reached(scheduled, 'delivered');
        await receiver.waitFor(2, 30_000);
        expect(receiver.requests.some(({ rawBody }) => rawBody.includes(scheduled))).toBe(true);
      } finally {
        await receiver.close();
        await on.close();
      }
    },
  );

  describe('with one program', () => {
    let proxy: SlowProxy;
    let on: MailRig;

    beforeAll(async () => {
      proxy = await startSlowProxy(server.port);
      on = await start(proxy);
    });
    afterAll(async () => {
      await on.close();
      await proxy.close();
    });

    it.runIf(isFullSize)('that is slow only slows work down', async () => {
      proxy.delayMs = 5;
      const ids = await Promise.all(Array.from({ length: 20 }, (_, i) => on.send(`slow${i}`)));
      for (const id of ids) await on.reached(id, 'delivered');
      proxy.delayMs = 0;
    });

    it.runIf(isFullSize)(
      'that does not respond for a moment is waited for, or requests are refused',
      async () => {
        await on.reached(await on.send('before'), 'delivered');
        proxy.stall();
        const asked = Promise.all(Array.from({ length: 5 }, (_, i) => submit(on, `stalled${i}`)));
        await readiness(on, 503);
        expect((await probe(on, '/healthz')).status).toBe(200);
        await pause(AWAY_MS / 2);
        proxy.flow();
        const answers = await asked;
        expect(answers.filter(({ status }) => status !== 202 && status !== 503)).toEqual([]);
        for (const { status, json } of answers)
          if (status === 202) await on.reached(json.id as string, 'delivered');
        await readiness(on, 200);
        await on.reached(await on.send('afterwards'), 'delivered');
      },
    );

    it('that stops responding delays one request by ten seconds at most, and later ones not at all', async () => {
      await on.reached(await on.send('before'), 'delivered');
      proxy.stall();
      const since = performance.now();
      const timed = async (ask: Promise<Answer>) => {
        const { status, headers } = await ask;
        return { status, hasRetryAfter: headers.has('retry-after'), ms: performance.now() - since };
      };
      const underWay = await Promise.all([
        ...Array.from({ length: 5 }, (_, i) => timed(submit(on, `silent${i}`))),
        timed(on.appliance.api('GET', '/v1/messages')),
      ]);
      const longest = Math.max(...underWay.map(({ ms }) => ms));
      const later = await timed(submit(on, 'later'));
      console.info(
        `answered after ${Math.round(longest)} ms, later after ${Math.round(later.ms - longest)} ms`,
      );
      expect(new Set(underWay.map(({ status, hasRetryAfter }) => [status, hasRetryAfter].join()))).toEqual(
        new Set(['503,true']),
      );
      expect(longest).toBeLessThan(10_000);
      expect([later.status, later.hasRetryAfter]).toEqual([503, true]);
      expect(later.ms - longest).toBeLessThan(500);
      proxy.flow();
      await readiness(on, 200);
      await on.reached(await on.send('afterwards'), 'delivered');
    });

    it.runIf(isFullSize)('whose connections are half open is reached by new ones', async () => {
      await on.reached(await on.send('before'), 'delivered');
      proxy.forget();
      const id = await waitFor(
        'a message to be accepted',
        async () => {
          const late = pause(ANSWERED_MS).then(() => null);
          return (await Promise.race([submit(on, 'half-open'), late]))?.json.id as string | undefined;
        },
        (found) => found !== undefined,
        90_000,
      );
      await on.reached(id ?? '', 'delivered', 60_000);
      await readiness(on, 200);
    });

    it('that refuses writes is reported, can be read, and is written again later', async () => {
      const id = await on.send('before');
      await on.reached(id, 'delivered');
      await server.run('ALTER SYSTEM SET default_transaction_read_only = on');
      await server.run('SELECT pg_reload_conf()');
      await expectRefusals(on);
      expect((await on.appliance.api('GET', `/v1/messages/${id}`)).status).toBe(200);
      await server.run('ALTER SYSTEM RESET default_transaction_read_only');
      await server.run('SELECT pg_reload_conf()');
      await expectWork(on);
    });

    it('with too few connections delays due mail without holding it', async () => {
      const dueMs = 3_000;
      const dueAt = new Date(Date.now() + dueMs).toISOString();
      const sent = await Promise.all(
        Array.from({ length: 60 }, (_, i) => submit(on, `few${i}`, { send_at: dueAt })),
      );
      expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([202]));
      await server.run(`ALTER ROLE ${database.owner} CONNECTION LIMIT 3`);
      const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${database.owner}'`;
      await server.run(end);
      const known = on.appliance.output().length;
      await pause(2 * dueMs);
      await server.run(`ALTER ROLE ${database.owner} CONNECTION LIMIT -1`);
      // Held mail would wait for a minute.
      for (const { json } of sent) await on.reached(json.id as string, 'delivered', 20_000);
      const lines = on.appliance.output().slice(known).split('\n');
      expect(lines.filter((line) => line.includes('message on hold') || line.includes('"stack"'))).toEqual(
        [],
      );
    });

    it.each([
      ['has no connection left', 'CONNECTION LIMIT 0', 'CONNECTION LIMIT -1'],
      ['lets its owner in no more', 'NOLOGIN', 'LOGIN'],
    ])('that %s is waited for', async (_what, change, back) => {
      await server.run(`ALTER ROLE ${database.owner} ${change}`);
      const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${database.owner}'`;
      await server.run(end);
      await expectRefusals(on);
      await server.run(`ALTER ROLE ${database.owner} ${back}`);
      await expectWork(on);
    });
  });

  it.each([
    ['another password', (url: URL) => (url.password = 'not-the-lamp')],
    ['a database that is not there', (url: URL) => (url.pathname = '/nowhere')],
    ['a port where nobody listens', (url: URL) => (url.port = '9')],
  ])('that is unusable at the start is reported in one sentence: %s', async (_what, change) => {
    const { url } = await server.makeDatabase();
    const wrong = new URL(url);
    change(wrong);
    const { code, stderr, stdout } = await serverEnds({
      MAILKEEL_DATA_DIR: join(folder.path, 'data'),
      MAILKEEL_HTTP_HOST: '127.0.0.1',
      MAILKEEL_HTTP_PORT: '0',
      MAILKEEL_DATABASE_URL: wrong.href,
    });
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr + stdout).not.toContain(wrong.password);
    expect(stderr).not.toContain('    at ');
  });

  it('without tables counts as a new installation', async () => {
    const { url } = await server.makeDatabase('empty');
    const settings = { dataDir: join(folder.path, 'data'), databaseUrl: url };
    expect(await withReadStoreIfThere(settings, (store) => store.size())).toBeNull();
    await expect(withReadStore(settings, (store) => store.size())).rejects.toThrow('No database found');
  });

  it('that refuses the lock of a command keeps no session of it', async () => {
    const { url } = await server.makeDatabase();
    const { pathname } = new URL(url);
    const refuse = 'REVOKE EXECUTE ON FUNCTION pg_try_advisory_lock(int, int) FROM PUBLIC';
    await runOnServer(refuse, new URL(pathname, server.url).href);
    await expect(lockDatabaseNow(url)).rejects.toThrow('permission denied');
    await waitFor(
      'the session to end',
      () => server.run(`SELECT pid FROM pg_stat_activity WHERE datname = '${pathname.slice(1)}'`),
      (sessions) => sessions.length === 0,
    );
  });
});
