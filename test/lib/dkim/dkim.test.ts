import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  relaxedBody,
  relaxedField,
  dkimSelfTest,
  signMessage,
  type DkimSigner,
} from '../../../src/lib/dkim/dkim.js';
import { MESSAGES, onTheWire, verifyDkim, type TestMessage } from '../../support/dkim-messages.js';
import { runs } from '../../support/run-size.js';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed25519 = generateKeyPairSync('ed25519');
const RSA: DkimSigner = {
  domain: 'example.com',
  selector: 'r1',
  algorithm: 'rsa-sha256',
  privateKey: rsa.privateKey,
};
const ED25519: DkimSigner = {
  domain: 'mail.platform.example',
  selector: 'e1',
  algorithm: 'ed25519-sha256',
  privateKey: ed25519.privateKey,
};
const KEYS = { r1: rsa.publicKey, e1: ed25519.publicKey };
const signedAt = 1_763_700_000;

const PLAIN: TestMessage = {
  name: 'plain',
  headerLines: [
    'From: a@example.com',
    'To: b@example.org',
    'Subject: Hello',
    'Date: Fri, 20 Nov 2026 10:00:00 +0000',
    'List-Unsubscribe: <https://example.com/u/1>',
  ],
  body: Buffer.from('Hello\r\n'),
};

function signed({ headerLines, body }: TestMessage, signers: DkimSigner[]): string[] {
  return [...signMessage({ headerLines, body, signers, signedAt }), ...headerLines];
}

const tag = (field: string, name: string) =>
  new RegExp(`[;:]\\s*${name}=([^;]*)`).exec(field)?.[1]?.replace(/\s/g, '');

describe('a signed message', () => {
  it.each(MESSAGES)('verifies with $name, with RSA and with Ed25519', (message) => {
    const header = signed(message, [RSA, ED25519]);
    expect(verifyDkim(onTheWire(header, message.body), KEYS)).toEqual([true, true]);
  });

  it('verifies with bare CR and bare LF in the body, which are ordinary octets', () => {
    const body = Buffer.from('a \rb \n c\r\n');
    const header = signed({ ...PLAIN, body }, [ED25519]);
    expect(verifyDkim(onTheWire(header, body), KEYS)).toEqual([true]);
  });

  it('verifies with any octets in the body', () => {
    const body = fc
      .array(fc.constantFrom(' ', '\t', '\r\n', '\r', '\n', 'a', '\xa0', '\0', '.'), { maxLength: 40 })
      .map((parts) => Buffer.from(parts.join(''), 'latin1'));
    fc.assert(
      fc.property(body, (octets) => {
        const header = signed({ ...PLAIN, body: octets }, [ED25519]);
        expect(verifyDkim(onTheWire(header, octets), KEYS)).toEqual([true]);
      }),
      runs(300),
    );
  });

  const INJECTED = [
    'Subject: other',
    'From: evil@example.net',
    'To: other@example.org',
    'Cc: not-there-before@example.org',
    'Reply-To: evil@example.net',
    'Content-Type: text/html',
    'List-Unsubscribe: <https://evil.example>',
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
  ];
  it.each(INJECTED)('does not verify after "%s" is added', (field) => {
    const header = signed(PLAIN, [RSA, ED25519]);
    const [first = '', second = '', ...rest] = header;
    expect(verifyDkim(onTheWire([field, ...header], PLAIN.body), KEYS)).toEqual([false, false]);
    expect(verifyDkim(onTheWire([first, second, ...rest, field], PLAIN.body), KEYS)).toEqual([false, false]);
  });

  it('does not verify after the body grows', () => {
    const header = signed(PLAIN, [RSA]);
    expect(verifyDkim(onTheWire(header, Buffer.from('Hello\r\nand more\r\n')), KEYS)).toEqual([false]);
  });
});

