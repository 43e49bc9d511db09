// Runs the real program on its own data folder, as a child process or, where that is enough, in the test process; and its command
// line. dist/ must be built.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openKeyFiles } from '../../src/lib/secrets/index.js';
import type { Engine, Value } from '../../src/database/engine/engine.js';
import { openEngine, choosePlace } from '../../src/database/engine/place.js';
import { bootstrapFolder, startBeside, type FirstKeys, type ServerBeside } from './built.js';
import { freePort } from './free-port.js';
import { layDataFolder } from './migrated-file.js';
import { IS_ON_POSTGRES, migratedPostgresDatabase, type TestDatabase } from './postgres-databases.js';
import { sharedCertificate } from './shared-certificate.js';
import { layered } from './tuning.js';
import { waitFor } from './wait.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const serverIn = (root: string): string => join(root, 'dist', 'main.js');
export const COMMAND_LINE = join(ROOT, 'dist', 'admin', 'main.js');
const READY_MS = 30_000;
const ENDED_MS = 90_000;

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // the tests read many shapes; each says what it expects
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  json: any;
}

export interface ApiOptions {
  body?: unknown;
  headers?: Record<string, string>;
  /** The live key by default; '' for none. */
  key?: string;
}

export interface Finished {
  /** Null when a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface ApplianceOptions {
  /** MAILKEEL_ settings; data folder, port and address are already set. */
  env?: Record<string, string>;
  /** A folder that the caller creates and removes. */
  dataDir?: string;
  /** Keys of a folder that already has them. */
  keys?: FirstKeys;
  /** Port of the HTTP API; a free one by default. */
  port?: number;
  /** The program that starts the server and is replaced by it, such as `ip netns exec NAME`. */
  within?: readonly string[];
  /** A copy of the package, with its own config/, whose server is started; this package by default. Not for a shared process. */
  root?: string;
  /**
   * `shared` runs it in the test process, as all such programs of a worker, and starts several times faster. It is for programs
   * that are neither killed nor inspected from outside. `end` closes it as SIGTERM does, and `start` starts it again.
   */
  process?: 'own' | 'shared';
}

/** A row of a SELECT. Counts are numbers. */
export type Found = Record<string, number | string | null>;

export type Appliance = Awaited<ReturnType<typeof createAppliance>>;

/**
 * Programs of tests live for seconds, so optimizing their code and parallel garbage collection would take a quarter of their CPU.
 */
const SHORT_LIVED = ['--no-opt', '--single-threaded-gc', '--min-semi-space-size=16'];

/** Runs a program to its end, or for as long as `child` lives. Of this environment, it only gets the path. */
function run(
  script: string,
  args: readonly string[],
  env: Record<string, string>,
  within: readonly string[] = [],
) {
  const { PATH = '', HOME = '' } = process.env;
  const [program = '', ...rest] = [...within, process.execPath, ...SHORT_LIVED, script, ...args];
  const child = spawn(program, rest, {
    env: { PATH, HOME, ...env },
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (bytes: Buffer) => (written.stdout += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (written.stderr += bytes.toString()));
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...written }));
  });
  return { child, written, finished };
}

/** `mailkeel …` with these settings. */
export function mailkeel(args: readonly string[], env: Record<string, string> = {}): Promise<Finished> {
  return run(COMMAND_LINE, args, env).finished;
}

/** Runs `mailkeel admin … --json` with these settings; returns its exit code, its errors, and its parsed output, or null. */
export async function adminJson(env: Record<string, string>, ...args: string[]) {
  const { code, stdout, stderr } = await mailkeel(['admin', ...args, '--json'], env);
  return { code, error: stderr, value: stdout === '' ? null : JSON.parse(stdout) };
}

/** Creates a file in the folder, or a PostgreSQL database if TEST_PROGRAM_ON=PostgreSQL. */
async function layDatabase(dataDir: string): Promise<TestDatabase | null> {
  if (IS_ON_POSTGRES) {
    await openKeyFiles(dataDir);
    return migratedPostgresDatabase();
  }
  await layDataFolder(dataDir);
  return null;
}

