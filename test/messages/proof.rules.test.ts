import { generateKeyPairSync, verify } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/lib/json/index.js';
import { verifyProofOffline } from '../../src/messages/proof/proof-offline.rules.js';
import {
  isProofBundle,
  signProof,
  verifyProof,
  type ProofBundle,
} from '../../src/messages/proof/proof.rules.js';
import {
  keyFingerprint,
  parsePublicKeySet,
  type ProofSigningKey,
  publicKeySet,
  publicKeyText,
} from '../../src/lib/tokens/index.js';

function newKey(keyId: string, retiredAt: string | null = null): ProofSigningKey {
  return { ...generateKeyPairSync('ed25519'), keyId, createdAt: '2026-11-20T10:00:00.000Z', retiredAt };
}

const KEY = newKey('current');
const RETIRED = newKey('retired', '2026-11-21T10:00:00.000Z');
const OUTSIDER = newKey('stranger');
const BUNDLE: ProofBundle = {
  message_id: 'msg_01hx',
  content_hash: `sha256:${'ab'.repeat(32)}`,
  subject: 'Grüße – 🙂',
  to: 'someone@example.org',
  from: 'news@example.com',
  status: 'delivered',
  workspace_id: 'ws_01hx',
  created_at: '2026-11-20T10:00:00.000Z',
  audit: [
    { event: 'queued', occurred_at: '2026-11-20T10:00:00.000Z', actor: 'api' },
    { event: 'delivered', occurred_at: '2026-11-20T10:00:02.000Z', actor: 'provider' },
  ],
  issued_at: '2026-11-20T11:00:00.000Z',
};
const CHAIN_HEAD = Buffer.alloc(32, 5);
const PROOF = signProof({ bundle: BUNDLE, sandbox: false, chainHead: CHAIN_HEAD, evidence: [], key: KEY });
const WITHOUT_SUBJECT = Object.fromEntries(Object.entries(BUNDLE).filter(([field]) => field !== 'subject'));

