import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BounceReport, replyIn, type ReportedRecipient } from '../../src/lib/dsn/index.js';
import { compileBounceRules } from '../../src/outbound/outcome/bounce-class.rules.js';
import {
  classifyBounceReport,
  type BounceClassification,
} from '../../src/inbound/classify/bounce-report.rules.js';
import { compileProviders, findProvider } from '../../src/outbound/route/provider.rules.js';
import { readShipped } from '../../src/settings/shipped.js';
import { anyText } from '../support/any-text.js';

const providers = compileProviders(readShipped('providers'));
const rules = compileBounceRules(readShipped('bounce-rules'), providers);
const recipientKey = 'bob@example.com';

type Group = Partial<Omit<ReportedRecipient, 'reply'>> & { said?: string };

function groupOf({ said = '', ...given }: Group): ReportedRecipient {
  return {
    finalRecipient: recipientKey,
    originalRecipient: null,
    action: 'failed',
    status: null,
    diagnosticType: 'smtp',
    remoteMta: null,
    willRetryUntil: null,
    ...given,
    reply: replyIn(said),
  };
}

function judge(
  groups: readonly Group[],
  isGuess = false,
  words: readonly string[] = [],
): BounceClassification {
  const report: BounceReport = {
    format: 'standard',
    isGuess,
    reportingMta: null,
    originalEnvelopeId: null,
    recipients: groups.map(groupOf),
    words: [...words],
    original: [],
  };
  return classifyBounceReport(
    report,
    { recipientKey, providerOfHost: (host) => findProvider([host], providers) },
    rules,
  );
}

describe('a failure', () => {
  it.each<[Group, string]>([
    [{ said: '550 5.1.1 User unknown' }, 'hard invalid_recipient now'],
    [{ said: '550 5.2.1 Mailbox disabled' }, 'hard inactive_mailbox now'],
    [{ said: '550 5.1.2 Host unknown' }, 'hard bad_domain now'],
    [{ status: '5.1.1' }, 'hard invalid_recipient now'],
    [{ said: 'User unknown' }, 'hard invalid_recipient repeated'],
    // not enough to suppress the address
    [{ said: '550 Rejected' }, 'soft unknown'],
    [{ said: '' }, 'soft unknown'],
    [{ status: '5.0.0' }, 'soft unknown'],
    [{ said: 'no idea what happened' }, 'soft unknown'],
    // about Mailkeel or the message
    [{ said: '550 5.7.1 Message rejected as spam' }, 'soft spam_content'],
    [{ said: '550 5.7.26 Unauthenticated email' }, 'soft auth_failed'],
    [{ said: '552 5.3.4 Message too large' }, 'soft too_large'],
    [{ said: '552 5.2.2 Mailbox full' }, 'soft quota repeated'],
    // the reporting server invented the status
    [{ status: '5.1.1', said: '550 Message rejected as spam' }, 'soft spam_content'],
    [{ status: '5.1.1', said: '550 Rejected' }, 'hard invalid_recipient now'],
    // the words and the status confirm each other
    [{ status: '5.1.1', said: '550 No such user' }, 'hard invalid_recipient now'],
    [{ status: '5.0.0', said: '550 No such user' }, 'hard invalid_recipient repeated'],
    [{ status: '5.2.2', said: '550 5.0.0 Rejected' }, 'soft quota repeated'],
    // refused for a while until time was over
    [{ said: '450 4.2.0 Greylisted' }, 'soft expired'],
    [{ said: '450 4.1.1 User unknown' }, 'soft expired'],
    [{ said: '452 4.2.2 Mailbox full' }, 'soft quota repeated'],
    [{ status: '4.4.1' }, 'soft expired'],
    [{ status: '4.4.7', said: 'Connection timed out' }, 'soft expired'],
    [{ status: '5.4.7', said: 'delivery time expired' }, 'soft expired'],
    [{ said: '550 4.4.7 QUEUE.Expired; message expired' }, 'soft expired'],
    // with the local rules of the host's operator
    [
      {
        said: '550 5.4.1 Recipient address rejected: Access denied',
        remoteMta: 'example-com.mail.protection.outlook.com',
      },
      'hard invalid_recipient repeated',
    ],
    [{ said: '550 5.4.1 Recipient address rejected: Access denied' }, 'soft policy'],
  ])('%j is %s', (group, expected) => {
    const { outcome, type, category, suppress } = judge([group]);
    expect(outcome).toBe('bounced');
    expect(`${String(type)} ${String(category)}${suppress === 'never' ? '' : ` ${suppress}`}`).toBe(expected);
  });
});

describe('other actions', () => {
  it.each<[Group, string]>([
    [{ action: 'delayed', said: '450 4.2.0 Greylisted' }, 'delayed greylist'],
    [{ action: 'delayed', said: '550 5.1.1 User unknown' }, 'delayed invalid_recipient'],
    [{ action: 'delivered', status: '2.0.0' }, 'delivered null'],
    [{ action: 'relayed', status: '2.0.0' }, 'relayed null'],
    [{ action: 'expanded', status: '2.0.0' }, 'expanded null'],
    [{ action: null, status: '2.1.5' }, 'delivered null'],
    [{ action: null, status: '4.4.1' }, 'unclear null'],
    [{ action: null, status: '4.4.1', willRetryUntil: 1 }, 'delayed network'],
    [{ action: null }, 'unclear null'],
  ])('%j is %s', (group, expected) => {
    const { outcome, type, category, suppress } = judge([group]);
    expect(`${outcome} ${String(category)}`).toBe(expected);
    expect({ type, suppress }).toEqual({ type: null, suppress: 'never' });
  });

  it('need no action field if the status is clear', () => {
    expect(judge([{ action: null, status: '5.1.1' }])).toMatchObject({ outcome: 'bounced', suppress: 'now' });
  });
});

