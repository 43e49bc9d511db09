import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  buildStsPolicy,
  inboundTlsRecords,
  parseStsPolicy,
  readStsRecords,
  stsMatches,
  stsRecordValue,
} from '../../../src/lib/tls-policy/mta-sts.rules.js';

describe('the TXT records', () => {
  it.each<[string, string[], string | null]>([
    ['one record', ['v=STSv1; id=20260102T030405;'], '20260102T030405'],
    ['without a last semicolon', ['v=STSv1; id=1'], '1'],
    ['without blanks', ['v=STSv1;id=1;'], '1'],
    ['with blanks and tabs around the semicolons', ['v=STSv1 \t;  id=1 ; '], '1'],
    ['an id of 32 characters', [`v=STSv1; id=${'a'.repeat(32)}`], 'a'.repeat(32)],
    ['unknown fields before and after', ['v=STSv1; x-y.z=a:b/c; id=1; more=2'], '1'],
    ['the first id of two', ['v=STSv1; id=1; id=2'], '1'],
    ['beside records of other kinds', ['v=spf1 -all', 'v=STSv1; id=1', 'v=STSv10; id=9'], '1'],
    ['none', [], null],
    ['of another kind only', ['v=spf1 -all', ''], null],
    ['two', ['v=STSv1; id=1', 'v=STSv1; id=2'], null],
    ['two that are the same', ['v=STSv1; id=1', 'v=STSv1; id=1'], null],
    ['one good, one broken', ['v=STSv1; id=1', 'v=STSv1; nonsense'], null],
    ['no id', ['v=STSv1;'], null],
    ['an empty id', ['v=STSv1; id='], null],
    ['an id of 33 characters', [`v=STSv1; id=${'a'.repeat(33)}`], null],
    ['an id with a hyphen', ['v=STSv1; id=a-b'], null],
    ['an id in upper case letters', ['v=STSv1; ID=1'], null],
    ['a version in lower case', ['v=stsv1; id=1'], null],
    ['blanks before the version', [' v=STSv1; id=1'], null],
    ['blanks inside a field', ['v=STSv1; id =1'], null],
    ['an empty field', ['v=STSv1;; id=1'], null],
    ['a field that is not key and value', ['v=STSv1; id=1; what'], null],
    ['a control character', ['v=STSv1; id=1; x=\u0000'], null],
    ['far too long', [`v=STSv1; id=1; x=${'a'.repeat(2_000)}`], null],
  ])('%s', (_name, texts, id) => {
    expect(readStsRecords(texts)).toBe(id);
  });
});

const FILE = 'version: STSv1\nmode: enforce\nmx: mail.example.com\nmx: *.example.net\nmax_age: 604800\n';

