// Tests a complaint that arrives as a feedback report: the platform gets `tenant.throttled` by webhook, and the sub-tenant's mail
// to any domain is sent one at a time in order, even after a kill directly after one of them. The sandbox is separate.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startHttpReceiver, type HttpReceiver } from '../../support/http-receiver.js';
import { addTenant, receives, startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';
import { waitFor } from '../../support/wait.js';
import { feedbackReport, headerOf } from '../../support/returned-mail.js';
import { tuned } from '../../support/tuning.js';

const FBL = 'fbl@mta.platform.example';
/** One every five seconds, so that a program can be killed and restarted in between. */
const PER_HOUR = 720;
const EVERY_MS = 5_000;

let hook: HttpReceiver;
let rig: SinkRig;
/** Arrival time of the mail for each mailbox. */
const arrivals = new Map<string, number>();

beforeEach(async () => {
  arrivals.clear();
  hook = await startHttpReceiver();
  rig = await startMailRigWithSink({
    sink: { onMessage: ({ rcptTo }) => void arrivals.set(rcptTo[0]?.split('@')[0] ?? '', Date.now()) },
    env: {
      MAILKEEL_SWEEP_SCHEDULE: '* * * * * *',
      ...tuned({ rollupIntervalMs: 200 }),
      MAILKEEL_FEEDBACK_SOURCES: '127.0.0.0/8',
      MAILKEEL_REPUTATION_THROTTLE_PER_HOUR: String(PER_HOUR),
    },
  });
  const body = { url: hook.url, events: ['tenant.warned', 'tenant.throttled', 'tenant.recovered'] };
  for (const key of [rig.appliance.keys.live_key, rig.appliance.keys.test_key]) {
    expect((await rig.appliance.api('POST', '/v1/webhook-endpoints', { key, body })).status).toBe(201);
  }
});
afterEach(async () => {
  await rig.close();
  await hook.close();
});

const told = () => hook.requests.map(({ rawBody }) => JSON.parse(rawBody.toString()) as { event: string });
const stateOf = async (key: string) => {
  const { json } = await rig.appliance.api('GET', `/v1/sub-tenants/${rig.tenantId}/reputation`, { key });
  return json as { state: string; delivered: number };
};
const counts = (key: string, delivered: number) =>
  waitFor(
    'all of them to be counted',
    () => stateOf(key),
    (found) => found.delivered === delivered,
  );
const names = (): string[] => [...arrivals].sort(([, a], [, b]) => a - b).map(([name]) => name);

it('live mail is throttled with one event, in order across domains and a kill, without affecting others', async () => {
  const { live_key: live, test_key: test } = rig.appliance.keys;
  for (const domain of ['b.example', 'c.example', 'd.example']) receives(rig.dns, domain);
  const sent = await Promise.all(Array.from({ length: 20 }, (_, i) => rig.deliver(`ann${i}`)));
  await counts(live, 20);
  const raw = feedbackReport(FBL, { original: sent[0] ? headerOf(sent[0].mail) : '' });
  expect(await rig.comesBack(raw, FBL, 'fbl@provider.example')).toMatchObject({ outcome: 'complaint' });
  await hook.waitFor(1);
  expect(told()).toMatchObject([{ event: 'tenant.throttled', data: { id: rig.tenantId } }]);

  arrivals.clear();
  const order = ['m0@receiver.example', 'm1@b.example', 'm2@c.example', 'm3@d.example', 'm4@b.example'];
  const begun = Date.now();
  const ids: string[] = [];
  for (const to of order) ids.push(await rig.send(to));
  await rig.reached(ids[1] ?? '', 'delivered', 30_000);
  await rig.appliance.end('SIGKILL');
  await rig.appliance.startHere();
  expect(await stateOf(live)).toMatchObject({ state: 'throttled' });

  const other = await addTenant(rig.appliance, rig.dns, 'other.example');
  const from = { email: 'hello@other.example' };
  const free = await Promise.all(
    Array.from({ length: 10 }, (_, i) => rig.send(`free${i}`, { sub_tenant_id: other, from })),
  );
  for (const id of free) await rig.reached(id, 'delivered');
  await rig.reached(ids[4] ?? '', 'delivered', 30_000);

  const slow = names().filter((name) => name.startsWith('m'));
  expect(slow).toEqual(['m0', 'm1', 'm2', 'm3', 'm4']);
  for (const [i, name] of slow.entries()) {
    expect((arrivals.get(name) ?? 0) - begun, name).toBeGreaterThanOrEqual(i * EVERY_MS);
  }
  expect(told()).toHaveLength(1);
  expect(await stateOf(test)).toMatchObject({ state: 'ok', delivered: 0 });
}, 120_000);

it('sandbox mail is throttled by complained@, across a kill, without affecting live mail', async () => {
  const { live_key: live, test_key: key } = rig.appliance.keys;
  const play = async (mailbox: string): Promise<string> => {
    const body = rig.draft(`${mailbox}@example.com`);
    return ((await rig.appliance.api('POST', '/v1/messages', { key, body })).json as { id: string }).id;
  };
  await Promise.all(Array.from({ length: 20 }, () => play('delivered')));
  await play('complained');
  await hook.waitFor(1, 15_000);
  expect(told()).toMatchObject([{ event: 'tenant.throttled', data: { id: rig.tenantId } }]);

  await rig.appliance.end('SIGKILL');
  await rig.appliance.startHere();
  expect(await stateOf(key)).toMatchObject({ state: 'throttled' });
  await play('delivered');
  const second = await play('delivered');
  await waitFor(
    'the second to say why it waits',
    async () => (await rig.appliance.api('GET', `/v1/messages/${second}/explain`, { key })).json as object,
    (found) => (found as { code?: string }).code === 'tenant_throttled',
  );

  const ids = await Promise.all(Array.from({ length: 10 }, (_, i) => rig.send(`live${i}`)));
  for (const id of ids) await rig.reached(id, 'delivered');
  expect(await stateOf(live)).toMatchObject({ state: 'ok' });
  expect(told()).toHaveLength(1);
}, 120_000);
