// Writes and compares public key records of DKIM (RFC 6376 section 3.6.1; Ed25519 RFC 8463 section 4).
import type { KeyObject } from 'node:crypto';
import type { DkimAlgorithm } from './dkim.js';

const TAG_NAME = /^[A-Za-z][A-Za-z0-9_]*$/;
// 4 KiB exceeds the need of an RSA-8192 key; longer records are rejected.
const MAX_RECORD_CHARACTERS = 4096;

/**
 * Returns the TXT value to publish at `<selector>._domainkey.<domain>` as one string; the DNS side splits it
 * after 255 octets. Throws if the key does not fit the algorithm.
 */
export function dkimRecordValue(publicKey: KeyObject, algorithm: DkimAlgorithm): string {
  const kind = algorithm === 'rsa-sha256' ? 'rsa' : 'ed25519';
  if (publicKey.type !== 'public' || publicKey.asymmetricKeyType !== kind) {
    throw new TypeError(`${algorithm} needs a public ${kind} key`);
  }
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  // RFC 8463 publishes the bare 32 octets at the end of the SubjectPublicKeyInfo.
  const octets = kind === 'ed25519' ? spki.subarray(-32) : spki;
  return `v=DKIM1; k=${kind}; p=${octets.toString('base64')}`;
}

/**
 * Returns whether a published record makes verifiers accept the same signatures as the expected one: same
 * key, usable for sha256 and mail, not in testing mode. Order, white space, notes and unknown tags don't
 * matter, but `v=` must come first if present. The caller joins chunks and removes quotes.
 */
export function sameDkimRecord(found: string, expected: string): boolean {
  const there = readRecord(found);
  const ours = readRecord(expected);
  if (there === null || ours === null || there.p === '') return false;
  return there.k === ours.k && there.p === ours.p && there.usable;
}

interface DkimRecord {
  k: string;
  p: string;
  /** Allows sha256 for mail and is not marked as a test. */
  usable: boolean;
}

function readRecord(text: string): DkimRecord | null {
  const tags = readTags(text);
  if (tags === null) return null;
  const p = tags.get('p');
  if (p === undefined) return null;
  if (tags.has('v') && (tags.keys().next().value !== 'v' || tags.get('v') !== 'DKIM1')) return null;
  const hashes = flags(tags.get('h') ?? 'sha256');
  const services = flags(tags.get('s') ?? '*');
  const usable =
    hashes.includes('sha256') &&
    (services.includes('*') || services.includes('email')) &&
    !flags(tags.get('t') ?? '').includes('y');
  return { k: tags.get('k') ?? 'rsa', p: p.replace(/\s+/g, ''), usable };
}

function flags(list: string): string[] {
  return list.split(':').map((flag) => flag.trim());
}

/** Parses the tag list; `null` if it is malformed or repeats a tag (RFC 6376 section 3.2). */
function readTags(text: string): Map<string, string> | null {
  if (text.length > MAX_RECORD_CHARACTERS) return null;
  const tags = new Map<string, string>();
  const parts = text.split(';');
  for (const [index, part] of parts.entries()) {
    if (part.trim() === '' && index === parts.length - 1) continue;
    const equals = part.indexOf('=');
    const name = part.slice(0, Math.max(equals, 0)).trim();
    if (!TAG_NAME.test(name) || tags.has(name)) return null;
    tags.set(name, part.slice(equals + 1).trim());
  }
  return tags;
}
