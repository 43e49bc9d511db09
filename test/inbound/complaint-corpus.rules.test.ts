// Tests complaints as they arrive, from the bytes to the verdict. The expected result is next to each mail.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readFeedbackReport } from '../../src/lib/dsn/index.js';
import { readUnsubscribeToken } from '../../src/contacts/unsubscribe.rules.js';
import {
  readMessageReference,
  readReplyLocal,
  readUnsubscribeLocal,
} from '../../src/messages/mail-tokens.rules.js';
import { parseMail } from '../../src/lib/mail-parser/index.js';
import { findField } from '../../src/lib/mime/index.js';
import { tokensIn, type TokenTrace } from '../../src/inbound/classify/token-traces.rules.js';
import { readReturnPathLocal } from '../../src/messages/verp.rules.js';
import { classifyComplaint, type ComplaintFacts } from '../../src/inbound/classify/complaint.rules.js';

const FOLDER = new URL('../corpus/complaints/', import.meta.url);
/** The tokens of the corpus are signed with it. */
const KEYS = [{ id: 3, secret: Buffer.alloc(32, 7) }];

interface Expected {
  origin: string;
  report: Record<string, unknown> | null;
  /** Kind and field of each trace, in their order. */
  traces?: string[];
  /** The message id in the first verified trace. */
  messageId?: string | null;
  /** With the reporter's signature; with another signature; from a configured source. */
  verdicts?: { signed: string; unsigned: string; configured: string };
}

const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.eml'))
  .map((file) => file.slice(0, -'.eml'.length));

function verified(trace: TokenTrace): string | null {
  switch (trace.kind) {
    case 'return_path':
      return readReturnPathLocal(trace.local, trace.domain, KEYS);
    case 'reference':
      return readMessageReference(trace.token, KEYS);
    case 'unsubscribe_link':
      return readUnsubscribeToken(trace.token, KEYS);
    case 'unsubscribe_address':
      return readUnsubscribeLocal(trace.local, trace.domain, KEYS);
    case 'reply_address':
      return readReplyLocal(trace.local, trace.domain, KEYS);
    case 'message_id':
      return null;
  }
}

describe('the corpus of complaints', () => {
  it('has enough of them', () => {
    expect(names.length).toBeGreaterThanOrEqual(20);
  });

  it.each(names)('%s', async (name) => {
    const expected = JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')) as Expected;
    const mail = await parseMail(readFileSync(new URL(`${name}.eml`, FOLDER)));
    const report = readFeedbackReport(mail);
    expect(expected.origin).not.toBe('');
    if (expected.report === null || report === null) {
      expect(report).toBe(expected.report);
      return;
    }
    const { original, arrivalDate, ...said } = report;
    expect({
      ...said,
      arrivalDate: arrivalDate === null ? null : new Date(arrivalDate).toISOString(),
      originalSubject: findField({ fields: original }, 'subject'),
    }).toEqual(expected.report);

    const traces = tokensIn(report);
    expect(traces.map(({ kind, field }) => `${kind} ${field}`)).toEqual(expected.traces);
    const named = traces.map(verified).find((id) => id !== null) ?? null;
    expect(named).toBe(expected.messageId);
    // Regardless of which traces survived, each verified one names this message.
    expect(new Set(traces.map(verified).filter((id) => id !== null)).size).toBeLessThanOrEqual(1);

    const judged = (
      dkim: NonNullable<ComplaintFacts['authentication']>['dkim'],
      sourceIsConfigured = false,
    ): string => classifyComplaint({ report, authentication: { dkim }, sourceIsConfigured });
    expect({
      signed: judged([{ result: 'pass', aligned: true }]),
      unsigned: judged([{ result: 'pass', aligned: false }]),
      configured: judged([], true),
    }).toEqual(expected.verdicts);
  });
});
