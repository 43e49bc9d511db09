// Tests ACME certificates from a real authority, Debian's pebble, which fetches the HTTP-01 challenges itself: issued,
// immediately used by the running HTTPS server, kept over a restart, renewed; and the result if a name does not resolve to the
// server.
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpsListener, type HttpsListener } from '../../src/http/server/https.js';
import { acmeChallengeRoutes } from '../../src/operations/certificates/acme-challenge.pages.js';
import { loadConfig } from '../../src/settings/load.js';
import { createFolderFiles } from '../../src/lib/files/index.js';
import { createLog } from '../../src/lib/runtime/index.js';
import { Certificates, type CertificateContext } from '../../src/operations/certificates/certificates.js';
import { installationFiles } from '../../src/operations/files/installation-files.js';
import { createStore } from '../../src/app/store.js';
import { startDnsServer, type TestDnsServer } from '../support/dns-server.js';
import { fixedClock, type FixedClock } from '../support/fixed-clock.js';
import { freePort } from '../support/free-port.js';
import { openMigratedFile } from '../support/open-engines.js';
import { ensurePebble, startPebble, type Pebble } from '../support/pebble.js';
import { isFullSize } from '../support/run-size.js';
import { startApi, type StartedApi } from '../support/start-api.js';

const skipReason = ensurePebble();
if (skipReason !== null) console.warn(`skipped: certificates by ACME from pebble: ${skipReason}`);

