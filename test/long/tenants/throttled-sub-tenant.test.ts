// Tests throttle_per_hour of a sub-tenant: its mail waits in order and shows the reason, and others' mail is sent. Setting null
// releases it immediately.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { insightInto } from '../../support/insight.js';
import { addTenant, events, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { startScriptedPeer } from '../../support/scripted-peer.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait.js';
import { tuned } from '../../support/tuning.js';

let sink: SmtpSink;
let rig: MailRig;
beforeEach(async () => {
  sink = await startSmtpSink({ keep: true });
  rig = await startMailRig({ process: 'shared', mxPort: sink.port });
});
afterEach(async () => {
  await rig.close();
  await sink.close();
});

const throttle = (perHour: number | null) =>
  rig.appliance.api('PATCH', `/v1/sub-tenants/${rig.tenantId}`, { body: { throttle_per_hour: perHour } });
const mailboxes = () => sink.messages.map(({ rcptTo }) => rcptTo[0]?.split('@')[0]);

it('one message is sent, the rest waits in order across a restart, and `null` ends it', async () => {
  expect((await throttle(60)).json).toMatchObject({ throttle_per_hour: 60 });
  const names = Array.from({ length: 12 }, (_, number) => `r${number}`);
  const ids: string[] = [];
  for (const name of names) ids.push(await rig.send(name));
  await rig.reached(ids[0] ?? '', 'delivered');
  const insight = insightInto(rig.appliance);
  const second = ids[1] ?? '';
  expect(await insight.explained(second, 'tenant_throttled')).toMatchObject({
    next: { at: expect.any(String) as string },
  });
  await waitFor(
    'the destination to be told as throttled',
    () => insight.destination('receiver.example'),
    (found) => found?.depth === 11 && found.state === 'limited' && found.reason?.code === 'tenant_throttled',
  );

  const other = await addTenant(rig.appliance, rig.dns, 'other.example');
  const free = await rig.send('free', { sub_tenant_id: other, from: { email: 'hello@other.example' } });
  await rig.reached(free, 'delivered');

  // Stopped gracefully, so that the counts are written.
  await rig.appliance.end();
  await rig.appliance.start();
  await insight.explained(second, 'tenant_throttled');
  expect(events(await rig.trail(second))).toEqual(['queued']);
  expect(mailboxes()).toEqual(['r0', 'free']);

  expect((await throttle(null)).json).toMatchObject({ throttle_per_hour: null });
  for (const id of ids) await rig.reached(id, 'delivered');
  expect(
    mailboxes()
      .filter((name) => name !== 'free')
      .sort(),
  ).toEqual([...names].sort());
});

it('an hour of mail is spread evenly', async () => {
  await throttle(7_200);
  const ids = await Promise.all(Array.from({ length: 6 }, (_, number) => rig.send(`r${number}`)));
  const begun = Date.now();
  for (const id of ids) await rig.reached(id, 'delivered');
  // One every 500 ms, the first immediately.
  expect(Date.now() - begun).toBeGreaterThan(2_000);
  expect(mailboxes()).toHaveLength(6);
});

it("unattempted messages don't count toward the hour", async () => {
  const slow = await startScriptedPeer(
    '> 220 slow\n< EHLO\n> 250 slow\n< MAIL\n> 250 ok\n< RCPT\nwait 1500\n> 250 ok\n< DATA\n> 354 go\nbody\n> 250 taken\n' +
      '< MAIL\n> 250 ok\n< RCPT\n> 250 ok\n< DATA\n> 354 go\nbody\n> 250 taken',
  );
  try {
    const sites = { 'mx.receiver.example': { connections: 1, connections_max: 1 } };
    await rig.appliance.end();
    await rig.appliance.start({
      MAILKEEL_MX_PORT: String(slow.port),
      MAILKEEL_SHAPING: JSON.stringify({ sites }),
      ...tuned({ readyWaitMs: 200 }),
    });
    const other = await addTenant(rig.appliance, rig.dns, 'other.example');
    const hanging = await rig.send('hanging', {
      sub_tenant_id: other,
      from: { email: 'hello@other.example' },
    });
    await waitFor(
      'the only session to be taken',
      () => slow.connections.length,
      (count) => count === 1,
    );
    await throttle(1);
    const id = await rig.send('anna');
    await rig.send('bert');
    await rig.reached(hanging, 'delivered');
    // It was claimed, found no session, and returned to the queue.
    await rig.reached(id, 'delivered', 5_000);
  } finally {
    await slow.close();
  }
});

it("a sub-tenant's key cannot change it", async () => {
  const made = await rig.appliance.api('POST', '/v1/api-keys', {
    body: { name: 'pinned', permission: 'full', sub_tenant_id: rig.tenantId },
  });
  const key = (made.json as { secret: string }).secret;
  const answer = await rig.appliance.api('PATCH', `/v1/sub-tenants/${rig.tenantId}`, {
    key,
    body: { throttle_per_hour: null },
  });
  expect(answer.status).toBe(403);
  // Changes in test do not affect live.
  const ofTest = await rig.appliance.api('PATCH', `/v1/sub-tenants/${rig.tenantId}`, {
    key: rig.appliance.keys.test_key,
    body: { throttle_per_hour: null },
  });
  expect(ofTest.status).toBe(403);
  await throttle(1);
  const [first, second] = [await rig.send('anna'), await rig.send('bert')];
  await rig.reached(first, 'delivered');
  await insightInto(rig.appliance).explained(second, 'tenant_throttled');
});
