// Tests certificates of servers: created, read, refused.
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { coversName, readCertificate, timeProblem } from '../../../src/lib/tls/certificate.js';
import { makeSelfSigned } from '../../../src/lib/tls/self-signed.js';
import { chainOf, issueCertificate } from '../../support/certificate-chain.js';

const DAY = 86_400_000;
const NAMES = ['mail.mailkeel.example', 'localhost', '127.0.0.1', '::1'];

describe('the self-signed certificate', () => {
  it('verifies itself, is valid only for its names and addresses, and is not an authority', async () => {
    const now = Date.UTC(2026, 0, 2);
    const { key, cert } = await makeSelfSigned(NAMES, now);
    const certificate = new X509Certificate(cert);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(certificate.checkIssued(certificate)).toBe(true);
    expect(certificate.ca).toBe(false);
    expect(certificate.publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
    for (const host of ['mail.mailkeel.example', 'localhost']) {
      expect(certificate.checkHost(host, { subject: 'never' })).toBe(host);
    }
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(certificate.checkIP('::1')).toBe('::1');
    expect(certificate.checkHost('mailkeel.example')).toBeUndefined();
    expect(certificate.checkIP('127.0.0.2')).toBeUndefined();
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(Date.parse(certificate.validFrom)).toBe(now - DAY);
    expect(Date.parse(certificate.validTo)).toBe(now + 3650 * DAY);
  });

  it('has a new key and serial number each time, and supports a very long name', async () => {
    const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.example`;
    const made = await Promise.all([1, 2].map(() => makeSelfSigned([long], Date.now())));
    const [one, other] = made.map(({ cert }) => new X509Certificate(cert));
    expect(one?.serialNumber).not.toBe(other?.serialNumber);
    expect(made[0]?.key).not.toBe(made[1]?.key);
    expect(one?.checkHost(long)).toBe(long);
  });

  it('can be parsed again', async () => {
    const pair = await makeSelfSigned(NAMES, Date.now());
    expect(readCertificate(pair, 'self-signed')).toMatchObject({
      ok: true,
      certificate: { ...pair, origin: 'self-signed', names: NAMES },
    });
  });
});

describe('a certificate in a file', () => {
  const root = issueCertificate({ commonName: 'Root', isAuthority: true });
  const own = issueCertificate({ names: ['mail.mailkeel.example', '*.web.example'], issuer: root });
  const other = issueCertificate({ names: ['other.example'] });
  const { key, cert } = chainOf(own, root);
  const locked = (type: 'pkcs8' | 'pkcs1'): string =>
    createPrivateKey(key)
      .export({ type, format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' })
      .toString();
  const weak = generateKeyPairSync('rsa', { modulusLength: 512 }).privateKey;

  it('is described', () => {
    const answer = readCertificate({ key, cert }, 'files');
    if (!answer.ok) throw new Error(answer.problem);
    const { certificate } = answer;
    expect(certificate.names).toEqual(['mail.mailkeel.example', '*.web.example']);
    expect(certificate.fingerprint).toBe(new X509Certificate(own.cert).fingerprint256);
    expect(certificate.notAfter - certificate.notBefore).toBe(2 * DAY);
  });

  it('may be surrounded by other text, with its key', () => {
    const text = `subject=CN = mail\nissuer=CN = Root\n${cert}\n${key}`;
    expect(readCertificate({ key: text, cert: text }, 'files').ok).toBe(true);
  });

  it.each([
    ['nothing', '', key, 'cert', 'contains no PEM certificate'],
    ['a key for a certificate', key, key, 'cert', 'contains no PEM certificate'],
    ['damage', own.cert.replace(/MII/, 'MIX'), key, 'cert', 'contains an invalid certificate'],
    ['half of it', own.cert.slice(0, 300), key, 'cert', 'contains no PEM certificate'],
    ['no key', cert, '', 'key', 'contains no PEM private key'],
    ['a damaged key', cert, key.replace(/MII/, 'AAA'), 'key', 'contains an invalid private key'],
    ["another's key", cert, other.key, 'key', 'does not match the certificate'],
    [
      'a chain the wrong way round',
      root.cert + own.cert,
      key,
      'cert',
      "does not start with the server's own certificate. Put it first, followed by its issuers.",
    ],
    [
      'a locked key',
      cert,
      locked('pkcs8'),
      'key',
      'is protected by a passphrase. Use a key without a passphrase.',
    ],
    [
      'a locked key of the old kind',
      cert,
      locked('pkcs1'),
      'key',
      'is protected by a passphrase. Use a key without a passphrase.',
    ],
    [
      'a key of another length',
      cert,
      weak.export({ type: 'pkcs8', format: 'pem' }).toString(),
      'key',
      'does not match the certificate',
    ],
  ])('is refused with an explanation: %s', (_name, certText, keyText, part, problem) => {
    expect(readCertificate({ cert: certText, key: keyText }, 'files')).toEqual({ ok: false, part, problem });
  });

  it.each([
    [-2 * DAY, /^is not valid before 20/],
    [0, null],
    [2 * DAY, /^expired on 20/],
  ])('%i ms from now is judged by its time', (ahead, expected) => {
    const answer = readCertificate({ key, cert }, 'files');
    if (!answer.ok) throw new Error(answer.problem);
    const problem = timeProblem(answer.certificate, Date.now() + ahead);
    if (expected === null) expect(problem).toBeNull();
    else expect(problem).toMatch(expected);
  });

  it.each([
    ['mail.mailkeel.example', true],
    ['a.web.example', true],
    ['a.b.web.example', false],
    ['web.example', false],
    ['mailkeel.example', false],
  ])('covers %s: %s', (name, expected) => {
    expect(coversName({ key, cert }, name)).toBe(expected);
  });
});
