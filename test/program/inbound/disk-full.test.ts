// Tests that nothing new is stored below the floor of the disk: mail is deferred (452), and the API responds with 503. Nothing is
// lost, and accepted mail is still sent.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAILBOX, question } from '../../support/incoming-mail.js';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import { postMail } from '../../support/post-mail.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';

/** More than any disk has. */
const NEVER_FREE = { MAILKEEL_MIN_FREE_DISK: '8000000GiB' };
const FREE = { MAILKEEL_MIN_FREE_DISK: '1MiB' };

let sink: SmtpSink;
let isReady = false;
let rig: MailRig;

beforeAll(async () => {
  sink = await startSmtpSink({ keep: true, onRcpt: () => (isReady ? null : '451 4.3.2 Later') });
  rig = await startMailRig({ process: 'shared', mxPort: sink.port, env: NEVER_FREE });
});

afterAll(async () => {
  await rig.close();
  await sink.close();
});

it('mail is refused at MAIL, and accepted when there is space again', async () => {
  const client = await rig.client();
  expect(await client.say('MAIL FROM:<bob@receiver.example>')).toMatch(/^452 4\.3\.1 /);
  client.hangUp();
  expect(await rig.ask('a question')).toBe(452);

  const relayed = await postMail({
    port: rig.appliance.mailPort('Relay'),
    from: 'orders@shop.example',
    to: 'ann@receiver.example',
    raw: 'From: orders@shop.example\r\nTo: ann@receiver.example\r\nSubject: x\r\n\r\nx\r\n',
    key: rig.appliance.keys.live_key,
  });
  expect(relayed).toMatchObject({ code: 452, text: expect.stringContaining('4.3.1') as string });

  await rig.appliance.end();
  await rig.appliance.start(FREE);
  expect(await rig.ask('a question', question('a question'))).toBe(250);
  expect(await rig.subjects(1)).toEqual(['a question']);
  expect(await rig.received()).toMatchObject([{ to: MAILBOX }]);
});

it('the API stores no message, batch, import or large body, and the server is not ready', async () => {
  const { appliance } = rig;
  await appliance.end();
  await appliance.start(FREE);
  const key = { idempotency_key: 'order-17' };
  const first = await appliance.api('POST', '/v1/messages', { body: rig.draft('before', key) });
  expect(first.status).toBe(202);
  await appliance.end();
  await appliance.start(NEVER_FREE);

  const sandbox = rig.draft('sandbox');
  const refused = [
    await appliance.api('POST', '/v1/messages', { body: rig.draft('new') }),
    await appliance.api('POST', '/v1/messages', { body: sandbox, key: appliance.keys.test_key }),
    await appliance.api('POST', '/v1/imports', { body: [{ email: 'a@x.example' }] }),
    await appliance.api('POST', '/v1/exports', { body: { kind: 'contacts' } }),
    await appliance.api('POST', '/v1/templates', { body: { name: 'x', html: 'x'.repeat(5_000) } }),
  ];
  expect(refused.map(({ status }) => status)).toEqual(Array(refused.length).fill(503));
  const batch = await appliance.api('POST', '/v1/messages/batch', { body: { messages: [sandbox] } });
  expect(batch.text).toContain('unavailable');
  expect(
    (await appliance.query('SELECT COUNT(*) AS n FROM messages WHERE status <> ?', 'received'))[0],
  ).toEqual({ n: 1 });
  const ready = await appliance.api('GET', '/readyz', { key: '' });
  expect([ready.status, (await appliance.api('GET', '/healthz', { key: '' })).status]).toEqual([503, 200]);
  expect(files()).toEqual([]);

  // A repeated request gets its stored response, and a small change is possible.
  const again = await appliance.api('POST', '/v1/messages', { body: rig.draft('before', key) });
  expect([again.status, again.json]).toEqual([202, first.json]);
  const freed = await appliance.api('POST', '/v1/suppressions', { body: { email: 'ann@receiver.example' } });
  expect(freed.status).toBe(201);
});

it('accepted mail is still sent', async () => {
  const { appliance } = rig;
  await appliance.end();
  await appliance.start(FREE);
  const id = await rig.send('accepted');
  await rig.logged(id, 'deferred');
  await appliance.end();
  isReady = true;
  await appliance.start(NEVER_FREE);
  await rig.reached(id, 'delivered');
});

function files(): string[] {
  try {
    return readdirSync(join(rig.appliance.dataDir, 'transfers'));
  } catch {
    return [];
  }
}
