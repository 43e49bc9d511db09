// Signs and verifies proofs with Ed25519 keys (RFC 8032), formats keys as text, and builds the public
// document of all keys.
import { createPublicKey, hash, sign, verify, type KeyObject } from 'node:crypto';

export interface ProofPublicKey {
  keyId: string;
  publicKey: KeyObject;
  createdAt: string;
  /** `null` for the active key. A retired key signs no longer but still verifies. */
  retiredAt: string | null;
  /** Only signs proofs of sandbox mail. */
  isSandbox?: boolean;
}

export interface ProofSigningKey extends ProofPublicKey {
  privateKey: KeyObject;
}

/** The document at /.well-known/proof-keys.json. */
interface PublicKeySet {
  keys: {
    key_id: string;
    algorithm: 'ed25519';
    public_key: string;
    created_at: string;
    retired_at: string | null;
    /** Only signs proofs of sandbox mail. */
    sandbox: boolean;
  }[];
}

// 64 and 32 octets in plain base64.
const SIGNATURE = /^[A-Za-z0-9+/]{85}[AQgw]==$/;
const PUBLIC_KEY = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;
// SubjectPublicKeyInfo of Ed25519 before the 32 octets of the key (RFC 8410).
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function signText(text: string, privateKey: KeyObject): string {
  return sign(null, Buffer.from(text), privateKey).toString('base64');
}

export function isSigned(text: string, signature: unknown, publicKey: KeyObject): boolean {
  if (typeof signature !== 'string' || !SIGNATURE.test(signature)) return false;
  return verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64'));
}

/** Builds the public document of all keys, including retired ones. */
export function publicKeySet(keys: readonly ProofPublicKey[]): PublicKeySet {
  return {
    keys: keys.map((key) => ({
      key_id: key.keyId,
      algorithm: 'ed25519',
      public_key: publicKeyText(key.publicKey),
      created_at: key.createdAt,
      retired_at: key.retiredAt,
      sandbox: key.isSandbox === true,
    })),
  };
}

/** Parses a document made by `publicKeySet`. Throws an Error that explains why it is invalid. */
export function parsePublicKeySet(value: unknown): ProofPublicKey[] {
  const keys = isRecord(value) ? value['keys'] : undefined;
  if (!Array.isArray(keys)) throw new Error('not a proof key set: it has no "keys" array');
  return keys.map((key: unknown, index) => {
    const fields = isRecord(key) ? key : {};
    const { key_id: keyId, created_at: createdAt, retired_at: retiredAt } = fields;
    const publicKey = parsePublicKey(fields['public_key']);
    if (fields['algorithm'] !== 'ed25519' || typeof keyId !== 'string' || publicKey === null) {
      throw new Error(`not a proof key set: keys[${index}] is not an Ed25519 key`);
    }
    return {
      keyId,
      publicKey,
      createdAt: typeof createdAt === 'string' ? createdAt : '',
      retiredAt: typeof retiredAt === 'string' ? retiredAt : null,
      isSandbox: fields['sandbox'] === true,
    };
  });
}

/** Returns `null` for anything but the base64 of 32 octets. */
export function parsePublicKey(value: unknown): KeyObject | null {
  if (typeof value !== 'string' || !PUBLIC_KEY.test(value)) return null;
  const key = Buffer.concat([SPKI_PREFIX, Buffer.from(value, 'base64')]);
  return createPublicKey({ key, format: 'der', type: 'spki' });
}

/** Returns the 32 octets in base64. */
export function publicKeyText(publicKey: KeyObject): string {
  return publicKey.export({ format: 'der', type: 'spki' }).subarray(SPKI_PREFIX.length).toString('base64');
}

/** Returns the SHA-256 of the key's 32 octets in hex, by which two people can compare keys. */
export function keyFingerprint(publicKey: KeyObject): string {
  const octets = publicKey.export({ format: 'der', type: 'spki' }).subarray(SPKI_PREFIX.length);
  return hash('sha256', octets, 'hex');
}
