// Verifies a proof file without a server, for `mailkeel proof verify`.
import { repeatsKey } from '../../lib/json/index.js';
import {
  ATTESTATION_FIELDS,
  BUNDLE_TEXT_FIELDS,
  findProofSigner,
  isAttestation,
  isProofBundle,
  verifyAttestation,
  type ProofApproval,
  type ProofAttestation,
  type ProofBundle,
} from './proof.rules.js';
import {
  isRecord,
  keyFingerprint,
  parsePublicKey,
  type ProofPublicKey,
  publicKeyText,
} from '../../lib/tokens/index.js';

interface ProofResult {
  valid: boolean;
  /** `null` if the proof is invalid or does not contain it. */
  sandbox: boolean | null;
  /** Sentences, the decisive one first. */
  reasons: string[];
  bundle: ProofBundle | null;
  /** `null` if the file has none that verifies. */
  attestation: ProofAttestation | null;
  /** The key that signed; `trusted` is false when it only came with the file. */
  key: { fingerprint: string; trusted: boolean } | null;
}

const PROOF_FIELDS = new Set([
  'object',
  'bundle',
  'signature',
  'key_id',
  'algorithm',
  'public_key',
  'attestation',
  'attestation_signature',
]);
/** Key ids are this many characters of the fingerprint. */
const KEY_ID_LENGTH = 16;
const SANDBOX_REASON = 'This is a SANDBOX message. It was sent with a test key and never delivered.';
const MAX_FILE_CHARACTERS = 64 * 1024 * 1024;

/**
 * Verifies the text of a proof file as returned by `GET /v1/messages/:id/proof`, or reduced to `bundle` and `signature`. Everything
 * else in it must be valid too. If `trustedKeys` is null, the key inside the file is used, which only proves that the file was not
 * changed since someone with that key signed it; the reasons say so. Never throws on malformed text.
 */
export function verifyProofOffline(
  proofFileJson: string,
  trustedKeys: readonly ProofPublicKey[] | null,
): ProofResult {
  const proof = readProof(proofFileJson);
  if (typeof proof === 'string') return invalid(proof);
  const { bundle, signature } = proof;
  if (!isProofBundle(bundle)) return invalid(bundleProblem(bundle));
  const keys = trustedKeys ?? embeddedKeys(proof);
  if (keys.length === 0) {
    return invalid(
      trustedKeys ? 'The key set is empty.' : "The file contains no public key. Pass the issuer's key set.",
    );
  }
  const signer = findProofSigner({ bundle, signature }, keys);
  if (signer === null || typeof signature !== 'string') {
    return invalid(
      trustedKeys
        ? 'The bundle was not signed by a trusted key. It was changed or signed with another key.'
        : 'The signature does not match the bundle and the key in the file.',
    );
  }
  const wrong = envelopeProblem(proof, signer) ?? repeatProblem(proofFileJson, proof);
  if (wrong !== null) return invalid(wrong);
  const trusted = trustedKeys !== null;
  const fingerprint = keyFingerprint(signer.publicKey);
  const signed = trusted
    ? `Signed by trusted key ${signer.keyId} (${fingerprint}).`
    : `Signed by key ${fingerprint}, which came with the file. Verify that you trust this key.`;
  const attested = checkAttestation({ ...proof, signature }, bundle, signer);
  const shared = { bundle, key: { fingerprint, trusted }, attestation: attested.attestation };
  if (attested.valid) {
    const sandbox = signer.isSandbox === true || (attested.attestation?.sandbox ?? null);
    const reasons = sandbox === true ? [attested.reason, signed] : [signed, attested.reason];
    const { approval } = attested.attestation ?? {};
    const approved = approval === undefined ? [] : [approvalSentence(approval)];
    return { ...shared, valid: true, sandbox, reasons: [...reasons, ...approved] };
  }
  return { ...shared, valid: false, sandbox: null, reasons: [attested.reason, signed] };
}

