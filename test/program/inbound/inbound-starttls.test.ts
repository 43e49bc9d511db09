// Tests STARTTLS on both plain ports: mail arrives over TLS, and clear text sent after the command is never processed.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAILBOX, question } from '../../support/incoming-mail.js';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';

let rig: MailRig;

beforeAll(async () => {
  rig = await startMailRig({ process: 'shared' });
});

afterAll(() => rig.close());

it('the Received field shows TLS or its absence', async () => {
  const client = await rig.client();
  expect(await client.say('EHLO client.example')).toContain('STARTTLS');
  expect(await client.say('STARTTLS')).toMatch(/^220 2\.0\.0 /);
  const secured = await client.secure();
  expect(secured.getPeerCertificate().subjectaltname).toContain('DNS:mta.platform.example');
  const offers = await client.say('EHLO client.example');
  expect(offers).not.toContain('STARTTLS');
  expect(offers).not.toContain('AUTH');
  expect(await client.send(MAILBOX, question('secret'))).toMatch(/^250 /);
  client.hangUp();
  expect(await rig.ask('open')).toBe(250);
  await rig.subjects(2);
  for (const { id, subject } of await rig.received()) {
    const { json } = await rig.appliance.api('GET', `/v1/messages/${id}`);
    expect((json as { received: { tls: string | null } }).received.tls).toBe(
      subject === 'secret' ? 'TLSv1.3' : null,
    );
  }
});

it.each(['Inbound', 'Relay'] as const)('nothing is injected before TLS: %s', async (port) => {
  const client = await rig.client(undefined, port);
  const key = Buffer.from('\0key\0injected').toString('base64');
  client.write(
    [
      'STARTTLS',
      'EHLO injected.example',
      `AUTH PLAIN ${key}`,
      'MAIL FROM:<evil@receiver.example>',
      `RCPT TO:<${MAILBOX}>`,
      'DATA',
      'Subject: injected',
      '',
      'x',
      '.',
      '',
    ].join('\r\n'),
  );
  expect(await client.reply()).toMatch(/^220 /);
  await client.secure();
  // The first reply over TLS belongs to the first command over TLS.
  expect(await client.say('NOOP')).toMatch(/^250 2\.0\.0 /);
  expect(await client.say('DATA')).toMatch(/^5\d\d /);
  expect(await client.say('EHLO client.example')).toMatch(/^250-/);
  client.hangUp();
});

it('no injected mail was stored', async () => {
  expect(await rig.subjects(2)).toEqual(['open', 'secret']);
});
