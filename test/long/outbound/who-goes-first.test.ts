// Tests the order of mail to one slow destination: transactional before bulk, high before normal before low, and a sub-tenant
// with thousands of messages does not delay another.
import { afterEach, expect, it } from 'vitest';
import { insightInto } from '../../support/insight.js';
import { addTenant, events, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { sized } from '../../support/run-size.js';
import { startScriptedPeer, type ScriptedPeer } from '../../support/scripted-peer.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait.js';
import { tuned } from '../../support/tuning.js';

const MANY = sized({ small: 500, full: 5_000 });
const HERE = '/v1/queue/destinations/receiver.example';
let sink: SmtpSink | null = null;
let peer: ScriptedPeer | null = null;
let rig: MailRig;

afterEach(async () => {
  await rig.close();
  await sink?.close();
  await peer?.close();
  sink = peer = null;
});

const ONE_AT_A_TIME = {
  MAILKEEL_SHAPING: JSON.stringify({
    sites: { 'mx.receiver.example': { connections: 1, connections_max: 1 } },
  }),
};

it('mail is sent by rank, whatever the order of arrival', async () => {
  sink = await startSmtpSink({ keep: true });
  rig = await startMailRig({ process: 'shared', mxPort: sink.port, env: ONE_AT_A_TIME });
  const { api } = rig.appliance;
  await api('PATCH', '/v1/organization', { body: { postal_address: '1 Main Street, Springfield' } });
  await api('POST', '/v1/contacts', {
    body: { email: 'bulk@receiver.example', sub_tenant_id: rig.tenantId },
  });
  // The route is known, so that its limits hold from the first message on.
  await rig.reached(await rig.send('first'), 'delivered');
  await api('POST', `${HERE}/pause`);
  const ids: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    ids.push(await rig.send('bulk', { type: 'marketing', subject: `bulk ${round}` }));
    for (const priority of ['low', 'normal', 'high']) {
      ids.push(await rig.send('anna', { priority, subject: `${priority} ${round}` }));
    }
  }
  await api('POST', `${HERE}/resume`);
  for (const id of ids) await rig.reached(id, 'delivered');
  const subjects = sink.messages
    .slice(1)
    .map(({ raw }) => /^Subject: (\w+)/m.exec(raw.toString('latin1'))?.[1]);
  const five = (word: string) => Array.from({ length: 5 }, () => word);
  expect(subjects).toEqual([...five('high'), ...five('normal'), ...five('low'), ...five('bulk')]);
});

it("one sub-tenant's messages do not delay another's to the same domain", async () => {
  sink = await startSmtpSink({ keep: true });
  rig = await startMailRig({ process: 'shared', mxPort: sink.port, env: ONE_AT_A_TIME });
  const { api } = rig.appliance;
  const quiet = await addTenant(rig.appliance, rig.dns, 'quiet.example');
  await api('POST', `${HERE}/pause`);
  for (let sent = 0; sent < MANY; sent += 500) {
    const messages = Array.from({ length: 500 }, (_, number) => rig.draft(`r${sent + number}`));
    const answer = await api('POST', '/v1/messages/batch', { body: { messages } });
    const { data } = answer.json as { data: { status?: string }[] };
    expect(data.filter(({ status }) => status === 'queued')).toHaveLength(500);
  }
  await api('POST', `${HERE}/resume`);
  await waitFor(
    'the many to flow',
    () => sink?.count() ?? 0,
    (count) => count >= 20,
  );
  const before = sink.count();
  const id = await rig.send('quiet', { sub_tenant_id: quiet, from: { email: 'hello@quiet.example' } });
  await rig.reached(id, 'delivered');
  const place = sink.messages.findIndex(({ rcptTo }) => rcptTo[0]?.startsWith('quiet@'));
  // Claimed messages go before it, and a few rounds of the many, but not all of them.
  expect(place).toBeLessThan(before + 300);
}, 60_000);

it('messages without a session return in order, use up nothing, and leave room for others', async () => {
  // The only permitted connection hangs in its first message.
  peer = await startScriptedPeer([
    '> 220 slow\n< EHLO\n> 250 slow\n< MAIL\n> 250 ok\n< RCPT\nwait 2500\n> 250 ok\n< DATA\n> 354 go\nbody\n> 250 taken\n' +
      Array.from(
        { length: 9 },
        () => '< MAIL\n> 250 ok\n< RCPT\n> 250 ok\n< DATA\n> 354 go\nbody\n> 250 taken\n',
      ).join(''),
  ]);
  rig = await startMailRig({
    process: 'shared',
    mxPort: peer.port,
    env: { ...ONE_AT_A_TIME, ...tuned({ readyWaitMs: 300 }) },
  });
  // All are queued before the first one is claimed, even on a slow machine.
  await rig.appliance.api('POST', `${HERE}/pause`);
  const ids: string[] = [];
  for (let number = 0; number < 8; number += 1)
    ids.push(await rig.send('anna', { subject: `number ${number}` }));
  await rig.appliance.api('POST', `${HERE}/resume`);
  for (const id of ids) await rig.reached(id, 'delivered');
  const order = [...peer.first().received.matchAll(/^Subject: number (\d)/gm)].map(([, number]) =>
    Number(number),
  );
  expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  for (const id of ids) {
    expect(events(await rig.trail(id))).toEqual(['queued', 'sending', 'sent', 'delivered']);
    const attempts = await insightInto(rig.appliance).attempts(id);
    expect(attempts.map(({ number, outcome }) => [number, outcome])).toEqual([[1, 'delivered']]);
  }
  expect(peer.first().surprises).toEqual([]);
});
