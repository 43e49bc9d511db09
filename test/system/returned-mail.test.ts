// Tests mail that real mail servers return, from end to end: reports of Postfix and Exim, and out-of-office replies.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureExim, startExim, type Exim } from '../support/exim.js';
import { freePort } from '../support/free-port.js';
import { events, receives, startMailRig, type MailRig } from '../support/mail-rig.js';
import { ensurePostfix, startPostfix, type Postfix } from '../support/postfix.js';
import { postMail } from '../support/post-mail.js';
import { waitFor } from '../support/wait.js';

const withoutPostfix = ensurePostfix();
if (withoutPostfix !== null) console.warn(`skipped: returned mail from Postfix: ${withoutPostfix}`);
const withoutExim = ensureExim();
if (withoutExim !== null) console.warn(`skipped: returned mail from Exim: ${withoutExim}`);

const DELIVERED = ['queued', 'sending', 'sent', 'delivered'];

interface Received {
  id: string;
  from: { email: string };
}

/** All received mail that became a message. */
async function received(rig: MailRig): Promise<Received[]> {
  const { json } = await rig.appliance.api('GET', '/v1/messages?status=received&limit=100');
  return (json as { data: Received[] }).data;
}

/** The reply of this mailbox, in full. */
async function answerOf(rig: MailRig, email: string): Promise<Record<string, unknown>> {
  const found = await waitFor(
    `an answer of ${email}`,
    async () => (await received(rig)).find(({ from }) => from.email === email),
    (answer) => answer !== undefined,
    60_000,
  );
  return rig.message(found?.id ?? '');
}

describe.skipIf(withoutPostfix !== null)('a real Postfix', () => {
  let postfix: Postfix;
  let rig: MailRig;

  beforeAll(async () => {
    const inbound = await freePort();
    postfix = await startPostfix({
      settings: [
        'virtual_mailbox_domains = receiver.example, shop.example',
        'virtual_mailbox_maps = inline:{ { ann@receiver.example = all/ } { orders@shop.example = all/ } }',
        // It accepts every recipient at RCPT, and later finds that there is no such mailbox.
        'smtpd_reject_unlisted_recipient = no',
        `relayhost = [127.0.0.1]:${inbound}`,
        'disable_dns_lookups = yes',
        'smtp_tls_security_level = may',
      ],
      services: ['smtp unix - - n - - smtp'],
    });
    rig = await startMailRig({
      process: 'shared',
      mxPort: postfix.port,
      env: { MAILKEEL_INBOUND_PORT: String(inbound) },
    });
    receives(rig.dns, 'shop.example');
  });
  afterAll(async () => {
    await rig.close();
    await postfix.close();
  });

  it('returns a report over STARTTLS, which bounces the delivered message', async () => {
    const id = await rig.send('gone');
    const message = await rig.reached(id, 'bounced', 60_000);
    expect(message['error']).toMatchObject({
      type: 'hard',
      category: 'invalid_recipient',
      enhanced_code: '5.1.1',
      message: expect.stringMatching(/user unknown|unknown user/i) as string,
    });
    const trail = await rig.trail(id);
    expect(events(trail)).toEqual([...DELIVERED, 'bounced', 'suppressed']);
    expect(trail[4]?.metadata).toMatchObject({
      by_mail: true,
      reporting_mta: 'mx.receiver.example',
      format: 'standard',
    });
    await rig.reached(await rig.send('gone'), 'suppressed');
    expect(await received(rig)).toEqual([]);
  });

  it('reports the success that a relay submitter requested, which is forwarded', async () => {
    const raw = [
      'From: The Shop <orders@shop.example>',
      'To: ann@receiver.example',
      'Subject: With a receipt',
      `X-Service-Sub-Tenant: ${rig.tenantId}`,
      '',
      'It is on its way.',
      '',
    ].join('\r\n');
    const posted = await postMail({
      port: rig.appliance.mailPort('Relay'),
      from: 'orders@shop.example',
      to: 'ann@receiver.example',
      raw,
      key: rig.appliance.keys.live_key,
      dsn: { notify: ['SUCCESS', 'FAILURE'], ret: 'HDRS', envid: 'order-4711' },
    });
    expect(posted, posted.text).toMatchObject({ code: 250 });
    const mails = await waitFor(
      'the report in the mailbox',
      async () => (await postfix.mailbox()).map((mail) => mail.toString('latin1')),
      (found) => found.some((mail) => /^To: .*orders@shop\.example/m.test(mail)),
      60_000,
    );
    const report = mails.find((mail) => /^To: .*orders@shop\.example/m.test(mail)) ?? '';
    expect(report).toMatch(/^Return-Path: <>$/m);
    expect(report).toMatch(/^Original-Envelope-Id: order-4711$/m);
    expect(report).toMatch(/^Final-Recipient: rfc822; ?ann@receiver\.example$/im);
    // Postfix delivered it to the mailbox and reports it; Mailkeel's own 250 alone would be `relayed`.
    expect(report).toMatch(/^Action: delivered$/m);
    const headers = mails.map((mail) => mail.split('\n\n', 1)[0] ?? '');
    expect(headers.filter((header) => /^Subject: With a receipt$/m.test(header))).toHaveLength(1);
  });
});