describe('a proof', () => {
  it('contains the bundle, its signature and the attestation', () => {
    expect(PROOF).toEqual({
      object: 'proof',
      bundle: BUNDLE,
      signature: expect.stringMatching(/^[A-Za-z0-9+/]{86}==$/) as string,
      key_id: 'current',
      algorithm: 'ed25519',
      public_key: Buffer.from(KEY.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString(
        'base64',
      ),
      attestation: { sandbox: false, chain_head: '05'.repeat(32), evidence: [] },
      attestation_signature: expect.stringMatching(/^[A-Za-z0-9+/]{86}==$/) as string,
    });
  });

  it('is plain Ed25519 over the canonical JSON of the bundle', () => {
    const text = Buffer.from(canonicalJson(BUNDLE));
    expect(verify(null, text, KEY.publicKey, Buffer.from(PROOF.signature, 'base64'))).toBe(true);
  });

  it('verifies after JSON has reordered its keys', () => {
    const entries = Object.entries(JSON.parse(JSON.stringify(BUNDLE)) as object).reverse();
    expect(verifyProof({ bundle: Object.fromEntries(entries), signature: PROOF.signature }, [KEY])).toBe(
      true,
    );
  });

  it('verifies with a retired key', () => {
    const old = signProof({
      bundle: BUNDLE,
      sandbox: false,
      chainHead: CHAIN_HEAD,
      evidence: [],
      key: RETIRED,
    });
    expect(verifyProof(old, [KEY, RETIRED])).toBe(true);
    expect(verifyProof(old, [KEY])).toBe(false);
    expect(verifyProof(old, [])).toBe(false);
  });

  it('is not created for an invalid bundle', () => {
    const bundle = { ...BUNDLE, sandbox: true };
    expect(() => signProof({ bundle, sandbox: true, chainHead: CHAIN_HEAD, evidence: [], key: KEY })).toThrow(
      /fields/,
    );
  });
});

const [FIRST, SECOND] = BUNDLE.audit;
const NOT_BUNDLES: [string, unknown][] = [
  ['a missing field', WITHOUT_SUBJECT],
  ['an added field', { ...BUNDLE, sandbox: false }],
  ['a renamed field', { ...WITHOUT_SUBJECT, subject_line: 'x' }],
  ['a field of another type', { ...BUNDLE, subject: 1 }],
  ['a null field', { ...BUNDLE, subject: null }],
  ['a lone surrogate', { ...BUNDLE, subject: '\ud800' }],
  ['an endless field', { ...BUNDLE, subject: 'x'.repeat(100_000) }],
  ['an audit that is no array', { ...BUNDLE, audit: {} }],
  ['an audit entry with an added field', { ...BUNDLE, audit: [{ ...FIRST, ip: '192.0.2.1' }] }],
  ['an audit entry without actor', { ...BUNDLE, audit: [{ event: 'queued', occurred_at: 'x' }] }],
  ['an audit entry that is null', { ...BUNDLE, audit: [null] }],
  ['an array', [BUNDLE]],
  ['a text', 'bundle'],
  ['null', null],
  ['nothing', undefined],
  ['deep nesting', JSON.parse('[['.repeat(5000) + ']]'.repeat(5000))],
  [
    'a field only in the prototype',
    Object.assign(Object.create({ subject: 'x' }) as object, WITHOUT_SUBJECT),
  ],
];

describe('a bundle', () => {
  it.each(NOT_BUNDLES)('with %s is invalid', (_name, bundle) => {
    expect(isProofBundle(bundle)).toBe(false);
    expect(verifyProof({ bundle, signature: PROOF.signature }, [KEY])).toBe(false);
  });

  it.each<[string, ProofBundle]>([
    ['status', { ...BUNDLE, status: 'bounced' }],
    ['recipient', { ...BUNDLE, to: 'other@example.org' }],
    ['subject, by normalisation only', { ...BUNDLE, subject: BUNDLE.subject.normalize('NFD') }],
    ['audit, cut short', { ...BUNDLE, audit: BUNDLE.audit.slice(0, 1) }],
    ['audit, in another order', { ...BUNDLE, audit: [SECOND, FIRST].flatMap((entry) => entry ?? []) }],
  ])('does not verify with another %s', (_name, bundle) => {
    expect(isProofBundle(bundle)).toBe(true);
    expect(verifyProof({ bundle, signature: PROOF.signature }, [KEY])).toBe(false);
  });

  it.each([
    ['no text', 5],
    ['nothing', undefined],
    ['empty', ''],
    ['too short', PROOF.signature.slice(4)],
    ['followed by white space', `${PROOF.signature}\n`],
    ['in base64url', PROOF.signature.replaceAll('+', '-').replaceAll('/', '_').replace('==', '')],
    [
      'of another bundle',
      signProof({
        ...{ sandbox: false, chainHead: CHAIN_HEAD, evidence: [], key: KEY },
        bundle: { ...BUNDLE, to: 'a@b.example' },
      }).signature,
    ],
    ['that of the attestation', PROOF.attestation_signature],
  ])('does not verify when the signature is %s', (_name, signature) => {
    expect(verifyProof({ bundle: BUNDLE, signature }, [KEY])).toBe(false);
  });

  it('never makes the check throw, for any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.jsonValue({ maxDepth: 2 }), (bundle, signature) => {
        expect(verifyProof({ bundle, signature }, [KEY])).toBe(false);
        expect(verifyProofOffline(JSON.stringify({ bundle, signature }), null).valid).toBe(false);
      }),
    );
  });
});

describe('the public key set', () => {
  it('lists current and retired keys, and can be parsed', () => {
    const set = publicKeySet([KEY, RETIRED]);
    expect(set.keys.map(({ key_id, retired_at }) => [key_id, retired_at])).toEqual([
      ['current', null],
      ['retired', '2026-11-21T10:00:00.000Z'],
    ]);
    expect(JSON.stringify(set)).not.toContain('private');
    const read = parsePublicKeySet(JSON.parse(JSON.stringify(set)));
    expect(verifyProof(PROOF, read)).toBe(true);
    expect(publicKeySet(read)).toEqual(set);
  });

  it.each([
    [null],
    [{}],
    [{ keys: [null] }],
    [{ keys: [{ algorithm: 'ed25519', key_id: 'a', public_key: 'x' }] }],
  ])('is refused if it is %j', (value) => {
    expect(() => parsePublicKeySet(value)).toThrow(/not a proof key set/);
  });
});

