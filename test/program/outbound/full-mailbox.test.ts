// Tests a full mailbox: it is retried until the message expires, even if the peer replies 5xx, and then bounces with that reason.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insightInto } from '../../support/insight.js';
import { events, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';

let sink: SmtpSink;
let rig: MailRig;
const full = new Map<string, string>();

beforeAll(async () => {
  sink = await startSmtpSink({
    keep: true,
    onRcpt: (address) => (full.get(address)?.startsWith('dot') ? null : (full.get(address) ?? null)),
    onData: ({ rcptTo }) => full.get(rcptTo[0] ?? '')?.replace('dot ', '') ?? null,
  });
  rig = await startMailRig({ process: 'shared', mxPort: sink.port });
});

afterAll(async () => {
  await rig.close();
  await sink.close();
});

const suppressions = async (): Promise<unknown[]> =>
  ((await rig.appliance.api('GET', '/v1/suppressions')).json as { data: unknown[] }).data;

it('is retried until there is space', async () => {
  full.set('anna@receiver.example', '552 5.2.2 Mailbox full');
  const id = await rig.send('anna');
  const trail = await rig.logged(id, 'deferred', 2);
  expect(trail.at(-1)?.metadata).toMatchObject({
    category: 'quota',
    code: 552,
    enhanced_code: '5.2.2',
    reply: '5.2.2 Mailbox full',
  });
  full.delete('anna@receiver.example');
  await rig.reached(id, 'delivered');
});

it.each([
  ['552 5.2.2 Mailbox full', 'rcpt'],
  ['552 Requested mail action aborted: exceeded storage allocation', 'rcpt'],
  ['dot 552 5.2.2 Over quota', 'dot'],
  ['452 4.2.2 The email account is over quota', 'rcpt'],
])('bounces as quota, not as an invalid address: %s', async (reply, phase) => {
  const name = `full${full.size}`;
  full.set(`${name}@receiver.example`, reply);
  const id = await rig.send(name, { expires_at: new Date(Date.now() + 1_200).toISOString() });
  const message = await rig.reached(id, 'bounced');
  const code = Number(reply.replace('dot ', '').slice(0, 3));
  expect(message['error']).toMatchObject({ type: 'soft', category: 'quota', code });
  expect((message['error'] as { message: string }).message).toContain('Not delivered in time');
  const trail = await rig.trail(id);
  expect(events(trail).filter((event) => event === 'deferred').length).toBeGreaterThan(1);
  expect(trail.at(-1)).toMatchObject({ event: 'bounced', metadata: { category: 'quota', phase } });
  expect(await suppressions()).toEqual([]);
  const { code: explained, advice } = await insightInto(rig.appliance).explain(id);
  expect(explained).toMatch(/_mailbox_full$/);
  expect(advice.map(({ code: name }) => name)).toContain('other_channel');
});

it('differs from a message that is too large for the mailbox host', async () => {
  full.set('big@receiver.example', '552 5.3.4 Message too big');
  const id = await rig.send('big');
  const message = await rig.reached(id, 'bounced');
  expect(message['error']).toMatchObject({ type: 'soft', category: 'too_large', code: 552 });
  expect(events(await rig.trail(id))).not.toContain('deferred');
});
