import { describe, expect, it } from 'vitest';
import { parseMail } from '../../../src/lib/mail-parser/mime-parse.js';
import type { ParsedMail } from '../../../src/lib/mime/index.js';
import { mutatedMail, sampleMails, seededRandom } from '../../support/mail-mutations.js';
import { sized } from '../../support/run-size.js';

const CONTROLS = /\p{Cc}/u;

/** Checks the guarantees of the parser on any input. */
function expectSound(mail: ParsedMail, raw: Buffer): void {
  const mailboxes = [mail.from, ...mail.replyTo, ...mail.to, ...mail.cc].flatMap((mailbox) => mailbox ?? []);
  const oneLiners = [
    mail.subject,
    mail.messageId ?? '',
    ...mail.inReplyTo,
    ...mail.references,
    ...mail.fields.flatMap(({ name, value }) => [name, value]),
    ...mailboxes.flatMap(({ email, name }) => [email, name ?? '']),
    ...mail.parts.flatMap(({ type, filename, contentId }) => [type, filename ?? '', contentId ?? '']),
  ];
  expect(oneLiners.filter((text) => CONTROLS.test(text))).toEqual([]);
  const texts = [...oneLiners, mail.text ?? '', mail.html ?? ''];
  expect(texts.filter((text) => !text.isWellFormed())).toEqual([]);
  const shared = mail.parts.filter(
    ({ content }) => content.constructor !== Uint8Array || content.byteLength !== content.buffer.byteLength,
  );
  expect(shared).toEqual([]);
  expect(mail.parts.reduce((sum, { content }) => sum + content.length, 0)).toBeLessThanOrEqual(raw.length);
}

describe('randomly damaged mail', () => {
  it('is parsed consistently, with unchanged octets', async () => {
    const samples = sampleMails();
    const random = seededRandom(20_261_120);
    for (let i = 0; i < sized({ small: 150, full: 300 }); i++) {
      const raw = mutatedMail(samples, random);
      const before = Buffer.from(raw);
      const mail = await parseMail(raw);
      expectSound(mail, raw);
      expect(raw.equals(before)).toBe(true);
    }
  });
});
