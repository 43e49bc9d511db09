// Tests refusals that prove that an address does not exist, next to as many similar ones about the sender, a policy, a
// reputation, a count or a time. Only the first kind may suppress.
import { describe, expect, it } from 'vitest';
import type { BounceCategory } from '../../src/contract/names.js';
import {
  bounceType,
  compileBounceRules,
  REPLY_PHASES,
  type ReplyPhase,
} from '../../src/outbound/outcome/bounce-class.rules.js';
import { classifyReply, type ExplainedVerdict } from '../../src/outbound/outcome/disposition.rules.js';
import { compileProviders } from '../../src/outbound/route/provider.rules.js';
import { readShipped } from '../../src/settings/shipped.js';

const rules = compileBounceRules(readShipped('bounce-rules'), compileProviders(readShipped('providers')));

function decide(reply: string): ExplainedVerdict {
  const [name, code, ...words] = reply.split(' ');
  const phase: ReplyPhase = REPLY_PHASES.find((known) => known === name) ?? 'rcpt';
  return classifyReply({ phase, code: Number(code), enhanced: null, text: words.join(' ') }, rules);
}

/** One reply is sufficient. */
const PROVEN = [
  'rcpt 550 5.1.1 <ann@example.org>: Recipient address rejected: User unknown in relay recipient table',
  'rcpt 550 5.1.1 <ann@example.org>: Recipient address rejected: User unknown in virtual alias table',
  'rcpt 550 5.1.1 <ann@example.org>: Recipient address rejected: User unknown in local recipient table',
  'rcpt 550 5.1.1 <ann@example.org>: Recipient address rejected: User unknown',
  'rcpt 550 5.1.1 <ann@example.org>: Recipient address rejected: undeliverable address: No such user',
  'rcpt 550 5.1.1 <ann@example.org>: Recipient address rejected: example.org',
  'rcpt 550 5.1.1 <ann@example.org>... User unknown',
  'rcpt 550 5.1.1 <ann@example.org> User doesn’t exist: ann@example.org',
  'rcpt 550 5.1.1 ann@example.org',
  'rcpt 550 5.1.1',
  'rcpt 550 5.1.1 Addressee unknown, relay=[192.0.2.1]',
  'rcpt 550 5.1.1 User unknown. Please check the address and try again.',
  'rcpt 550 5.1.1 Unknown user at mx.limited.example',
  'rcpt 550 5.1.1 [mx1.sender-policy.example.org]: no such mailbox',
  'rcpt 550 5.1.1 Recipient not found. See https://example.org/policy/sender-blocked for help',
  'rcpt 550 5.1.1 No such user; the message is returned to the sender',
  "rcpt 550 5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient's email address for typos or unnecessary spaces. Learn more at https://support.google.com/mail/?p=NoSuchUser a1-20020a17 - gsmtp",
  'rcpt 550 5.1.1 Sorry, no mailbox here by that name (#5.1.1)',
  'rcpt 550 5.1.1 Mailbox does not exist',
  'rcpt 550 5.1.1 mailbox unavailable',
  'rcpt 550 5.1.1 Unknown or illegal alias: ann@example.org',
  'rcpt 550 5.1.1 Invalid mailbox',
  'rcpt 550 5.1.1 Account not found',
  'rcpt 550 5.1.1 This account no longer exists',
  'rcpt 550 5.1.1 The recipient is not in our directory',
  'rcpt 550 5.1.1 Recipient rejected - ELNK001_403 -',
  'rcpt 550 5.1.1 Boîte inconnue',
  'rcpt 550 5.1.1 Empfänger existiert nicht',
  'rcpt 551 5.1.1 not our user',
  'rcpt 553 5.1.1 unknown mailbox',
  'rcpt 554 5.1.1 recipient unknown',
  'dot 550 5.1.1 <ann@example.org> User unknown',
  'dot 554 5.1.1 No such mailbox',
  'data 550 5.1.1 Unknown recipient',
  "dot 554 delivery error: dd This user doesn't have a yahoo.com account (ann@yahoo.com) [0]",
  "dot 554 delivery error: dd This user doesn't have a ymail.com account (ann@ymail.com) [-5]",
  "rcpt 554 delivery error: dd This user doesn't have a yahoo.co.uk account (ann@yahoo.co.uk) [0]",
  'dsn 550 5.1.1 RESOLVER.ADR.ExRecipNotFound; not found',
  'dsn 550 5.1.1 The email address you entered could not be found',
  'dsn 550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ann@example.org not found by SMTP address lookup',
  'rcpt 550 5.1.2 No such domain at this location',
  'rcpt 550 5.1.2 Host unknown (Name server: example.org: host not found)',
  'rcpt 553 5.1.3 The recipient address <ann@> is not a valid RFC 5321 address',
  'rcpt 501 5.1.3 Bad recipient address syntax',
  'rcpt 550 5.1.4 Recipient address is ambiguous',
  'rcpt 551 5.1.6 The user has moved',
  'rcpt 550 5.1.6 Recipient no longer on server: ann@example.org',
  'rcpt 550 5.1.0 Address rejected.',
  'rcpt 550 #5.1.0 Address rejected.',
  'rcpt 556 5.1.10 Null MX',
  'rcpt 550 5.2.1 The email account that you tried to reach is disabled. Learn more at https://support.google.com/mail/?p=DisabledUser',
  'rcpt 550 5.2.1 The email account that you tried to reach is inactive.',
  'rcpt 550 5.2.1 Mailbox disabled, not accepting messages',
  'rcpt 550 5.2.1 This mailbox has been closed by its owner',
  'rcpt 550 5.2.1 Account suspended',
  'dot 550 5.2.1 Mailbox is locked',
  'dsn 550 5.2.1 The account has been deleted',
  'dsn 554 5.1.1 unknown user',
];

