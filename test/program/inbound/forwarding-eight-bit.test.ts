// Tests forwarded mail that is not pure ASCII. It keeps every byte, so a server that does not support it receives nothing, and
// the message bounces.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ForwardingRig, startForwardingRig } from '../../support/forwarding-rig.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait.js';

let rig: ForwardingRig;
let inbox: { id: string; address: string };
const sinks = new Map<string, SmtpSink>();

/** Servers of the addresses that the inbox forwards to, by domain. */
const OFFERS = {
  'old.example': { host: '127.0.0.2', eightBitMime: false, smtpUtf8: false },
  'eight.example': { host: '127.0.0.3', eightBitMime: true, smtpUtf8: false },
};

beforeAll(async () => {
  rig = await startForwardingRig({ process: 'shared' });
  inbox = await rig.newInbox('help');
  for (const [domain, offers] of Object.entries(OFFERS)) {
    sinks.set(domain, await startSmtpSink({ keep: true, port: rig.sink.port, ...offers }));
    rig.dns.set(domain, 'MX', [{ preference: 10, exchange: `mx.${domain}` }]);
    rig.dns.set(`mx.${domain}`, 'A', [offers.host]);
  }
  for (const domain of ['receiver.example', ...sinks.keys()]) {
    await rig.ask('POST', `/v1/inboxes/${inbox.id}/forwards`, { address: `ann@${domain}` });
  }
  await rig.appliance.query('UPDATE inbox_forwards SET confirmed_at = 1');
});
afterAll(async () => {
  for (const sink of sinks.values()) await sink.close();
  await rig.close();
});

interface Explained {
  code: string;
  advice: { code: string }[];
}

/** How the forwarded messages of a mail ended, by address. */
async function endsOf(subject: string) {
  const { received } = await rig.received(inbox.id, subject);
  const ends = await Promise.all(
    received.forwards.map(async ({ message_id: id }) => {
      const path = `/v1/messages/${id}`;
      const ended = await waitFor(
        'the end of the message',
        () => rig.ask<{ to: string; status: string }>('GET', path),
        ({ status }) => status === 'delivered' || status === 'bounced',
      );
      const { code, advice } = await rig.ask<Explained>('GET', `${path}/explain`);
      const isAdvised = advice.some((one) => one.code === 'send_ascii');
      return [ended.to, isAdvised ? `${code}, send_ascii` : code] as const;
    }),
  );
  return Object.fromEntries(ends);
}
const DELIVERED = 'delivered';
const NO_EIGHT_BIT = 'bounced_eight_bit_missing, send_ascii';
const NO_UTF8 = 'bounced_smtputf8_missing, send_ascii';
/** Excluding the confirmation mail. */
const forwardedTo = (domain: string) =>
  sinks.get(domain)?.messages.filter(({ raw }) => raw.includes('Delivered-To')) ?? [];
const state = async () => (await rig.forwardsOf(inbox.id)).map((forward) => forward.state);

describe('a forwarded message', () => {
  it('with an 8-bit body bounces at a server without 8BITMIME', async () => {
    const sent = await rig.write(inbox.address, 'body', { body: 'Grüße aus Köln\r\n' });
    expect(await endsOf('body')).toEqual({
      'ann@receiver.example': DELIVERED,
      'ann@eight.example': DELIVERED,
      'ann@old.example': NO_EIGHT_BIT,
    });
    const [eight] = forwardedTo('eight.example');
    for (const mail of [await rig.waitForMail('ann@receiver.example', 'body'), eight]) {
      if (mail === undefined) throw new Error('no mail');
      expect(mail.raw.subarray(-Buffer.byteLength(sent))).toEqual(Buffer.from(sent));
      expect(await rig.judge(mail)).toEqual({ dkim: [['author.example', 'pass']], arc: 'pass', arcSets: 1 });
    }
  });

  it('with UTF-8 in its header bounces at a server without SMTPUTF8', async () => {
    const sent = await rig.write(inbox.address, 'header', { headers: ['X-Note: Grüße'] });
    expect(await endsOf('header')).toEqual({
      'ann@receiver.example': DELIVERED,
      'ann@eight.example': NO_UTF8,
      'ann@old.example': NO_UTF8,
    });
    const mail = await rig.waitForMail('ann@receiver.example', 'header');
    expect(mail.raw.subarray(-Buffer.byteLength(sent))).toEqual(Buffer.from(sent));
    expect(await rig.judge(mail)).toEqual({ dkim: [['author.example', 'pass']], arc: 'pass', arcSets: 1 });
  });

  it('reaches no server that does not take it, and suspends no forwarding', async () => {
    expect(forwardedTo('old.example')).toEqual([]);
    expect(forwardedTo('eight.example')).toHaveLength(1);
    expect(await state()).toEqual(['active', 'active', 'active']);
  });
});
