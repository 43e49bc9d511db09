import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  automationFor,
  triggered,
  type AutomationRule,
  type TriggerCounts,
} from '../../src/outbound/shape/automation.rules.js';
import type { PeerReply, ReplyPhase } from '../../src/outbound/outcome/bounce-class.rules.js';
import { compileProviders } from '../../src/outbound/route/provider.rules.js';
import { compileShaping } from '../../src/outbound/shape/shaping.rules.js';
import { DataProblems } from '../../src/lib/config/index.js';
import { readShipped } from '../../src/settings/shipped.js';

const shipped = readShipped('shaping');
const PROVIDERS = compileProviders(readShipped('providers')).names;
const shaping = compileShaping(shipped, null, PROVIDERS);
const own = (automation: unknown) => compileShaping(shipped, { automation }, PROVIDERS);

const reply = (provider: string | null, phase: ReplyPhase, line: string): PeerReply => ({
  provider,
  phase,
  code: Number(line.slice(0, 3)),
  enhanced: null,
  text: line.slice(4),
});
const names = (...input: Parameters<typeof reply>): string[] =>
  automationFor(shaping, reply(...input)).map(({ name }) => name);

describe('the shipped rules', () => {
  it.each<[string | null, ReplyPhase, string, string[]]>([
    [
      'yahoo',
      'mail',
      '421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to unexpected volume or user complaints',
      ['yahoo-deferred'],
    ],
    [
      'yahoo',
      'mail',
      '421 4.7.0 [TSS05] Messages from 192.0.2.1 temporarily deferred due to unexpected volume or user complaints',
      ['yahoo-tss05'],
    ],
    [
      'yahoo',
      'greeting',
      '421 4.7.1 [TS03] All messages from 192.0.2.1 will be deferred',
      ['yahoo-deferred'],
    ],
    [null, 'mail', '421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred', []],
    [
      'microsoft_consumer',
      'mail',
      '451 4.7.650 The mail server [192.0.2.1] has been temporarily rate limited due to IP reputation. (S775)',
      ['microsoft-rate-limited'],
    ],
    [
      'microsoft_365',
      'rcpt',
      '451 4.7.500 Server busy. Please try again later from [192.0.2.1]. (AS77712)',
      ['microsoft-server-busy'],
    ],
    [
      'microsoft_consumer',
      'mail',
      '550 5.7.1 Unfortunately, messages from [192.0.2.1] were not sent, since part of their network is on our block list (S3140).',
      ['address-on-block-list'],
    ],
    [
      'microsoft_365',
      'rcpt',
      '550 5.7.606 Access denied, banned sending IP [192.0.2.1]',
      ['address-on-block-list'],
    ],
    [
      'google',
      'dot',
      '421 4.7.28 Gmail has detected an unusual rate of unsolicited mail originating from your IP address.',
      ['google-unusual-rate'],
    ],
    [
      'google',
      'dot',
      '421-4.7.28 Gmail has detected an unusual rate of mail originating\r\n421-4.7.28 from your DKIM domain [x.example 36].',
      ['google-unusual-rate-of-a-domain'],
    ],
    [
      'google',
      'rcpt',
      '450 4.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages',
      [],
    ],
    [
      null,
      'rcpt',
      '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org',
      ['address-on-block-list'],
    ],
    [
      null,
      'greeting',
      "554 Your access to this mail system has been rejected due to the sending MTA's poor reputation.",
      ['address-on-block-list'],
    ],
    [
      null,
      'rcpt',
      '550 rejected because 192.0.2.1 is in a black list at bl.spamcop.net',
      ['address-on-block-list'],
    ],
    [
      null,
      'ehlo',
      '550 5.7.1 See https://www.spamhaus.org/query/ip/192.0.2.1',
      ['address-on-public-block-list'],
    ],
    [
      null,
      'rcpt',
      '554 5.7.1 Service unavailable; Sender domain [x.example] blocked using dbl.spamhaus.org',
      [],
    ],
    [null, 'dot', '554 5.7.1 Client host [192.0.2.1] blocked using zen.spamhaus.org', []],
    [null, 'dot', '550 5.7.1 Message contains a URL listed in multi.surbl.org', []],
    [null, 'greeting', '421 4.7.0 Too many connections from 192.0.2.1', ['too-many-connections']],
    [
      null,
      'greeting',
      '421 too many concurrent SMTP connections; please try again later',
      ['too-many-connections'],
    ],
    [
      'microsoft_365',
      'greeting',
      '421 4.3.2 The maximum number of concurrent server connections has exceeded a limit, closing transmission channel',
      ['too-many-connections'],
    ],
    [
      'microsoft_consumer',
      'mail',
      '451 4.7.652 The mail server [192.0.2.1] has exceeded the maximum number of connections. (S3115)',
      ['too-many-connections'],
    ],
    [null, 'greeting', '421 4.3.2 Service shutting down', []],
    [null, 'rcpt', '451 4.7.1 Greylisted, please try again in 300 seconds', []],
    [null, 'rcpt', '550 5.1.1 No such user', []],
    ['yahoo', 'dot', '250 ok [TSS04]', []],
  ])('%s at %s: %s', (provider, phase, line, expected) => {
    expect(names(provider, phase, line)).toEqual(expected);
  });

  it('do what the table describes', () => {
    const actions = Object.fromEntries(shaping.automation.map(({ name, action }) => [name, action]));
    expect(actions).toMatchObject({
      'yahoo-deferred': { kind: 'suspend', forMs: 7_200_000 },
      'yahoo-tss05': { kind: 'suspend', forMs: 14_400_000 },
      'microsoft-rate-limited': { kind: 'suspend', forMs: 1_800_000 },
      'microsoft-server-busy': { kind: 'suspend', forMs: 900_000 },
      'google-unusual-rate': { kind: 'rate', rate: { count: 10, perMs: 60_000, burst: 1 }, forMs: 1_800_000 },
      'google-unusual-rate-of-a-domain': { kind: 'suspend_tenant', forMs: 1_800_000 },
      'address-on-block-list': { kind: 'suspend', forMs: 7_200_000 },
      'too-many-connections': { kind: 'connections', limit: 1, forMs: 900_000 },
    });
  });
});

