// Runs the program under test as a user does: as a child process, with keys from the command line, and a sender that is created
// and verified through the API.
import { spawn, execFileSync, type ChildProcess } from 'node:child_process';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { Database } from '../../src/database/engine/sqlite-driver.js';
import type { TestDnsServer } from '../support/dns-server.js';
import { killAtExit } from './child.js';
import { limitCpu } from './cpu-quota.js';
import { PLATFORM_DOMAIN, SENDER_DOMAIN } from './mail.js';
import { layered, tuned } from '../support/tuning.js';

/** As `npm start` does, with MALLOC_ARENA_MAX below. */
export const START_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=100'];

export const ROOT = new URL('../../../', import.meta.url).pathname;
const START_DEADLINE_MS = 120_000;
const STOP_DEADLINE_MS = 20_000;
const POLL_MS = 50;
/** The sweep beats every minute and remembers a missing record for a minute. */
const PLATFORM_DEADLINE_MS = 200_000;

export interface ApplianceOptions {
  /** Folder in which the data folder is created. */
  parent: string;
  dns: TestDnsServer;
  sinkPort: number;
  /** MAILKEEL_ settings on top of the benchmark's own. */
  env?: Record<string, string>;
  /** Adds to the database before the program starts. */
  fill?: ((databaseFile: string) => void) | undefined;
  /** Writes V8 CPU profiles of all threads there when the program is stopped. */
  profileTo: string | null;
  /** CPU limit in cores; null if there is none. */
  cores: number | null;
}

