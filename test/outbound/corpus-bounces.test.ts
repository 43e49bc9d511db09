// Tests that every mail of test/corpus/bounces is read and judged as the .json file next to it says.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileDsnRules } from '../../src/lib/dsn/index.js';
import { parseMail } from '../../src/lib/mail-parser/index.js';
import { compileBounceRules } from '../../src/outbound/outcome/bounce-class.rules.js';
import {
  classifyBounceReport,
  type BounceClassification,
} from '../../src/inbound/classify/bounce-report.rules.js';
import { classifyMail } from '../../src/inbound/classify/classification.js';
import { compileReplyRules } from '../../src/inbound/replies/reply-rules.rules.js';
import { compileProviders, findProvider } from '../../src/outbound/route/provider.rules.js';
import { readShipped } from '../../src/settings/shipped.js';

interface Expected {
  origin: string;
  kind: string;
  report: {
    format: string;
    recipients: readonly object[];
    originalMessageId: string | null;
  } | null;
  judgements: readonly (BounceClassification & { recipient: string })[];
}

const folder = new URL('../corpus/bounces/', import.meta.url);
const dsnRules = compileDsnRules(readShipped('dsn-rules'));
const replyRules = compileReplyRules(readShipped('reply-rules'));
const providers = compileProviders(readShipped('providers'));
const bounceRules = compileBounceRules(readShipped('bounce-rules'), providers);
const providerOfHost = (host: string): string | null => findProvider([host], providers);

const mails = readdirSync(folder)
  .filter((file) => file.endsWith('.eml'))
  .map((file) => ({
    file,
    raw: readFileSync(new URL(file, folder)),
    expected: JSON.parse(readFileSync(new URL(file.replace('.eml', '.json'), folder), 'utf8')) as Expected,
  }));

describe('the bounce corpus', () => {
  it('has at least 60 bounces of at least 12 kinds, with CRLF line ends and sources', () => {
    const bounces = mails.filter(({ expected }) => expected.report !== null);
    expect(bounces.length).toBeGreaterThanOrEqual(60);
    expect(new Set(bounces.map(({ expected }) => expected.kind)).size).toBeGreaterThanOrEqual(12);
    for (const { file, raw, expected } of mails) {
      expect(/(?<!\r)\n/.test(raw.toString('latin1')), `${file} has CRLF`).toBe(false);
      expect(expected.origin.length, file).toBeGreaterThan(10);
    }
  });

  it.each(mails)('$file', async ({ raw, expected }) => {
    const mail = await parseMail(raw);
    const envelope = { kind: 'return_path', mailFrom: '', rcptTo: 'b-1@bounce.example.org' } as const;
    const classified = classifyMail(mail, envelope, { dsn: dsnRules, reply: replyRules });
    const report = classified.kind === 'bounce' ? classified.report : null;
    expect(
      report && {
        format: report.format,
        recipients: report.recipients.map(({ finalRecipient, originalRecipient, action, status }) => ({
          finalRecipient,
          originalRecipient,
          action,
          status,
        })),
        originalMessageId: report.original.find(({ name }) => name === 'message-id')?.value ?? null,
      },
    ).toEqual(expected.report);
    for (const { recipient, ...judgement } of expected.judgements) {
      if (!report) throw new Error('a judgement is expected of no report');
      const judged = classifyBounceReport(report, { recipientKey: recipient, providerOfHost }, bounceRules);
      expect(judged).toEqual(judgement);
    }
  });
});