describe('a proof file without a server', () => {
  const file = (change: object = {}) => JSON.stringify({ ...PROOF, ...change });

  it('is valid with the trusted key that signed it', () => {
    const verdict = verifyProofOffline(file(), [OUTSIDER, KEY]);
    expect(verdict).toMatchObject({
      valid: true,
      bundle: BUNDLE,
      attestation: { sandbox: false, chain_head: '05'.repeat(32), evidence: [] },
      key: { fingerprint: keyFingerprint(KEY.publicKey), trusted: true },
    });
    expect(verdict.reasons.join(' ')).toMatch(/trusted key current .*not a sandbox/);
  });

  it('names the key to trust if only the file contains it', () => {
    const key_id = keyFingerprint(KEY.publicKey).slice(0, 16);
    const verdict = verifyProofOffline(file({ key_id }), null);
    expect(verdict).toMatchObject({ valid: true, key: { trusted: false } });
    expect(verdict.reasons[0]).toContain(`key ${keyFingerprint(KEY.publicKey)}, which came with the file`);
    expect(verifyProofOffline(file({ key_id: 'somebody-well-known' }), null).valid).toBe(false);
  });

  it('says that a sandbox message was never delivered', () => {
    const proof = signProof({ bundle: BUNDLE, sandbox: true, chainHead: CHAIN_HEAD, evidence: [], key: KEY });
    expect(verifyProofOffline(JSON.stringify(proof), [KEY]).reasons.join(' ')).toMatch(/never delivered/);
  });

  it('reduced to bundle and signature is valid, and reports unknown facts', () => {
    const verdict = verifyProofOffline(JSON.stringify({ bundle: BUNDLE, signature: PROOF.signature }), [KEY]);
    expect(verdict).toMatchObject({ valid: true, attestation: null });
    expect(verdict.reasons.join(' ')).toMatch(/no attestation/);
  });

  const sandboxed = signProof({
    bundle: { ...BUNDLE, to: 'x@y.example' },
    sandbox: true,
    chainHead: CHAIN_HEAD,
    evidence: [],
    key: KEY,
  });
  it.each<[string, string, RegExp]>([
    ['is not JSON', '{', /not valid JSON/],
    ['is no object', '[]', /does not contain a JSON object/],
    ['has no bundle', '{}', /no bundle/],
    ['lacks a field', file({ bundle: WITHOUT_SUBJECT }), /is missing subject/],
    ['has one too many', file({ bundle: { ...BUNDLE, extra: 1 } }), /extra/],
    ['has a field of another type', file({ bundle: { ...BUNDLE, to: 1 } }), /wrong type/],
    ['was changed', file({ bundle: { ...BUNDLE, status: 'bounced' } }), /not signed by a trusted key/],
    ['names another key', file({ key_id: 'other' }), /key_id/],
    ['shows another key', file({ public_key: publicKeyText(OUTSIDER.publicKey) }), /public_key/],
    ['names another algorithm', file({ algorithm: 'ed25518' }), /algorithm/],
    ['is another object', file({ object: 'prook' }), /object/],
    ['has a field of its own', file({ note: 'x' }), /note/],
    ['has a field twice', file().replace('"subject":', '"subject":"Another","subject":'), /duplicate field/],
    [
      'has another sandbox flag',
      file({ attestation: { ...PROOF.attestation, sandbox: true } }),
      /attestation/,
    ],
    [
      'has a field added to the attestation',
      file({ attestation: { ...PROOF.attestation, a: 1 } }),
      /attestation/,
    ],
    ['has lost the signature of the attestation', file({ attestation_signature: undefined }), /attestation/],
    [
      'carries the attestation of another proof',
      file({ attestation: sandboxed.attestation, attestation_signature: sandboxed.attestation_signature }),
      /attestation/,
    ],
  ])('is invalid if it %s', (_name, text, reason) => {
    const verdict = verifyProofOffline(text, [KEY]);
    expect(verdict.valid).toBe(false);
    expect(verdict.reasons[0]).toMatch(reason);
  });

  it('is invalid with any changed byte', () => {
    const bytes = Buffer.from(file());
    const wrong: string[] = [];
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes);
      changed[i] = changed.readUInt8(i) === 0x61 ? 0x62 : 0x61;
      if (verifyProofOffline(changed.toString('utf8'), [KEY]).valid)
        wrong.push(changed.toString('utf8', i - 20, i + 20));
    }
    expect(wrong).toEqual([]);
  });

  it('is invalid with other keys, without keys, and with none at all', () => {
    expect(verifyProofOffline(file(), [OUTSIDER]).reasons[0]).toMatch(/not signed by a trusted key/);
    expect(verifyProofOffline(file(), []).reasons[0]).toMatch(/key set is empty/);
    expect(verifyProofOffline(file({ public_key: undefined }), null).reasons[0]).toMatch(/no public key/);
    const swapped = publicKeySet([OUTSIDER]).keys[0]?.public_key;
    expect(verifyProofOffline(file({ public_key: swapped }), null).reasons[0]).toMatch(/does not match/);
  });
});
