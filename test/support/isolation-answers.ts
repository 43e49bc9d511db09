// Compares two responses, and finds what one of them reveals.
import { idsIn, type Asked, type World } from './isolation-world.js';

export const isId = (text: string): boolean => /^[a-z]{2,3}_[0-9a-z]{26}$/.test(text);

/** A nonexistent value of the same form. */
export function unknownLike(value: string): string {
  const letters = (count: number): string =>
    Array.from({ length: count }, (_, i) => 'zqxvwkj'[(i * 3 + count) % 7]).join('');
  if (isId(value)) return `${value.slice(0, -16)}${letters(16)}`;
  const [name = '', ...rest] = value.split(/(?=[@.])/);
  if (/^\d+$/.test(value)) return '98765'.slice(0, Math.max(1, value.length));
  return [
    letters(name.length),
    ...rest.map((part) =>
      part.length > 5 && part !== '.example' ? `${part[0] ?? ''}${letters(part.length - 1)}` : part,
    ),
  ].join('');
}

/** The parts of a response that must be the same for two requests of the same kind, regardless of their targets. */
export function comparable({ status, headers, text }: Asked, asked: readonly string[]): string {
  const shown = Object.entries(headers)
    .filter(
      ([name]) =>
        !/^(date|x-request-id|x-amzn-requestid|x-ratelimit|ratelimit|retry-after|content-length|etag)/.test(
          name,
        ),
    )
    .map(([name, value]) => `${name}: ${String(value)}`)
    .sort();
  let body = text.replace(/req_[0-9a-f]{32}/g, 'REQUEST');
  for (const value of asked) {
    body = body.replaceAll(value, 'ASKED').replaceAll(encodeURIComponent(value), 'ASKED');
  }
  const named = body
    .replace(/\b([a-z]{2,3})_[0-9a-hjkmnp-tv-z]{26}\b/g, '$1_ID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/sha256:[0-9a-f]{64}/g, 'HASH');
  return [status, ...shown, named].join('\n');
}

export function differs(what: string, answer: Asked, unknown: Asked): string {
  return `${what} answers ${answer.status} ${answer.text.slice(0, 500)}, of an unknown one ${unknown.status} ${unknown.text.slice(0, 500)}`;
}

/** The victims' values in a response that were not in the request. */
export function leaksOf({ headers, text }: Asked, victims: readonly World[], request: string): string[] {
  const answer = `${JSON.stringify(headers)}${text}`;
  const words = victims
    .map(({ word }) => word)
    .filter((word) => answer.includes(word) && !request.includes(word));
  const isKnown = (id: string): boolean => victims.some(({ ids }) => ids.has(id));
  const ids = idsIn(answer).filter((id) => isKnown(id) && !request.includes(id));
  return [...words, ...ids];
}

/**
 * Returns the entries of the request log that no victim made: all of an environment without victims, otherwise those of a page
 * with a single actor. Empty for other paths.
 */
export function ownRequests(path: string, { json }: Asked, isApart: boolean): string {
  if (path !== '/v1/requests') return '';
  const { data = [] } = json as {
    data?: { actor: { id: string }; path: string; query: unknown; body: unknown }[];
  };
  const areOwn = isApart || new Set(data.map(({ actor }) => actor.id)).size === 1;
  return areOwn ? JSON.stringify(data.map(({ path: asked, query, body }) => [asked, query, body])) : '';
}
