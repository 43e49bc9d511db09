// Tests mail of programs older than the standards: line ends without CR, HTML on one line. It is repaired on acceptance or
// encoded on sending.
import { createHash } from 'node:crypto';
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fieldMail } from '../../support/field-mail.js';
import { bodyOf, fieldOf, lines } from '../../support/raw-mail.js';
import { startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';

let relay: SinkRig;
beforeAll(async () => {
  relay = await startMailRigWithSink({ process: 'shared' });
});
afterAll(() => relay.close());

const parse = (octets: Buffer) =>
  simpleParser(octets, {
    skipTextToHtml: true,
    skipImageLinks: true,
    skipTextLinks: true,
    skipHtmlToText: true,
  });

it.each([
  ['LF', (text: string) => text, 'From: orders@shop.example\nSubject: LF\n\nHi.\n..dot\n\r\n'],
  [
    'CR',
    (text: string) => text.replaceAll('\n', '\r'),
    'From: orders@shop.example\nSubject: CR\n\nHi.\n.dot\n\n',
  ],
  [
    'CR CR LF',
    (text: string) => text.replaceAll('\n', '\r\r\n'),
    'From: orders@shop.example\nSubject: CRCRLF\n\nHi.\n..dot\n\n',
  ],
])('accepts lines that end with %s, and sends CRLF', async (name, written, text) => {
  const to = `${name.replaceAll(' ', '')}@receiver.example`.toLowerCase();
  const raw = Buffer.from(`${written(text).replace(/[\r\n]+$/, '\r\n')}.\r\n`);
  const { reply, ids } = await relay.submit({ to, raw, isWhole: true });
  expect(reply).toMatch(/^250 /);
  const arrived = (await relay.arrived(to)).raw;
  expect(arrived.toString()).not.toMatch(/\r(?!\n)|(?<!\r)\n/);
  expect(bodyOf(arrived).toString()).toBe('Hi.\r\n.dot\r\n');
  expect(fieldOf(arrived, 'Subject')).toBe(name.replaceAll(' ', ''));
  expect(await relay.validSignatures(arrived)).toContain('shop.example');
  const { json } = await relay.appliance.api('GET', `/v1/messages/${ids[0] ?? ''}/content`);
  expect(json.text.trimEnd().replaceAll('\r', '')).toBe('Hi.\n.dot');
});

it('never treats text after a false end as commands', async () => {
  const inner =
    'MAIL FROM:<robot@shop.example>\r\nRCPT TO:<smuggled@receiver.example>\r\nDATA\r\nFrom: orders@shop.example\r\n\r\n';
  for (const [i, falseEnd] of ['\n.\n', '\n.\r\n', '\r\n.\n', '\r.\r', '\r.\r\n', '\r\r\n.\r'].entries()) {
    const to = `end${i}@receiver.example`;
    const raw = Buffer.from(`From: orders@shop.example\r\n\r\nHi${falseEnd}${inner}x\r\n.\r\n`);
    const { reply } = await relay.submit({ to, raw, isWhole: true });
    expect(reply, JSON.stringify(falseEnd)).toMatch(/^250 /);
    expect((await relay.arrived(to)).raw.toString()).toContain('RCPT TO:<smuggled@receiver.example>');
  }
  expect(relay.sink.messages.some(({ rcptTo }) => rcptTo[0]?.startsWith('smuggled'))).toBe(false);
});

it('refuses NUL', async () => {
  const raw = Buffer.from('From: orders@shop.example\r\n\r\na\0b\r\n.\r\n');
  const { reply } = await relay.submit({ to: 'nul@receiver.example', raw, isWhole: true });
  expect(reply).toMatch(/^550 5\.6\.11 /);
});

it('encodes only the parts with lines of more than 998 octets', async () => {
  const to = 'long@receiver.example';
  const html = `<table>${'<tr><td>Größe 42</td></tr>'.repeat(200)}</table>`;
  const file = Buffer.from(Array.from({ length: 5_000 }, (_, i) => (i * 7) % 256));
  const short = [
    '--b',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    'Größe 42 ',
  ];
  const raw = Buffer.from(
    lines(
      'From: orders@shop.example',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      ...short,
      '--b',
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: 8bit',
      '',
      html,
      '--b',
      'Content-Type: application/octet-stream; name=a.bin',
      'Content-Transfer-Encoding: base64',
      '',
      file.toString('base64'),
      '--b--',
    ),
  );
  const { reply, ids } = await relay.submit({ to, raw });
  expect(reply).toMatch(/^250 /);
  const arrived = (await relay.arrived(to)).raw;
  expect(
    Math.max(
      ...arrived
        .toString('latin1')
        .split('\r\n')
        .map(({ length }) => length),
    ),
  ).toBeLessThanOrEqual(998);
  expect(arrived.toString()).toContain(lines(...short));
  const read = await parse(arrived);
  expect(read.html).toContain(html);
  expect(read.attachments.map(({ content }) => content.equals(file))).toEqual([true]);
  expect(await relay.validSignatures(arrived)).toContain('shop.example');
  // Reading it returns what was sent.
  await relay.reached(ids[0] ?? '', 'delivered');
  const again = await fetch(`${relay.appliance.url}/v1/messages/${ids[0] ?? ''}/raw`, {
    headers: { authorization: `Bearer ${relay.key}` },
  });
  expect(Buffer.from(await again.arrayBuffer()).equals(arrived)).toBe(true);
  const message = await relay.message(ids[0] ?? '');
  expect(message['attachments']).toMatchObject([
    { filename: 'a.bin', sha256: createHash('sha256').update(file).digest('hex') },
  ]);
});

it.each(['long-references.eml', 'long-subject.eml', 'long-to.eml', 'long-unfoldable-x.eml', 'mbox-line.eml'])(
  'accepts %s, and signs it in lines of valid length',
  async (name) => {
    const to = `${name.slice(0, -4)}@receiver.example`;
    const raw = fieldMail(name).toString('latin1').replace('sender@mail.example.test', 'orders@shop.example');
    expect((await relay.submit({ to, raw })).reply).toMatch(/^250 /);
    const arrived = (await relay.arrived(to)).raw;
    expect(
      Math.max(
        ...arrived
          .toString('latin1')
          .split('\r\n')
          .map((line) => line.length),
      ),
    ).toBeLessThan(999);
    expect(arrived.toString()).not.toMatch(/^From /m);
    expect(await relay.validSignatures(arrived)).toContain('shop.example');
  },
);

it('accepts mail without a blank line after its header', async () => {
  const to = 'no-blank-line@receiver.example';
  const raw = fieldMail('no-blank-line.eml')
    .toString()
    .replace('sender@mail.example.test', 'orders@shop.example');
  const { ids } = await relay.submit({ to, raw });
  expect(bodyOf((await relay.arrived(to)).raw).toString()).toBe(
    'hi there, no blank line before me\r\nmore\r\n',
  );
  expect(await relay.message(ids[0] ?? '')).toMatchObject({ subject: 's' });
});

it('refuses a type that cannot be folded', async () => {
  const raw = lines('From: orders@shop.example', `Content-Type: ${'x'.repeat(1_000)}`, '', 'Hi');
  const { reply } = await relay.submit({ to: 'header@receiver.example', raw });
  expect(reply).toMatch(/^554 5\.6\.0 .*field that can be neither folded nor encoded/);
});