describe('the policy file', () => {
  const policyOf = (text: string) => {
    const parsed = parseStsPolicy(text);
    return parsed.kind === 'policy' ? parsed.policy : parsed.problem;
  };

  it('is parsed, and known lines are kept', () => {
    expect(policyOf(FILE)).toEqual({
      mode: 'enforce',
      mx: ['mail.example.com', '*.example.net'],
      maxAgeS: 604_800,
      lines: [
        'version: STSv1',
        'mode: enforce',
        'mx: mail.example.com',
        'mx: *.example.net',
        'max_age: 604800',
      ],
    });
  });

  it.each<[string, string, object]>([
    ['CRLF', FILE.replaceAll('\n', '\r\n'), { maxAgeS: 604_800 }],
    ['both line ends', FILE.replace('\n', '\r\n'), { maxAgeS: 604_800 }],
    ['no last line end', FILE.trimEnd(), { maxAgeS: 604_800 }],
    ['empty lines', `\n${FILE}\r\n \n`, { mode: 'enforce' }],
    ['no blank after the colon', FILE.replaceAll(': ', ':'), { mode: 'enforce' }],
    ['blanks at the ends of lines', FILE.replaceAll('\n', ' \t\n'), { mode: 'enforce' }],
    ['blanks before a key', ` \t${FILE}`, { mode: 'enforce' }],
    ['another order', 'mx: a.b\nmax_age: 0\nmode: testing\nversion: STSv1', { mode: 'testing', maxAgeS: 0 }],
    ['the first of two modes', `${FILE}mode: none`, { mode: 'enforce' }],
    ['the first of two ages', `${FILE}max_age: 1`, { maxAgeS: 604_800 }],
    ['unknown keys', `${FILE}x_-.y: ü: *\nversion2: 7\n`, { mode: 'enforce' }],
    [
      'capitals in a host',
      FILE.replace('mail.example', 'Mail.EXAMPLE'),
      { mx: ['mail.example.com', '*.example.net'] },
    ],
    [
      'an A-label',
      FILE.replace('mail', 'xn--bcher-kva'),
      { mx: ['xn--bcher-kva.example.com', '*.example.net'] },
    ],
    ['mode none without hosts', 'version: STSv1\nmode: none\nmax_age: 86400', { mode: 'none', mx: [] }],
    ['the longest age', FILE.replace('604800', '31557600'), { maxAgeS: 31_557_600 }],
    ['100 hosts', FILE + 'mx: a.example\n'.repeat(98), { mode: 'enforce' }],
  ])('accepts %s', (_name, text, expected) => {
    expect(policyOf(text)).toMatchObject(expected);
  });

  it.each<[string, string, string]>([
    ['nothing', '', 'version'],
    ['a web page', '<!doctype html><title>Hello</title>', 'key: value'],
    ['no version', FILE.replace('version: STSv1\n', ''), 'version'],
    ['another version', FILE.replace('STSv1', 'STSv2'), 'version'],
    ['a version in lower case', FILE.replace('STSv1', 'stsv1'), 'version'],
    ['a key in capitals', FILE.replace('mode', 'Mode'), 'mode'],
    ['no mode', FILE.replace('mode: enforce\n', ''), 'mode'],
    ['an unknown mode', FILE.replace('enforce', 'report'), 'mode'],
    ['a mode in capitals', FILE.replace('enforce', 'Enforce'), 'mode'],
    ['no age', FILE.replace('max_age: 604800', ''), 'max_age'],
    ['an age below zero', FILE.replace('604800', '-1'), 'max_age'],
    ['an age with a unit', FILE.replace('604800', '7d'), 'max_age'],
    ['an age over a year', FILE.replace('604800', '31557601'), 'max_age'],
    ['an age of eleven digits', FILE.replace('604800', '00000604800'), 'max_age'],
    ['no host', 'version: STSv1\nmode: testing\nmax_age: 1', 'no mx'],
    ['an empty host', `${FILE}mx:\n`, 'host name'],
    ['a bare asterisk', `${FILE}mx: *\n`, 'host name'],
    ['a wildcard of a top-level domain', `${FILE}mx: *.com\n`, 'host name'],
    ['two asterisks', `${FILE}mx: *.*.example.com\n`, 'host name'],
    ['part of a label as wildcard', `${FILE}mx: mx*.example.com\n`, 'host name'],
    ['a wildcard inside', `${FILE}mx: a.*.example.com\n`, 'host name'],
    ['a host that starts with a dot', `${FILE}mx: .example.com\n`, 'host name'],
    ['an IP address', `${FILE}mx: 192.0.2.1\n`, 'host name'],
    ['a U-label', `${FILE}mx: bücher.example.com\n`, 'host name'],
    ['two hosts in a line', `${FILE}mx: a.example b.example\n`, 'host name'],
    ['a line without a colon', `${FILE}hello\n`, 'key: value'],
    ['a bare CR between lines', FILE.replaceAll('\n', '\r'), 'version'],
    ['more than 100 hosts', FILE + 'mx: a.example\n'.repeat(99), '100 mx'],
    ['more than 64 KiB', FILE + `x: ${'y'.repeat(65_536)}\n`, '64 KiB'],
  ])('refuses %s', (_name, text, problem) => {
    expect(policyOf(text)).toContain(problem);
  });

  test('never makes the parser throw, and stays within the limits', () => {
    const line = fc.oneof(
      fc.constantFrom(
        'version: STSv1',
        'mode: enforce',
        'mode: none',
        'mx: a.example',
        'mx: *.b.example',
        'max_age: 5',
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\n', '\r\n'), (lines, end) => {
        const parsed = parseStsPolicy(lines.join(end));
        if (parsed.kind === 'invalid') return parsed.problem !== '';
        const { mode, mx, maxAgeS } = parsed.policy;
        return (mode === 'none' || mx.length > 0) && maxAgeS <= 31_557_600;
      }),
    );
  });
});

