// Tests that mail which could not even be attempted still expires, unless Mailkeel itself holds it.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../../src/lib/runtime/index.js';
import { startDnsServer, type TestDnsServer } from '../../support/dns-server.js';
import { freePort } from '../../support/free-port.js';
import { startOutboundRig, type OutboundRig } from '../../support/outbound-rig.js';
import { waitFor } from '../../support/wait.js';
import { tuned } from '../../support/tuning.js';

const LIFETIME_MS = 1_500;

let dns: TestDnsServer;
let rig: OutboundRig;

beforeEach(async () => {
  dns = await startDnsServer({
    zones: {
      'down.test': { MX: [{ preference: 10, exchange: 'mx.down.test' }] },
      'mx.down.test': { A: ['127.0.0.1'] },
    },
  });
  rig = await startOutboundRig({
    MAILKEEL_DNS_SERVERS: dns.address,
    MAILKEEL_MX_PORT: String(await freePort()),
    ...tuned({ breakerPausesMs: [3_600_000], expiryGraceMs: 200 }),
  });
  await rig.addSenderDomain('sender.test');
});

afterEach(async () => {
  await rig.close();
  await dns.close();
});

it('bounces mail behind an unreachable destination, attempted or not', async () => {
  await rig.outbound.start();
  const expiresAt = systemClock() + LIFETIME_MS;
  const teller = await rig.send({ to: 'ann@down.test', expiresAt });
  await waitFor('one message has told', async () => (await rig.entries(teller, 'deferred')).length === 1);
  const behind = await rig.send({ to: 'ben@down.test', expiresAt });
  await waitFor('both have bounced', async () => {
    return (await rig.status(teller)) === 'bounced' && (await rig.status(behind)) === 'bounced';
  });
  expect(await rig.attempts(behind)).toEqual([]);
  expect(await rig.trail(behind)).toEqual(['queued', 'bounced']);
  const [bounce] = await rig.entries(behind, 'bounced');
  expect(bounce).toMatchObject({ category: 'expired', type: 'soft' });
  expect(String(bounce?.['reply'])).toContain('could not be reached');
  const [told] = await rig.entries(teller, 'bounced');
  expect(String(told?.['reply'])).toContain('ECONNREFUSED');
});

it("keeps mail that a person paused, but not beyond the sender's expiry", async () => {
  const { environmentId } = rig.environments.live;
  rig.outbound.traffic.pause({
    environment_id: environmentId,
    sub_tenant_key: '',
    domain: 'down.test',
    reason: 'we are moving',
    created_at: systemClock(),
  });
  await rig.outbound.start();
  const { queueLifetimeMs } = rig.config;
  // As old as its lifetime; its sender set no expiry.
  const createdAt = systemClock() - queueLifetimeMs - 1_000;
  const patient = await rig.send({ to: 'ann@down.test', createdAt, expiresAt: createdAt + queueLifetimeMs });
  const urgent = await rig.send({ to: 'ben@down.test', expiresAt: systemClock() + 300 });
  await waitFor('the urgent one has bounced', async () => (await rig.status(urgent)) === 'bounced');
  expect(await rig.status(patient)).toBe('queued');
  expect(await rig.trail(patient)).toEqual(['queued']);
});
