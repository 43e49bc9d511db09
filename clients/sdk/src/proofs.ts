// Proofs checked without a server: Ed25519 (RFC 8032) over the canonical JSON (RFC 8785) of what a message was and what happened
// to it.
import { fromBase64 } from './base64.js';
import { canonicalJson, repeatsKey } from './canonical-json.js';
import type { ProofAttestation, ProofBundle, ProofKeySet } from './schemas.js';
import { sha256 } from './sha256.js';
import { toHex } from './webhooks.js';

export interface ProofVerdict {
  valid: boolean;
  /** Null where the proof does not hold, or does not say. */
  sandbox: boolean | null;
  /** Whole sentences, the decisive one first. */
  reasons: string[];
  bundle: ProofBundle | null;
  attestation: ProofAttestation | null;
  /** The key that signed; `trusted` is false when it only came with the proof. */
  key: { fingerprint: string; trusted: boolean } | null;
}

interface Key {
  octets: Uint8Array<ArrayBuffer>;
  id: string;
  isSandbox: boolean;
}

type Fields = Record<string, unknown>;

const BUNDLE_FIELDS = [
  'message_id',
  'content_hash',
  'subject',
  'to',
  'from',
  'status',
  'workspace_id',
  'created_at',
  'issued_at',
];
const AUDIT_FIELDS = ['event', 'occurred_at', 'actor'];
const PROOF_FIELDS = [
  'object',
  'bundle',
  'signature',
  'key_id',
  'algorithm',
  'public_key',
  'attestation',
  'attestation_signature',
];
const MAX_TEXT = 8192;
const MAX_AUDIT = 100_000;
const MAX_FILE = 64 * 1024 * 1024;
const SIGNATURE = /^[A-Za-z0-9+/]{85}[AQgw]==$/;
const PUBLIC_KEY = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;
const SANDBOX_REASON = 'A sandbox message: a test key made it, and it was never delivered to anybody.';
const encoder = new TextEncoder();

export const proofs = {
  /**
   * Judges a proof as `messages.getProof` answers it, as an object or as the text of its file, without asking anybody. `keys` is
   * what `proofs.getKeys` answered once; with null the key inside the proof is used, which shows only that it was not changed
   * since somebody with that key signed it. A proof that does not hold is a verdict, not an error.
   *
   * @example
   * const { valid, reasons } = await proofs.verifyOffline(await mailkeel.messages.getProof('msg_01kdyak3se4w5amvgkazjzkvb7'), await mailkeel.proofs.getKeys());
   */
  async verifyOffline(proof: unknown, keys: ProofKeySet | null): Promise<ProofVerdict> {
    const fields = readProof(proof);
    if (typeof fields === 'string') return invalid(fields);
    const { bundle, signature } = fields;
    const problem = problemOfBundle(bundle);
    if (problem !== null) return invalid(problem);
    const known = keys === null ? keyOfProof(fields) : keysOfSet(keys);
    if (known.length === 0) {
      return invalid(
        keys === null
          ? 'The proof holds no public key: give the key set of the issuer.'
          : 'The key set is empty.',
      );
    }
    const signer = await signerOf(canonicalJson(bundle), signature, known);
    if (signer === null) {
      return invalid(
        keys === null
          ? 'The signature does not match the bundle and the key in the proof.'
          : 'None of the trusted keys signed this bundle: it was changed, or another key signed it.',
      );
    }
    const envelope = problemAround(fields, signer) ?? problemOfText(proof, fields);
    if (envelope !== null) return invalid(envelope);
    return judge(fields, signer, keys !== null);
  },
};

async function judge(fields: Fields, signer: Key, trusted: boolean): Promise<ProofVerdict> {
  const fingerprint = toHex(sha256(signer.octets));
  const signed = trusted
    ? `Signed by the trusted key ${signer.id} (${fingerprint}).`
    : `Signed by key ${fingerprint}, which you must trust: it came with the proof.`;
  // its fields were checked above
  const bundle = fields['bundle'] as ProofBundle;
  const found = { bundle, key: { fingerprint, trusted } };
  const { attestation, attestation_signature: attested, signature } = fields;
  if (attestation === undefined && attested === undefined) {
    const unsaid = 'The proof has no attestation, so it does not say whether this was a sandbox message.';
    const reasons = signer.isSandbox ? [SANDBOX_REASON, signed] : [signed, unsaid];
    return { ...found, valid: true, sandbox: signer.isSandbox ? true : null, reasons, attestation: null };
  }
  const holds =
    isAttestation(attestation) &&
    (await signerOf(canonicalJson({ attestation, signature }), attested, [signer])) !== null;
  if (!holds) {
    const reason = 'The attestation (sandbox, chain_head) does not match its signature.';
    return { ...found, valid: false, sandbox: null, reasons: [reason, signed], attestation: null };
  }
  const sandbox = attestation.sandbox || signer.isSandbox;
  const reasons = sandbox ? [SANDBOX_REASON, signed] : [signed, 'Not a sandbox message.'];
  return { ...found, valid: true, sandbox, reasons, attestation };
}

