import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BounceCategory } from '../../src/contract/names.js';
import {
  bounceType,
  compileBounceRules,
  REPLY_PHASES,
  type ReplyPhase,
} from '../../src/outbound/outcome/bounce-class.rules.js';
import { classifyReply, type ReplyVerdict } from '../../src/outbound/outcome/disposition.rules.js';
import { compileProviders } from '../../src/outbound/route/provider.rules.js';
import { readShipped } from '../../src/settings/shipped.js';

const rules = compileBounceRules(readShipped('bounce-rules'), compileProviders(readShipped('providers')));

type Row = [
  reply: `${ReplyPhase} ${string}`,
  disposition: ReplyVerdict['disposition'],
  category: BounceCategory,
  suppress?: 'suppress' | 'repeat' | undefined,
  provider?: string,
];

const ROWS: Row[] = [
  ['dot 250 2.0.0 OK queued', 'delivered', 'unknown'],
  ['dot 250 ok', 'delivered', 'unknown'],
  ['rcpt 354 out of step', 'retry', 'protocol'],
  // the address
  ['rcpt 550 5.1.1 User unknown', 'fail', 'invalid_recipient', 'suppress'],
  ['rcpt 550 No such user here', 'fail', 'invalid_recipient', 'repeat'],
  ['rcpt 550 Requested action not taken: mailbox unavailable', 'fail', 'invalid_recipient', 'repeat'],
  ['rcpt 550 Unrouteable address', 'fail', 'invalid_recipient', 'repeat'],
  ['rcpt 550 Unrouteable domain', 'fail', 'bad_domain', 'repeat'],
  [
    "rcpt 554 delivery error: This user doesn't have a yahoo.com account",
    'fail',
    'invalid_recipient',
    'suppress',
    'yahoo',
  ],
  ['rcpt 553 5.1.3 Bad destination mailbox address syntax', 'fail', 'invalid_recipient', 'suppress'],
  ['rcpt 550 5.1.6 Mailbox has moved', 'fail', 'invalid_recipient', 'suppress'],
  ['rcpt 550 5.7.17 Mailbox owner has changed', 'fail', 'invalid_recipient', 'repeat'],
  [
    'rcpt 550 5.4.1 Recipient address rejected: Access denied.',
    'fail',
    'invalid_recipient',
    'repeat',
    'microsoft_365',
  ],
  ['dsn 550 5.1.1 unknown mailbox', 'fail', 'invalid_recipient', 'suppress'],
  ['rcpt 550 rejected', 'fail', 'unknown'],
  ['dot 550 5.1.1 User unknown', 'fail', 'invalid_recipient', 'suppress'],
  ['rcpt 450 4.1.1 User unknown', 'retry', 'invalid_recipient'],
  ['rcpt 450 5.1.1 User unknown', 'retry', 'invalid_recipient'],
  ['rcpt 550 4.1.1 User unknown', 'fail', 'invalid_recipient', 'repeat'],
  // the mailbox
  ['rcpt 550 5.2.1 Mailbox disabled', 'fail', 'inactive_mailbox', 'suppress'],
  ['rcpt 550 5.7.13 User account disabled', 'fail', 'inactive_mailbox', 'repeat'],
  ['rcpt 550 This account has been suspended', 'fail', 'inactive_mailbox', 'repeat'],
  [
    'rcpt 554 30 Sorry, your message cannot be delivered. This mailbox is disabled (554.30).',
    'fail',
    'inactive_mailbox',
    'repeat',
    'yahoo',
  ],
  // the domain
  ['rcpt 550 5.1.2 Host unknown', 'fail', 'bad_domain', 'suppress'],
  ['rcpt 556 5.1.10 Recipient has null MX', 'fail', 'bad_domain', 'suppress'],
  ['rcpt 550 Domain example.test does not exist', 'fail', 'bad_domain', 'repeat'],
  ['dsn 550 5.4.310 DNS domain does not exist', 'fail', 'bad_domain', 'repeat'],
  ['greeting 521 server does not accept mail', 'retry', 'network'],
  // full
  ['rcpt 452 4.2.2 Mailbox full', 'retry', 'quota'],
  ['rcpt 552 5.2.2 Over quota', 'retry', 'quota'],
  ['dot 552 5.2.2 The account that you tried to reach is over quota', 'retry', 'quota'],
  ['rcpt 552 Requested mail action aborted: exceeded storage allocation', 'retry', 'quota'],
  ['rcpt 552', 'retry', 'quota'],
  ['rcpt 550 Mailbox is full', 'retry', 'quota'],
  ['data 452 4.3.1 Insufficient system storage', 'retry', 'quota'],
  // greylisting
  ['rcpt 451 4.7.1 Greylisting in action, please come back later', 'retry', 'greylist'],
  ['rcpt 450 4.2.0 Recipient address rejected: Graylisted', 'retry', 'greylist'],
  ['rcpt 450 try later', 'retry', 'greylist'],
  // pace
  [
    'rcpt 450 4.2.1 The user you are trying to contact is receiving mail at a rate that',
    'retry',
    'rate_limited',
    undefined,
    'google',
  ],
  ['mail 421 4.7.28 Our system has detected an unusual rate', 'retry', 'rate_limited', undefined, 'google'],
  ['greeting 421 4.7.0 Too many connections from your address', 'retry', 'rate_limited'],
  [
    'mail 421 4.7.0 [TSS04] Messages temporarily deferred due to user complaints',
    'retry',
    'rate_limited',
    undefined,
    'yahoo',
  ],
  [
    'mail 451 4.7.500 Server busy. Please try again later (S77719)',
    'retry',
    'rate_limited',
    undefined,
    'microsoft_365',
  ],
  ['rcpt 452 4.5.3 Too many recipients', 'retry', 'rate_limited'],
  // Mailkeel's reputation
  [
    'rcpt 554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org',
    'retry',
    'spam_block',
  ],
  [
    "mail 550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. part of their network is on our block list (S3140).",
    'retry',
    'spam_block',
    undefined,
    'microsoft_365',
  ],
  ['rcpt 550 Rejected: listed at RBL', 'retry', 'spam_block'],
  ['greeting 554 5.7.1 poor reputation', 'retry', 'spam_block'],
  ['dot 554 5.7.1 sender has a poor reputation', 'fail', 'spam_block'],
  ['mail 550 5.7.511 Access denied, banned sender', 'retry', 'spam_block', undefined, 'microsoft_365'],
  // the content
  ['dot 554 5.7.1 Message identified as spam', 'fail', 'spam_content'],
  ['dot 550 5.7.1 This message contains virus Eicar', 'fail', 'spam_content'],
  ['dot 550 spam', 'fail', 'spam_content'],
  [
    'dot 550 5.7.1 likely unsolicited mail. To reduce the amount of spam',
    'fail',
    'spam_content',
    undefined,
    'google',
  ],
  // authentication
  ['dot 550 5.7.26 This mail is unauthenticated', 'fail', 'auth_failed', undefined, 'google'],
  [
    'dot 550 5.7.515 Access denied, sending domain does not meet the level',
    'fail',
    'auth_failed',
    undefined,
    'microsoft_365',
  ],
  ['mail 550 5.7.23 SPF validation failed', 'fail', 'auth_failed'],
  ['dot 550 5.7.1 Rejected by DMARC policy', 'fail', 'auth_failed'],
  ['dot 550 5.7.20 no passing DKIM signature', 'fail', 'auth_failed'],
  // policy
  ['rcpt 554 5.7.1 Relay access denied', 'fail', 'policy'],
  ['rcpt 550 5.7.1 Rejected', 'fail', 'policy'],
  ['mail 553 5.1.8 Sender domain not found', 'fail', 'policy'],
  ['mail 550 5.7.27 Sender has null MX', 'fail', 'policy'],
  ['mail 550 no', 'fail', 'policy'],
  // TLS
  ['mail 530 5.7.0 Must issue a STARTTLS command first', 'fail', 'tls'],
  ['mail 550 5.7.10 Encryption needed', 'fail', 'tls'],
  ['starttls 454 4.3.3 TLS not available', 'retry', 'tls'],
  ['starttls 454 4.7.0 TLS not available due to temporary reason', 'retry', 'tls'],
  ['starttls 554 5.7.1 Not for you', 'retry', 'tls'],
  ['starttls 421 4.3.2 Closing', 'retry', 'network'],
  ['starttls 454', 'retry', 'tls'],
  // size
  ['mail 552 5.3.4 Message size exceeds fixed limit', 'fail', 'too_large'],
  ['mail 552 too big', 'fail', 'too_large'],
  ['dot 523 5.2.3 too long', 'fail', 'too_large'],
  // network and protocol
  ['rcpt 450 4.4.1 No answer from host', 'retry', 'network'],
  ['ehlo 421 shutting down', 'retry', 'network'],
  ['dot 554 5.4.6 Routing loop detected', 'fail', 'network'],
  ['ehlo 502 command not implemented', 'retry', 'protocol'],
  ['mail 501 5.5.4 Bad parameter', 'fail', 'protocol'],
  ['rcpt 421 5.1.1 User unknown, closing', 'retry', 'invalid_recipient'],
  ['auth 535 5.7.8 Authentication credentials invalid', 'retry', 'policy'],
  ['dot 554 Transaction failed', 'fail', 'unknown'],
  ['dot 451 Requested action aborted', 'retry', 'unknown'],
];

