// Idempotency of messages: finds what the first request with a key created, and resolves the race between two requests with the
// same key.
import { createHash } from 'node:crypto';
import type { MessageRequest } from '../message.schema.js';
import { invalidFields, Refusal } from '../../contract/refusal.js';
import { canonicalJson, type QuoteText } from '../../lib/json/index.js';
import { requestFingerprint } from '../content-hash.rules.js';
import { IdempotencyRace } from './accept.store.js';
import type { Message, MessageStore } from '../messages.store.js';
import type { Scope } from '../../database/scope.js';
import type { RelayedMail } from '../relayed/relayed.js';

const MAX_KEY = 255;
/** Number of look-ups of the keys after a race for one was lost. */
export const MAX_ROUNDS = 3;

export interface IdempotencyKey {
  key: string;
  /** SHA-256 of the request without the key. */
  fingerprint: Buffer;
}

/**
 * Returns the key of a request, from the field or the header; null without one. Refused with `idempotency_key_mismatch` if both are
 * given and differ. `body` is the content that must be equal for two requests to be the same.
 */
export function readIdempotencyKey(
  body: Readonly<Record<string, unknown>>,
  field: MessageRequest['idempotency_key'] | null,
  header: string | null,
  quote?: QuoteText,
): IdempotencyKey | null {
  const key = agreedKey(field ?? null, header);
  return key === null ? null : { key, fingerprint: Buffer.from(requestFingerprint(body, quote), 'hex') };
}

/** The key of a relayed mail; the same request has the same octets and options for the same recipients. */
export function relayedKey(
  { raw, recipients, options, idempotencyKey }: RelayedIdentity,
  header: string | null,
): IdempotencyKey | null {
  const key = agreedKey(idempotencyKey, header);
  if (key === null) return null;
  const fingerprint = createHash('sha256')
    .update(recipients.map(({ email }) => `${email}\n`).join(''))
    .update(raw);
  if (Object.keys(options).length > 0) fingerprint.update(canonicalJson(options));
  return { key, fingerprint: fingerprint.digest() };
}

type RelayedIdentity = Pick<RelayedMail, 'raw' | 'recipients' | 'options' | 'idempotencyKey'>;

function agreedKey(field: string | null, header: string | null): string | null {
  if (header !== null && (header.length > MAX_KEY || !/^[\x20-\x7e]+$/.test(header))) {
    const message = `must be 1 to ${MAX_KEY} printable ASCII characters`;
    throw invalidFields([{ path: 'Idempotency-Key', message }]);
  }
  if (header !== null && field !== null && header !== field) {
    throw new Refusal('idempotency_key_mismatch', undefined, { param: 'idempotency_key' });
  }
  return field ?? header;
}

type Once<T> = { kind: 'made'; value: T } | { kind: 'replay'; message: Message };

/** First answer to the key; null for a new key. Refused with `idempotency_key_reused`. */
export async function madeBefore(
  messages: Pick<MessageStore, 'byIdempotencyKey'>,
  scope: Scope,
  { key, fingerprint }: IdempotencyKey,
): Promise<Message | null> {
  const known = await messages.byIdempotencyKey(scope, key);
  if (!known) return null;
  if (!fingerprint.equals(known.fingerprint)) {
    throw new Refusal('idempotency_key_reused', undefined, { param: 'idempotency_key' });
  }
  return { ...known.message, scheduled_at: known.firstScheduledAt };
}

/**
 * Runs `make` unless the key already created a message; then returns that message as it was first returned. If a simultaneous
 * request uses the key first, returns that request's message. Refused with `idempotency_key_reused` if the other request was
 * different.
 */
export async function once<T>(
  messages: Pick<MessageStore, 'byIdempotencyKey'>,
  scope: Scope,
  idempotency: IdempotencyKey | null,
  make: () => Promise<T>,
): Promise<Once<T>> {
  if (idempotency === null) return { kind: 'made', value: await make() };
  for (let round = 1; ; round++) {
    const message = await madeBefore(messages, scope, idempotency);
    if (message) return { kind: 'replay', message };
    try {
      return { kind: 'made', value: await make() };
    } catch (error) {
      // Another request won the race for the key, or caused a check to fail (the last send of a plan), so look again.
      const isLost = error instanceof IdempotencyRace || error instanceof Refusal;
      if (!isLost || round >= MAX_ROUNDS) throw error;
      if (error instanceof Refusal && !(await messages.byIdempotencyKey(scope, idempotency.key))) throw error;
    }
  }
}
