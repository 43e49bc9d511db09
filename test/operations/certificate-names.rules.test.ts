// Tests the names of Mailkeel's certificates.
import { describe, expect, it } from 'vitest';
import { acmeNames, selfSignedNames } from '../../src/operations/certificates/certificate-names.rules.js';

describe('names of a self-signed certificate', () => {
  it.each([
    [
      { hostname: 'Mail.Example.org', inboundDomain: 'in.example.org', bounceDomain: 'b.example.org' },
      'https://app.example.org:8443/x',
      ['mail.example.org', 'in.example.org', 'b.example.org', 'app.example.org', 'localhost'],
    ],
    [
      { hostname: 'box', inboundDomain: 'box', bounceDomain: 'box' },
      'http://localhost:8080',
      ['box', 'localhost'],
    ],
    [
      { hostname: 'box', inboundDomain: 'box', bounceDomain: 'box' },
      'https://[2001:DB8:0::1]:8443',
      ['box', '2001:db8::1', 'localhost'],
    ],
  ])('for %j at %s', (names, publicUrl, expected) => {
    expect(selfSignedNames({ ...names, publicUrl })).toEqual([...expected, '127.0.0.1', '::1']);
  });
});

describe('names of a certificate by ACME', () => {
  const own = { hostname: 'mail.example.org', publicUrl: 'https://app.example.org' };

  it.each<[string[] | null, string, string, string[]]>([
    [null, own.hostname, own.publicUrl, ['mail.example.org', 'app.example.org']],
    [null, own.hostname, 'http://localhost:8080', ['mail.example.org']],
    [null, 'box', own.publicUrl, ['app.example.org']],
    [null, own.hostname, 'https://192.0.2.1', ['mail.example.org']],
    [null, own.hostname, 'https://mail.example.org', ['mail.example.org']],
    [
      ['A.example.', 'bücher.example', 'a.example'],
      'box',
      own.publicUrl,
      ['a.example', 'xn--bcher-kva.example'],
    ],
  ])('for %j with %s and %s', (written, hostname, publicUrl, names) => {
    expect(acmeNames(written, { hostname, publicUrl })).toEqual({ ok: true, names });
  });

  it.each([
    ['*.example.org', '*.example.org is a wildcard, which cannot be validated over HTTP'],
    ['192.0.2.1', '192.0.2.1 is an IP address, not a host name'],
    ['2001:db8::1', '2001:db8::1 is an IP address, not a host name'],
    ['mail', 'mail is not a fully qualified host name'],
    ['a.example,host.local', 'host.local is a name for local networks only'],
    ['my.localhost', 'my.localhost is a name for local networks only'],
    ['-a.example', '-a.example is not a host name'],
    ['a_b.example', 'a_b.example is not a host name'],
    [`${'a.'.repeat(130)}example`, `${'a.'.repeat(130)}example is not a host name`],
    ['a.example/path', 'a.example/path is not a host name'],
    [',', 'no public host name found'],
  ])('refuses %s', (written, problem) => {
    expect(acmeNames(written.split(','), own)).toEqual({ ok: false, problems: [problem] });
  });

  it('are refused if none is public, or if there are too many', () => {
    expect(acmeNames(null, { hostname: 'box', publicUrl: 'http://localhost:1' })).toEqual({
      ok: false,
      problems: expect.arrayContaining([
        'no public host name found',
        'box is not a fully qualified host name',
      ]),
    });
    const many = Array.from({ length: 101 }, (_, i) => `h${i}.example`);
    expect(acmeNames(many, own)).toEqual({ ok: false, problems: ['more than 100 names'] });
  });
});