const HOST = 'mail.mailkeel.example';
const NAMES = [HOST, 'app.mailkeel.example'];
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe.skipIf(skipReason !== null)('certificates by ACME from pebble', () => {
  let folder: string;
  let dns: TestDnsServer;
  let pebble: Pebble;
  let clock: FixedClock;
  let logged: Record<string, unknown>[];
  let api: StartedApi | null = null;
  let https: HttpsListener | null = null;
  const agents: Agent[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mailkeel-acme-'));
    dns = await startDnsServer();
    for (const name of NAMES) dns.set(name, 'A', ['127.0.0.1']);
    clock = fixedClock(Date.now());
    logged = [];
  });
  afterEach(async () => {
    for (const agent of agents.splice(0)) agent.destroy();
    await https?.close();
    await api?.close();
    [https, api] = [null, null];
    await pebble.close();
    await dns.close();
    await rm(folder, { recursive: true, force: true });
  });

  function startCertificates(
    env: Record<string, string> = {},
    of: Partial<CertificateContext> = {},
  ): Promise<Certificates> {
    const settings = loadConfig({
      env: {
        MAILKEEL_HOSTNAME: HOST,
        MAILKEEL_PUBLIC_URL: 'https://app.mailkeel.example',
        MAILKEEL_INBOUND_HOST: '127.0.0.1',
        MAILKEEL_ACME_EMAIL: 'postmaster@mailkeel.example',
        MAILKEEL_ACME_DIRECTORY: pebble.directoryUrl,
        MAILKEEL_EXTRA_CA_FILE: pebble.caFile,
        ...env,
      },
    }).config;
    const log = createLog('info', {
      write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>),
    });
    const files = { tls: createFolderFiles(join(folder, 'tls')), challenges: null };
    return Certificates.open({ config: settings, files, clock: clock.now, log, random: () => 0, ...of });
  }

  async function serve(certificates: Certificates): Promise<number> {
    api ??= await startApi();
    https = await createHttpsListener({ app: api.app, certificates });
    const listening = await https.listen({ host: '127.0.0.1', port: 0 });
    if (!listening.ok) throw new Error(listening.reason);
    return listening.address.port;
  }

  /** The fingerprint of the certificate that a client verifies against `root`; rejects if it does not verify. */
  function shown(port: number, root: string, servername = HOST): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, servername, ca: root }, () => {
        resolve(socket.getPeerX509Certificate()?.fingerprint256 ?? '');
        socket.destroy();
      });
      socket.on('error', reject);
    });
  }

  function ask(port: number, agent: Agent): Promise<{ status: number; localPort: number | undefined }> {
    return new Promise((resolve, reject) => {
      const where = { host: '127.0.0.1', port, path: '/healthz', agent, rejectUnauthorized: false };
      request(where, (answer) => {
        const { localPort } = answer.socket;
        answer.resume().on('end', () => resolve({ status: answer.statusCode ?? 0, localPort }));
      })
        .on('error', reject)
        .end();
    });
  }

  const failures = (): Record<string, unknown>[] =>
    logged.filter(({ msg }) => msg === 'ACME certificate order failed');
  /** Orders rather than requests, because it refuses some requests at random, as authorities may, and they are repeated. */
  const orders = (): number => pebble.log().split('Added order "').length - 1;

  it('a certificate is issued, used immediately, kept across a restart, and renewed', async () => {
    const httpPort = await freePort();
    pebble = await startPebble({ dnsServer: dns.address, httpPort });
    const env = { MAILKEEL_ACME_PORT: String(httpPort) };
    const certificates = await startCertificates(env);
    const root = await pebble.root();
    const port = await serve(certificates);
    expect(certificates.current().origin).toBe('self-signed');
    await expect(shown(port, root)).rejects.toThrow(/self-signed/);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    agents.push(agent);
    const before = await ask(port, agent);

    certificates.start();
    await new Promise((resolve) => certificates.subscribe(resolve));
    expect(failures()).toEqual([]);
    const first = certificates.current();
    expect(first).toMatchObject({ origin: 'acme', names: NAMES });
    for (const name of NAMES) expect(await shown(port, root, name)).toBe(first.fingerprint);
    expect(await ask(port, agent)).toEqual(before);
    await certificates.stop();
    expect(dns.queries.map(({ name }) => name)).toEqual(expect.arrayContaining(NAMES));
    for (const file of ['acme.pem', 'acme-account.pem', 'acme.json']) {
      expect((await stat(join(folder, 'tls', file))).mode & 0o777).toBe(0o600);
    }

    const restarted = await startCertificates(env);
    expect(restarted.current()).toEqual(first);
    await restarted.refresh();
    expect(orders()).toBe(1);

    await https?.close();
    const again = await serve(restarted);
    expect(await shown(again, root)).toBe(first.fingerprint);
    const account = await readFile(join(folder, 'tls', 'acme-account.pem'), 'utf8');
    clock.advance(first.notAfter - 30 * DAY - clock.now() - 1);
    await restarted.refresh();
    expect(orders()).toBe(1);
    clock.advance(1);
    await restarted.refresh();
    expect(failures()).toEqual([]);
    expect(orders()).toBe(2);
    const second = restarted.current();
    expect(second.fingerprint).not.toBe(first.fingerprint);
    expect(second.key).not.toBe(first.key);
    expect(await shown(again, root)).toBe(second.fingerprint);
    expect(await readFile(join(folder, 'tls', 'acme-account.pem'), 'utf8')).toBe(account);
  });

  it.runIf(isFullSize)(
    'challenges are answered on the API port alone, and new names get a new certificate',
    async () => {
      let certificates: Certificates | null = null;
      const answer = async (token: string) => (await certificates?.challenges.answer(token)) ?? null;
      api = await startApi({ routes: () => [(app) => acmeChallengeRoutes(app, { answer })] });
      await api.app.listen({ host: '127.0.0.1', port: 0 });
      const { port: httpPort } = api.app.server.address() as AddressInfo;
      pebble = await startPebble({ dnsServer: dns.address, httpPort });
      certificates = await startCertificates({ MAILKEEL_ACME_PORT: '0' });
      await certificates.refresh();
      expect(certificates.current()).toMatchObject({ origin: 'acme', names: NAMES });

      certificates = await startCertificates({ MAILKEEL_ACME_PORT: '0', MAILKEEL_ACME_DOMAINS: HOST });
      expect(certificates.current().names).toEqual(NAMES);
      await certificates.refresh();
      expect(certificates.current().names).toEqual([HOST]);
      expect(failures()).toEqual([]);
    },
  );

  it.runIf(isFullSize)(
    'one of two nodes orders a certificate while the authority asks the other one',
    async () => {
      const opened = await openMigratedFile(join(folder, 'mail.db'));
      const store = createStore(opened.engine, { maxGroup: 50 });
      const nodeOf = (mayFetch: boolean): Promise<Certificates> => {
        const files = installationFiles({
          ...{
            place: { kind: 'server', url: 'postgres://nowhere' },
            dataFolder: '/nowhere',
            clock: clock.now,
          },
          ...{ store: store.files, masterKey: Buffer.alloc(32, 9) },
        });
        return startCertificates({ MAILKEEL_ACME_PORT: '0' }, { files, mayFetch: () => mayFetch });
      };
      let second: Certificates | null = null;
      const answer = async (token: string) => (await second?.challenges.answer(token)) ?? null;
      api = await startApi({ routes: () => [(app) => acmeChallengeRoutes(app, { answer })] });
      await api.app.listen({ host: '127.0.0.1', port: 0 });
      const { port: httpPort } = api.app.server.address() as AddressInfo;
      pebble = await startPebble({ dnsServer: dns.address, httpPort });
      second = await nodeOf(false);
      const first = await nodeOf(true);
      await second.refresh();
      expect([orders(), second.current().fingerprint]).toEqual([0, first.current().fingerprint]);
      await first.refresh();
      await second.refresh();
      expect(failures()).toEqual([]);
      expect(first.current()).toMatchObject({ origin: 'acme', names: NAMES });
      expect([orders(), second.current()]).toEqual([1, first.current()]);
      expect(await opened.raw(`SELECT name FROM stored_files WHERE folder = 'challenges'`)).toEqual([]);
      const [account] = await opened.raw(`SELECT octets FROM stored_files WHERE name = 'acme-account.pem'`);
      expect(Buffer.from(account?.['octets'] as Uint8Array).toString()).not.toContain('PRIVATE KEY');
      await store.drain();
      await opened.close();
    },
  );

  it('an unreachable name is reported with next steps, and recovers at a later try', async () => {
    const httpPort = await freePort();
    pebble = await startPebble({ dnsServer: dns.address, httpPort });
    const certificates = await startCertificates({ MAILKEEL_ACME_PORT: String(httpPort) });
    dns.remove('app.mailkeel.example');
    await certificates.refresh();
    await certificates.refresh();
    expect(certificates.current().origin).toBe('self-signed');
    expect(orders()).toBe(1);
    expect(failures()).toEqual([
      expect.objectContaining({
        names: NAMES,
        detail: expect.stringContaining('app.mailkeel.example'),
        what_to_do: expect.not.stringMatching(/^See the error of the ACME server/),
        next_try_at: new Date(clock.now() + MINUTE).toISOString(),
      }),
    ]);
    dns.set('app.mailkeel.example', 'A', ['127.0.0.1']);
    clock.advance(MINUTE);
    await certificates.refresh();
    expect(certificates.current()).toMatchObject({ origin: 'acme', names: NAMES });
    expect(failures()).toHaveLength(1);
  });

  it.runIf(isFullSize)('a name of another web server gets no certificate', async () => {
    const elsewhere = await startApi();
    await elsewhere.app.listen({ host: '127.0.0.1', port: 0 });
    const { port: httpPort } = elsewhere.app.server.address() as AddressInfo;
    pebble = await startPebble({ dnsServer: dns.address, httpPort });
    const certificates = await startCertificates({ MAILKEEL_ACME_PORT: '0' });
    await certificates.refresh();
    expect(failures()).toEqual([
      expect.objectContaining({
        problem: 'unauthorized',
        what_to_do: expect.stringContaining('points to this server and not to another web server'),
      }),
    ]);
    await elsewhere.close();
  });
});
