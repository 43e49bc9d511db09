// Measures the effect of ten throttled sub-tenants with long queues on others: their mail from end to end, first without and then
// with the throttled ones, in one program.
import { performance } from 'node:perf_hooks';
import type { Appliance } from './appliance.js';
import { addTenant, type Tenant } from './fairness.js';
import type { LoadResult } from './load.js';
import type { Figures } from './print.js';
import { startMeter, withAppliance, type World } from './world.js';

const GOOD = 10;
const BAD = 10;
const WARM_UP = 1_000;
const ROUNDS = 2;
const PER_HOUR = 60;
/** Numbers of the bad ones' messages begin here. */
const BAD_FIRST = 2_000_000;
const FILL_CONNECTIONS = 50;
const POLL_MS = 200;
const WAIT_MS = 240_000;

interface Measured {
  perSecond: number;
  cpuPer1000: number;
}

export async function tenants(world: World): Promise<Figures> {
  return withAppliance(world, {}, async (appliance) => {
    const good = await addTenants(world, appliance, 'good', GOOD);
    const bad = await addTenants(world, appliance, 'bad', BAD);
    const count = Math.floor(world.messages / ROUNDS / GOOD) * GOOD;
    await measure(world, appliance, good, { first: 0, count: WARM_UP });
    const alone: Measured[] = [];
    const beside: Measured[] = [];
    let first = WARM_UP;
    const next = (): { first: number; count: number } => ({ first: (first += count) - count, count });
    for (let round = 0; round < ROUNDS; round += 1) alone.push(await measure(world, appliance, good, next()));
    const queued = await throttleAndFill(world, appliance, bad);
    for (let round = 0; round < ROUNDS; round += 1)
      beside.push(await measure(world, appliance, good, next()));
    const [without, withThem] = [mean(alone), mean(beside)];
    return {
      'good ones delivered per second, alone': without.perSecond,
      [`the same beside ten throttled ones with ${queued.toLocaleString('en')} queued`]: withThem.perSecond,
      ratio: withThem.perSecond / without.perSecond,
      'CPU-s per 1,000, alone': without.cpuPer1000,
      'CPU-s per 1,000, beside them': withThem.cpuPer1000,
    };
  });
}

async function addTenants(
  world: World,
  appliance: Appliance,
  name: string,
  count: number,
): Promise<Tenant[]> {
  const made: Tenant[] = [];
  for (let i = 0; i < count; i += 1) made.push(await addTenant(world, appliance, `${name}${i}.bench.test`));
  return made;
}

/** Gives each bad sub-tenant its part of `--messages`, over all domains. They wait in the queue. */
async function throttleAndFill(world: World, appliance: Appliance, bad: readonly Tenant[]): Promise<number> {
  for (const { sub_tenant_id: id } of bad) {
    await appliance.api('PATCH', `/v1/sub-tenants/${id}`, { throttle_per_hour: PER_HOUR });
  }
  const each = Math.floor(world.messages / bad.length);
  for (const [i, tenant] of bad.entries()) {
    await post(world, appliance, [tenant], {
      ...{ first: BAD_FIRST + i * each, count: each, connections: FILL_CONNECTIONS },
    });
  }
  return each * bad.length;
}

/** From the first POST to the last message. */
async function measure(
  world: World,
  appliance: Appliance,
  good: readonly Tenant[],
  { first, count }: { first: number; count: number },
): Promise<Measured> {
  await world.sink.ask('watch', { first, count });
  const meter = startMeter(world, appliance);
  const results = await post(world, appliance, good, { first, count, connections: world.connections });
  const lastAt = Math.max(...(await allArrivals(world)));
  const startedAt = Math.min(...results.map((result) => result.startedAt));
  return {
    perSecond: (count / (lastAt - startedAt)) * 1_000,
    cpuPer1000: (meter.program() / count) * 1_000,
  };
}

function post(
  world: World,
  { port, key }: Appliance,
  senders: readonly Tenant[],
  job: { first: number; count: number; connections: number },
): Promise<LoadResult[]> {
  const each = job.count / senders.length;
  const connections = Math.max(1, Math.floor(job.connections / senders.length));
  return Promise.all(
    senders.map((tenant, i) =>
      world.post({ port, key, connections, first: job.first + i * each, count: each, extra: { ...tenant } }),
    ),
  );
}

async function allArrivals(world: World): Promise<number[]> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const at = (await world.sink.ask('arrivals')) as number[];
    const missing = at.filter((time) => time === 0).length;
    if (missing === 0) return at;
    if (performance.now() > deadline) throw new Error(`${missing} messages of good ones did not come`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function mean(rounds: readonly Measured[]): Measured {
  const of = (pick: (round: Measured) => number): number =>
    rounds.reduce((sum, round) => sum + pick(round), 0) / rounds.length;
  return { perSecond: of((round) => round.perSecond), cpuPer1000: of((round) => round.cpuPer1000) };
}
