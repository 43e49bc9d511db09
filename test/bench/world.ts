// Provides the parts that every scenario shares: DNS with the 50 destinations, the sink, the load generator, and a new program
// for each run.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { verifyDkim } from '../support/dkim-messages.js';
import { startDnsServer, type TestDnsServer, type TestRecords } from '../support/dns-server.js';
import { startAppliance, type Appliance } from './appliance.js';
import { startHelper, type Helper } from './child.js';
import type { LoadJob, LoadResult } from './load.js';
import { DOMAINS, domainName, mxAddress, mxName } from './mail.js';
import { cpuSeconds, mainThreadCpuSeconds } from './proc.js';
import type { SinkStats } from './sink.js';

const WAIT_MS = 240_000;

export interface WorldOptions {
  dir: string;
  messages: number;
  connections: number;
  depths: number[];
  runs: number;
  /** CPU limit of the program, in cores; null if there is none. */
  cores: number | null;
  profileTo: string | null;
  /** PostgreSQL server on which each program gets its own database; null for SQLite. */
  postgresUrl: string | null;
}

export interface World extends WorldOptions {
  dns: TestDnsServer;
  sink: Helper;
  load: Helper;
  sinkPort: number;
  start(env?: Record<string, string>, fill?: (databaseFile: string) => void): Promise<Appliance>;
  post(job: LoadJob): Promise<LoadResult>;
  close(): Promise<void>;
}

export async function openWorld(options: WorldOptions): Promise<World> {
  const dns = await startDnsServer({ zones: zones(), ttlSeconds: 3_600 });
  const sink = startHelper('./sink.js');
  const load = startHelper('./load.js');
  const sinkPort = (await sink.ask('port')) as number;
  return {
    ...options,
    dns,
    sink,
    load,
    sinkPort,
    start: async (env = {}, fill) => {
      await sink.ask('reset');
      const { dir: parent, profileTo, cores, postgresUrl } = options;
      const database = postgresUrl === null ? null : await makeDatabase(postgresUrl);
      const settings = database === null ? env : { ...env, MAILKEEL_DATABASE_URL: database };
      return startAppliance({ parent, dns, sinkPort, env: settings, fill, profileTo, cores });
    },
    post: async (job) => (await load.ask('post', job)) as LoadResult,
    close: async () => {
      sink.stop();
      load.stop();
      await dns.close();
    },
  };
}

/** Its URL. It stays on the server, which is thrown away after the measurement. */
async function makeDatabase(postgresUrl: string): Promise<string> {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  return url.href;
}

function zones(): Record<string, TestRecords> {
  const all: Record<string, TestRecords> = {};
  for (let index = 0; index < DOMAINS; index += 1) {
    all[domainName(index)] = { MX: [{ preference: 10, exchange: mxName(index) }] };
    all[mxName(index)] = { A: [mxAddress(index)] };
  }
  return all;
}

/** Runs `use` with a fresh program, ends it, and shows its log when something went wrong. */
export async function withAppliance<T>(
  world: World,
  env: Record<string, string>,
  use: (appliance: Appliance) => Promise<T>,
  fill?: (databaseFile: string) => void,
): Promise<T> {
  const appliance = await world.start(env, fill);
  try {
    const value = await use(appliance);
    // The program writes a profile when it ends, which it cannot while its peer is frozen.
    if (world.profileTo !== null) world.sink.thaw();
    await appliance.stop(world.profileTo === null ? 'at once' : 'gently');
    return value;
  } catch (error) {
    process.stderr.write(`${appliance.logTail()}\n`);
    await appliance.stop('at once');
    throw error;
  } finally {
    world.sink.thaw();
  }
}

/** Waits until the sink has this many different messages. */
export async function arrived(world: World, distinct: number): Promise<SinkStats> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      void world.sink.ask('stats').then((stats) => {
        reject(new Error(`waited in vain for ${distinct} messages: ${JSON.stringify(stats)}`));
      }, reject);
    }, WAIT_MS);
  });
  try {
    return (await Promise.race([world.sink.ask('wait', distinct), late])) as SinkStats;
  } finally {
    clearTimeout(timer);
  }
}

/** Throws unless every message arrived once, complete, with the given number of signatures, and the sampled ones verify. */
export async function assertReceived(
  world: World,
  appliance: Appliance,
  expected: { messages: number; signatures: number },
): Promise<void> {
  const stats = (await world.sink.ask('stats')) as SinkStats;
  const isRight =
    stats.distinct === expected.messages &&
    stats.doubles === 0 &&
    stats.leastSignatures === expected.signatures &&
    stats.mostSignatures === expected.signatures;
  if (!isRight)
    throw new Error(`expected ${JSON.stringify(expected)}, the sink has ${JSON.stringify(stats)}`);
  for (const sample of (await world.sink.ask('samples')) as string[]) {
    const verdicts = verifyDkim(Buffer.from(sample, 'latin1'), appliance.dkimKeys);
    if (!verdicts.every(Boolean)) throw new Error(`a signature does not verify:\n${sample.slice(0, 2_000)}`);
  }
}

export interface Meter {
  /** CPU-seconds since the meter was started. */
  program(): number;
  mainThread(): number;
  load(): number;
  sink(): number;
}

export function startMeter(world: World, appliance: Pick<Appliance, 'pid'>): Meter {
  const since = (pid: number, read = cpuSeconds) => {
    const before = read(pid);
    return () => read(pid) - before;
  };
  return {
    program: since(appliance.pid),
    mainThread: since(appliance.pid, mainThreadCpuSeconds),
    load: since(world.load.pid),
    sink: since(world.sink.pid),
  };
}