describe('the match of a mail host', () => {
  it.each<[string, string[], boolean]>([
    ['mail.example.com', ['mail.example.com'], true],
    ['MAIL.Example.COM.', ['mail.example.com'], true],
    ['mail.example.com', ['MAIL.example.com'], true],
    ['mail.example.com', ['other.example.com', '*.example.com'], true],
    ['Mail.Example.Com', ['*.EXAMPLE.com'], true],
    ['bücher.example.com', ['xn--bcher-kva.example.com'], true],
    ['mail.bücher.example', ['*.xn--bcher-kva.example'], true],
    ['example.com', ['*.example.com'], false],
    ['a.b.example.com', ['*.example.com'], false],
    ['mailexample.com', ['*.example.com'], false],
    ['.example.com', ['*.example.com'], false],
    ['mail.example.com.evil.test', ['mail.example.com', '*.example.com'], false],
    ['mail.example.org', ['mail.example.com'], false],
    ['mail', ['*.'], false],
    ['mail.example.com', [], false],
    ['', ['*.example.com'], false],
  ])('%s with %j: %s', (host, patterns, matches) => {
    expect(stsMatches(host, patterns)).toBe(matches);
  });

  const label = fc.stringMatching(/^[a-z0-9]{1,10}$/);
  const name = fc.array(label, { minLength: 2, maxLength: 5 }).map((labels) => `m${labels.join('.')}x`);

  test('a wildcard stands for exactly one label', () => {
    fc.assert(
      fc.property(name, fc.array(label, { maxLength: 4 }), (parent, below) => {
        const host = [...below, parent].join('.');
        expect(stsMatches(host, [`*.${parent}`])).toBe(below.length === 1);
      }),
    );
  });

  test('a name without a wildcard matches itself in any case, and no subdomain', () => {
    fc.assert(
      fc.property(name, label, (host, below) => {
        expect(stsMatches(host.toUpperCase(), [host])).toBe(true);
        expect(stsMatches(`${below}.${host}`, [host])).toBe(false);
      }),
    );
  });
});

describe('the policy that Mailkeel publishes', () => {
  const policy = { mode: 'testing', mx: ['mail.mailkeel.example'], maxAgeS: 604_800 } as const;
  const input = { ...policy, mx: [...policy.mx] };

  it('is a file that can be parsed again', () => {
    const text = buildStsPolicy(input);
    expect(text).toBe('version: STSv1\r\nmode: testing\r\nmx: mail.mailkeel.example\r\nmax_age: 604800\r\n');
    expect(parseStsPolicy(text)).toMatchObject({ kind: 'policy', policy: input });
  });

  it.each([
    { ...input, mx: [] },
    { ...input, mx: ['localhost'] },
    { ...input, mx: ['a.example\r\nmx: b.example '] },
    { ...input, maxAgeS: 31_557_601 },
    { ...input, maxAgeS: 1.5 },
  ])('is refused if no one could parse it: %j', (bad) => {
    expect(() => buildStsPolicy(bad)).toThrow(RangeError);
  });

  it('has an id that follows the content', () => {
    const value = stsRecordValue(buildStsPolicy(input));
    expect(readStsRecords([value])).toMatch(/^[0-9a-f]{20}$/);
    expect(stsRecordValue(buildStsPolicy(input))).toBe(value);
    expect(stsRecordValue(buildStsPolicy({ ...input, mode: 'enforce' }))).not.toBe(value);
  });

  it('consists of three records', () => {
    const policyText = buildStsPolicy(input);
    const records = inboundTlsRecords({
      domain: 'bounce.mailkeel.example',
      policyText,
      webHost: 'app.mailkeel.example',
      reportAddress: 'tls+reports!@mailkeel.example',
    });
    expect(records.map(({ type, host, value }) => [type, host, value])).toEqual([
      ['TXT', '_mta-sts.bounce.mailkeel.example', stsRecordValue(policyText)],
      ['CNAME', 'mta-sts.bounce.mailkeel.example', 'app.mailkeel.example'],
      [
        'TXT',
        '_smtp._tls.bounce.mailkeel.example',
        'v=TLSRPTv1; rua=mailto:tls%2Breports%21@mailkeel.example',
      ],
    ]);
    const silent = inboundTlsRecords({
      domain: 'a.example',
      policyText,
      webHost: 'w.example',
      reportAddress: null,
    });
    expect(silent.map(({ purpose }) => purpose)).toEqual(['mta_sts', 'mta_sts']);
  });
});
