// Measures how the cost of a server grows with its stored messages and sub-tenants: startup, acceptance, lists, backup and
// retention.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Database } from '../../src/database/engine/sqlite-driver.js';
import { operationsOf, type ApiDocument } from '../support/api-operations.js';
import { fillFolder, type LargeFolder } from '../support/large-folder.js';
import { questionsOf } from '../support/list-filters.js';
import { tuned } from '../support/tuning.js';
import { ROOT, type Appliance } from './appliance.js';
import { watch } from './audience.js';
import { say, type Figures } from './print.js';
import { cpuSeconds, memoryOf } from './proc.js';
import { arrived, withAppliance, type World } from './world.js';

const SMALL = 100_000;
const MESSAGES_PER_SUB_TENANT = 500;
/** Shorter than every default retention period, so that nothing is deleted before retention is measured. */
const DAYS = 28;
const WARM_UP = 1_000;
const SLOW_LIST_MS = 200;
const RETENTION_MS = 30_000;
const POST_EVERY_MS = 20;
const EVERY_SECOND = '* * * * * *';

/** 100,000 messages, and ten times the last of `--depths`. */
export const growthSizes = ({ depths }: World): number[] => [SMALL, (depths.at(-1) ?? SMALL) * 10];

export async function growth(world: World): Promise<Figures> {
  const figures: Figures = {};
  for (const messages of growthSizes(world)) {
    let folder: LargeFolder | undefined;
    const fill = (file: string): void => {
      const begun = performance.now();
      folder = fillFolder(file, messages, { subTenants: messages / MESSAGES_PER_SUB_TENANT, days: DAYS });
      say(
        `  ${messages.toLocaleString('en')} messages written in ${((performance.now() - begun) / 1_000).toFixed(0)} s`,
      );
    };
    const env = tuned({ retentionJob: EVERY_SECOND });
    const measured = await withAppliance(
      world,
      env,
      async (appliance) => {
        if (folder === undefined) throw new Error('the folder was not filled');
        return measure(world, appliance, folder);
      },
      fill,
    );
    for (const [label, value] of Object.entries(measured)) {
      figures[`${label}, ${messages.toLocaleString('en')}`] = value;
    }
  }
  return figures;
}

async function measure(world: World, appliance: Appliance, folder: LargeFolder): Promise<Figures> {
  return {
    'bytes a stored message': statSync(appliance.databaseFile).size / folder.messages,
    'start, ms': appliance.startedInMs,
    'resident MB after the start': memoryOf(appliance.pid).residentMb,
    ...(await delivery(world, appliance)),
    ...(await lists(appliance, folder)),
    ...(await backup(appliance, folder)),
    ...(await retention(appliance)),
  };
}

async function delivery(world: World, appliance: Appliance): Promise<Figures> {
  const job = { port: appliance.port, key: appliance.key, connections: world.connections };
  await world.post({ ...job, first: 0, count: WARM_UP });
  await arrived(world, WARM_UP);
  await world.sink.ask('reset');
  const cpuBefore = cpuSeconds(appliance.pid);
  const { startedAt, p50Ms, p99Ms } = await world.post({ ...job, first: WARM_UP, count: world.messages });
  const { lastAt } = await arrived(world, world.messages);
  return {
    'delivered per second': (world.messages / (lastAt - startedAt)) * 1_000,
    'CPU-s per 1,000': ((cpuSeconds(appliance.pid) - cpuBefore) / world.messages) * 1_000,
    'accept p50 ms': p50Ms,
    'accept p99 ms': p99Ms,
  };
}

/** Requests every list with every filter, each after one unmeasured request. A read that takes too long is refused. */
async function lists(appliance: Appliance, folder: LargeFolder): Promise<Figures> {
  const document = (await appliance.api('GET', '/openapi.json')) as unknown as ApiDocument;
  const times: number[] = [];
  let refused = 0;
  for (const { path, name } of questionsOf(operationsOf(document), folder)) {
    await read(appliance, path);
    const begun = performance.now();
    const status = await read(appliance, path);
    const ms = performance.now() - begun;
    if (ms > SLOW_LIST_MS) say(`  ${Math.round(ms)} ms: ${name} (${status})`);
    if (status === 503) refused += 1;
    times.push(ms);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? NaN;
  return {
    'lists and filters': times.length,
    'refused, because they took too long': refused,
    'list p50 ms': at(0.5),
    'list p99 ms': at(0.99),
    'list most ms': at(1),
  };
}

/** Some filters cannot be combined, and are refused with 422. */
async function read({ port, key }: Appliance, path: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  await answer.arrayBuffer();
  if (answer.status === 500) throw new Error(`GET ${path} answered ${answer.status}`);
  return answer.status;
}

async function backup(appliance: Appliance, { messages }: LargeFolder): Promise<Figures> {
  const folder = mkdtempSync(join(appliance.dataDir, '..', 'mailkeel-bench-backup-'));
  const others = watch('', POST_EVERY_MS, () => appliance.api('GET', '/v1/messages?limit=1'));
  try {
    const begun = performance.now();
    await promisify(execFile)(
      process.execPath,
      [`${ROOT}dist/admin/main.js`, 'admin', 'backup', join(folder, 'copy')],
      { env: appliance.env },
    );
    const seconds = (performance.now() - begun) / 1_000;
    const { ', p99 ms': wait = NaN } = await others.end();
    return {
      'backup, seconds a million messages': (seconds / messages) * 1e6,
      'others beside the backup, p99 ms': wait,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes half of the messages expire, and measures 30 seconds of deletion. */
async function retention(appliance: Appliance): Promise<Figures> {
  const before = stored(appliance);
  const others = watch('', POST_EVERY_MS, () => appliance.api('GET', '/v1/messages?limit=1'));
  const { data } = await appliance.api('GET', '/v1/workspaces');
  const { id } = (data as { id: string }[])[0] ?? { id: '' };
  await appliance.api('PATCH', `/v1/workspaces/${id}`, {
    retention_days: DAYS / 2,
    retention_mode: 'delete',
  });
  await pause(RETENTION_MS);
  const { ', p99 ms': wait = NaN } = await others.end();
  return {
    'deleted by retention per second': (before - stored(appliance)) / (RETENTION_MS / 1_000),
    'others beside retention, p99 ms': wait,
  };
}

function stored({ databaseFile }: Appliance): number {
  const database = new Database(databaseFile, { readonly: true });
  try {
    return database.prepare('SELECT COUNT(*) FROM messages').pluck().get() as number;
  } finally {
    database.close();
  }
}
