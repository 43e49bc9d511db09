import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dkimRecordValue, sameDkimRecord } from '../../../src/lib/dkim/dkim-record.js';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed25519 = generateKeyPairSync('ed25519');

describe('the record of a key', () => {
  it('holds the SubjectPublicKeyInfo of an RSA key', () => {
    const spki = rsa.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
    expect(dkimRecordValue(rsa.publicKey, 'rsa-sha256')).toBe(`v=DKIM1; k=rsa; p=${spki}`);
  });

  it('holds the bare 32 octets of an Ed25519 key', () => {
    const { x = '' } = ed25519.publicKey.export({ format: 'jwk' });
    const octets = Buffer.from(x, 'base64url').toString('base64');
    expect(dkimRecordValue(ed25519.publicKey, 'ed25519-sha256')).toBe(`v=DKIM1; k=ed25519; p=${octets}`);
  });

  it('is refused for the wrong kind of key and for a private one', () => {
    expect(() => dkimRecordValue(ed25519.publicKey, 'rsa-sha256')).toThrow(/public rsa key/);
    expect(() => dkimRecordValue(rsa.privateKey, 'rsa-sha256')).toThrow(/public rsa key/);
  });
});

describe('a DNS record', () => {
  const EXPECTED = 'v=DKIM1; k=rsa; p=AbC+/0==';

  it.each([
    ['it is identical', EXPECTED],
    ['it has no white space', 'v=DKIM1;k=rsa;p=AbC+/0=='],
    ['it has much white space', ' v = DKIM1 ;\tk=rsa ; p= AbC+ /0== ;'],
    ['the tags come in another order', 'v=DKIM1; p=AbC+/0==; k=rsa'],
    ['the default key type is left out', 'v=DKIM1; p=AbC+/0=='],
    ['the version is left out', 'k=rsa; p=AbC+/0=='],
    ['it has a note and an unknown tag', 'v=DKIM1; n=made by us; x=y; k=rsa; p=AbC+/0=='],
    ['it allows sha256 among others', 'v=DKIM1; h=sha1:sha256; s=email; t=s; p=AbC+/0=='],
  ])('is the same if %s', (_name, found) => {
    expect(sameDkimRecord(found, EXPECTED)).toBe(true);
  });

  it.each([
    ['the key differs', 'v=DKIM1; k=rsa; p=AbC+/1=='],
    ['the key differs in case', 'v=DKIM1; k=rsa; p=abc+/0=='],
    ['the key was cut off', 'v=DKIM1; k=rsa; p=AbC'],
    ['the key is revoked', 'v=DKIM1; k=rsa; p='],
    ['the key type differs', 'v=DKIM1; k=ed25519; p=AbC+/0=='],
    ['it has no key', 'v=DKIM1; k=rsa'],
    ['the version is another', 'v=DKIM2; k=rsa; p=AbC+/0=='],
    ['the version does not come first', 'k=rsa; p=AbC+/0==; v=DKIM1'],
    ['quotes were kept', '"v=DKIM1; k=rsa; p=AbC+/0=="'],
    ['a tag occurs twice', 'v=DKIM1; p=AbC+/0==; p=AbC+/0=='],
    ['it allows sha1 alone', 'v=DKIM1; h=sha1; p=AbC+/0=='],
    ['it is not for mail', 'v=DKIM1; s=tlsrpt; p=AbC+/0=='],
    ['it is marked as a test', 'v=DKIM1; t=y; p=AbC+/0=='],
    ['it is something else', 'v=spf1 -all'],
    ['it is empty', ''],
    ['it is endless', `${EXPECTED}; n=${'x'.repeat(5000)}`],
  ])('is not the same if %s', (_name, found) => {
    expect(sameDkimRecord(found, EXPECTED)).toBe(false);
  });

  it('never makes the comparison throw', () => {
    fc.assert(fc.property(fc.string(), (found) => !sameDkimRecord(found, EXPECTED)));
  });
});