describe('the failed recipient', () => {
  const said = '550 5.1.1 User unknown';
  it.each<[string, Group, boolean]>([
    ['our address', { said }, true],
    ['our address in another case', { finalRecipient: 'BOB@Example.com', said }, true],
    ['our mailbox at a host of the domain', { finalRecipient: 'bob@mail.example.com', said }, true],
    ['our local part, in a system of its own', { finalRecipient: 'Bob', said }, true],
    ['our address in xtext', { finalRecipient: 'bob+40example.com', said }, true],
    ['nobody named', { finalRecipient: null, said }, true],
    [
      'ours as the original and nobody else',
      { finalRecipient: null, originalRecipient: recipientKey, said },
      true,
    ],
    ['a forward', { finalRecipient: 'x@example.net', originalRecipient: recipientKey, said }, false],
    ['a forward that hides ours', { finalRecipient: 'x@example.net', said }, false],
    ['the same name elsewhere', { finalRecipient: 'bob@example.net', said }, false],
    ['the same ending only', { finalRecipient: 'bob@myexample.com', said }, false],
    [
      'another name at our domain',
      { finalRecipient: 'x@example.com', originalRecipient: recipientKey, said },
      false,
    ],
    ['a name in another system', { finalRecipient: 'nair_s', said }, false],
  ])('%s', (_, group, isOurs) => {
    expect(judge([group])).toMatchObject({
      outcome: 'bounced',
      type: 'hard',
      suppress: isOurs ? 'now' : 'never',
    });
  });

  it('is found by its group, at any position', () => {
    const failed = { finalRecipient: 'x@example.com', said };
    const ours = { finalRecipient: recipientKey, action: 'delivered', status: '2.0.0' } as const;
    expect(judge([failed, ours]).outcome).toBe('delivered');
    expect(judge([{ ...ours, action: 'delayed' }, { said }, ours]).outcome).toBe('bounced');
  });

  it('is one of several forwarding addresses if one matches', () => {
    const target = (finalRecipient: string, action: 'failed' | 'relayed' | 'delayed'): Group => ({
      finalRecipient,
      originalRecipient: recipientKey,
      action,
    });
    expect(judge([target('a@example.net', 'failed'), target('b@example.net', 'relayed')]).outcome).toBe(
      'relayed',
    );
    expect(judge([target('a@example.net', 'failed'), target('b@example.net', 'delayed')]).outcome).toBe(
      'delayed',
    );
    expect(judge([target('a@example.net', 'failed')]).outcome).toBe('bounced');
  });

  it('is not suppressed by words without a code in a guessed format', () => {
    expect(judge([{ said: 'User unknown' }], true)).toMatchObject({ type: 'hard', suppress: 'never' });
    expect(judge([{ said }], true)).toMatchObject({ type: 'hard', suppress: 'now' });
  });
});

it('the message is one line of at most 512 characters without control characters', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 3000 }), (said) => {
      const { message, suppress, type } = judge([{ said }]);
      expect(message.length).toBeLessThanOrEqual(512);
      expect(message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      expect(suppress === 'now' && type !== 'hard').toBe(false);
    }),
  );
});

describe('the reason in the human-readable part', () => {
  const silent = (status: string | null, given: Group = {}): Group => ({
    diagnosticType: null,
    status,
    ...given,
  });

  it.each<[string | null, string, string, boolean]>([
    ['5.0.0', "The address ann wasn't found in this organization.", 'invalid_recipient', true],
    ['5.0.0', 'This is the mail system. We are sorry. The recipient’s inbox is full.', 'quota', true],
    ['5.0.0', "Delivery failed because the domain example.com doesn't accept mail.", 'bad_domain', true],
    [null, 'The account has been disabled.', 'inactive_mailbox', true],
    // A vague reason gives way to a precise one.
    [
      '5.0.0',
      'For security reasons the text is not shown. The mailbox does not exist.',
      'invalid_recipient',
      true,
    ],
    // Advice is not a reason.
    [
      '5.0.0',
      'Please check that the address is not invalid. If the mailbox is full, try later.',
      'unknown',
      false,
    ],
    ['5.0.0', 'Your message could not be delivered.', 'unknown', false],
    // The machine-readable part decides the outcome: it was a temporary failure.
    ['4.0.0', "The mailbox doesn't exist.", 'expired', false],
    ['4.0.0', 'The mailbox is full.', 'quota', true],
    // A specific status is sufficient.
    ['5.2.2', "The mailbox doesn't exist.", 'quota', true],
  ])('status %s, %s: %s', (status, words, category, isRepeated) => {
    const suppress = isRepeated ? 'repeated' : 'never';
    expect(judge([silent(status)], false, [words])).toMatchObject({ outcome: 'bounced', category, suppress });
  });

  it('becomes the message of the bounce', () => {
    const words = 'Sorry about this.\tThe user   does not exist here.';
    expect(judge([silent('5.0.0')], false, [words]).message).toBe('The user does not exist here.');
  });

  it('is ignored if the machine-readable part quotes the other server', () => {
    const group = silent('5.0.0', { said: '554 rejected', diagnosticType: 'smtp' });
    expect(judge([group], false, ['The mailbox does not exist.'])).toMatchObject({ category: 'unknown' });
  });

  it('of several recipients is that of the paragraph with the address', () => {
    const groups = [silent('5.0.0'), silent('5.0.0', { finalRecipient: 'ann@example.com' })];
    const words = ['ann@example.com: the mailbox is full.', `${recipientKey}: the user does not exist.`];
    expect(judge(groups, false, words)).toMatchObject({ category: 'invalid_recipient' });
    expect(judge(groups, false, ['The user does not exist.'])).toMatchObject({ category: 'unknown' });
  });
});
