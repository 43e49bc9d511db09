// Places where a person has signed in before, identified by a browser cookie and by IP address. Failures are counted per place,
// so that guesses from elsewhere cannot lock the person out (OWASP: device cookies).
import { createHash } from 'node:crypto';
import { clientKeys } from '../../lib/rate-limits/index.js';
import type { Visitor } from '../audit/audit-entry.js';
import { newToken, hashToken } from './tokens.js';
import type { Change } from '../../database/change.js';
import { knownPlaces } from './sign-in.tables.js';
import { upsert } from '../../database/rows.js';

/** Time (ms) for which a place is remembered after the last sign-in there. */
export const PLACE_LIFETIME_MS = 90 * 24 * 3_600_000;

/** Returns the keys of the browser and the address, most reliable first. */
export function visitorPlaces(visitor: Visitor): Buffer[] {
  const browser = visitor.browserToken === null ? null : hashToken(visitor.browserToken);
  return [
    ...(browser === null ? [] : [browser]),
    ...(visitor.ip === null ? [] : [placeOfAddress(visitor.ip)]),
  ];
}

/** Returns the key of an IPv4 address, or of the /64 of an IPv6 one. */
export function placeOfAddress(ip: string): Buffer {
  return createHash('sha256')
    .update(`address ${clientKeys(ip).address}`)
    .digest();
}

/** Remembers the browser and the address. The token is for the cookie, and is new unless the browser is known. */
export function planPlaces(
  userId: string,
  visitor: Visitor,
  { isBrowserKnown, now }: { isBrowserKnown: boolean; now: number },
): { token: string; plan: Change[] } {
  const given = visitor.browserToken;
  const givenHash = given === null || !isBrowserKnown ? null : hashToken(given);
  const browser = given !== null && givenHash !== null ? { token: given, tokenHash: givenHash } : newToken();
  const hashes = [browser.tokenHash, ...(visitor.ip === null ? [] : [placeOfAddress(visitor.ip)])];
  const expires_at = now + PLACE_LIFETIME_MS;
  const plan = hashes.map((place): Change =>
    upsert(knownPlaces, {
      row: { user_id: userId, place, failures: 0, locked_until: null, expires_at, created_at: now },
      key: ['user_id', 'place'],
      set: { failures: 0, locked_until: null, expires_at },
    }),
  );
  return { token: browser.token, plan };
}
