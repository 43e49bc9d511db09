// Seals octets under a passphrase: scrypt (RFC 7914) derives the key, and AES-256-GCM (NIST SP 800-38D)
// encrypts. The JSON text records the parameters for later versions.
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';

const KIND = 'sealed';
const FORMAT = 1;
const MIN_PASSPHRASE = 12;
/** 64 MiB and a quarter of a second. */
const COST = { N: 65_536, r: 8, p: 2 };
/** Keeps a foreign file from taking all memory or hours. */
const MAX_COST = { N: 1_048_576, r: 16, p: 16 };
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The passphrase is too short or wrong, or the sealed text is invalid. Contains no secret. */
class PassphraseError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PassphraseError';
  }
}

interface Cost {
  N: number;
  r: number;
  p: number;
}

/** Returns JSON text. Throws a PassphraseError if the passphrase has fewer than 12 characters. */
export async function sealWithPassphrase(passphrase: string, octets: Buffer): Promise<string> {
  if (passphrase.length < MIN_PASSPHRASE) {
    throw new PassphraseError(`The passphrase must have at least ${MIN_PASSPHRASE} characters.`);
  }
  const salt = randomBytes(SALT_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', await derive(passphrase, salt, COST), nonce, {
    authTagLength: TAG_BYTES,
  });
  const data = Buffer.concat([cipher.update(octets), cipher.final()]);
  const sealed = {
    ...{ kind: KIND, format: FORMAT, kdf: 'scrypt', ...COST },
    salt: salt.toString('base64'),
    nonce: nonce.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    data: data.toString('base64'),
  };
  return `${JSON.stringify(sealed)}\n`;
}

/** Reverses `sealWithPassphrase`. Throws a PassphraseError. */
export async function openWithPassphrase(passphrase: string, text: string): Promise<Buffer> {
  const { cost, salt, nonce, tag, data } = parse(text);
  const decipher = createDecipheriv('aes-256-gcm', await derive(passphrase, salt, cost), nonce, {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(data), decipher.final()]);
  } catch (error) {
    throw new PassphraseError('The passphrase is wrong, or the encrypted file has been modified.', {
      cause: error,
    });
  }
}

function parse(text: string) {
  const unreadable = (): PassphraseError => new PassphraseError('This is not a file encrypted by Mailkeel.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unreadable();
  }
  if (typeof value !== 'object' || value === null) throw unreadable();
  const fields = value as Record<string, unknown>;
  if (fields['kind'] !== KIND || fields['format'] !== FORMAT || fields['kdf'] !== 'scrypt')
    throw unreadable();
  const number = (name: keyof Cost): number => {
    const given = fields[name];
    if (typeof given !== 'number' || !Number.isInteger(given) || given < 1 || given > MAX_COST[name]) {
      throw unreadable();
    }
    return given;
  };
  const octets = (name: string, length: number | null): Buffer => {
    const given = fields[name];
    const found = typeof given === 'string' ? Buffer.from(given, 'base64') : null;
    if (found === null || (length !== null && found.length !== length)) throw unreadable();
    return found;
  };
  return {
    cost: { N: number('N'), r: number('r'), p: number('p') },
    salt: octets('salt', SALT_BYTES),
    nonce: octets('nonce', NONCE_BYTES),
    tag: octets('tag', TAG_BYTES),
    data: octets('data', null),
  };
}

function derive(passphrase: string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(
      passphrase.normalize('NFC'),
      salt,
      KEY_BYTES,
      { N, r, p, maxmem: 2 * 128 * N * r },
      (error, key) => {
        if (error) reject(new PassphraseError('This is not a file encrypted by Mailkeel.', { cause: error }));
        else resolve(key);
      },
    );
  });
}
