// Tests submitted mail that is not pure ASCII, to peers that accept it and to peers that do not.
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bodyOf, lines } from '../../support/raw-mail.js';
import { startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';

let relay: SinkRig;
let old: SmtpSink;
beforeAll(async () => {
  relay = await startMailRigWithSink({ process: 'shared' });
  old = await startSmtpSink({
    keep: true,
    eightBitMime: false,
    smtpUtf8: false,
    host: '127.0.0.2',
    port: relay.sink.port,
  });
  relay.dns.set('old.example', 'MX', [{ preference: 10, exchange: 'mx.old.example' }]);
  relay.dns.set('mx.old.example', 'A', ['127.0.0.2']);
});
afterAll(async () => {
  await old.close();
  await relay.close();
});

const TEXT = 'Schöne Grüße aus Köln 🎉\r\n';
const raw = (...more: string[]): Buffer =>
  Buffer.from(
    `${lines('From: orders@shop.example', ...more, 'MIME-Version: 1.0', 'Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: 8bit', '')}${TEXT}`,
  );

it('is sent unchanged with 8BITMIME, and otherwise in 7 bits with a new signature', async () => {
  const { ids } = await relay.submit({
    to: ['ann@receiver.example', 'ann@old.example'],
    raw: raw('Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?='),
    mail: 'BODY=8BITMIME',
  });
  for (const id of ids) await relay.reached(id, 'delivered');
  const arrived = (await relay.arrived('ann@receiver.example')).raw;
  expect(bodyOf(arrived).toString()).toBe(TEXT);
  const ascii = old.messages[0]?.raw ?? Buffer.alloc(0);
  expect(ascii.every((octet) => octet < 128)).toBe(true);
  expect((await simpleParser(ascii, { skipTextToHtml: true })).text).toBe(TEXT.replace('\r', ''));
  for (const octets of [arrived, ascii])
    expect(await relay.validSignatures(octets)).toContain('shop.example');
});

it('has raw UTF-8 in its header encoded for every peer, without SMTPUTF8', async () => {
  const { reply, ids } = await relay.submit({
    to: ['jo@receiver.example', 'jo@old.example'],
    raw: raw('Subject: Grüße', 'To: "Jürgen" <jo@bücher.example>', 'X-Note: Grüße'),
    mail: 'BODY=8BITMIME SMTPUTF8',
  });
  expect(reply).toMatch(/^250 /);
  for (const id of ids) await relay.reached(id, 'delivered');
  const arrived = (await relay.arrived('jo@receiver.example')).raw;
  expect(bodyOf(arrived).toString()).toBe(TEXT);
  for (const octets of [arrived, old.messages[1]?.raw ?? Buffer.alloc(0)]) {
    const header = octets.subarray(0, octets.indexOf('\r\n\r\n'));
    expect(header.every((octet) => octet < 128)).toBe(true);
    expect(header.toString()).toContain('jo@xn--bcher-kva.example');
    expect((await simpleParser(octets, { skipTextToHtml: true })).subject).toBe('Grüße');
    expect(await relay.validSignatures(octets)).toContain('shop.example');
  }
  expect(await relay.message(ids[0] ?? '')).toMatchObject({ subject: 'Grüße' });
});

it('accepts non-ASCII recipients, and delivers or bounces depending on the peer', async () => {
  const client = await relay.submit({ to: 'jürgen@receiver.example', raw: raw('Subject: x') });
  expect(client.reply).toMatch(/^553 5\.6\.7 /);
  const { reply, refused, ids } = await relay.submit({
    to: ['jürgen@receiver.example', 'jürgen@old.example', 'ann@bücher.example'],
    raw: raw('Subject: x', 'To: jürgen@receiver.example'),
    mail: 'SMTPUTF8 BODY=8BITMIME',
  });
  expect([reply, refused]).toEqual([expect.stringMatching(/^250 /), []]);
  await relay.reached(ids[0] ?? '', 'delivered');
  expect((await relay.arrived('jürgen@receiver.example')).mailFrom).toContain('@bounce.shop.example');
  const bounced = await relay.reached(ids[1] ?? '', 'bounced');
  expect(bounced['error']).toMatchObject({ enhanced_code: '5.6.7', type: 'soft' });
});

it('bounces signed 8-bit mail at a 7-bit peer', async () => {
  const signed = Buffer.from(
    lines(
      'From: orders@shop.example',
      'Content-Type: multipart/signed; protocol="application/pgp-signature"; boundary=s',
      '',
      '--s',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: 8bit',
      '',
      'Grüße',
      '--s',
      'Content-Type: application/pgp-signature',
      '',
      'abc',
      '--s--',
    ),
  );
  const { ids } = await relay.submit({ to: ['s@receiver.example', 's@old.example'], raw: signed });
  await relay.reached(ids[0] ?? '', 'delivered');
  expect(bodyOf((await relay.arrived('s@receiver.example')).raw).equals(bodyOf(signed))).toBe(true);
  const bounced = await relay.reached(ids[1] ?? '', 'bounced');
  expect(bounced['error']).toMatchObject({ enhanced_code: '5.6.3' });
});
