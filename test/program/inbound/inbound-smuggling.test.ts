// Tests that a second message, hidden behind a line end that some servers accept, is never treated as a separate message, neither
// by Mailkeel nor by the server behind it that receives a relayed message.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAILBOX, question } from '../../support/incoming-mail.js';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import type { RawClient } from '../../support/raw-client.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';

const ENDINGS = {
  'LF dot LF': '\n.\n',
  'LF dot CRLF': '\n.\r\n',
  'CRLF dot LF': '\r\n.\n',
  'CR dot CR': '\r.\r',
  'CR dot CRLF': '\r.\r\n',
  'CRLF dot CR': '\r\n.\r',
  'CRLF dot CR CRLF': '\r\n.\r\r\n',
  'CRLF NUL dot CRLF': '\r\n\0.\r\n',
  'CRLF dot NUL CRLF': '\r\n.\0\r\n',
};

interface Known {
  id: string;
  subject: string;
  to: string;
  direction: string;
}

let sink: SmtpSink;
let rig: MailRig;

beforeAll(async () => {
  sink = await startSmtpSink({ keep: true });
  rig = await startMailRig({ process: 'shared', mxPort: sink.port });
});

afterAll(async () => {
  await rig.close();
  await sink.close();
});

/** Sends one message with another one behind that line end; returns the reply to its end. */
async function smuggle(client: RawClient, mail: { from: string; to: string; outer: string; inner: string }) {
  await client.say('RSET', `MAIL FROM:<${mail.from}>`, `RCPT TO:<${mail.to}>`, 'DATA');
  client.write(Buffer.from(`${mail.outer}${mail.inner}\r\n.\r\n`, 'latin1'));
  return client.reply();
}

function hidden(ending: string, { from, to }: { from: string; to: string }): string {
  return [
    `first part${ending}MAIL FROM:<${from}>`,
    `RCPT TO:<${to}>`,
    'DATA',
    `From: ${from}`,
    'Subject: smuggled',
    '',
    'second part',
  ].join('\r\n');
}

it('from strangers the message is refused, and the session continues', async () => {
  const client = await rig.client();
  const ends = { from: 'evil@receiver.example', to: MAILBOX };
  for (const [name, ending] of Object.entries(ENDINGS)) {
    const outer = question(`smuggler ${name}`);
    const reply = await smuggle(client, { ...ends, outer, inner: hidden(ending, ends) });
    expect(reply, name).toMatch(/^550 5\.6\.11 /);
    expect(await client.say('NOOP'), name).toMatch(/^250 /);
  }
  client.hangUp();
  expect(await rig.ask('an honest one')).toBe(250);
  expect(await rig.subjects(1)).toEqual(['an honest one']);
});

it('from own senders it is refused, or forwarded as one message', async () => {
  const client = await rig.client(undefined, 'Relay, TLS');
  const key = Buffer.from(`\0key\0${rig.appliance.keys.live_key}`).toString('base64');
  expect(await client.say(`AUTH PLAIN ${key}`)).toMatch(/^235 /);
  const taken: string[] = [];
  for (const [name, ending] of Object.entries(ENDINGS)) {
    const subject = `relayed ${name}`;
    const outer = [
      `X-Service-Sub-Tenant: ${rig.tenantId}`,
      'From: orders@shop.example',
      'To: ann@receiver.example',
      `Subject: ${subject}`,
      '',
      '',
    ].join('\r\n');
    const ends = { from: 'orders@shop.example', to: 'victim@receiver.example' };
    const mail = { from: ends.from, to: 'ann@receiver.example', outer, inner: hidden(ending, ends) };
    const reply = await smuggle(client, mail);
    expect(reply, name).toMatch(/^(?:250 2\.0\.0|550 5\.6\.11) /);
    if (reply.startsWith('250')) taken.push(subject);
    expect(await client.say('NOOP'), name).toMatch(/^250 /);
  }
  client.hangUp();
  await rig.reached(await rig.send('last'), 'delivered');
  const list = await rig.appliance.api('GET', '/v1/messages?limit=100');
  const known = (list.json as { data: Known[] }).data.filter(({ direction }) => direction === 'outbound');
  expect(known.filter(({ to }) => to === 'victim@receiver.example')).toEqual([]);
  expect(
    known
      .map(({ subject }) => subject)
      .filter((subject) => subject !== 'Your order')
      .sort(),
  ).toEqual(taken.sort());
  for (const { id, subject } of known) if (subject !== 'Your order') await rig.reached(id, 'delivered');
  expect(sink.messages).toHaveLength(taken.length + 1);
  for (const { rcptTo, raw } of sink.messages) {
    expect(rcptTo).not.toContain('victim@receiver.example');
    expect(raw.toString('latin1')).not.toMatch(/(?<!\r)\n|\r(?!\n)|\0/);
  }
});