/** A second such reply on another day suppresses. */
const CLAIMED = [
  'rcpt 550 Requested action not taken: mailbox unavailable',
  'rcpt 550 No such user',
  'rcpt 550 No such user here',
  'rcpt 550 No such recipient here',
  'rcpt 550 User unknown',
  'rcpt 550 Unknown user',
  'rcpt 550 <ann@example.org> User unknown',
  'rcpt 550 <ann@example.org>: User not found',
  'rcpt 550 <ann@example.org> does not exist: no such account',
  'rcpt 550 Unrouteable address',
  'rcpt 550 Unknown local part ann in <ann@example.org>',
  'rcpt 550 Mailbox not found',
  'rcpt 550 That mailbox does not exist',
  'rcpt 550 Account is disabled',
  'rcpt 550 This account has been deactivated',
  'rcpt 550 Mailbox locked',
  'rcpt 550 Recipient unknown',
  'rcpt 550 Invalid recipient',
  'rcpt 550 Invalid recipient ann@example.org',
  'rcpt 550 Recipient address rejected: User unknown in virtual mailbox table',
  'rcpt 550 The address ann@example.org is no longer valid',
  'rcpt 550 ann@example.org is no longer valid',
  'rcpt 550 This address is no longer valid.',
  'rcpt 550 There is no such user',
  'rcpt 550 We do not have a mailbox called ann',
  'rcpt 550 ann has left the company',
  'rcpt 550 No mailbox by that name is currently available',
  'rcpt 550 user does not exist, please check the spelling and try again',
  'rcpt 550 5.7.1 No such user!',
  'rcpt 553 sorry, this recipient is not in our directory',
  'rcpt 553 5.3.0 <ann@example.org>... No such user here',
  'rcpt 554 Recipient does not exist here',
  'rcpt 554 ann@example.org is not a registered gateway user',
  'rcpt 511 No such mailbox',
  'rcpt 550 Benutzer unbekannt',
  'rcpt 550 Utilisateur inconnu',
  'rcpt 550 El usuario no existe',
  'rcpt 550 5.7.13 User account disabled',
  'rcpt 550 5.7.17 Mailbox owner has changed',
  'rcpt 550 no mail exchanger for example.org',
  'rcpt 550 There is no MX for example.org',
  'rcpt 550 Invalid host name in the recipient address: example.org',
  'rcpt 550 Illegal host/domain name found',
  'rcpt 550 Unrouteable domain',
  'rcpt 550 The domain example.org does not accept mail',
  'rcpt 550 We do not host this domain',
  'dot 550 No such user here',
  'dot 554 The account does not exist',
  'dot 550 Mailbox not found',
  'dsn 550 No such user',
  'dsn 554 User unknown',
  'dsn 550 The account is closed',
];

