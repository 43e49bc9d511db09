// Verifies proofs without a server: Ed25519 (RFC 8032) over the canonical JSON (RFC 8785) of a message and its events.
import { fromBase64 } from './base64.js';
import { canonicalJson, repeatsKey } from './canonical-json.js';
import type { ProofAttestation, ProofBundle, ProofKeySet } from './schemas.js';
import { sha256 } from './sha256.js';
import { toHex } from './webhooks.js';

export interface ProofVerdict {
  valid: boolean;
  /** Whether the message was a sandbox message. Null if the proof is invalid or does not say. */
  sandbox: boolean | null;
  /** Explanations in full sentences, most important first. */
  reasons: string[];
  bundle: ProofBundle | null;
  attestation: ProofAttestation | null;
  /** The key that signed the proof. `trusted` is false if the key came from the proof itself. */
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
const ATTESTATION_FIELDS = ['sandbox', 'chain_head', 'evidence', 'approval'];
const APPROVAL_FIELDS = ['approved_at', 'approved_by', 'approver_email', 'content_hash'];
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
const SANDBOX_REASON = 'This is a sandbox message. It was sent with a test key and never delivered.';
const encoder = new TextEncoder();

export const proofs = {
  /**
   * Verifies a proof without contacting a server. Pass the proof returned by `messages.getProof` as an object or as
   * the text of its file. `keys` is the key set returned by `proofs.getKeys`. If `keys` is null, the key inside the
   * proof is used, which only shows that the proof has not been changed since the owner of that key signed it.
   * Returns `valid: false` with reasons for an invalid proof and does not throw.
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
          ? "The proof contains no public key. Pass the issuer's key set."
          : 'The key set is empty.',
      );
    }
    const signer = await signerOf(canonicalJson(bundle), signature, known);
    if (signer === null) {
      return invalid(
        keys === null
          ? 'The signature does not match the bundle and the key in the proof.'
          : 'The bundle was not signed by a trusted key. It was changed or signed with another key.',
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
    ? `Signed by trusted key ${signer.id} (${fingerprint}).`
    : `Signed by key ${fingerprint}, which came with the proof. Verify that you trust this key.`;
  // its fields were checked above
  const bundle = fields['bundle'] as ProofBundle;
  const found = { bundle, key: { fingerprint, trusted } };
  const { attestation, attestation_signature: attested, signature } = fields;
  if (attestation === undefined && attested === undefined) {
    const unsaid = 'The proof has no attestation, so it does not say whether this is a sandbox message.';
    const reasons = signer.isSandbox ? [SANDBOX_REASON, signed] : [signed, unsaid];
    return { ...found, valid: true, sandbox: signer.isSandbox ? true : null, reasons, attestation: null };
  }
  const holds =
    isAttestation(attestation) &&
    (await signerOf(canonicalJson({ attestation, signature }), attested, [signer])) !== null;
  const problem = holds ? approvalProblem(attestation, bundle) : attestationProblem(attestation);
  if (!holds || problem !== null) {
    return { ...found, valid: false, sandbox: null, reasons: [problem ?? '', signed], attestation: null };
  }
  const sandbox = attestation.sandbox || signer.isSandbox;
  const { approval } = attestation;
  const reasons = sandbox ? [SANDBOX_REASON, signed] : [signed, 'This is not a sandbox message.'];
  if (approval) {
    reasons.push(
      `Approved by ${approval.approver_email} (${approval.approved_by}) at ${approval.approved_at}.`,
    );
  }
  return { ...found, valid: true, sandbox, reasons, attestation };
}

function approvalProblem({ approval }: ProofAttestation, bundle: ProofBundle): string | null {
  if (!approval || approval.content_hash === bundle.content_hash) return null;
  return 'The approval in the attestation is for other content.';
}

/** Returns the problem of an attestation, if it has one. A later release may have added fields, which its attestation signs. */
function attestationProblem(attestation: unknown): string {
  const fields = isFields(attestation) ? Object.keys(attestation) : [];
  const added = fields.filter((field) => !ATTESTATION_FIELDS.includes(field));
  return added.length === 0
    ? 'The attestation (sandbox, chain_head) does not match its signature.'
    : `The attestation contains unknown fields: ${added.slice(0, 5).join(', ')}. Verify it with a current release.`;
}

/** Returns the key that signed the text, or null if none of the keys did or there is no text. */
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

/** Checks the envelope, which is not signed, against the signed parts and the key that signed them. */
function problemAround(fields: Fields, signer: Key): string | null {
  const added = Object.keys(fields).filter((field) => !PROOF_FIELDS.includes(field));
  if (added.length > 0) return `The proof contains unknown fields: ${added.slice(0, 5).join(', ')}.`;
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
  return field === null ? null : `The field ${field} was changed after signing.`;
}

function problemOfText(proof: unknown, fields: Fields): string | null {
  const isTwice = typeof proof === 'string' && repeatsKey(proof, fields);
  return isTwice ? 'The proof contains a duplicate field and is ambiguous.' : null;
}

function readProof(proof: unknown): Fields | string {
  if (typeof proof !== 'string') return isFields(proof) ? proof : 'The proof is not an object.';
  if (proof.length > MAX_FILE) return 'The file is too large to be a proof.';
  try {
    const value: unknown = JSON.parse(proof);
    return isFields(value) ? value : 'The file does not contain a JSON object.';
  } catch {
    return 'The file is not valid JSON.';
  }
}

function problemOfBundle(bundle: unknown): string | null {
  if (!isFields(bundle)) return 'The proof has no bundle.';
  const expected = [...BUNDLE_FIELDS, 'audit'];
  const missing = expected.filter((field) => !Object.hasOwn(bundle, field));
  const added = Object.keys(bundle).filter((field) => !expected.includes(field));
  if (missing.length > 0) return `The bundle is missing ${missing.join(', ')}.`;
  if (added.length > 0) return `The bundle contains unknown fields: ${added.slice(0, 5).join(', ')}.`;
  const { audit } = bundle;
  const isRight =
    BUNDLE_FIELDS.every((field) => isText(bundle[field])) &&
    Array.isArray(audit) &&
    audit.length <= MAX_AUDIT &&
    audit.every(
      (entry) => hasOnly(entry, AUDIT_FIELDS) && AUDIT_FIELDS.every((field) => isText(entry[field])),
    );
  return isRight ? null : 'A field of the bundle has the wrong type.';
}

function isAttestation(value: unknown): value is ProofAttestation {
  if (!isFields(value) || typeof value['sandbox'] !== 'boolean' || !isText(value['chain_head'])) return false;
  const { evidence, approval } = value;
  if (Object.keys(value).some((field) => !ATTESTATION_FIELDS.includes(field))) return false;
  if (evidence !== undefined && !(Array.isArray(evidence) && evidence.every(isEvidence))) return false;
  if (approval === undefined) return true;
  return hasOnly(approval, APPROVAL_FIELDS) && APPROVAL_FIELDS.every((field) => isText(approval[field]));
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
