// Tests that a mail with a file of 30 MB passes unchanged, and that one above the limit is refused, before it is sent if
// possible.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bodyOf, lines } from '../../support/raw-mail.js';
import { signIn } from '../../support/relay-client.js';
import { startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';
import { sized } from '../../support/run-size.js';

const MIB = 1024 * 1024;
/** Every check uses a small limit, so that a small mail exceeds it. */
const LIMIT = sized({ small: 5 * MIB, full: 44 * MIB });
const FILE_SIZE = sized({ small: 3_000_000, full: 30_000_000 });
let relay: SinkRig;
beforeAll(async () => {
  relay = await startMailRigWithSink({ env: { MAILKEEL_MESSAGE_SIZE_LIMIT: `${LIMIT / MIB}MiB` } });
});
afterAll(() => relay.close());

const base64 = (octets: Buffer): string => octets.toString('base64').replace(/.{76}/g, '$&\r\n');

it('arrives complete, is delivered once, and can be read back', async () => {
  const file = Buffer.alloc(FILE_SIZE, 'A part of it that is not the same everywhere. ');
  for (let at = 0; at < file.length; at += 997) file[at] = at % 256;
  const hash = createHash('sha256').update(file).digest('hex');
  const raw = Buffer.from(
    lines(
      'From: orders@shop.example',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: application/zip; name=big.zip',
      'Content-Transfer-Encoding: base64',
      '',
      base64(file),
      '--b--',
    ),
  );
  const { reply, ids } = await relay.submit({ to: 'big@receiver.example', raw, mail: `SIZE=${raw.length}` });
  expect(reply).toMatch(/^250 /);
  const message = await relay.reached(ids[0] ?? '', 'delivered', 25_000);
  expect(message['attachments']).toMatchObject([{ filename: 'big.zip', size: file.length, sha256: hash }]);
  expect(relay.sink.messages).toHaveLength(1);
  expect(bodyOf(relay.sink.messages[0]?.raw ?? Buffer.alloc(0)).equals(bodyOf(raw))).toBe(true);
  const status = readFileSync(`/proc/${relay.appliance.process().pid ?? 0}/status`, 'utf8');
  const peakMib = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  if (process.env['SHOW_FIGURES']) console.log(`peak memory of the program: ${Math.round(peakMib)} MiB`);
  expect(peakMib).toBeLessThan(1_200);
}, 60_000);

it('is refused if it is too large, at MAIL if the client declares the size', async () => {
  const client = await relay.relayClient();
  expect(client.transcript).toMatch(new RegExp(`^250[- ]SIZE ${LIMIT}\r$`, 'm'));
  await signIn(client, relay.key);
  expect(await client.say(`MAIL FROM:<robot@shop.example> SIZE=${LIMIT + 1}`)).toMatch(/^552 5\.3\.4 /);
  await client.say('MAIL FROM:<robot@shop.example>', 'RCPT TO:<big@receiver.example>', 'DATA');
  client.write(Buffer.alloc(LIMIT + 100, 'sixteen octets\r\n'));
  client.write('\r\n.\r\n');
  expect(await client.reply()).toMatch(/^552 5\.3\.4 /);
  // The session continues.
  expect(await client.say('MAIL FROM:<robot@shop.example>')).toMatch(/^250 /);
  client.hangUp();
}, 60_000);
