// Tests peers that only accept ASCII: mail is converted to ASCII if possible, and otherwise refused with an explanation.
import { afterEach, describe, expect, it } from 'vitest';
import { startDnsServer } from '../../support/dns-server.js';
import { startMailRig } from '../../support/mail-rig.js';
import { startOutboundRig } from '../../support/outbound-rig.js';
import { startSmtpSink, type SmtpSinkOptions } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait.js';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function sinkWith(options: Partial<SmtpSinkOptions>) {
  const sink = await startSmtpSink({ keep: true, ...options });
  open.push(sink.close);
  return sink;
}

/** Uses only the outbound path, because the API does not accept such addresses. */
async function outboundTo(port: number) {
  const dns = await startDnsServer({
    zones: {
      'there.test': { MX: [{ preference: 10, exchange: 'mx.there.test' }] },
      'mx.there.test': { A: ['127.0.0.1'] },
    },
  });
  open.push(() => dns.close());
  const rig = await startOutboundRig({ MAILKEEL_DNS_SERVERS: dns.address, MAILKEEL_MX_PORT: String(port) });
  open.push(() => rig.close());
  await rig.addSenderDomain('sender.test');
  await rig.outbound.start();
  return rig;
}

describe('a recipient with non-ASCII letters before the @', () => {
  it('bounces with 5.6.7 without SMTPUTF8, before any attempt', async () => {
    const sink = await sinkWith({ smtpUtf8: false });
    const rig = await outboundTo(sink.port);
    const id = await rig.send({ to: 'jürgen@there.test', shownTo: 'list@there.test' });
    await waitFor('it has bounced', async () => (await rig.status(id)) === 'bounced');
    const [bounced] = await rig.entries(id, 'bounced');
    expect(bounced).toMatchObject({
      category: 'protocol',
      code: 550,
      enhanced_code: '5.6.7',
      type: 'soft',
      remote_host: 'mx.there.test',
    });
    expect(String(bounced?.['reply'])).toContain('internationalised');
    expect(await rig.trail(id)).not.toContain('suppressed');
    const [attempt] = await rig.attempts(id);
    expect(attempt?.conversation).not.toContain('RCPT');
    // The session still works for ASCII mail.
    const plain = await rig.send({ to: 'ann@there.test' });
    await waitFor('it is delivered', async () => (await rig.status(plain)) === 'delivered');
  });

  it('arrives with SMTPUTF8', async () => {
    const sink = await sinkWith({});
    const rig = await outboundTo(sink.port);
    const id = await rig.send({ to: 'jürgen@there.test', shownTo: 'list@there.test' });
    await waitFor('it is delivered', async () => (await rig.status(id)) === 'delivered');
    expect(sink.messages[0]?.rcptTo).toEqual(['jürgen@there.test']);
    const [attempt] = await rig.attempts(id);
    expect(attempt?.conversation).toMatch(/> MAIL FROM:<[^>]*>.* SMTPUTF8/);
  });
});

it('through the API such an address bounces, an international domain is sent in ASCII, and content in 7 bits', async () => {
  const sink = await sinkWith({ smtpUtf8: false, eightBitMime: false });
  const rig = await startMailRig({ process: 'shared', mxPort: sink.port });
  open.push(rig.close);
  const bounced = await rig.send('jürgen@receiver.example');
  const { error } = await rig.reached(bounced, 'bounced');
  expect(error).toMatchObject({
    enhanced_code: '5.6.7',
    message: expect.stringContaining('internationalised addresses') as string,
  });

  rig.dns.set('xn--bcher-kva.example', 'MX', [{ preference: 10, exchange: 'mx.receiver.example' }]);
  const id = await rig.send('anna@bücher.example', {
    subject: 'Grüße 🎉',
    text: 'Schöne Grüße aus Köln 🎉\n',
    from: { email: 'orders@shop.example', name: 'Der Läden' },
  });
  await rig.reached(id, 'delivered');
  const [message] = sink.messages;
  expect(message?.rcptTo).toEqual(['anna@xn--bcher-kva.example']);
  expect(message?.raw.every((octet) => octet < 128)).toBe(true);
  expect(message?.raw.toString()).toMatch(/^Subject: =\?UTF-8\?/im);
});
