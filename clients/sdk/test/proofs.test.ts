// Tests that the SDK verifies a proof offline with the same verdict as the server, for valid and modified proofs.
import { createHash, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parsePublicKeySet, type ProofSigningKey, publicKeySet } from '../../../src/lib/tokens/index.js';
import { signProof } from '../../../src/messages/proof/proof.rules.js';
import { verifyProofOffline } from '../../../src/messages/proof/proof-offline.rules.js';
import { proofs, type ProofKeySet } from '../src/index.js';

function newKey(isSandbox = false): ProofSigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const octets = publicKey.export({ format: 'der', type: 'spki' }).subarray(12);
  const keyId = createHash('sha256').update(octets).digest('hex').slice(0, 16);
  return { keyId, publicKey, privateKey, createdAt: '2026-01-01T00:00:00.000Z', retiredAt: null, isSandbox };
}

const key = newKey();
const sandboxKey = newKey(true);
const outsider = newKey();
const bundle = {
  message_id: 'msg_1',
  content_hash: `sha256:${'0'.repeat(64)}`,
  subject: 'Grüße 🎺 "quoted" \u2028',
  to: 'ann@example.com',
  from: 'news@customer.example',
  status: 'delivered',
  workspace_id: 'ws_1',
  created_at: '2026-03-01T09:00:00.000Z',
  issued_at: '2026-03-01T10:00:00.000Z',
  audit: [{ event: 'queued', occurred_at: '2026-03-01T09:00:00.000Z', actor: 'api' }],
};
const evidence = [
  { occurred_at: '2026-03-01T09:00:01.000Z', host: 'mx.example.com', tls_version: null, reply: '250 ok' },
];

const approval = {
  approved_at: '2026-03-01T09:00:00.500Z',
  approved_by: 'usr_1',
  approver_email: 'olga@customer.example',
  content_hash: bundle.content_hash,
};

function proofBy(
  by: ProofSigningKey,
  sandbox = false,
  approved: typeof approval | null = null,
): Record<string, unknown> {
  const chainHead = Buffer.alloc(32, 7);
  const signed = signProof({ bundle, sandbox, chainHead, evidence, approval: approved, key: by });
  return signed as unknown as Record<string, unknown>;
}

const set = publicKeySet([key, sandboxKey]);

/** Compares the SDK's verdict with the server's: validity, sandbox, key and attestation. */
async function judge(text: string, keys: ProofKeySet | null): Promise<boolean> {
  const verdict = await proofs.verifyOffline(text, keys);
  const expected = verifyProofOffline(text, keys === null ? null : parsePublicKeySet(keys));
  const { reasons: said, ...rest } = verdict;
  const { reasons, ...other } = expected;
  expect(rest, `${said.join(' ')} | ${reasons.join(' ')}`).toEqual(other);
  expect(said.length).toBeGreaterThan(0);
  return verdict.valid;
}

describe('a proof', () => {
  it('verifies with the key set, and with its own key', async () => {
    for (const proof of [proofBy(key), proofBy(sandboxKey, true), proofBy(sandboxKey)]) {
      expect(await judge(JSON.stringify(proof), set)).toBe(true);
      expect(await judge(JSON.stringify(proof, null, 2), null)).toBe(true);
    }
    const plain = { ...proofBy(key), attestation: undefined, attestation_signature: undefined };
    expect(await judge(JSON.stringify(plain), set)).toBe(true);
    expect(await proofs.verifyOffline(proofBy(key), set)).toMatchObject({ valid: true, sandbox: false });
  });

  it('names the approver, and verifies only for the approved content', async () => {
    expect(await judge(JSON.stringify(proofBy(key, false, approval)), set)).toBe(true);
    const { reasons } = await proofs.verifyOffline(proofBy(key, false, approval), set);
    expect(reasons).toContain('Approved by olga@customer.example (usr_1) at 2026-03-01T09:00:00.500Z.');
    const other = proofBy(key, false, { ...approval, content_hash: `sha256:${'1'.repeat(64)}` });
    expect(await judge(JSON.stringify(other), set)).toBe(false);
    const later = { ...(proofBy(key)['attestation'] as object), seal: 'x' };
    const unknown = await proofs.verifyOffline({ ...proofBy(key), attestation: later }, set);
    expect(unknown.reasons[0]).toContain('unknown fields: seal');
    expect(await judge(JSON.stringify({ ...proofBy(key), attestation: later }), set)).toBe(false);
  });

  it('does not verify for an outsider, or without keys', async () => {
    expect(await judge(JSON.stringify(proofBy(outsider)), set)).toBe(false);
    expect(await judge(JSON.stringify(proofBy(key)), { keys: [] })).toBe(false);
    expect(await judge(JSON.stringify({ ...proofBy(key), public_key: undefined }), null)).toBe(false);
    expect(await judge(JSON.stringify({ ...proofBy(key), public_key: 'AAAA' }), null)).toBe(false);
  });

  it('does not verify after a change of any value', async () => {
    const whole = JSON.stringify(proofBy(key, false, approval));
    const places = [...whole.matchAll(/"(?:[^"\\]|\\.)*"/g)];
    expect(places.length).toBeGreaterThan(40);
    for (const { 0: word, index } of places) {
      const changed = `${whole.slice(0, index)}${word.slice(0, -1)}x"${whole.slice(index + word.length)}`;
      expect(await judge(changed, set), word).toBe(false);
    }
    expect(await judge(whole.replace('"sandbox":false', '"sandbox":true'), set)).toBe(false);
    expect(await judge(whole.replace('"tls_version":null', '"tls_version":0'), set)).toBe(false);
  });

  it('does not verify with a repeated or additional field, or if it is not a proof', async () => {
    const whole = JSON.stringify(proofBy(key));
    expect(await judge(`{"bundle":{},${whole.slice(1)}`, set)).toBe(false);
    expect(await judge(whole.replace('"to":', '"to":"eve@example.com","to":'), set)).toBe(false);
    expect(await judge(`{"note":1,${whole.slice(1)}`, set)).toBe(false);
    expect(await judge(whole.replace('"to":', '"cc":"eve@example.com","to":'), set)).toBe(false);
    for (const text of [
      '',
      'null',
      '[]',
      '{}',
      '"proof"',
      '{"bundle":[]}',
      whole.slice(0, -1),
      whole.replace('Gr', '\\ud800'),
    ]) {
      expect(await judge(text, set), text.slice(0, 30)).toBe(false);
    }
    for (const value of [undefined, null, 4, [], {}]) {
      expect((await proofs.verifyOffline(value, set)).valid).toBe(false);
    }
  });
});
