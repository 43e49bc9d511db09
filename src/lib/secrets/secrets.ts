// Encrypts secrets with AES-256-GCM under the master key (NIST SP 800-38D), and generates DKIM key pairs.
import { createCipheriv, createDecipheriv, generateKeyPair, randomBytes, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { createSemaphore } from '../concurrency/index.js';

const VERSION = 1;
const MASTER_KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;
const MIN_RSA_BITS = 2048;

const generateKeys = promisify(generateKeyPair);
/** Allows one key generation at a time, because the few threads also hash passwords and read files. */
const making = createSemaphore(1);

/** A sealed value cannot be opened, or a key cannot be used. The message contains no secret. */
export class SecretError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SecretError';
  }
}

/**
 * Returns base64 of version octet, nonce, tag and ciphertext. `context` names the secret and its owner
 * (`dkim-key:tnt_…`). It is bound to the value, so that a secret cannot be moved to another row.
 */
export function sealSecret(masterKey: Buffer, plaintext: Buffer, context: string): string {
  return sealOctets(masterKey, plaintext, context).toString('base64');
}

/** Like `sealSecret`, without base64. */
export function sealOctets(masterKey: Buffer, plaintext: Buffer, context: string): Buffer {
  checkMasterKey(masterKey);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', masterKey, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(boundTo(context));
  const encrypted = [cipher.update(plaintext), cipher.final()];
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), ...encrypted]);
}

/**
 * Reverses `sealSecret` under the same context. Throws a SecretError for another key or context, or a changed
 * value.
 */
export function openSecret(masterKey: Buffer, sealed: string, context: string): Buffer {
  return openOctets(masterKey, Buffer.from(sealed, 'base64'), context);
}

/** Reverses `sealOctets`, and fails like `openSecret`. */
export function openOctets(masterKey: Buffer, octets: Buffer, context: string): Buffer {
  checkMasterKey(masterKey);
  if (octets.length < HEAD_BYTES || octets[0] !== VERSION) {
    throw new SecretError(`The encrypted value for ${context} has a format that this release cannot read.`);
  }
  const nonce = octets.subarray(1, 1 + NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', masterKey, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(boundTo(context));
  decipher.setAuthTag(octets.subarray(1 + NONCE_BYTES, HEAD_BYTES));
  try {
    return Buffer.concat([decipher.update(octets.subarray(HEAD_BYTES)), decipher.final()]);
  } catch (error) {
    throw new SecretError(
      `The secret for ${context} cannot be decrypted with this master key. Restore the keys folder from the backup of this database; otherwise, the value has been modified.`,
      { cause: error },
    );
  }
}

function boundTo(context: string): Buffer {
  return Buffer.from(`service:${VERSION}:${context}`);
}

/** Returns the `context` of a DKIM private key by the id of its row. */
export function dkimKeyContext(keyId: string): string {
  return `dkim-key:${keyId}`;
}

function checkMasterKey(masterKey: Buffer): void {
  if (masterKey.length !== MASTER_KEY_BYTES) {
    throw new SecretError(`The master key must have ${MASTER_KEY_BYTES} bytes, not ${masterKey.length}.`);
  }
}

interface DkimKeyPair {
  /** PKCS #8 in DER: the value to seal, and the input of `createPrivateKey`. */
  privateKeyDer: Buffer;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

/**
 * Generates a key pair in the thread pool (RSA-2048: about 0.2 s), one at a time. `bits` is for RSA; fewer
 * than 2048 are refused.
 */
export async function generateDkimKey(
  algorithm: 'rsa-sha256' | 'ed25519-sha256',
  bits = MIN_RSA_BITS,
): Promise<DkimKeyPair> {
  if (algorithm === 'rsa-sha256' && bits < MIN_RSA_BITS) {
    throw new SecretError(`A new DKIM key must have at least ${MIN_RSA_BITS} bits.`);
  }
  const { privateKey, publicKey } =
    algorithm === 'rsa-sha256'
      ? await making.run(() => generateKeys('rsa', { modulusLength: bits }))
      : await generateKeys('ed25519');
  return { privateKeyDer: privateKey.export({ format: 'der', type: 'pkcs8' }), privateKey, publicKey };
}
