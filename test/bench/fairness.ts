// Measures how long one tenant's transactional mail waits behind another tenant's campaign, half of which goes to one large
// domain.
import { Database } from '../../src/database/engine/sqlite-driver.js';
import type { Appliance } from './appliance.js';
import type { LoadJob, PaceJob } from './load.js';
import { domainName, NUMBER_SLOT, recipient } from './mail.js';
import { say, type Figures } from './print.js';
import type { SinkStats } from './sink.js';
import { arrived, withAppliance, type World } from './world.js';

const COUNT = 200;
const EVERY_MS = 20;
const CONNECTIONS = 4;
const FILL_CONNECTIONS = 50;
/** Share of the campaign that must be sent before the others start, so that delivery is at full speed. */
const BEGUN = 0.05;
const WAIT_MS = 60_000;
const POLL_MS = 50;
const LIMIT_MS = 1_000;
/** Maximum ratio to the latency of the same mail on an idle server. */
const MOST_TIMES = 10;
const BIG_DOMAIN = domainName(0);

export async function fairness(world: World): Promise<Figures> {
  return withAppliance(world, {}, async (appliance) => {
    await appliance.api('PATCH', '/v1/organization', { postal_address: 'Bench Ltd, 1 Test Street' });
    const bulk = await addTenant(world, appliance, 'news.bench.test');
    const shop = await addTenant(world, appliance, 'shop.bench.test');
    addContacts(appliance, world.messages);
    const lonely = await pace(world, appliance, shop, world.messages);
    world.sink.freeze();
    await fill(world, appliance, bulk);
    return measure(world, appliance, shop, lonely);
  });
}

export interface Tenant {
  sub_tenant_id: string;
  from: string;
}

export async function addTenant(world: World, appliance: Appliance, domain: string): Promise<Tenant> {
  const made = await appliance.api('POST', '/v1/sub-tenants', { name: domain, sending_domain: domain });
  for (const record of made['dns_records'] as {
    type: string;
    host: string;
    value: string;
    required: boolean;
  }[]) {
    if (record.required && record.type === 'TXT') world.dns.set(record.host, 'TXT', [record.value]);
  }
  const id = String(made['id']);
  const { status } = await appliance.api('POST', `/v1/sub-tenants/${id}/verify`, {});
  if (status !== 'verified') throw new Error(`${domain} is ${String(status)}`);
  return { sub_tenant_id: id, from: `Bench <mail@${domain}>` };
}

/** Marketing mail is only sent to contacts, and adding them one by one through the API would take longer than the measurement. */
function addContacts({ databaseFile }: Appliance, count: number): void {
  const database = new Database(databaseFile, { timeout: WAIT_MS });
  try {
    const insert = database.prepare(
      `INSERT INTO contacts (id, environment_id, email, email_key, tags, metadata, status, created_at, updated_at)
        SELECT @id, e.id, @email, @email, '[]', '{}', 'active', 0, 0
        FROM environments e JOIN workspaces w ON w.id = e.workspace_id WHERE w.number = 1 AND e.mode = 'live'`,
    );
    database.transaction(() => {
      for (let index = 0; index < count; index += 1) {
        insert.run({ id: `cnt_${String(index).padStart(26, '0')}`, email: bulkRecipient(index, count) });
      }
    })();
  } finally {
    database.close();
  }
}

function bulkRecipient(index: number, count: number): string {
  const spread = recipient(index);
  return index < Math.floor(count / 2) ? spread.replace(/@.*/, `@${BIG_DOMAIN}`) : spread;
}

/** Half of the campaign to the big domain, half over all of them. */
async function fill(world: World, appliance: Appliance, tenant: Tenant): Promise<void> {
  const half = Math.floor(world.messages / 2);
  const campaign = { ...tenant, type: 'marketing' };
  const job = (first: number, count: number, to: Record<string, string>): LoadJob => ({
    ...{ port: appliance.port, key: appliance.key, connections: FILL_CONNECTIONS / 2 },
    ...{ first, count, extra: { ...campaign, ...to } },
  });
  await Promise.all([
    world.post(job(0, half, { to: `r${NUMBER_SLOT}@${BIG_DOMAIN}` })),
    world.post(job(half, world.messages - half, {})),
  ]);
}

interface Waits {
  /** Milliseconds from the acceptance to the first attempt, by the trail. */
  begun: number[];
  /** Milliseconds from the 202 to the arrival, with those to the big domain first. */
  arrived: number[];
}

