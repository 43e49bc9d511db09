// Tests that every mail of test/corpus/replies is split as the .json file next to it says.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseMail } from '../../src/lib/mail-parser/index.js';
import { splitReply } from '../../src/inbound/replies/quoted-reply.rules.js';
import { shippedReplyRules } from '../support/reply-rules.js';

interface Expected {
  origin: string;
  client: string;
  language: string;
  visibleText: string;
  signature: string | null;
  quotedStartsWith: string | null;
  visibleHtmlHas: readonly string[];
  visibleHtmlLacks: readonly string[];
  attachments: readonly string[];
}

const folder = new URL('../corpus/replies/', import.meta.url);
const rules = shippedReplyRules();
const mails = readdirSync(folder)
  .filter((file) => file.endsWith('.eml'))
  .map((file) => ({
    file,
    raw: readFileSync(new URL(file, folder)),
    expected: JSON.parse(readFileSync(new URL(file.replace('.eml', '.json'), folder), 'utf8')) as Expected,
  }));

describe('the corpus of replies', () => {
  it('has at least 30 replies from at least 10 clients in at least 5 languages, with the line ends of mail', () => {
    expect(mails.length).toBeGreaterThanOrEqual(30);
    expect(new Set(mails.map(({ expected }) => expected.client)).size).toBeGreaterThanOrEqual(10);
    expect(new Set(mails.map(({ expected }) => expected.language)).size).toBeGreaterThanOrEqual(5);
    for (const { file, raw } of mails) {
      expect(/(?<!\r)\n/.test(raw.toString('latin1')), `${file} has CRLF`).toBe(false);
    }
  });

  it.each(mails)('$file', async ({ raw, expected }) => {
    const mail = await parseMail(raw);
    const split = splitReply(mail, rules);
    expect(split.visibleText).toBe(expected.visibleText);
    expect(split.signature).toBe(expected.signature);
    if (expected.quotedStartsWith === null) expect(split.quotedText).toBeNull();
    else expect(split.quotedText?.slice(0, expected.quotedStartsWith.length)).toBe(expected.quotedStartsWith);
    for (const words of expected.visibleHtmlHas) expect(split.visibleHtml).toContain(words);
    for (const words of expected.visibleHtmlLacks) expect(split.visibleHtml).not.toContain(words);
    expect(mail.parts.map((part) => part.filename)).toEqual(expected.attachments);
  });
});