describe('the DKIM-Signature field', () => {
  it('has version, algorithm, canonicalization, domain, selector and time, and no length', () => {
    const [field = ''] = signMessage({ ...PLAIN, signers: [RSA], signedAt });
    expect(field.startsWith('DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;')).toBe(true);
    expect(tag(field, 'd')).toBe('example.com');
    expect(tag(field, 's')).toBe('r1');
    expect(tag(field, 't')).toBe(String(signedAt));
    expect(tag(field, 'l')).toBeUndefined();
  });

  it('lists each protected header once more than it occurs', () => {
    const [field = ''] = signMessage({ ...PLAIN, signers: [ED25519], signedAt });
    const names = tag(field, 'h')?.split(':') ?? [];
    const count = (name: string) => names.filter((candidate) => candidate === name).length;
    expect(['from', 'to', 'subject', 'date', 'list-unsubscribe'].map(count)).toEqual([2, 2, 2, 2, 2]);
    expect(
      ['cc', 'reply-to', 'sender', 'message-id', 'content-type', 'list-unsubscribe-post'].map(count),
    ).toEqual([1, 1, 1, 1, 1, 1]);
    expect(count('feedback-id')).toBe(0);
  });

  it('has lines of at most 78 characters', () => {
    for (const message of MESSAGES) {
      for (const field of signMessage({ ...message, signers: [RSA, ED25519], signedAt })) {
        for (const line of field.split('\r\n')) expect(line.length).toBeLessThanOrEqual(78);
      }
    }
  });

  it('is written in the order of the signers, none of which signs another', () => {
    const both = signMessage({ ...PLAIN, signers: [ED25519, RSA], signedAt });
    const [alone] = signMessage({ ...PLAIN, signers: [RSA], signedAt });
    expect(both.map((field) => tag(field, 's'))).toEqual(['e1', 'r1']);
    expect(both[1]).toBe(alone);
  });
});

describe('signing is refused', () => {
  const REFUSED: [string, Partial<TestMessage>, Partial<DkimSigner>, RegExp][] = [
    ['without a From field', { headerLines: ['To: b@example.org'] }, {}, /From/],
    [
      'for a bare line feed in a field',
      { headerLines: ['From: a@b.example\nBcc: x@y.example'] },
      {},
      /line break/,
    ],
    [
      'for a line break that is no fold',
      { headerLines: ['From: a@b.example\r\nBcc: x@y.example'] },
      {},
      /line/,
    ],
    ['for NUL in a field', { headerLines: ['From: a\0@b.example'] }, {}, /NUL/],
    ['for a field without a name', { headerLines: ['From: a@b.example', ' folded elsewhere'] }, {}, /name/],
    ['for a character that is no octet', { headerLines: ['From: \u4e2d@b.example'] }, {}, /octet/],
    ['for a domain that would add a tag', {}, { domain: 'a.example; l=0' }, /domain/],
    ['for a domain in Unicode', {}, { domain: 'bücher.example' }, /domain/],
    ['for an empty selector', {}, { selector: '' }, /selector/],
    ['for a key of the other algorithm', {}, { privateKey: ed25519.privateKey }, /rsa key/],
    ['for a public key', {}, { privateKey: rsa.publicKey }, /private/],
  ];
  it.each(REFUSED)('%s', (_name, message, signer, reason) => {
    const signing = () => signMessage({ ...PLAIN, ...message, signers: [{ ...RSA, ...signer }], signedAt });
    expect(signing).toThrow(reason);
  });

  it('for an RSA key of 512 bits', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 512 });
    const signing = () => signMessage({ ...PLAIN, signers: [{ ...RSA, privateKey }], signedAt });
    expect(signing).toThrow(/512 bits/);
  });

  it('as a whole when one of two signers cannot sign', () => {
    const broken = { ...RSA, privateKey: ed25519.privateKey };
    expect(() => signMessage({ ...PLAIN, signers: [ED25519, broken], signedAt })).toThrow();
  });
});

describe('canonicalization', () => {
  it.each([
    ['SUBJect: AbC\r\n', 'line break'],
    ['X Y: 1', 'name'],
  ])('refuses %j', (field, reason) => {
    expect(() => relaxedField(field)).toThrow(reason);
  });

  // RFC 6376 section 3.4.5, examples 1 and 2.
  it('matches the examples in RFC 6376', () => {
    expect(relaxedField('A: X').text).toBe('a:X');
    expect(relaxedField('B : Y\t\r\n\tZ  ').text).toBe('b:Y Z');
    expect(relaxedBody(Buffer.from(' C \r\nD \t E\r\n\r\n\r\n')).toString()).toBe(' C\r\nD E\r\n');
  });

  it('of a body follows RFC 6376 section 3.4.4 for any octets', () => {
    const inWords = (text: string): string => {
      const reduced = text.replace(/[ \t]+/g, (run, at: number) => {
        const after = text.slice(at + run.length);
        return after === '' || after.startsWith('\r\n') ? '' : ' ';
      });
      const lines = reduced.replace(/(?:\r\n)+$/, '');
      return lines === '' ? '' : `${lines}\r\n`;
    };
    const octets = (...parts: string[]) => fc.array(fc.constantFrom(...parts), { maxLength: 60 });
    const rare = octets('a', 'bc', 'a b', ' ', '  ', '\r\n', ' \r\n', '\r', '\n', '\r\r\n', '\0', '\xa0');
    const withTabs = octets('a', ' ', '\t', '\r\n', '\r', '\n');
    fc.assert(
      fc.property(fc.oneof(rare, withTabs), (parts) => {
        const text = parts.join('');
        expect(relaxedBody(Buffer.from(text, 'latin1')).toString('latin1')).toBe(inWords(text));
      }),
      runs(5_000),
    );
  });

  it.each([
    ['blank lines before a word', `a${'\r\n'.repeat(800_000)}x`],
    ['one line of spaces', `a${' '.repeat(1_600_000)}x`],
    ['spaces at the end of every line', 'a  \t \r\n'.repeat(250_000)],
  ])('takes linear time for %s', (_name, text) => {
    const body = Buffer.from(text);
    const before = process.cpuUsage();
    relaxedBody(body);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(500);
  });

  it('takes linear time for a field of white space', () => {
    const before = process.cpuUsage();
    expect(relaxedField(`From: a${' \t'.repeat(500_000)}\r\n b`).text).toBe('from:a b');
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(500);
  });
});