/** Sends the tenant's transactional messages with numbers from `first` on at a steady pace, half of them to the big domain. */
async function pace(world: World, appliance: Appliance, tenant: Tenant, first: number): Promise<Waits> {
  await world.sink.ask('watch', { first, count: COUNT });
  const half = COUNT / 2;
  const job = (from: number, to: Record<string, string>): PaceJob => ({
    ...{ port: appliance.port, key: appliance.key, connections: CONNECTIONS },
    ...{ first: from, count: half, everyMs: 2 * EVERY_MS, extra: { ...tenant, ...to } },
  });
  const answered = (await Promise.all([
    world.load.ask('pace', job(first, { to: `r${NUMBER_SLOT}@${BIG_DOMAIN}` })),
    world.load.ask('pace', job(first + half, {})),
  ])) as [number[], number[]];
  const arrivals = await allArrivals(world);
  const begun = await firstAttempts(appliance, tenant, first === world.messages ? COUNT : 2 * COUNT);
  // The sink may have the message before the generator has read its 202.
  const waits = answered.flat().map((at, place) => Math.max(0, (arrivals[place] ?? NaN) - at));
  return { begun: begun.slice(-COUNT), arrived: waits };
}

async function measure(world: World, appliance: Appliance, tenant: Tenant, lonely: Waits): Promise<Figures> {
  const thawedAt = performance.timeOrigin + performance.now();
  world.sink.thaw();
  await arrived(world, COUNT + Math.ceil(world.messages * BEGUN));
  const before = (await world.sink.ask('stats')) as SinkStats;
  const busy = await pace(world, appliance, tenant, world.messages + COUNT);
  const after = (await world.sink.ask('stats')) as SinkStats;
  const left = world.messages + 2 * COUNT - after.distinct;
  if (left <= 0) throw new Error('the campaign was over before the end: ask for more --messages');
  if (after.doubles > 0) throw new Error(`${after.doubles} messages came twice`);
  const { lastAt } = await arrived(world, world.messages + 2 * COUNT);
  const ratio = percentile(busy.begun, 0.95) / Math.max(1, percentile(lonely.begun, 0.95));
  if (percentile(busy.begun, 0.95) > LIMIT_MS || ratio > MOST_TIMES) {
    say(`  NOT MET: p95 to the first attempt within ${LIMIT_MS} ms and ${MOST_TIMES} times the lonely one`);
  }
  return {
    ...figuresOf('lonely: acceptance to first attempt', lonely.begun),
    ...figuresOf('lonely: 202 to arrival', lonely.arrived),
    ...figuresOf('acceptance to first attempt, by the trail', busy.begun),
    ...figuresOf('202 to arrival', busy.arrived),
    ...figuresOf('202 to arrival at the big domain', busy.arrived.slice(0, COUNT / 2)),
    'first attempt at p95, times the lonely one': ratio,
    'arrival at p95, times the lonely one':
      percentile(busy.arrived, 0.95) / Math.max(1, percentile(lonely.arrived, 0.95)),
    'campaign delivered per second meanwhile':
      ((after.distinct - before.distinct) / (after.lastAt - before.lastAt)) * 1_000,
    'campaign left when the last one came': left,
    'campaign delivered per second, to its end': (world.messages / (lastAt - thawedAt)) * 1_000,
  };
}

async function allArrivals(world: World): Promise<number[]> {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const at = (await world.sink.ask('arrivals')) as number[];
    const missing = at.filter((time) => time === 0).length;
    if (missing === 0) return at;
    if (Date.now() > deadline) throw new Error(`${missing} transactional messages did not come`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/**
 * Returns, for each of `count` messages of the tenant, the time from its acceptance until the trail has `sending`, when its copy
 * was signed.
 */
async function firstAttempts({ databaseFile }: Appliance, tenant: Tenant, count: number): Promise<number[]> {
  const database = new Database(databaseFile, { readonly: true });
  const find = database.prepare<[string], { wait: number }>(
    `SELECT e.occurred_at - m.created_at AS wait FROM messages m JOIN events e ON e.message_id = m.id
      WHERE m.sub_tenant_id = ? AND e.event = 'sending' ORDER BY m.id`,
  );
  try {
    const deadline = Date.now() + WAIT_MS;
    for (;;) {
      const rows = find.all(tenant.sub_tenant_id);
      if (rows.length === count) return rows.map(({ wait }) => wait);
      if (Date.now() > deadline)
        throw new Error(`only ${rows.length} messages have \`sending\` in their trail`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  } finally {
    database.close();
  }
}

function figuresOf(label: string, waits: readonly number[]): Figures {
  return {
    [`${label}, p50 ms`]: percentile(waits, 0.5),
    [`${label}, p95 ms`]: percentile(waits, 0.95),
    [`${label}, p99 ms`]: percentile(waits, 0.99),
    [`${label}, most ms`]: percentile(waits, 1),
  };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
