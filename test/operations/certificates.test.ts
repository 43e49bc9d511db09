// Tests the source of the servers' certificate, and what happens if it changes or is unavailable.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import { createServer as createNetServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/settings/load.js';
import { createFolderFiles } from '../../src/lib/files/index.js';
import { createLog } from '../../src/lib/runtime/index.js';
import { Certificates } from '../../src/operations/certificates/certificates.js';
import { issueCertificate } from '../support/certificate-chain.js';
import { fixedClock, type FixedClock } from '../support/fixed-clock.js';
import { freePort } from '../support/free-port.js';
import { tuned } from '../support/tuning.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let folder: string;
let clock: FixedClock;
let logged: Record<string, unknown>[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mailkeel-tls-'));
  clock = fixedClock(Date.now());
  logged = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** As a process that starts on the data folder. */
function start(env: Record<string, string> = {}): Promise<Certificates> {
  const settings = loadConfig({ env: { MAILKEEL_HOSTNAME: 'mail.mailkeel.example', ...env } }).config;
  const log = createLog('info', {
    write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>),
  });
  const files = { tls: createFolderFiles(join(folder, 'tls')), challenges: null };
  return Certificates.open({ config: settings, files, clock: clock.now, log, random: () => 0 });
}

const said = (message: string): Record<string, unknown>[] => logged.filter(({ msg }) => msg === message);

describe('without any configuration', () => {
  it('a self-signed certificate is created, stored privately, and used after a restart', async () => {
    const certificate = (await start()).current();
    expect(certificate).toMatchObject({
      origin: 'self-signed',
      names: ['mail.mailkeel.example', 'localhost', '127.0.0.1', '::1'],
    });
    const x509 = new X509Certificate(certificate.cert);
    expect(x509.verify(x509.publicKey)).toBe(true);
    expect(x509.checkPrivateKey(createPrivateKey(certificate.key))).toBe(true);
    expect(x509.checkHost('mail.mailkeel.example')).toBe('mail.mailkeel.example');
    expect(certificate.notAfter - clock.now()).toBeGreaterThan(3649 * DAY);
    expect(await readdir(join(folder, 'tls'))).toEqual(['self-signed.pem']);
    expect((await stat(join(folder, 'tls'))).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, 'tls', 'self-signed.pem'))).mode & 0o777).toBe(0o600);
    expect((await start()).current()).toEqual(certificate);
    expect(said('TLS certificate loaded')).toHaveLength(2);
  });

  it('processes that start at the same time use the same one', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => start()));
    expect(new Set(all.map((one) => one.current().fingerprint)).size).toBe(1);
  });

  it('is created again if the names change', async () => {
    const before = (await start()).current();
    const after = (await start({ MAILKEEL_INBOUND_DOMAIN: 'in.mailkeel.example' })).current();
    expect(after.fingerprint).not.toBe(before.fingerprint);
    expect(after.names).toContain('in.mailkeel.example');
  });

  it('is created again if the file is damaged', async () => {
    const before = (await start()).current();
    await writeFile(join(folder, 'tls', 'self-signed.pem'), before.key);
    const after = (await start()).current();
    expect(after.fingerprint).not.toBe(before.fingerprint);
    expect((await start()).current()).toEqual(after);
  });

  it('is renewed before it expires, while servers run', async () => {
    const certificates = await start();
    const before = certificates.current();
    const seen: string[] = [];
    certificates.subscribe(({ fingerprint }) => seen.push(fingerprint));
    clock.advance(3500 * DAY);
    await certificates.refresh();
    expect(certificates.current()).toEqual(before);
    clock.advance(100 * DAY);
    await certificates.refresh();
    await certificates.refresh();
    expect(certificates.current().fingerprint).not.toBe(before.fingerprint);
    expect(certificates.current().notAfter).toBeGreaterThan(before.notAfter);
    expect(seen).toEqual([certificates.current().fingerprint]);
  });
});