/** Does not start the program: call `start`. The keys already exist. */
export async function createAppliance(options: ApplianceOptions = {}) {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'mailkeel-')));
  const port = options.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const env: Record<string, string> = {
    MAILKEEL_DATA_DIR: dataDir,
    MAILKEEL_HTTP_HOST: '127.0.0.1',
    MAILKEEL_HTTP_PORT: String(port),
    MAILKEEL_HOSTNAME: 'mta.platform.example',
    // Free ports; `mailPort` returns them.
    MAILKEEL_INBOUND_HOST: '127.0.0.1',
    MAILKEEL_INBOUND_PORT: '0',
    MAILKEEL_RELAY_PORT: '0',
    MAILKEEL_RATE_LIMIT_NEW_KEYS: '0',
    MAILKEEL_RELAY_TLS_PORT: '0',
    MAILKEEL_HTTPS_PORT: '0',
    ...(await sharedCertificate()),
    // No background checks.
    MAILKEEL_PREFLIGHT: 'false',
    MAILKEEL_METRICS: 'false',
    MAILKEEL_SHUTDOWN_DRAIN: '0s',
    ...options.env,
  };
  const isNew = options.keys === undefined && env['MAILKEEL_DATABASE_URL'] === undefined;
  const database = isNew ? await layDatabase(dataDir) : null;
  // A database with tables has a folder with keys.
  if (options.keys === undefined && !isNew) await openKeyFiles(dataDir);
  if (database !== null) env['MAILKEEL_DATABASE_URL'] = database.url;
  const keys = options.keys ?? (await bootstrapFolder(env));
  let running: ReturnType<typeof run> | null = null;
  let beside: ServerBeside | null = null;
  /** A reader of the PostgreSQL server, shared because each connection costs. */
  let onServer: Promise<Engine> | null = null;

  async function isReady(): Promise<boolean> {
    const { child, written } = current();
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`the program ended before it was ready (${child.exitCode}): ${output()}`);
    }
    // Printed once everything runs, including the mail ports.
    if (!/^ {2}Data {2}/m.test(written.stdout)) return false;
    try {
      return (await fetch(`${url}/readyz`)).ok;
    } catch {
      // It is not listening yet.
      return false;
    }
  }

  function current(): ReturnType<typeof run> {
    if (running === null) throw new Error('the program was not started');
    return running;
  }

  function output(): string {
    const written = (beside ?? running)?.written;
    return written === undefined ? '' : `${written.stdout}\n${written.stderr}`;
  }

  /** Starts it, or starts it again on the same folder and port. `extra` goes over the settings from here on. */
  async function start(extra: Record<string, string> = {}): Promise<void> {
    Object.assign(env, layered(env, extra));
    if (options.process === 'shared') {
      beside = await startBeside(env);
      return;
    }
    beside = null;
    running = run(serverIn(options.root ?? ROOT), [], env, options.within);
    await waitFor(`the program to be ready`, isReady, (ready) => ready, READY_MS).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${output()}`);
    });
  }

  /**
   * Like `start`, in the test process after a separate program has ended, for programs that are neither killed again nor
   * inspected.
   */
  async function startHere(extra: Record<string, string> = {}): Promise<void> {
    Object.assign(env, layered(env, extra));
    beside = await startBeside(env);
  }

  async function api(method: string, path: string, request: ApiOptions = {}): Promise<Answer> {
    const key = request.key ?? keys.live_key;
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson && text !== '' ? (JSON.parse(text) as unknown) : null,
    };
  }

  /** Reads or changes rows behind the program's back, running or not. Placeholders are written as `?` on either engine. */
  async function query(statement: string, ...values: Value[]): Promise<Found[]> {
    const readOnly = /^\s*(SELECT|WITH)\b/i.test(statement);
    const place = choosePlace(
      { databaseUrl: env['MAILKEEL_DATABASE_URL'] ?? null },
      join(dataDir, 'mail.db'),
    );
    if (readOnly && place.kind === 'server') {
      onServer ??= openEngine(place, { busyTimeoutMs: 5_000, readOnly });
      return (await (await onServer).rows(statement, values)) as Found[];
    }
    const engine = await openEngine(place, { busyTimeoutMs: 5_000, readOnly });
    try {
      const found = readOnly
        ? engine.rows(statement, values)
        : engine.transaction(async (tx) => tx.run(statement, values));
      return (await found) as Found[];
    } finally {
      await engine.close();
    }
  }

  /** It has ended, or, in the test process, would have ended. */
  function hasEnded(): boolean {
    return beside === null ? current().child.exitCode !== null : beside.isTaken();
  }

  /** Ends it by a signal and waits for its end. */
  async function end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL' = 'SIGTERM'): Promise<Finished> {
    if (beside !== null) {
      if (signal === 'SIGKILL')
        throw new Error('This program runs in the process of the test: it cannot be killed.');
      await beside.end();
      return { code: 0, ...beside.written };
    }
    const { child, finished } = current();
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return withDeadline(finished, child);
  }

  async function close(): Promise<void> {
    if (running !== null || beside !== null) await end('SIGTERM');
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    await (await onServer)?.close();
    await database?.drop();
  }

  /** The mail port that the running program reports. */
  function mailPort(what: 'Inbound' | 'Relay' | 'Relay, TLS'): number {
    const found = new RegExp(`^ *${what} +\\S+:(\\d+)`, 'm').exec(output());
    if (!found) throw new Error(`the program names no port for ${what}: ${output()}`);
    return Number(found[1]);
  }

  return {
    url,
    port,
    dataDir,
    env,
    keys,
    start,
    startHere,
    api,
    query,
    hasEnded,
    end,
    close,
    output,
    mailPort,
    process: () => current().child,
  };
}

/** Runs the server until it ends, for starts that must fail. */
export async function serverEnds(
  env: Record<string, string>,
  args: readonly string[] = [],
): Promise<Finished> {
  const { child, finished } = run(serverIn(ROOT), args, env);
  return withDeadline(finished, child);
}

async function withDeadline(finished: Promise<Finished>, child: ChildProcess): Promise<Finished> {
  const timer = setTimeout(() => child.kill('SIGKILL'), ENDED_MS);
  try {
    return await finished;
  } finally {
    clearTimeout(timer);
  }
}