function checkAttestation(
  proof: Record<string, unknown> & { signature: string },
  { content_hash: contentHash }: ProofBundle,
  signer: ProofPublicKey,
): { valid: boolean; reason: string; attestation: ProofAttestation | null } {
  const { attestation, attestation_signature, signature } = proof;
  if (attestation === undefined && attestation_signature === undefined) {
    if (signer.isSandbox === true) return { valid: true, reason: SANDBOX_REASON, attestation: null };
    const reason = 'The file has no attestation, so it does not say whether this is a sandbox message.';
    return { valid: true, reason, attestation: null };
  }
  const holds = verifyAttestation({ attestation, attestation_signature, signature }, signer.publicKey);
  if (!holds || !isAttestation(attestation)) {
    return { valid: false, reason: attestationProblem(attestation), attestation: null };
  }
  if (attestation.approval !== undefined && attestation.approval.content_hash !== contentHash) {
    const reason = 'The approval in the attestation is for other content.';
    return { valid: false, reason, attestation: null };
  }
  const reason =
    attestation.sandbox || signer.isSandbox === true ? SANDBOX_REASON : 'This is not a sandbox message.';
  return { valid: true, reason, attestation };
}

function approvalSentence({ approver_email, approved_by, approved_at }: ProofApproval): string {
  return `Approved by ${approver_email} (${approved_by}) at ${approved_at}.`;
}

/** A later release may have added fields, which its attestation signs. */
function attestationProblem(attestation: unknown): string {
  const fields = isRecord(attestation) ? Object.keys(attestation) : [];
  const added = fields.filter((field) => !ATTESTATION_FIELDS.includes(field));
  return added.length === 0
    ? 'The attestation (sandbox, chain_head) does not match its signature.'
    : `The attestation contains unknown fields: ${added.slice(0, 5).join(', ')}. Verify it with a current release.`;
}

function embeddedKeys(proof: Record<string, unknown>): ProofPublicKey[] {
  const publicKey = parsePublicKey(proof['public_key']);
  if (publicKey === null) return [];
  const keyId = keyFingerprint(publicKey).slice(0, KEY_ID_LENGTH);
  return [{ keyId, publicKey, createdAt: '', retiredAt: null }];
}

/** Fields around the signed parts are not signed: they must equal the values that the signing key covers. */
function envelopeProblem(proof: Record<string, unknown>, signer: ProofPublicKey): string | null {
  const added = Object.keys(proof).filter((field) => !PROOF_FIELDS.has(field));
  if (added.length > 0) return `The file contains unknown fields: ${added.slice(0, 5).join(', ')}.`;
  const expected = {
    object: 'proof',
    algorithm: 'ed25519',
    key_id: signer.keyId,
    public_key: publicKeyText(signer.publicKey),
  };
  const wrong = Object.entries(expected).find(
    ([field, value]) => proof[field] !== undefined && proof[field] !== value,
  );
  return wrong ? `The field ${wrong[0]} was changed after signing.` : null;
}

function repeatProblem(json: string, proof: Record<string, unknown>): string | null {
  return repeatsKey(json, proof) ? 'The file contains a duplicate field and is ambiguous.' : null;
}

function readProof(text: string): Record<string, unknown> | string {
  if (text.length > MAX_FILE_CHARACTERS) return 'The file is too large to be a proof.';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `The file is not valid JSON: ${error instanceof Error ? error.message : String(error)}.`;
  }
  return isRecord(value) ? value : 'The file does not contain a JSON object.';
}

function bundleProblem(bundle: unknown): string {
  if (!isRecord(bundle)) return 'The file has no bundle.';
  const expected = new Set<string>([...BUNDLE_TEXT_FIELDS, 'audit']);
  const missing = [...expected].filter((field) => !Object.hasOwn(bundle, field));
  const added = Object.keys(bundle).filter((field) => !expected.has(field));
  if (missing.length > 0) return `The bundle is missing ${missing.join(', ')}.`;
  if (added.length > 0) return `The bundle contains unknown fields: ${added.slice(0, 5).join(', ')}.`;
  return 'A field of the bundle has the wrong type.';
}

function invalid(reason: string): ProofResult {
  return { valid: false, sandbox: null, reasons: [reason], bundle: null, attestation: null, key: null };
}