describe('the published example of RFC 8463, appendix A.3', () => {
  const body = Buffer.from('Hi.\r\n\r\nWe lost the game.  Are you hungry yet?\r\n\r\nJoe.\r\n');
  const header = [
    'DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;\r\n d=football.example.com; i=@football.example.com;\r\n' +
      ' q=dns/txt; s=brisbane; t=1528637909; h=from : to :\r\n subject : date : message-id : from : subject : date;\r\n' +
      ' bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;\r\n' +
      ' b=/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11Bus\r\n Fa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==',
    'From: Joe SixPack <joe@football.example.com>',
    'To: Suzie Q <suzie@shopping.example.net>',
    'Subject: Is dinner ready?',
    'Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)',
    'Message-ID: <20030712040037.46341.5F8J@football.example.com>',
  ];
  const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
  const brisbane = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });

  it('verifies with the verifier of these tests', () => {
    expect(verifyDkim(onTheWire(header, body), { brisbane })).toEqual([true]);
  });

  it('has the body hash that Mailkeel computes', () => {
    const digest = createHash('sha256').update(relaxedBody(body)).digest('base64');
    expect(digest).toBe('2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=');
  });
});

describe('compared with dkim-signer', () => {
  interface Reference {
    DKIMCanonicalizer: {
      relaxedBody(body: string): string;
      relaxedHeaderLine(line: string): { key: string; value: string };
    };
    DKIMSign(message: string, options: Record<string, unknown>): string;
  }
  const reference = createRequire(import.meta.url)('dkim-signer') as Reference;
  // The input that it handles correctly: text that is not blank, in printable ASCII, with CRLF line ends.
  const word = fc.stringMatching(/^[!-9;-~]{1,12}$/);
  const text = fc
    .tuple(
      word,
      fc.array(fc.oneof(word, fc.constantFrom(' ', '  ', '\t', '\r\n', ' \r\n')), { maxLength: 60 }),
    )
    .map(([first, rest]) => `${first}${rest.join('')}`);

  it('canonical bodies are equal', () => {
    fc.assert(
      fc.property(text, (body) => {
        expect(relaxedBody(Buffer.from(body)).toString()).toBe(reference.DKIMCanonicalizer.relaxedBody(body));
      }),
    );
  });

  it('canonical fields are equal', () => {
    const value = fc.array(fc.oneof(word, fc.constantFrom(' ', '  ', '\t', '\r\n ', '\r\n\t')), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(word, value, (name, parts) => {
        const field = `${name}:${parts.join('')}`;
        const { key, value: canonical } = reference.DKIMCanonicalizer.relaxedHeaderLine(field);
        expect(relaxedField(field)).toEqual({ name: key, text: `${key}:${canonical}` });
      }),
    );
  });

  it('body hashes are equal, and both signatures verify', () => {
    const body = Buffer.from('Hello  there \r\n\r\nBye\r\n\r\n');
    const ours = signed({ ...PLAIN, body }, [RSA]);
    const theirs = reference.DKIMSign(onTheWire(PLAIN.headerLines, body).toString(), {
      domainName: 'example.com',
      keySelector: 'r1',
      privateKey: rsa.privateKey,
      headerFieldNames: 'from:to:subject:date',
    });
    expect(tag(ours[0] ?? '', 'bh')).toBe(tag(theirs, 'bh'));
    expect(verifyDkim(onTheWire([theirs, ...ours], body), KEYS)).toEqual([true, true]);
  });
});

describe('the self-test', () => {
  it('passes with the published key and the given signers', () => {
    expect(dkimSelfTest([RSA, ED25519])).toBeNull();
  });

  it('names the signer that cannot sign', () => {
    const broken = { ...RSA, privateKey: ed25519.privateKey };
    expect(dkimSelfTest([broken])).toMatch(/example\.com needs a private rsa key/);
  });
});