/** Replies that are not about the address, and their category. */
const OTHERWISE: Partial<Record<BounceCategory, readonly string[]>> = {
  policy: [
    // the sender
    'rcpt 550 5.1.0 MAIL FROM address rejected',
    'rcpt 550 5.1.0 Originator address rejected: user unknown',
    'rcpt 550 Could not verify sender: user unknown at bounce.mail.example.test',
    "rcpt 550 The sender's address does not exist",
    'rcpt 550 invalid return path, mailbox unavailable',
    'rcpt 550 Return-path address does not exist',
    'rcpt 550 Reverse path not found: no such user',
    'rcpt 550 5.1.1 Envelope-from address unknown',
    'rcpt 550 From address invalid: no such mailbox',
    'rcpt 550 Sender verify failed',
    'rcpt 550 5.1.1 Sender unknown',
    'rcpt 550 5.1.0 Sender address rejected: User unknown in virtual mailbox table',
    'rcpt 550 <bounce@example.net>: Sender address rejected: undeliverable address: no such user',
    'rcpt 550 The user in the sender address is unknown',
    'rcpt 550 5.1.1 发件人地址不存在',
    'rcpt 550 发件人邮箱不存在',
    'rcpt 550 送信者のアドレスは存在しません',
    'rcpt 550 보낸 사람 주소가 존재하지 않습니다',
    'rcpt 550 5.1.1 адрес отправителя не существует',
    'rcpt 550 adres nadawcy nie istnieje',
    'rcpt 550 Gönderen adres bulunamadı',
    'rcpt 550 5.1.1 Absender unbekannt',
    'rcpt 550 5.1.1 Expéditeur inconnu',
    'rcpt 550 El usuario remitente no existe',
    'rcpt 550 5.1.1 Mittente sconosciuto',
    // mail that the address accepts
    'rcpt 550 No such user - refused by an ACL',
    'rcpt 550 5.1.1 The mailbox accepts internal mail only',
    'rcpt 550 5.1.1 The recipient only accepts encrypted messages',
    'rcpt 550 5.1.1 Bounces are not accepted for this address',
    'dot 550 5.1.1 The user takes no mail with such an attachment',
    'rcpt 550 Callback setup failed while verifying <bounce@example.net>: user unknown',
    'rcpt 550 Callout to <bounce@example.net>: mailbox not found',
    'rcpt 550 No such user: originator not accepted',
    'rcpt 553 sorry, your envelope sender is in my badmailfrom list: mailbox unavailable',
    'rcpt 550 5.2.1 The mailbox of the sender is disabled',
    'rcpt 550 The sender account has been suspended',
    'dot 550 5.1.1 Sender mailbox does not exist',
    'dsn 550 5.1.0 Sender rejected',
    'rcpt 550 Domain of sender address does not exist',
    // a policy
    'rcpt 550 5.7.1 Mail to this address is blocked: sender not in whitelist',
    'rcpt 550 5.1.1 The address is blocked',
    'rcpt 550 The account is unavailable: not on the whitelist',
    'rcpt 550 This mailbox is restricted to invalid external addresses',
    'rcpt 550 5.1.1 Recipient address rejected: Access denied',
    'rcpt 554 5.7.1 <ann@example.org>: Recipient address rejected: Access denied',
    'rcpt 550 User unavailable due to policy',
    'rcpt 550 5.2.1 Mailbox disabled for policy reasons',
    'rcpt 550 5.2.1 This mailbox takes mail from members only; account closed to others',
    'rcpt 550 User has blocked you: address unavailable',
    'rcpt 550 5.1.1 You are not allowed to write to this unknown user',
    'rcpt 550 5.7.1 Not authorized: the recipient is unknown to you',
    'rcpt 550 5.1.1 Authentication required for this mailbox',
    'rcpt 550 5.1.1 Relaying denied for unknown user',
    'rcpt 550 Blocked',
    'rcpt 550 This message is blocked',
    'rcpt 550 5.7.1 Rejected by header checks: unknown recipient',
    'rcpt 554 5.7.1 Unlocked accounts only: access denied',
    'rcpt 550 5.7.1 Permission denied: address not found in the allow list',
    'rcpt 550 5.1.1 filtered: user unknown',
    'rcpt 550 5.1.1 user unknown: you are on the blacklist of this server',
    'dot 550 Message refused',
    'dot 550 5.7.1 The undisclosed account holder has a policy',
  ],
  rate_limited: [
    'rcpt 550 5.5.0 Too many invalid recipients',
    'rcpt 550 Too many unknown users',
    'rcpt 550 5.7.1 directory harvest attack: too many unknown users',
    'rcpt 550 5.1.1 too many bad recipients',
    'rcpt 554 Too many invalid addresses in this session',
    'rcpt 550 5.1.1 Too many attempts to unknown users',
    'rcpt 550 Possible directory harvesting: user unknown',
    'rcpt 550 5.2.1 The user has a limit of messages: mailbox unavailable',
    'rcpt 550 5.2.1 The account is receiving mail at a rate that prevents additional messages from being delivered; disabled',
    'rcpt 550 Maximum number of invalid recipients reached',
    'rcpt 550 5.1.1 Invalid recipient limit exceeded',
    'rcpt 554 5.2.122 The recipient has exceeded their limit for the number of messages they can receive per hour',
    'rcpt 550 5.2.121 The recipient has exceeded their limit for messages from one source',
    'dsn 550 5.2.122 Recipient limit',
    'rcpt 550 Unknown user count exceeds the threshold',
  ],
  quota: [
    'rcpt 550 5.1.1 Mailbox unavailable: quota exceeded',
    'rcpt 550 5.1.1 mailbox full',
    'rcpt 550 5.2.1 Account disabled: over quota',
    'rcpt 552 The mailbox is full',
    'rcpt 550 The recipient is out of storage space',
  ],
  auth_failed: [
    'rcpt 550 Requested action not taken: mailbox unavailable 550 invalid DNS MX or A/AAAA resource record',
    'rcpt 550 Invalid DNS MX or A/AAAA resource record',
    'mail 554 Bad DNS PTR resource record',
    'rcpt 550 rejecting spoofed message',
    'rcpt 550 Spoofed mail for unknown user refused',
    'rcpt 550 5.1.1 SPF check failed: unknown user',
    'rcpt 550 5.1.1 Your host does not exist: mailbox unavailable',
    'rcpt 550 5.1.1 Your domain is unknown',
    'rcpt 550 mailbox unavailable: no valid PTR',
    'rcpt 550 5.1.1 Reverse DNS missing; user unknown',
    'rcpt 550 5.1.1 DMARC: user unknown',
    'dot 550 Mailbox unavailable: forged mail',
  ],
  spam_block: [
    'rcpt 554 5.7.1 mailbox unavailable - reputation',
    'rcpt 550 5.1.1 User unknown; client listed by DNSBL',
    'rcpt 550 The address is not available to hosts of low reputation',
    'rcpt 550 5.2.1 Account disabled for hosts on the block list',
    'greeting 521 5.7.1 Service unavailable; client [192.0.2.1] blocked using list.example.spamhaus.org',
  ],
  spam_content: [
    'rcpt 550 5.1.1 mailbox unavailable, spam',
    'rcpt 550 User unknown to spammers',
    'dot 550 5.1.1 unsolicited mail: mailbox unavailable',
    'dot 550 Recipient address rejected as junk',
    'dot 550 5.1.1 virus found, address unavailable',
  ],
  protocol: [
    'dot 550 5.1.1 The address in the header is unknown',
    'dot 550 Invalid address in From: line',
    'dot 550 Unknown address in the Reply-To: field',
    'rcpt 501 5.1.1 Syntax error',
  ],
  unknown: [
    'rcpt 550 5.1.1 DNS lookup of the recipient domain failed',
    'rcpt 550 5.1.1 The account could not be checked since the directory server is down',
    'rcpt 550 5.1.1 Recipient rejected because the verification server did not answer',
    'rcpt 550 5.1.1 Mail is not received for this account during a migration',
    'rcpt 550 5.2.1 The account is on hold until Monday',
    // a time
    'rcpt 550 5.2.1 mailbox temporarily disabled, try later',
    'rcpt 550 user temporarily unavailable',
    'rcpt 550 Mailbox unavailable, please try again later',
    'rcpt 550 Mailbox currently unavailable',
    'rcpt 550 5.1.1 User unknown for now',
    'rcpt 550 This user is unavailable at this time',
    'rcpt 550 5.2.1 Account disabled during maintenance',
    'rcpt 550 Address not found: try again in 10 minutes',
    'rcpt 550 5.1.1 Recipient address rejected: unverified address: Address verification in progress',
    'rcpt 550 5.1.1 Recipient address rejected: host mx.example.org timed out',
    'rcpt 550 5.1.1 User unknown: LDAP lookup failure',
    'rcpt 550 Mailbox unavailable: internal error',
    'rcpt 550 5.2.1 Mailbox temporarily locked',
    'rcpt 550 Account suspended temporarily',
    'dot 550 5.2.1 Mailbox temporarily disabled',
    // no reason
    'rcpt 550',
    'rcpt 550 rejected',
    'rcpt 550 no',
    'rcpt 550 Mail refused',
    'rcpt 551 5.0.0 Sorry',
    'rcpt 553 Go away',
    'rcpt 550 5.0.0 Delivery not possible',
    'rcpt 550 5.2.0 Mail rejected',
    'dsn 550 Message could not be delivered',
    'rcpt 550 The enclosed account number 17 is odd',
  ],
  network: [
    'greeting 521 5.3.2 Service currently unavailable',
    'greeting 521 host does not accept mail',
    'ehlo 521 no service',
  ],
};

