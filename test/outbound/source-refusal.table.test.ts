// Tests replies about the source of an attempt, and similar ones that are not.
import { describe, expect, it } from 'vitest';
import {
  compileBounceRules,
  REPLY_PHASES,
  type ReplyPhase,
} from '../../src/outbound/outcome/bounce-class.rules.js';
import { classifyFailure, type Failure } from '../../src/outbound/outcome/failure.js';
import { isAboutSource, isWornOut } from '../../src/outbound/outcome/source-refusal.js';
import { compileProviders } from '../../src/outbound/route/provider.rules.js';
import { readShipped } from '../../src/settings/shipped.js';

const RULES = compileBounceRules(readShipped('bounce-rules'), compileProviders(readShipped('providers')));

const OURS = '192.0.2.1';

/** `rcpt 550 5.7.1 words` as the failure of an attempt. */
function failure(line: string, localAddress = OURS): Failure {
  const [, phase = '', code = '', enhanced = null, text = ''] =
    /^(\w+) (\d{3}) (?:([245]\.\d{1,3}\.\d{1,3}) )?(.*)$/.exec(line) ?? [];
  const peer = {
    host: 'mx.there.test',
    address: '198.51.100.1',
    localAddress,
    tls: null,
    tlsPolicy: 'opportunistic',
    provider: null,
  };
  const reply = { code: Number(code), enhanced, text: enhanced === null ? text : `${enhanced} ${text}` };
  const found = classifyFailure({ kind: 'refused', phase: phaseOf(phase), reply, peer }, RULES);
  if (found === null) throw new Error('no failure');
  return found;
}

function phaseOf(name: string): ReplyPhase {
  const found = REPLY_PHASES.find((phase) => phase === name);
  if (found === undefined) throw new Error(`no phase ${name}`);
  return found;
}

describe('a refusal', () => {
  it.each([
    'greeting 521 5.3.2 Service currently unavailable',
    'greeting 554 No SMTP service here',
    'ehlo 550 5.7.1 Go away',
    'rcpt 550 5.7.25 The host has no PTR record',
    'rcpt 450 4.7.1 Client host rejected: cannot find your hostname',
    `rcpt 550 5.7.1 Local policy forbids mail from ${OURS}`,
    'rcpt 554 5.7.1 Service unavailable; Client host blocked using list.example',
    'mail 421 4.7.0 Try again later, your IP has a poor reputation',
    'dot 554 5.7.1 Message refused for the reputation of the sending server',
    'mail 501 5.5.2 Invalid HELO',
    `rcpt 550 5.7.1 Mail from [${OURS}]: refused`,
    `rcpt 550 5.7.1 Refused, ip:${OURS}.`,
    `rcpt 550 5.7.1 (there.test [${OURS}]:4711) is refused, see ${OURS}:4711`,
    `rcpt 550 5.7.1 Refused from ${OURS}:4711`,
    'rcpt 550 5.7.1 The reputation of the sending IP or domain is low',
  ])('concerns the source: %s', (line) => {
    expect(isAboutSource(failure(line))).toBe(true);
  });

  it.each([
    'greeting 421 4.3.2 Too busy',
    'greeting 450 4.3.2 Try again later',
    'rcpt 550 5.1.1 User unknown',
    `rcpt 550 5.1.1 User unknown, said to ${OURS}`,
    'rcpt 451 4.7.1 Greylisted, your IP is new here',
    'rcpt 450 4.2.0 Try again later',
    'rcpt 452 4.2.2 Mailbox full',
    'rcpt 450 4.7.1 Too many connections from your IP',
    'rcpt 550 5.7.1 The recipient does not accept mail from you',
    'rcpt 550 5.7.1 <reputation@there.test>: not allowed',
    'dot 554 5.6.0 The message looks like spam',
    'dot 552 5.3.4 Message too large',
    `dot 550 5.7.1 [${OURS}      12] Our system has detected that this message is likely unsolicited mail`,
    `dot 550 5.7.1 [${OURS}] This message is likely suspicious due to the very low reputation of the sending domain`,
    `dot 554 5.7.1 The message contains a virus (client ${OURS})`,
    `dot 550 5.7.26 Unauthenticated email is not accepted due to the DMARC policy; ip=${OURS}`,
    `rcpt 550 5.7.23 SPF check failed for ${OURS}`,
    `dot 552 5.3.4 Message too large; client ${OURS}`,
    `mail 550 5.1.8 Sender address rejected: Domain not found; client ${OURS}`,
    'dot 550 5.7.1 Low domain reputation',
    'rcpt 554 5.7.1 Sender domain blocked using dbl.spamhaus.org',
    `rcpt 550 5.7.1 Local policy forbids mail from ${OURS}1`,
  ])('does not concern the source: %s', (line) => {
    expect(isAboutSource(failure(line))).toBe(false);
  });
});

describe('a refusal of an IPv6 source', () => {
  it.each([
    'rcpt 550 5.7.1 Local policy forbids mail from [2001:db8::1].',
    'rcpt 550 5.7.1 Local policy forbids mail from [IPv6:2001:DB8:0:0:0:0:0:1]',
    'rcpt 550 5.7.1 Local policy forbids mail from 2001:db8::1:',
  ])('concerns the source: %s', (line) => {
    expect(isAboutSource(failure(line, '2001:db8::1'))).toBe(true);
    expect(isAboutSource(failure(line, '2001:db8::11'))).toBe(false);
  });
});

describe('a source', () => {
  const attempt = (reply: string, source = 'a') => ({
    ...{ source, phase: 'rcpt', code: 450, enhanced_code: '4.2.0', reply: `4.2.0 ${reply}` },
  });
  const again = failure('rcpt 450 4.2.0 Try later at 12:03, id abc7');

  it('is replaced after the third deferral with the same text', () => {
    const same = [attempt('Try later at 11:58, id x1'), attempt('Try later at 11:59, id yy22')];
    expect(isWornOut(again, 'a', same)).toBe(true);
    expect(isWornOut(again, 'a', same.slice(1))).toBe(false);
    expect(isWornOut(again, 'b', same)).toBe(false);
    expect(isWornOut(again, 'a', [attempt('Not now'), ...same.slice(1)])).toBe(false);
  });

  it('is never replaced because of greylisting or a full mailbox', () => {
    for (const line of ['rcpt 450 4.2.0 Greylisted', 'rcpt 452 4.2.2 Mailbox full']) {
      const found = failure(line);
      const earlier = {
        source: 'a',
        phase: 'rcpt',
        code: found.code,
        enhanced_code: found.enhanced,
        reply: found.text,
      };
      expect(isWornOut(found, 'a', [earlier, earlier])).toBe(false);
    }
  });
});