function parse(text: string): { phase: ReplyPhase; code: number; text: string } {
  const [phase, code, ...words] = text.split(' ');
  const known = REPLY_PHASES.find((name) => name === phase);
  if (!known) throw new Error(`no phase in ${text}`);
  return { phase: known, code: Number(code), text: words.join(' ') };
}

describe('classifyReply', () => {
  it.each(ROWS)('%s: %s, %s', (reply, disposition, category, suppress, provider) => {
    const verdict = classifyReply({ ...parse(reply), enhanced: null, provider: provider ?? null }, rules);
    const suppression = suppress === undefined ? 'never' : suppress === 'suppress' ? 'now' : 'repeated';
    const expected = category === 'quota' ? expect.any(String) : suppression;
    expect(verdict, verdict.by).toMatchObject({ disposition, category, suppress: expected });
  });

  it('has examples of every category that a reply can have', () => {
    expect(ROWS.length).toBeGreaterThan(60);
    expect(new Set(ROWS.map((row) => row[2])).size).toBeGreaterThanOrEqual(14);
  });

  it('suppresses only for a refused address, whatever a peer writes', () => {
    const reply = fc.record({
      phase: fc.constantFrom(...REPLY_PHASES),
      code: fc.option(fc.integer({ min: 200, max: 599 })),
      enhanced: fc.option(fc.constantFrom('5.1.1', '4.2.2', '5.7.1', '9.9.9', 'x')),
      text: fc.string({ maxLength: 600 }),
      provider: fc.constantFrom(null, 'google', 'nobody'),
    });
    fc.assert(
      fc.property(reply, (given) => {
        const verdict = classifyReply(given, rules);
        if (given.code === null || given.code === 421) expect(verdict.disposition).toBe('retry');
        if (verdict.suppress === 'never') return;
        expect(['rcpt', 'data', 'dot', 'dsn']).toContain(given.phase);
        if (verdict.category === 'quota') return;
        expect(verdict.disposition).toBe('fail');
        expect(bounceType(verdict.category)).toBe('hard');
      }),
    );
  });
});

describe('bounceType', () => {
  it('is hard only if the address cannot receive mail', () => {
    for (const category of ['invalid_recipient', 'inactive_mailbox', 'bad_domain'] as const) {
      expect(bounceType(category)).toBe('hard');
    }
    for (const category of ['quota', 'policy', 'spam_block', 'expired', 'network'] as const) {
      expect(bounceType(category)).toBe('soft');
    }
  });
});
