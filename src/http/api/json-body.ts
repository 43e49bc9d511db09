// Reads JSON bodies (RFC 8259). JSON.parse keeps a key named __proto__ as plain data, and so do we: nothing behind
// this may merge objects by assignment.
import { isUtf8 } from 'node:buffer';
import type { FastifyBodyParser } from 'fastify';
import { Refusal } from '../../contract/refusal.js';
import { repeatsKey } from '../../mail/json-keys.js';

/** Deeper values would overflow the stack of code that walks them. */
const MAX_DEPTH = 100;

/** An empty body is no body, also when the client names a type: many send the header with every DELETE. */
export const parseJsonBody: FastifyBodyParser<Buffer> = (request, bytes, done) => {
  let value: unknown;
  try {
    value = bytes.length === 0 ? undefined : readJson(bytes);
    if (request.routeOptions.config.uniqueKeys) refuseRepeatedKeys(bytes, value);
  } catch (error) {
    done(error as Error);
    return;
  }
  done(null, value);
};

/** Refuses with `bad_request` what is not JSON in UTF-8 or is nested more than 100 deep. */
function readJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new Refusal('bad_request', 'The body is not valid UTF-8.');
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'it cannot be read';
    throw new Refusal('bad_request', `The body is not valid JSON: ${reason.slice(0, 200)}`);
  }
  if (isDeeperThan(value, MAX_DEPTH)) {
    throw new Refusal('bad_request', `The body is nested more than ${MAX_DEPTH} levels deep.`);
  }
  return value;
}

function refuseRepeatedKeys(bytes: Buffer, value: unknown): void {
  if (!repeatsKey(bytes.toString('utf8'), value)) return;
  throw new Refusal('bad_request', 'An object in the body has a field twice.');
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeperThan(item, levels - 1));
  for (const key in value) {
    if (isDeeperThan((value as Record<string, unknown>)[key], levels - 1)) return true;
  }
  return false;
}