describe('with certificate files', () => {
  const one = issueCertificate({ names: ['mail.mailkeel.example'], to: 90 });
  const two = issueCertificate({ names: ['*.mailkeel.example'], to: 90 });
  const env = (): Record<string, string> => ({
    MAILKEEL_TLS_CERT: join(folder, 'cert.pem'),
    MAILKEEL_TLS_KEY: join(folder, 'key.pem'),
  });
  async function put({ cert, key }: { cert: string; key: string }): Promise<void> {
    await writeFile(join(folder, 'cert.pem'), cert);
    await writeFile(join(folder, 'key.pem'), key);
  }

  it('are used, and none is created', async () => {
    await put(one);
    const certificates = await start(env());
    expect(certificates.current()).toMatchObject({ origin: 'files', cert: one.cert, key: one.key });
    expect((await readdir(folder)).sort()).toEqual(['cert.pem', 'key.pem']);
  });

  it('are reloaded by every listener after a change, even if one fails', async () => {
    await put(one);
    const certificates = await start(env());
    const seen: string[] = [];
    certificates.subscribe(() => {
      throw new Error('this server is broken');
    });
    certificates.subscribe(({ cert }) => seen.push(cert));
    const end = certificates.subscribe(() => seen.push('ended'));
    end();
    await put(two);
    await certificates.refresh();
    expect(certificates.current().cert).toBe(two.cert);
    expect(seen).toEqual([two.cert]);
    expect(said('listener rejected the new TLS certificate')).toHaveLength(1);
  });

  it('a bad pair is reported once, and the old one is used', async () => {
    await put(one);
    const certificates = await start(env());
    await writeFile(join(folder, 'key.pem'), two.key);
    for (let i = 0; i < 3; i++) await certificates.refresh();
    expect(certificates.current().cert).toBe(one.cert);
    expect(said('new TLS certificate not usable: previous certificate remains in use')).toEqual([
      expect.objectContaining({ problem: `${join(folder, 'key.pem')} does not match the certificate` }),
    ]);
    await put(two);
    await certificates.refresh();
    expect(certificates.current().cert).toBe(two.cert);
  });

  it('report their expiry once a day from two weeks before', async () => {
    await put(one);
    const certificates = await start(env());
    const warnings = (): number => said('TLS certificate expires soon: renew its files').length;
    await certificates.refresh();
    expect(warnings()).toBe(0);
    clock.advance(80 * DAY);
    await certificates.refresh();
    await certificates.refresh();
    expect(warnings()).toBe(1);
    clock.advance(DAY);
    await certificates.refresh();
    expect(warnings()).toBe(2);
  });

  it.each<[string, () => Promise<void>, (env: Record<string, string>) => Record<string, string>, RegExp]>([
    [
      'one is set alone',
      () => put(one),
      ({ MAILKEEL_TLS_CERT = '' }) => ({ MAILKEEL_TLS_CERT }),
      /MAILKEEL_TLS_CERT is set without MAILKEEL_TLS_KEY/,
    ],
    [
      'the other is set alone',
      () => put(one),
      ({ MAILKEEL_TLS_KEY = '' }) => ({ MAILKEEL_TLS_KEY }),
      /MAILKEEL_TLS_KEY is set without MAILKEEL_TLS_CERT/,
    ],
    ['they are not there', () => Promise.resolve(), (all) => all, /cert\.pem does not exist/],
    [
      'they do not fit',
      () => put({ cert: one.cert, key: two.key }),
      (all) => all,
      /key\.pem does not match the certificate/,
    ],
    [
      'they are too old',
      () => put(issueCertificate({ names: ['a.example'], from: -9, to: -3 })),
      (all) => all,
      /cert\.pem expired on 20/,
    ],
  ])('explain why the start fails if %s', async (_name, prepare, choose, expected) => {
    await prepare();
    await expect(start(choose(env()))).rejects.toThrow(expected);
    await expect(start(choose(env()))).rejects.toThrow(/^Invalid configuration \(1 problem\)/);
  });

  it("report that they don't match the host name, and that ACME is off", async () => {
    await put(issueCertificate({ names: ['other.example'] }));
    await start({ ...env(), MAILKEEL_ACME_EMAIL: 'me@mailkeel.example' });
    expect(said('TLS certificate does not match MAILKEEL_HOSTNAME')).toHaveLength(1);
    expect(said('MAILKEEL_ACME_EMAIL ignored: MAILKEEL_TLS_CERT is set')).toHaveLength(1);
  });

  it('are checked while the server runs, until it stops', async () => {
    await put(one);
    const certificates = await start({ ...env(), ...tuned({ tlsReloadMs: 10 }) });
    const changed = new Promise((resolve) => certificates.subscribe(resolve));
    certificates.start();
    await put(two);
    await changed;
    await certificates.stop();
    expect(certificates.current().cert).toBe(two.cert);
  });
});