describe('automationFor', () => {
  const rule = { name: 'first', pattern: 'slow down', trigger: 'immediate', action: { suspend: '1m' } };

  it('returns one rule for each kind of action, the operator’s before the shipped one', () => {
    const theirs = own([
      { ...rule, pattern: 'TSS04' },
      { ...rule, name: 'second', pattern: 'TSS04' },
      { ...rule, name: 'third', pattern: 'TSS04', action: { messages_per_connection: 1, for: '5m' } },
    ]);
    const found = automationFor(theirs, reply('yahoo', 'mail', '421 [TSS04] later'));
    expect(found.map(({ name }) => name)).toEqual(['first', 'third']);
  });

  it('finds the enhanced code even if the text does not repeat it', () => {
    const found = automationFor(shaping, {
      ...reply('microsoft_365', 'mail', '451 Mail server has been limited'),
      enhanced: '4.7.650',
    });
    expect(found.map(({ name }) => name)).toEqual(['microsoft-rate-limited']);
  });

  it('considers provider, phase and the start of the code', () => {
    const theirs = own([{ ...rule, providers: ['yahoo', 'google'], phases: ['rcpt'], code: '45' }]);
    const found = (...input: Parameters<typeof reply>) => automationFor(theirs, reply(...input)).length;
    expect(found('google', 'rcpt', '451 Slow down')).toBe(1);
    expect(found('google', 'rcpt', '421 Slow down')).toBe(0);
    expect(found('google', 'mail', '451 Slow down')).toBe(0);
    expect(found(null, 'rcpt', '451 Slow down')).toBe(0);
    expect(automationFor(theirs, { ...reply('google', 'rcpt', '451 Slow down'), code: null })).toEqual([]);
  });
});

