// Builds proof bundles: Ed25519 signatures (RFC 8032) of the canonical JSON (RFC 8785) of a message and its events.
import type { KeyObject } from 'node:crypto';
import { canonicalJson, isWellFormedText } from '../../lib/json/index.js';
import {
  isRecord,
  isSigned,
  type ProofPublicKey,
  type ProofSigningKey,
  publicKeyText,
  signText,
} from '../../lib/tokens/index.js';

export interface ProofBundle {
  message_id: string;
  content_hash: string;
  subject: string;
  to: string;
  from: string;
  status: string;
  workspace_id: string;
  created_at: string;
  audit: { event: string; occurred_at: string; actor: string }[];
  issued_at: string;
}

/** The reply of the recipient's server that accepted the message. */
export interface ProofEvidence {
  occurred_at: string;
  host: string | null;
  tls_version: string | null;
  reply: string | null;
}

/** The approval of a person, which the send policy of the API key required. */
export interface ProofApproval {
  approved_at: string;
  /** The user ID. */
  approved_by: string;
  /** The address of the user at that time. */
  approver_email: string;
  /** The `content_hash` that the approver had read: that of the bundle. */
  content_hash: string;
}

/** Fields beside the bundle: whether the message was a sandbox one, and the audit chain's head in hex. */
export interface ProofAttestation {
  sandbox: boolean;
  chain_head: string;
  /** One entry for each delivery. Proofs of earlier releases lack it. */
  evidence?: ProofEvidence[];
  /** Absent if the message needed no approval. */
  approval?: ProofApproval;
}

export interface Proof {
  object: 'proof';
  bundle: ProofBundle;
  /** Base64, over the canonical JSON of `bundle`. */
  signature: string;
  key_id: string;
  algorithm: 'ed25519';
  /** The 32 octets of the public key, base64. */
  public_key: string;
  attestation: ProofAttestation;
  /** Base64, over the canonical JSON of `{attestation, signature}`, so that it belongs to this bundle alone. */
  attestation_signature: string;
}

export const BUNDLE_TEXT_FIELDS = [
  'message_id',
  'content_hash',
  'subject',
  'to',
  'from',
  'status',
  'workspace_id',
  'created_at',
  'issued_at',
] as const;
const EVIDENCE_FIELDS = ['host', 'tls_version', 'reply'] as const;
const APPROVAL_FIELDS = ['approved_at', 'approved_by', 'approver_email', 'content_hash'] as const;
export const ATTESTATION_FIELDS: readonly string[] = ['sandbox', 'chain_head', 'evidence', 'approval'];
const AUDIT_FIELDS = ['event', 'occurred_at', 'actor'] as const;
const MAX_TEXT_CHARACTERS = 8192;
const MAX_AUDIT_ENTRIES = 100_000;
/** Returns whether the value has exactly the bundle's fields with valid types and sizes. Never throws on JSON. */
export function isProofBundle(value: unknown): value is ProofBundle {
  if (!isRecord(value) || !hasOnlyTexts(value, BUNDLE_TEXT_FIELDS, 1)) return false;
  const { audit } = value;
  if (!Array.isArray(audit) || audit.length > MAX_AUDIT_ENTRIES) return false;
  return audit.every((entry: unknown) => isRecord(entry) && hasOnlyTexts(entry, AUDIT_FIELDS, 0));
}

function hasOnlyTexts(value: Record<string, unknown>, fields: readonly string[], others: number): boolean {
  if (Object.keys(value).length !== fields.length + others) return false;
  return fields.every((field) => Object.hasOwn(value, field) && isProofText(value[field]));
}

function isProofText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_TEXT_CHARACTERS && isWellFormedText(value);
}

/** Throws if the bundle is invalid, because its proof could not be verified. `chainHead` is the raw hash. */
export function signProof(input: {
  bundle: ProofBundle;
  sandbox: boolean;
  chainHead: Buffer;
  evidence: ProofEvidence[];
  approval?: ProofApproval | null;
  key: ProofSigningKey;
}): Proof {
  const { bundle, sandbox, evidence, approval = null, key } = input;
  if (!isProofBundle(bundle)) throw new TypeError('the proof bundle does not have exactly its fields');
  const signature = signText(canonicalJson(bundle), key.privateKey);
  const attestation = {
    sandbox,
    chain_head: input.chainHead.toString('hex'),
    evidence,
    ...(approval === null ? {} : { approval }),
  };
  return {
    object: 'proof',
    bundle,
    signature,
    key_id: key.keyId,
    algorithm: 'ed25519',
    public_key: publicKeyText(key.publicKey),
    attestation,
    attestation_signature: signText(canonicalJson({ attestation, signature }), key.privateKey),
  };
}

/** Returns whether one of the keys signed the bundle. Returns false for any other JSON value. */
export function verifyProof(
  proof: { bundle: unknown; signature: unknown },
  publicKeys: readonly ProofPublicKey[],
): boolean {
  return findProofSigner(proof, publicKeys) !== null;
}

/** Like `verifyProof`, but returns the key that signed, or null. */
export function findProofSigner(
  { bundle, signature }: { bundle: unknown; signature: unknown },
  publicKeys: readonly ProofPublicKey[],
): ProofPublicKey | null {
  if (!isProofBundle(bundle)) return null;
  const text = canonicalJson(bundle);
  return publicKeys.find((key) => isSigned(text, signature, key.publicKey)) ?? null;
}

/** Returns whether the key attested to this sandbox flag and chain head for the bundle with this signature. */
export function verifyAttestation(
  proof: { attestation: unknown; attestation_signature: unknown; signature: string },
  publicKey: KeyObject,
): boolean {
  const { attestation, signature } = proof;
  if (!isAttestation(attestation)) return false;
  return isSigned(canonicalJson({ attestation, signature }), proof.attestation_signature, publicKey);
}

export function isAttestation(value: unknown): value is ProofAttestation {
  if (!isRecord(value) || typeof value['sandbox'] !== 'boolean' || !isProofText(value['chain_head']))
    return false;
  const { evidence, approval } = value;
  if (Object.keys(value).some((field) => !ATTESTATION_FIELDS.includes(field))) return false;
  if (evidence !== undefined && !(Array.isArray(evidence) && evidence.every(isEvidence))) return false;
  return approval === undefined || (isRecord(approval) && hasOnlyTexts(approval, APPROVAL_FIELDS, 0));
}

function isEvidence(value: unknown): value is ProofEvidence {
  if (!isRecord(value) || Object.keys(value).length !== EVIDENCE_FIELDS.length + 1) return false;
  const isTextOrNull = (field: string) => value[field] === null || isProofText(value[field]);
  return isProofText(value['occurred_at']) && EVIDENCE_FIELDS.every(isTextOrNull);
}

/** Converts a peer's text to one that a proof can contain. */
export function proofText(text: string): string {
  return text.slice(0, MAX_TEXT_CHARACTERS).toWellFormed();
}
