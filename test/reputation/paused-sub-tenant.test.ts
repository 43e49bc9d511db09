// Tests that the mail of a paused or suspended sub-tenant keeps its place in the queue, live and in the sandbox, and is sent in
// order.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startDnsServer, type TestDnsServer } from '../support/dns-server.js';
import { startOutboundRig, type OutboundRig } from '../support/outbound-rig.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { isFullSize } from '../support/run-size.js';
import { waitFor } from '../support/wait.js';
import { tuned } from '../support/tuning.js';
import type { Change } from '../../src/database/change.js';
import { upsert, update } from '../../src/database/rows.js';
import { subTenants, tenantReputations } from '../../src/tenants/tenants.tables.js';

let dns: TestDnsServer;
let sink: SmtpSink;
let rig: OutboundRig;
let bad: string;
let good: string;

beforeEach(async () => {
  dns = await startDnsServer({
    zones: {
      'there.test': { MX: [{ preference: 10, exchange: 'mx.there.test' }] },
      'mx.there.test': { A: ['127.0.0.1'] },
    },
  });
  sink = await startSmtpSink({ keep: true });
});

afterEach(async () => {
  await rig.close();
  await sink.close();
  await dns.close();
});

async function start(env: Record<string, string> = {}): Promise<void> {
  rig = await startOutboundRig({
    MAILKEEL_DNS_SERVERS: dns.address,
    MAILKEEL_MX_PORT: String(sink.port),
    MAILKEEL_DESTINATION_CONNECTIONS: '1',
    ...env,
  });
  bad = await rig.addSubTenant('bad.test');
  good = await rig.addSubTenant('good.test');
}

type Mode = 'live' | 'test';

async function sendFrom(tenant: string, mode: Mode, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let i = 0; i < count; i++) {
    const from = tenant === bad ? 'a@bad.test' : 'a@good.test';
    const to = `ann${i}@there.test`;
    ids.push(await rig.send({ to, from, subTenantId: tenant, mode, subject: `number ${i}` }));
  }
  return ids;
}

const statuses = (ids: readonly number[]) => Promise.all(ids.map((id) => rig.status(id)));
const allAre = (ids: readonly number[], status: string) => async () =>
  (await statuses(ids)).every((found) => found === status);

async function pause(mode: Mode, isPaused: boolean): Promise<void> {
  const { environmentId } = rig.environments[mode];
  const key = { environment_id: environmentId, sub_tenant_id: bad };
  const zero = { sent: 0, delivered: 0, bounced: 0, complained: 0 };
  const set = { paused_at: isPaused ? 1 : null };
  const row = { ...key, ...zero, state: 'ok' as const, changed_at: null, scored_at: null, ...EMPTY, ...set };
  const change: Change = upsert(tenantReputations, { row, key: ['environment_id', 'sub_tenant_id'], set });
  await rig.store.commit([change]);
}
const EMPTY = { pause_cause: null, resumed_hour: null, resumed_sums: null };

const suspend = (isSuspended: boolean) =>
  rig.store.commit([
    update(subTenants, { set: { status: isSuspended ? 'suspended' : 'verified' }, where: { id: bad } }),
  ]);

describe.each(['live', 'test'] as const)('in %s', (mode) => {
  it('mail from before the pause waits while that of others is sent, and is sent in order after the resumption', async () => {
    await start();
    const { environmentId } = rig.environments[mode];
    const { tenants } = rig.outbound;
    await rig.outbound.start();
    await pause(mode, true);
    tenants.stop(environmentId, bad, 'paused', true);
    const held = await sendFrom(bad, mode, 8);
    const free = await sendFrom(good, mode, 3);
    await waitFor('the others have gone', allAre(free, 'delivered'));
    expect(await statuses(held)).toEqual(held.map(() => 'queued'));
    // It was not even claimed.
    expect(await Promise.all(held.map((id) => rig.held(id)))).toEqual(held.map(() => null));
    expect(await Promise.all(held.map((id) => rig.trail(id)))).toEqual(held.map(() => ['queued']));
    await pause(mode, false);
    tenants.stop(environmentId, bad, 'paused', false);
    await waitFor('it has gone', allAre(held, 'delivered'));
    if (mode === 'test') return;
    const subjects = sink.messages
      .map(({ raw }) => raw.toString('latin1'))
      .filter((raw) => raw.includes('a@bad.test'))
      .map((raw) => /number (\d+)/.exec(raw)?.[1]);
    expect(subjects).toEqual(held.map((_id, i) => String(i)));
  });

  const isInTurn = isFullSize || mode === 'live';
  it.runIf(isInTurn)(
    'the last check holds mail of a pause that the gate does not know, and it is sent when rows and gate agree',
    async () => {
      await start();
      await pause(mode, true);
      const held = await sendFrom(bad, mode, 3);
      // As if the pause had been committed by a process that died before it notified anyone.
      rig.outbound.tenants.stop(rig.environments[mode].environmentId, bad, 'paused', false);
      await rig.outbound.start();
      await waitFor('all of them were looked at', async () => {
        const reasons = await Promise.all(held.map((id) => rig.held(id)));
        return reasons.every((reason) => reason === 'tenant: The sub-tenant is paused.');
      });
      expect(await statuses(held)).toEqual(held.map(() => 'queued'));
      await rig.outbound.tenants.align();
      await pause(mode, false);
      await rig.outbound.tenants.align();
      await waitFor('it has gone', allAre(held, 'delivered'));
    },
  );
});

