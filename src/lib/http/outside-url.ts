// Checks a URL given by a customer: http(s), no credentials, and no private network.
import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { forbiddenAddressReason } from '../addresses/index.js';
import { checkLiteral, ForbiddenAddressError, resolveBySystem, type ResolveName } from './address-guard.js';

const MAX_URL_CHARACTERS = 2048;

/** Explains to the developer why the URL cannot be used; `null` if it can. Only examines the text. */
export function urlProblem(text: string, options: { allowPrivate: boolean }): string | null {
  if (text.length > MAX_URL_CHARACTERS) return `The URL exceeds ${MAX_URL_CHARACTERS} characters.`;
  if (!URL.canParse(text)) return 'The URL is invalid.';
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return 'The URL must start with https:// or http://.';
  if (url.username !== '' || url.password !== '') return 'The URL must not contain a username or password.';
  if (url.port === '0') return 'The URL must not use port 0.';
  if (!options.allowPrivate && /(^|\.)localhost\.?$/.test(url.hostname)) {
    return 'The URL must resolve to a public address, but localhost is a loopback name.';
  }
  try {
    checkLiteral(url.hostname, options);
    return null;
  } catch (error) {
    if (error instanceof ForbiddenAddressError) {
      return `The URL must resolve to a public address: ${error.message}.`;
    }
    throw error;
  }
}

/**
 * Does the same as `urlProblem` and resolves the name; one forbidden address refuses the URL. Accepts a name
 * that does not resolve within `timeoutMs` (default 3,000), because each connection checks the address again.
 */
export async function resolveAndCheck(
  text: string,
  options: { allowPrivate: boolean; resolve?: ResolveName; timeoutMs?: number },
): Promise<string | null> {
  const problem = urlProblem(text, options);
  const hostname = problem === null ? new URL(text).hostname : '';
  // The text check covers addresses; only names need DNS.
  if (problem !== null || hostname.startsWith('[') || isIP(hostname) !== 0) return problem;
  const { resolve = resolveBySystem, timeoutMs = 3_000 } = options;
  const giveUp = new AbortController();
  const addresses = await Promise.race([
    resolve(hostname).catch(() => []),
    delay(timeoutMs, [], { signal: giveUp.signal }).catch(() => []),
  ]);
  giveUp.abort();
  for (const { address } of addresses) {
    const reason = forbiddenAddressReason(address, options);
    if (reason !== null)
      return `The URL must resolve to a public address, but ${hostname} resolves to ${reason}.`;
  }
  return null;
}
