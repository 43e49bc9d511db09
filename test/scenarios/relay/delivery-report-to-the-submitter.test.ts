// Tests a program that submits by SMTP and requests reports: those that it receives by mail, in live mode and in the sandbox.
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compileDsnRules, readBounceReport } from '../../../src/lib/dsn/index.js';
import { parseMail } from '../../../src/lib/mail-parser/index.js';
import { readShipped } from '../../../src/settings/shipped.js';
import { receives, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait.js';

let sink: SmtpSink;
let rig: MailRig;

beforeAll(async () => {
  sink = await startSmtpSink({
    keep: true,
    onRcpt: (address) => (address.startsWith('gone@') ? '550 5.1.1 <gone@receiver.example> unknown' : null),
  });
  rig = await startMailRig({ process: 'shared', mxPort: sink.port });
  receives(rig.dns, 'shop.example');
});

afterAll(async () => {
  await rig.close();
  await sink.close();
});

interface Submitted {
  to: string;
  key: string;
  notify: 'success' | 'failure' | 'never';
}

/** In the form of another client library, which encodes the parameters itself. */
async function submit({ to, key, notify }: Submitted): Promise<void> {
  const transport = createTransport({
    host: '127.0.0.1',
    port: rig.appliance.mailPort('Relay'),
    requireTLS: true,
    tls: { rejectUnauthorized: false },
    auth: { user: 'shop', pass: key },
  });
  await transport.sendMail({
    envelope: { from: 'robot@shop.example', to: [to] },
    raw: [
      'From: Shop <orders@shop.example>',
      `To: ${to}`,
      'Subject: Your order',
      'Message-ID: <order-7@shop.example>',
      ...(key === rig.appliance.keys.live_key ? [`X-Service-Sub-Tenant: ${rig.tenantId}`] : []),
      '',
      'Thank you.',
      '',
    ].join('\r\n'),
    dsn: { id: 'order+7=a', return: 'headers', notify, recipient: 'rfc822;ann+41@receiver.example' },
  });
  transport.close();
}

const reportIn = async (raw: Buffer) =>
  readBounceReport(await parseMail(raw), compileDsnRules(readShipped('dsn-rules')));

it('the submitter gets a report from its own domain, and none if it declined', async () => {
  const key = rig.appliance.keys.live_key;
  await submit({ to: 'gone@receiver.example', key, notify: 'never' });
  await submit({ to: 'gone@receiver.example', key, notify: 'failure' });
  const [mail] = await waitFor(
    'the report',
    () => sink.messages,
    (messages) => messages.length > 0,
    30_000,
  );
  expect(mail).toMatchObject({ mailFrom: '', rcptTo: ['robot@shop.example'] });
  const text = mail?.raw.toString('latin1') ?? '';
  expect(text).toMatch(/^From: Mail Delivery System <mailer-daemon@shop\.example>/m);
  expect(text).toMatch(/^DKIM-Signature: (?:.|\r\n[ \t])*d=shop\.example;/m);
  expect(text).toContain('<order-7@shop.example>');
  expect(await reportIn(mail?.raw ?? Buffer.alloc(0))).toMatchObject({
    format: 'standard',
    reportingMta: 'mta.platform.example',
    originalEnvelopeId: 'order+7=a',
    recipients: [
      {
        action: 'failed',
        status: expect.stringMatching(/^5\./) as string,
        originalRecipient: 'ann+41@receiver.example',
        finalRecipient: 'gone@receiver.example',
      },
    ],
  });
  expect(sink.messages).toHaveLength(1);
});

it('a sandbox success is reported without sending mail', async () => {
  const key = rig.appliance.keys.test_key;
  const connections = sink.connections();
  await submit({ to: 'delivered@anywhere.example', key, notify: 'success' });
  const report = await waitFor(
    'the report',
    async () => {
      const { json } = await rig.appliance.api('GET', '/v1/messages?to=robot@shop.example', { key });
      return (json as { data: Record<string, unknown>[] }).data[0];
    },
    (message) => message?.['status'] === 'delivered',
    30_000,
  );
  expect(report).toMatchObject({ sandbox: true, subject: 'Mail relayed' });
  expect(sink.connections()).toBe(connections);
});
