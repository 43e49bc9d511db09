// The second factor: codes of an authenticator app (RFC 6238: SHA-1, 6 digits, 30 seconds), and recovery codes in case it is
// lost.
import { hash, randomBytes } from 'node:crypto';
import { generateSecret, generateURI, verifySync } from 'otplib';
import { openSecret, sealSecret } from '../../lib/secrets/index.js';

const PERIOD_SECONDS = 30;
const ISSUER = 'Mailkeel';
const RECOVERY_CODES = 10;
/** 80 bits cannot be brute-forced, even with the hashes. */
const RECOVERY_BYTES = 10;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CODE = /^\d{6}$/;

export interface NewTotp {
  /** Base32, for typing. */
  secret: string;
  /** `otpauth://totp/…`, for scanning. */
  uri: string;
}

export function newTotp(email: string): NewTotp {
  const secret = generateSecret();
  return { secret, uri: generateURI({ issuer: ISSUER, label: email, secret }) };
}

/** Returns the time step of a correct code: the current one, or one before or after it. Null for any other code. */
export function totpStep(secret: string, code: string, now: number): number | null {
  if (!CODE.test(code)) return null;
  const epoch = Math.floor(now / 1000);
  const result = verifySync({
    secret,
    token: code,
    epoch,
    period: PERIOD_SECONDS,
    epochTolerance: PERIOD_SECONDS,
  });
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}

/** Encrypts the secret for `users.totp_sealed`. */
export function sealTotp(masterKey: Buffer, secret: string, userId: string): string {
  return sealSecret(masterKey, Buffer.from(secret, 'latin1'), contextOf(userId));
}

export function openTotp(masterKey: Buffer, sealed: string, userId: string): string {
  return openSecret(masterKey, sealed, contextOf(userId)).toString('latin1');
}

function contextOf(userId: string): string {
  return `totp:${userId}`;
}

/** Returns codes to show once, in groups of four, and their stored form. */
export function newRecoveryCodes(): { codes: string[]; stored: string } {
  const codes = Array.from({ length: RECOVERY_CODES }, () => {
    const bits = BigInt(`0x${randomBytes(RECOVERY_BYTES).toString('hex')}`);
    const letters = Array.from({ length: (RECOVERY_BYTES * 8) / 5 }, (_, i) =>
      ALPHABET.charAt(Number((bits >> BigInt(5 * i)) & 31n)),
    );
    return letters.join('').replace(/(.{4})(?=.)/g, '$1-');
  });
  return { codes, stored: JSON.stringify(codes.map(recoveryHash)) };
}

/** Returns the stored codes without the used one. Null if it is not one of them. */
export function withoutRecoveryCode(stored: string, code: string): string | null {
  const hashes = JSON.parse(stored) as string[]; // written by newRecoveryCodes
  const used = recoveryHash(code);
  const left = hashes.filter((one) => one !== used);
  return left.length < hashes.length ? JSON.stringify(left) : null;
}

export function remainingRecoveryCodes(stored: string): number {
  return (JSON.parse(stored) as string[]).length; // written by newRecoveryCodes
}

/** Ignores hyphens, spaces and case. */
function recoveryHash(code: string): string {
  return hash('sha256', code.toLowerCase().replace(/[^0-9a-z]/g, ''), 'hex');
}