describe('triggered', () => {
  const ruleOf = (trigger: unknown): AutomationRule => {
    const [rule] = own([{ name: 'x', pattern: 'x', trigger, action: { suspend: '1m' } }]).automation;
    if (!rule) throw new Error('the rule is missing');
    return rule;
  };

  it('fires immediately if the rule is immediate', () => {
    expect(triggered(ruleOf('immediate'), undefined, 5)).toEqual({ fires: true, counts: { at: [] } });
  });

  it('fires at the last reply of a count within the time, and then counts again', () => {
    const rule = ruleOf({ count: 3, within: '1m' });
    const fired: number[] = [];
    let counts: TriggerCounts | undefined;
    for (const now of [0, 50_000, 70_000, 100_000, 105_000, 110_000]) {
      const step = triggered(rule, counts, now);
      if (step.fires) fired.push(now);
      counts = step.counts;
    }
    expect(fired).toEqual([100_000]);
    expect(counts).toEqual({ at: [105_000, 110_000] });
  });

  it('fires exactly if enough replies since it last fired are within the time', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 60 }),
        (count, gaps) => {
          const rule = ruleOf({ count, within: '1m' });
          let counts: TriggerCounts | undefined;
          let since: number[] = [];
          let now = 0;
          for (const gap of gaps) {
            now += gap;
            since.push(now);
            const step = triggered(rule, counts, now);
            counts = JSON.parse(JSON.stringify(step.counts)) as TriggerCounts;
            expect(counts.at.length).toBeLessThan(count);
            expect(step.fires).toBe(since.filter((at) => at > now - 60_000).length >= count);
            if (step.fires) since = [];
          }
        },
      ),
    );
  });
});

describe('mistakes in a rule', () => {
  const good = { name: 'x', pattern: 'x', trigger: 'immediate', action: { suspend: '1h' } };
  it.each<[object, string]>([
    [{ name: 'a b' }, 'automation[0].name must be a name'],
    [{ provider: 'gogle' }, 'automation[0] (x) refers to an unknown provider'],
    [{ provider: 'yahoo', providers: ['yahoo'] }, 'must not have both "provider" and "providers"'],
    [{ providers: [] }, 'automation[0] (x).providers must not be empty'],
    [{ phases: ['hello'] }, 'automation[0] (x).phases must be one of connect, greeting'],
    [{ code: '2' }, 'automation[0] (x).code must be the start of a reply code'],
    [{ pattern: 'a.*b' }, 'automation[0] (x).pattern must not repeat without an upper bound'],
    [{ pattern: 'a(' }, 'automation[0] (x).pattern must be a regular expression'],
    [{ pattern: '' }, 'automation[0] (x).pattern must be a non-empty string'],
    [{ unless: 'a+' }, 'automation[0] (x).unless must not repeat'],
    [{ trigger: 'sometimes' }, 'automation[0] (x).trigger must be "immediate" or {"count", "within"}'],
    [
      { trigger: { count: 0, within: '1h' } },
      'automation[0] (x).trigger.count must be a whole number from 1 to 1000',
    ],
    [{ trigger: { count: 1, within: '1 hour' } }, 'automation[0] (x).trigger.within must be a duration'],
    [{ action: { suspend: '1h', rate: '1/s' } }, 'automation[0] (x).action must have exactly one of suspend'],
    [{ action: {} }, 'automation[0] (x).action must have exactly one of suspend'],
    [{ action: { suspend: '1h', for: '2h' } }, 'remove "for"'],
    [{ action: { connections: 1 } }, 'automation[0] (x).action.for must be a duration'],
    [
      { action: { connections: 0, for: '1h' } },
      'automation[0] (x).action.connections must be a whole number',
    ],
    [{ action: { rate: 'slow', for: '1h' } }, 'automation[0] (x).action.rate must be a rate'],
    [{ actoin: {} }, 'automation[0] has an unknown field: "actoin"'],
  ])('%j', (change, problem) => {
    let problems: readonly string[] = [];
    try {
      own([{ ...good, ...change }]);
    } catch (error) {
      if (error instanceof DataProblems) problems = error.problems;
    }
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
  });

  it('two rules with the same name', () => {
    expect(() => own([good, good])).toThrow('automation has two rules named "x"');
  });
});