describe('with ACME', () => {
  const own = issueCertificate({ names: ['localhost'] });
  let directory: Server;
  let answer: { status: number; headers?: Record<string, string>; body: string };
  let asked: number;
  let env: Record<string, string>;
  beforeEach(async () => {
    asked = 0;
    answer = { status: 503, body: 'out of order' };
    directory = createServer({ key: own.key, cert: own.cert }, (_request, response) => {
      asked += 1;
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
    await new Promise<void>((resolve) => directory.listen(0, '127.0.0.1', resolve));
    await writeFile(join(folder, 'ca.pem'), own.cert);
    env = {
      MAILKEEL_ACME_EMAIL: 'me@mailkeel.example',
      MAILKEEL_ACME_DIRECTORY: `https://localhost:${(directory.address() as AddressInfo).port}/dir`,
      MAILKEEL_ACME_PORT: '0',
      MAILKEEL_EXTRA_CA_FILE: join(folder, 'ca.pem'),
    };
  });
  afterEach(
    () =>
      new Promise<void>((resolve) => {
        directory.close(() => resolve());
        directory.closeAllConnections();
      }),
  );
  const failures = (): Record<string, unknown>[] => said('ACME certificate order failed');

  it('uses a self-signed certificate until the first one is issued', async () => {
    const certificates = await start(env);
    await certificates.refresh();
    expect(certificates.current().origin).toBe('self-signed');
    expect(failures()).toEqual([
      expect.objectContaining({
        problem: 'out-of-order',
        detail: 'HTTP status 503 without a problem document',
        what_to_do: 'No action needed. The CA has an internal error.',
        failures: 1,
        next_try_at: new Date(clock.now() + MINUTE).toISOString(),
      }),
    ]);
  });

  it('retries a failing authority at growing intervals, even after a restart', async () => {
    let certificates = await start(env);
    await certificates.refresh();
    expect(asked).toBe(1);
    for (const [i, waitMs] of [1, 3, 9, 27, 81].map((minutes) => minutes * MINUTE).entries()) {
      if (i % 2 === 0) certificates = await start(env);
      clock.advance(waitMs - 1);
      await certificates.refresh();
      await certificates.refresh();
      expect(asked).toBe(i + 1);
      clock.advance(1);
      await certificates.refresh();
      expect(asked).toBe(i + 2);
    }
    expect(failures().map((line) => line['failures'])).toEqual([1, 2, 3, 4, 5, 6]);
    expect(
      said(
        'ACME retry scheduled after earlier failures: to retry now, stop the server, delete the file and start the server',
      ),
    ).toHaveLength(3);
  });

  it('waits as long as an authority requests', async () => {
    const body = JSON.stringify({
      type: 'urn:ietf:params:acme:error:rateLimited',
      detail: 'slow\ndown',
      status: 429,
    });
    answer = {
      status: 429,
      headers: { 'retry-after': '7200', 'content-type': 'application/problem+json' },
      body,
    };
    const certificates = await start(env);
    await certificates.refresh();
    clock.advance(119 * MINUTE);
    await certificates.refresh();
    expect(asked).toBe(1);
    clock.advance(MINUTE);
    await certificates.refresh();
    expect(asked).toBe(2);
  });

  it('tries immediately after names change or the state is deleted', async () => {
    await (await start(env)).refresh();
    await (await start({ ...env, MAILKEEL_ACME_DOMAINS: 'other.mailkeel.example' })).refresh();
    expect(asked).toBe(2);
    await rm(join(folder, 'tls', 'acme.json'));
    await (await start({ ...env, MAILKEEL_ACME_DOMAINS: 'other.mailkeel.example' })).refresh();
    expect(asked).toBe(3);
  });

  it('counts an unfinished try', async () => {
    answer = { status: 200, body: '' };
    const hanging = createNetServer((socket) => void socket.on('error', () => socket.destroy()));
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    const port = String((hanging.address() as AddressInfo).port);
    const slow = { ...env, MAILKEEL_ACME_DIRECTORY: `https://localhost:${port}/dir` };
    const certificates = await start(slow);
    const stopping = new AbortController();
    hanging.once('connection', () => stopping.abort());
    await certificates.refresh(stopping.signal);
    hanging.close();
    const memory = JSON.parse(await readFile(join(folder, 'tls', 'acme.json'), 'utf8'));
    expect(memory).toMatchObject({ failures: 1, nextTryAt: clock.now() + MINUTE });
  });

  it.each<[string, () => Record<string, string> | Promise<Record<string, string>>, string, RegExp]>([
    [
      'nobody listens',
      async () => ({ MAILKEEL_ACME_DIRECTORY: `https://localhost:${await freePort()}/` }),
      'unreachable',
      /ECONNREFUSED/,
    ],
    ['its own certificate is unknown', () => ({ MAILKEEL_EXTRA_CA_FILE: '' }), 'untrusted', /self-signed/],
    ['it is no ACME server', () => ({}), 'not-acme', /no ACME directory/],
  ])('explains the problem if %s', async (_name, change, problem, detail) => {
    answer = { status: 200, body: '<h1>It works!</h1>' };
    await (await start({ ...env, ...(await change()) })).refresh();
    expect(failures()).toEqual([
      expect.objectContaining({
        problem,
        detail: expect.stringMatching(detail),
        what_to_do: expect.any(String),
      }),
    ]);
  });

  it('limits the size of responses', async () => {
    answer = { status: 200, body: 'x'.repeat(2 * 1024 * 1024) };
    await (await start(env)).refresh();
    expect(failures()).toEqual([expect.objectContaining({ detail: 'the answer is larger than 1 MiB' })]);
  });

  it('reports that its port is taken, and tries anyway', async () => {
    const port = String((directory.address() as AddressInfo).port);
    await (await start({ ...env, MAILKEEL_ACME_PORT: port, MAILKEEL_INBOUND_HOST: '127.0.0.1' })).refresh();
    expect(said('ACME challenge port not available')).toEqual([
      expect.objectContaining({
        code: 'EADDRINUSE',
        what_to_do: expect.stringContaining('MAILKEEL_ACME_PORT=0'),
      }),
    ]);
    expect(asked).toBe(1);
  });

  it('explains why the start fails if a name or the address is invalid', async () => {
    await expect(start({ ...env, MAILKEEL_ACME_DOMAINS: '*.mailkeel.example' })).rejects.toThrow(
      'MAILKEEL_ACME_DOMAINS: *.mailkeel.example is a wildcard, which cannot be validated over HTTP',
    );
    await expect(start({ ...env, MAILKEEL_ACME_EMAIL: 'me' })).rejects.toThrow(
      'MAILKEEL_ACME_EMAIL must be an email address',
    );
    await expect(start({ ...env, MAILKEEL_HOSTNAME: 'box' })).rejects.toThrow('no public host name found');
  });
});