it('a pause in test holds no live mail, and one in live no test mail', async () => {
  await start();
  await pause('test', true);
  await rig.outbound.tenants.align();
  await rig.outbound.start();
  const [live, test] = [await sendFrom(bad, 'live', 2), await sendFrom(bad, 'test', 2)];
  await waitFor('live mail has gone', allAre(live, 'delivered'));
  expect(await statuses(test)).toEqual(['queued', 'queued']);
  await pause('test', false);
  await pause('live', true);
  await rig.outbound.tenants.align();
  await waitFor('test mail has gone', allAre(test, 'delivered'));
  const later = await sendFrom(bad, 'live', 1);
  await waitFor('more test mail has gone', allAre(await sendFrom(bad, 'test', 1), 'delivered'));
  expect(await statuses(later)).toEqual(['queued']);
});

it('the live mail of a suspended sub-tenant is held, and its sandbox continues', async () => {
  await start();
  await suspend(true);
  await rig.outbound.tenants.align();
  await rig.outbound.start();
  const [live, test] = [await sendFrom(bad, 'live', 2), await sendFrom(bad, 'test', 2)];
  await waitFor('test mail has gone', allAre(test, 'delivered'));
  expect(await statuses(live)).toEqual(['queued', 'queued']);
  await suspend(false);
  rig.outbound.tenants.stop(rig.environments.live.environmentId, bad, 'suspended', false);
  await waitFor('live mail has gone', allAre(live, 'delivered'));
});

it('mail that is held beyond its lifetime is kept, unless its sender has set the expiry', async () => {
  await start({ MAILKEEL_QUEUE_LIFETIME: '300ms', ...tuned({ expiryGraceMs: 100, queueLeaseMs: 600 }) });
  await pause('live', true);
  await rig.outbound.tenants.align();
  await rig.outbound.start();
  const draft = { to: 'ann@there.test', from: 'a@bad.test', subTenantId: bad };
  const now = Date.now();
  // Not before its lifetime ends, even if its acceptance takes long; earlier would be an expiry set by its sender.
  const kept = await rig.send({ ...draft, expiresAt: now + 1_000 });
  const ended = await rig.send({ ...draft, expiresAt: now + 150 });
  await waitFor('the one is over', async () => (await rig.status(ended)) === 'bounced');
  await waitFor('the other has got more time', async () => {
    const entry = await rig.store.queueView.entry({ id: kept });
    return (entry?.expiresAt ?? 0) > now + 1_000_000;
  });
  expect(await rig.status(kept)).toBe('queued');
  await pause('live', false);
  await rig.outbound.tenants.align();
  await waitFor('it has gone', allAre([kept], 'delivered'));
});

describe('a reputation throttle in the sandbox', () => {
  it('sends one message at a time, regardless of earlier limits', async () => {
    await start();
    const { environmentId } = rig.environments.test;
    // Ten a second are 36,000 an hour.
    rig.outbound.tenants.limit(environmentId, bad, 'reputation', 36_000);
    await rig.outbound.start();
    const ids = await sendFrom(bad, 'test', 12);
    await waitFor('they have gone', allAre(ids, 'delivered'));
    const sent: number[] = [];
    for (const id of ids) {
      const trail = await rig.store.events.auditTrailOfMessage(id);
      sent.push(trail.find(({ event }) => event === 'sent')?.occurred_at ?? 0);
    }
    // Eleven times a tenth of a second, but for how late the first was written down.
    expect(Math.max(...sent) - Math.min(...sent)).toBeGreaterThan(900);
  });
});