/** A typical filter: personal mail is answered, automatic mail is not. */
const FILTER = `if personal and not error_message then
  if $local_part begins "away-loudly" then
    mail to $sender_address
      from "Loud <away-loudly@receiver.example>"
      subject "Out of office: $h_subject:"
      text "I am away until Monday."
  else
    vacation
      from "Ann <away@receiver.example>"
      subject "Re: $h_subject:"
      file $home/text
      once $home/once
      log $home/vacation.log
  endif
endif`;

describe.skipIf(withoutExim !== null)('a real Exim', () => {
  let exim: Exim;
  let rig: MailRig;

  beforeAll(async () => {
    const inbound = await freePort();
    exim = await startExim({
      handsOn: { domains: '*.shop.example', port: inbound },
      bounces: '^gone',
      away: { localParts: '^away', filter: FILTER, text: 'I am away until Monday.\n' },
    });
    rig = await startMailRig({
      process: 'shared',
      mxPort: exim.port,
      env: { MAILKEEL_INBOUND_PORT: String(inbound) },
    });
  });
  afterAll(async () => {
    await rig.close();
    await exim.close();
  });

  it('returns a report, which bounces the delivered message', async () => {
    const id = await rig.send('gone');
    const message = await rig.reached(id, 'bounced', 60_000);
    // Exim's own words are only in the text.
    expect(message['error']).toMatchObject({ type: 'hard', message: 'no such mailbox here' });
    // Without an enhanced code, the address is suppressed only by a second report on another day.
    expect(events(await rig.trail(id))).toEqual([...DELIVERED, 'bounced']);
    expect(await received(rig)).toEqual([]);
  });

  it('sends an absence notice to the reply address, which is recorded and is not a reply', async () => {
    const id = await rig.send('away', { headers: { 'Auto-Submitted': 'no' } });
    const answer = await answerOf(rig, 'away@receiver.example');
    expect(answer).toMatchObject({
      status: 'received',
      thread_id: null,
      subject: 'Re: Your order',
      received: {
        auto_reply: 'vacation',
        in_reply_to: id,
        mail_from: '',
        visible_text: 'I am away until Monday.',
      },
    });
    expect(events(await rig.trail(id))).toEqual([...DELIVERED, 'auto_replied']);
    expect(await rig.message(id)).toMatchObject({ status: 'delivered', thread_id: null });
    const { json } = await rig.appliance.api('GET', '/v1/events?limit=100');
    const told = (json as { data: { event: string }[] }).data.map(({ event }) => event);
    expect(told).toContain('message.auto_replied');
    expect(told).not.toContain('message.received');
  });

  it('sends one to the return path, which changes nothing', async () => {
    const id = await rig.send('away-loudly', { headers: { 'Auto-Submitted': 'no' } });
    await rig.reached(id, 'delivered');
    await waitFor(
      'the answer to be handed on',
      () => exim.log(),
      (log) => /=> b-[0-9a-z]+@bounce\.shop\.example.*C="250/.test(log),
      60_000,
    );
    expect(events(await rig.trail(id))).toEqual(DELIVERED);
    expect((await received(rig)).map(({ from }) => from.email)).toEqual(['away@receiver.example']);
  });

  it('sends no automatic reply to marked automatic mail', async () => {
    const id = await rig.send('away', { subject: 'Your second order', auto_submitted: true });
    await rig.reached(id, 'delivered');
    const logOf = (): string => {
      const number = new RegExp(` (\\S+) <= .* id=${id.slice(4)}@`).exec(exim.log())?.[1] ?? 'none yet';
      return exim
        .log()
        .split('\n')
        .filter((line) => line.includes(number))
        .join('\n');
    };
    const log = await waitFor(
      'Exim to be done with it',
      logOf,
      (lines) => lines.includes('Completed'),
      60_000,
    );
    expect(log).toContain('=> away <away@receiver.example>');
    expect(log).not.toMatch(/@(?:reply|bounce)\.shop\.example <away@/);
  });
});