export interface Appliance {
  pid: number;
  port: number;
  key: string;
  /** From the start of the process to the first response. */
  startedInMs: number;
  /** The environment it runs with, for commands on the same data. */
  env: NodeJS.ProcessEnv;
  /** Value of a metric without labels, by its name. */
  metric(name: string): Promise<number>;
  /** For data that no route creates in bulk. */
  databaseFile: string;
  dataDir: string;
  /** The port at which it accepts mail, as it reports itself. */
  mailPort(what: 'Inbound' | 'Relay' | 'Relay, TLS'): number;
  /** Public DKIM keys by selector. */
  dkimKeys: Record<string, KeyObject>;
  api(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  /** The last lines of its log. */
  logTail(): string;
  /** Asks it to stop, so that it writes its profiles, or kills it; removes its data. */
  stop(how: 'gently' | 'at once'): Promise<void>;
}

interface DnsRecord {
  purpose: string;
  type: string;
  host: string;
  value: string;
  priority?: number;
  required: boolean;
}

export async function startAppliance(options: ApplianceOptions): Promise<Appliance> {
  const dataDir = mkdtempSync(join(options.parent, 'mailkeel-bench-'));
  const port = await freePort();
  const metricsPort = await freePort();
  const env = settings(options, dataDir, port, metricsPort);
  const bootstrap = execFileSync(
    process.execPath,
    [`${ROOT}dist/admin/main.js`, 'admin', 'bootstrap', '--json'],
    {
      env,
      cwd: ROOT,
      encoding: 'utf8',
    },
  );
  const { live_key: key } = JSON.parse(bootstrap) as { live_key: string };
  const databaseFile = join(dataDir, 'mail.db');
  options.fill?.(databaseFile);
  const profiling = options.profileTo === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profileTo}`];
  const startedAt = performance.now();
  const program = spawn(process.execPath, [...START_FLAGS, ...profiling, `${ROOT}dist/main.js`], {
    env,
    cwd: ROOT,
  });
  killAtExit(program);
  const liftLimit = options.cores === null ? null : limitCpu(program.pid ?? 0, options.cores);
  const logFile = join(dataDir, 'bench.log');
  for (const output of [program.stdout, program.stderr]) {
    pipeline(output, createWriteStream(logFile, { flags: 'a' }), () => undefined);
  }
  const logTail = (): string => readFileSync(logFile, 'utf8').slice(-3_000);
  const api = apiOf(port, key);
  const stop = async (how: 'gently' | 'at once'): Promise<void> => {
    await end(program, how, dataDir);
    await liftLimit?.();
  };
  try {
    await untilReady(program, port);
    const startedInMs = performance.now() - startedAt;
    const dkimKeys = await verifySender(api, options.dns);
    if (env['MAILKEEL_PLATFORM_DOMAIN'] !== undefined) {
      Object.assign(dkimKeys, await activatePlatform(databaseFile, options.dns));
    }
    return {
      ...{ pid: program.pid ?? 0, port, key, dataDir, databaseFile, dkimKeys, api, logTail, stop },
      ...{ startedInMs, env },
      metric: (name) => metricAt(metricsPort, name),
      mailPort: (what) => portIn(readFileSync(logFile, 'utf8'), what),
    };
  } catch (error) {
    process.stderr.write(logTail());
    await stop('at once');
    throw error;
  }
}

function portIn(log: string, what: string): number {
  const found = new RegExp(`^ *${what} +\\S+:(\\d+)`, 'm').exec(log);
  if (!found) throw new Error(`the program names no port for ${what}`);
  return Number(found[1]);
}

async function metricAt(port: number, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`there is no metric ${name}`);
  return Number(value);
}

function settings(
  options: ApplianceOptions,
  dataDir: string,
  port: number,
  metricsPort: number,
): NodeJS.ProcessEnv {
  const foreign = Object.entries(process.env).filter(([name]) => !name.startsWith('MAILKEEL_'));
  return {
    ...Object.fromEntries(foreign),
    NODE_ENV: 'production',
    MALLOC_ARENA_MAX: '2',
    MAILKEEL_DATA_DIR: dataDir,
    MAILKEEL_HTTP_HOST: '127.0.0.1',
    MAILKEEL_HTTP_PORT: String(port),
    MAILKEEL_HOSTNAME: 'mta.bench.test',
    MAILKEEL_PREFLIGHT: 'false',
    MAILKEEL_METRICS_PORT: String(metricsPort),
    MAILKEEL_HTTPS: 'false',
    MAILKEEL_INBOUND_HOST: '127.0.0.1',
    MAILKEEL_INBOUND_PORT: '0',
    MAILKEEL_RELAY_PORT: '0',
    MAILKEEL_RELAY_TLS_PORT: '0',
    MAILKEEL_LOG_LEVEL: 'warn',
    MAILKEEL_RATE_LIMIT_LIVE: '0',
    MAILKEEL_ALLOW_PRIVATE_MX: 'true',
    MAILKEEL_MX_PORT: String(options.sinkPort),
    MAILKEEL_DNS_SERVERS: options.dns.address,
    // A frozen sink sends no greeting while delivery is paused.
    ...layered(tuned({ smtpGreetingTimeoutMs: 600_000, queueLeaseMs: 7_200_000 }), options.env),
  };
}

function apiOf(port: number, key: string): Appliance['api'] {
  return async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
}

async function verifySender(api: Appliance['api'], dns: TestDnsServer): Promise<Record<string, KeyObject>> {
  const sender = await api('POST', '/v1/senders', { domain: SENDER_DOMAIN });
  const keys: Record<string, KeyObject> = {};
  for (const record of sender['dns_records'] as DnsRecord[]) {
    // The optional Ed25519 key remains unpublished, because the benchmark measures one RSA-2048 signature.
    if (!record.required) continue;
    publish(dns, record);
    if (record.purpose === 'dkim') keys[selectorOf(record.host)] = publicKeyIn(record.value);
  }
  const verified = await api('POST', `/v1/senders/${String(sender['id'])}/verify`, {});
  if (verified['status'] !== 'verified') throw new Error(`not verified: ${JSON.stringify(verified)}`);
  return keys;
}

function publish(dns: TestDnsServer, record: DnsRecord): void {
  if (record.type === 'TXT') dns.set(record.host, 'TXT', [record.value]);
  if (record.type === 'CNAME') dns.set(record.host, 'CNAME', [record.value]);
  if (record.type === 'MX') {
    dns.set(record.host, 'MX', [{ preference: record.priority ?? 10, exchange: record.value }]);
  }
}

interface PlatformKey {
  domain: string;
  selector: string;
  record_value: string;
  state: string;
}

/** Publishes the platform's RSA key, which no route shows, and waits for the sweep to find it. */
async function activatePlatform(file: string, dns: TestDnsServer): Promise<Record<string, KeyObject>> {
  const database = new Database(file, { readonly: true });
  try {
    const find = database.prepare<[string, string], PlatformKey>(
      'SELECT domain, selector, record_value, state FROM dkim_keys WHERE domain = ? AND algorithm = ?',
    );
    const deadline = Date.now() + PLATFORM_DEADLINE_MS;
    for (;;) {
      const key = find.get(PLATFORM_DOMAIN, 'rsa-sha256');
      if (key) dns.set(`${key.selector}._domainkey.${key.domain}`, 'TXT', [key.record_value]);
      if (key?.state === 'active') return { [key.selector]: publicKeyIn(key.record_value) };
      if (Date.now() > deadline) throw new Error('the platform key was not switched on');
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  } finally {
    database.close();
  }
}

function selectorOf(host: string): string {
  return host.slice(0, host.indexOf('.'));
}

function publicKeyIn(record: string): KeyObject {
  const key = /(?:^|;)\s*p=([^;]+)/.exec(record)?.[1] ?? '';
  return createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
}

/** Settings that turn the second signature on. */
export const PLATFORM_SETTINGS = { MAILKEEL_PLATFORM_DOMAIN: PLATFORM_DOMAIN };

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilReady(program: ChildProcess, port: number): Promise<void> {
  const deadline = Date.now() + START_DEADLINE_MS;
  for (;;) {
    if (program.exitCode !== null) throw new Error(`the program ended with ${program.exitCode}`);
    const isReady = await fetch(`http://127.0.0.1:${port}/healthz`).then(
      (response) => response.ok,
      () => false,
    );
    if (isReady) return;
    if (Date.now() > deadline) throw new Error('the program did not get ready');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function end(program: ChildProcess, how: 'gently' | 'at once', dataDir: string): Promise<void> {
  if (program.exitCode === null && program.signalCode === null) {
    const ended = new Promise((resolve) => program.once('exit', resolve));
    program.kill(how === 'gently' ? 'SIGTERM' : 'SIGKILL');
    const timer = setTimeout(() => program.kill('SIGKILL'), STOP_DEADLINE_MS);
    await ended;
    clearTimeout(timer);
  }
  rmSync(dataDir, { recursive: true, force: true });
}