describe('a refusal of the address', () => {
  it.each(PROVEN)('suppresses immediately: %s', (reply) => {
    const verdict = decide(reply);
    expect(verdict, verdict.by).toMatchObject({ disposition: 'fail', suppress: 'now' });
    expect(bounceType(verdict.category), verdict.by).toBe('hard');
  });

  it.each(CLAIMED)('suppresses when repeated: %s', (reply) => {
    const verdict = decide(reply);
    expect(verdict, verdict.by).toMatchObject({ disposition: 'fail', suppress: 'repeated' });
    expect(bounceType(verdict.category), verdict.by).toBe('hard');
  });
});

describe('a refusal of something else', () => {
  const table = Object.entries(OTHERWISE).flatMap(([category, replies]) =>
    replies.map((reply) => [reply, category] as const),
  );

  it.each(table)('does not suppress: %s (%s)', (reply, category) => {
    const verdict = decide(reply);
    expect(verdict, verdict.by).toMatchObject({ category });
    // A full mailbox counts, five times in two weeks.
    if (category !== 'quota') expect(verdict.suppress).toBe('never');
    expect(bounceType(verdict.category)).toBe('soft');
  });

  it('has as many examples as a refusal of the address', () => {
    expect(table.length).toBeGreaterThanOrEqual(PROVEN.length + CLAIMED.length);
  });
});
