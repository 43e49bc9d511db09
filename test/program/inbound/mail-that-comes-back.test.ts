// Tests that replies, bounces, complaints and unsubscribe mail find their message by the addresses in it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { events, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { postMail } from '../../support/post-mail.js';
import { startSmtpSink, type SinkMessage, type SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait.js';

let sink: SmtpSink;
let rig: MailRig;

beforeAll(async () => {
  sink = await startSmtpSink({ keep: true });
  rig = await startMailRig({ process: 'shared', mxPort: sink.port });
});

afterAll(async () => {
  if (process.env['DBG']) console.log(rig.appliance.output());
  await rig.close();
  await sink.close();
});

const port = () => rig.appliance.mailPort('Inbound');
const field = (message: SinkMessage, name: string) =>
  new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)$`, 'im')
    .exec(message.raw.toString())?.[1]
    ?.replace(/\r\n/g, '') ?? '';

async function delivered(to: string, more: Record<string, unknown> = {}) {
  const id = await rig.send(to, more);
  await rig.reached(id, 'delivered');
  const mail = sink.messages.find(({ rcptTo }) => rcptTo[0]?.startsWith(`${to}@`));
  if (!mail) throw new Error(`the sink has no mail for ${to}`);
  return { id, mail };
}

function replyTo(mail: SinkMessage, from: string, more: string[] = []): string {
  return [
    `From: Ann Example <${from}>`,
    `To: ${field(mail, 'Reply-To')}`,
    'Subject: Re: Your order',
    `Message-ID: <reply-${from}>`,
    `In-Reply-To: ${field(mail, 'Message-ID')}`,
    'Date: Sat, 21 Nov 2026 10:00:00 +0000',
    ...more,
    '',
    'Thanks, it came.',
    '',
    'On Sat, 21 Nov 2026 at 10:00, The Shop <orders@shop.example> wrote:',
    '> It is on its way.',
    '',
  ].join('\r\n');
}

it('a reply becomes a received message in a thread, and an event', async () => {
  const { id, mail } = await delivered('ann');
  const address = field(mail, 'Reply-To');
  expect(address).toMatch(/^reply\+[0-9a-z]{43}@reply\.shop\.example$/);
  const raw = replyTo(mail, 'ann@receiver.example');
  expect(await postMail({ port: port(), from: 'ann@receiver.example', to: address, raw })).toMatchObject({
    code: 250,
  });
  const threads = await waitFor(
    'a thread',
    async () =>
      (await rig.appliance.api('GET', '/v1/messages?status=received')).json.data as {
        id: string;
        thread_id: string;
      }[],
    (found) => found.length === 1,
  );
  const reply = (await rig.appliance.api('GET', `/v1/messages/${threads[0]?.id ?? ''}`)).json;
  expect(reply).toMatchObject({
    direction: 'inbound',
    status: 'received',
    from: { email: 'ann@receiver.example', name: 'Ann Example' },
    subject: 'Re: Your order',
    received: { in_reply_to: id, auto_reply: null, visible_text: 'Thanks, it came.' },
  });
  expect(reply.received.quoted_text).toContain('It is on its way.');
  expect((await rig.message(id))['thread_id']).toBe(reply.thread_id);
  const feed = (await rig.appliance.api('GET', '/v1/events?limit=5')).json.data as {
    event: string;
    data: { id: string };
  }[];
  expect(feed[0]).toMatchObject({ event: 'message.received', data: { id: reply.id } });
  const octets = await rig.appliance.api('GET', `/v1/messages/${String(reply.id)}/raw`);
  expect(octets.text).toContain('Thanks, it came.');
});

it('a report to the return path bounces the message and suppresses the address', async () => {
  const { id, mail } = await delivered('gone');
  expect(mail.mailFrom).toMatch(/^b-[0-9a-z]{43}@bounce\.shop\.example$/);
  const raw = [
    'From: Mail Delivery System <MAILER-DAEMON@mx.receiver.example>',
    `To: ${mail.mailFrom}`,
    'Subject: Undelivered Mail Returned to Sender',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'Sorry.',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.receiver.example',
    '',
    'Final-Recipient: rfc822; gone@receiver.example',
    'Action: failed',
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 5.1.1 No such user',
    '',
    '--b--',
    '',
  ].join('\r\n');
  expect(await postMail({ port: port(), from: '', to: mail.mailFrom, raw })).toMatchObject({ code: 250 });
  const message = await rig.reached(id, 'bounced');
  expect(message['error']).toMatchObject({
    type: 'hard',
    category: 'invalid_recipient',
    enhanced_code: '5.1.1',
  });
  const trail = await rig.trail(id);
  expect(events(trail)).toEqual(['queued', 'sending', 'sent', 'delivered', 'bounced', 'suppressed']);
  const check = await rig.appliance.api(
    'GET',
    `/v1/suppressions/check?email=gone@receiver.example&sub_tenant_id=${rig.tenantId}`,
  );
  expect(check.json).toMatchObject({ suppressed: true, reason: 'bounce' });
  // a repeated report is not a second bounce
  await postMail({ port: port(), from: '', to: mail.mailFrom, raw });
});

it('unsigned and foreign addresses are refused during the SMTP session', async () => {
  for (const to of [
    'reply+aaaa@reply.shop.example',
    'b-x@bounce.shop.example',
    'someone@elsewhere.example',
    'root@mta.platform.example',
  ]) {
    const answer = await postMail({
      port: port(),
      from: 'x@receiver.example',
      to,
      raw: 'Subject: x\r\n\r\nx\r\n',
    });
    expect(answer.code, to).toBe(550);
  }
});

it("new mail to the sub-tenant's inbound domain starts a thread", async () => {
  const raw =
    'From: Bob <bob@receiver.example>\r\nTo: help@reply.shop.example\r\nSubject: A question\r\nMessage-ID: <q1@receiver.example>\r\n\r\nDo you ship?\r\n';
  expect(
    await postMail({ port: port(), from: 'bob@receiver.example', to: 'help@reply.shop.example', raw }),
  ).toMatchObject({ code: 250 });
  const found = await waitFor(
    'the question',
    async () =>
      (await rig.appliance.api('GET', '/v1/messages?status=received&q=question')).json.data as Record<
        string,
        unknown
      >[],
    (rows) => rows.length === 1,
  );
  expect(found[0]).toMatchObject({ to: 'help@reply.shop.example', sub_tenant_id: rig.tenantId });
  expect(found[0]?.['thread_id']).toMatch(/^thr_/);
});