/** The key by which the text was signed; null when it is none of these, or there is no text. */
async function signerOf(text: string | null, signature: unknown, keys: readonly Key[]): Promise<Key | null> {
  const octets = typeof signature === 'string' && SIGNATURE.test(signature) ? fromBase64(signature) : null;
  if (text === null || octets === null) return null;
  for (const key of keys) {
    const imported = await crypto.subtle.importKey('raw', key.octets, { name: 'Ed25519' }, false, ['verify']);
    if (await crypto.subtle.verify({ name: 'Ed25519' }, imported, octets, encoder.encode(text))) return key;
  }
  return null;
}

function keysOfSet({ keys }: ProofKeySet): Key[] {
  return keys.flatMap(({ key_id: id, public_key: text, sandbox }) => {
    const octets = publicKey(text);
    return octets === null ? [] : [{ id, octets, isSandbox: sandbox }];
  });
}

function keyOfProof(fields: Fields): Key[] {
  const octets = publicKey(fields['public_key']);
  return octets === null ? [] : [{ id: toHex(sha256(octets)).slice(0, 16), octets, isSandbox: false }];
}

function publicKey(value: unknown): Uint8Array<ArrayBuffer> | null {
  return typeof value === 'string' && PUBLIC_KEY.test(value) ? fromBase64(value) : null;
}

/** The signed parts stand in an envelope that is not signed: it must say what the key that signed says. */
function problemAround(fields: Fields, signer: Key): string | null {
  const added = Object.keys(fields).filter((field) => !PROOF_FIELDS.includes(field));
  if (added.length > 0) return `The proof has fields that no proof has: ${added.slice(0, 5).join(', ')}.`;
  const [octets, expected] = [
    fields['public_key'],
    { object: 'proof', algorithm: 'ed25519', key_id: signer.id },
  ];
  const wrong = Object.entries(expected).find(
    ([field, value]) => fields[field] !== undefined && fields[field] !== value,
  );
  const isOtherKey =
    octets !== undefined && toHex(publicKey(octets) ?? new Uint8Array()) !== toHex(signer.octets);
  const field = wrong?.[0] ?? (isOtherKey ? 'public_key' : null);
  return field === null ? null : `The field ${field} is not that of the proof: it was changed.`;
}

function problemOfText(proof: unknown, fields: Fields): string | null {
  const isTwice = typeof proof === 'string' && repeatsKey(proof, fields);
  return isTwice ? 'The proof has a field twice, so that readers may disagree about it.' : null;
}

function readProof(proof: unknown): Fields | string {
  if (typeof proof !== 'string') return isFields(proof) ? proof : 'This is not a proof: it is no object.';
  if (proof.length > MAX_FILE) return 'The file is too large to be a proof.';
  try {
    const value: unknown = JSON.parse(proof);
    return isFields(value) ? value : 'The file is not a proof: it holds no JSON object.';
  } catch {
    return 'The file is not JSON.';
  }
}

function problemOfBundle(bundle: unknown): string | null {
  if (!isFields(bundle)) return 'This is not a proof: it has no bundle.';
  const expected = [...BUNDLE_FIELDS, 'audit'];
  const missing = expected.filter((field) => !Object.hasOwn(bundle, field));
  const added = Object.keys(bundle).filter((field) => !expected.includes(field));
  if (missing.length > 0) return `The bundle lacks ${missing.join(', ')}.`;
  if (added.length > 0) return `The bundle has fields that no proof has: ${added.slice(0, 5).join(', ')}.`;
  const { audit } = bundle;
  const isRight =
    BUNDLE_FIELDS.every((field) => isText(bundle[field])) &&
    Array.isArray(audit) &&
    audit.length <= MAX_AUDIT &&
    audit.every(
      (entry) => hasOnly(entry, AUDIT_FIELDS) && AUDIT_FIELDS.every((field) => isText(entry[field])),
    );
  return isRight ? null : 'A field of the bundle is not of its type.';
}

function isAttestation(value: unknown): value is ProofAttestation {
  if (!isFields(value) || typeof value['sandbox'] !== 'boolean' || !isText(value['chain_head'])) return false;
  const { evidence } = value;
  if (evidence === undefined) return hasOnly(value, ['sandbox', 'chain_head']);
  return (
    hasOnly(value, ['sandbox', 'chain_head', 'evidence']) &&
    Array.isArray(evidence) &&
    evidence.every(isEvidence)
  );
}

function isEvidence(value: unknown): boolean {
  const others = ['host', 'tls_version', 'reply'];
  return (
    hasOnly(value, ['occurred_at', ...others]) &&
    isText(value['occurred_at']) &&
    others.every((field) => value[field] === null || isText(value[field]))
  );
}

function hasOnly(value: unknown, fields: readonly string[]): value is Fields {
  return (
    isFields(value) &&
    Object.keys(value).length === fields.length &&
    fields.every((field) => Object.hasOwn(value, field))
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_TEXT && value.isWellFormed();
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(reason: string): ProofVerdict {
  return { valid: false, sandbox: null, reasons: [reason], bundle: null, attestation: null, key: null };
}
