// Encrypts cursors and event ids, so that they reveal no counts and are valid only where they were issued. Both derive from the
// master key, so they survive restarts and work on every node.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { createEventIds, type ChainEpoch, type EventPosition } from '../../contract/event-ids.js';

/** Octets of the synthetic IV, which also authenticates a cursor. */
const IV_BYTES = 16;
/** Positions are padded to a multiple of this, so that a cursor's length does not reveal digits. */
const BLOCK_BYTES = 16;
/** Longest position in octets, for a cursor of 192 characters. */
const MAX_PLACE_BYTES = 128;
const CIPHER = 'aes-256-ctr';

export type Cursors = ReturnType<typeof createCursors>;

/** `masterKey` has 32 octets; `epochs` are those of this database's restores. */
export function createCursors(masterKey: Buffer, epochs: readonly ChainEpoch[] = []) {
  const derive = (what: string): KeyObject =>
    createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, '', `service ${what}`, 32)));
  const ivKey = derive('cursor iv');
  const cipherKey = derive('cursor cipher');

  const ivOf = (binding: string, plain: Buffer): Buffer =>
    createHmac('sha256', ivKey).update(`${binding}\0`).update(plain).digest().subarray(0, IV_BYTES);

  return {
    /** Encrypts a position of up to 128 octets into a cursor of up to 192 characters. Throws if it is longer. */
    seal(binding: string, place: string): string {
      const plain = padded(Buffer.from(place));
      const iv = ivOf(binding, plain);
      const cipher = createCipheriv(CIPHER, cipherKey, iv);
      return Buffer.concat([iv, cipher.update(plain), cipher.final()]).toString('base64url');
    },

    /** Returns the position if the cursor was sealed with this binding, otherwise null. */
    open(binding: string, cursor: string): string | null {
      const octets = Buffer.from(cursor, 'base64url');
      if (octets.length <= IV_BYTES || octets.toString('base64url') !== cursor) return null;
      const iv = octets.subarray(0, IV_BYTES);
      const decipher = createDecipheriv(CIPHER, cipherKey, iv);
      const plain = Buffer.concat([decipher.update(octets.subarray(IV_BYTES)), decipher.final()]);
      return timingSafeEqual(ivOf(binding, plain), iv) ? plain.toString().replace(/\0+$/, '') : null;
    },

    ...createEventIds(masterKey, epochs),
  };
}

/** Returns the event ids of the requested workspace. */
export function workspaceEventIds({ server, caller }: Pick<FastifyRequest, 'server' | 'caller'>) {
  return (place: EventPosition): string => server.cursors.eventId(caller.scope.workspaceNumber, place);
}

/** True if the oldest comes first. */
const TIME_ORDERS = new Map([
  ['asc', true],
  ['created_at', true],
  ['desc', false],
  ['-created_at', false],
]);

/** Identifies a list of one workspace, environment and order. Cursors of other lists are refused. */
export function cursorBinding(
  request: Pick<FastifyRequest, 'routeOptions' | 'params' | 'query' | 'caller'>,
): string {
  const { workspaceId, mode } = request.caller.scope;
  const { order } = request.query as { order?: string };
  const place = [request.routeOptions.url, request.params ?? null, workspaceId, mode];
  return JSON.stringify([...place, order === undefined ? false : (TIME_ORDERS.get(order) ?? order)]);
}

function padded(place: Buffer): Buffer {
  if (place.length > MAX_PLACE_BYTES) throw new RangeError(`a place of ${place.length} octets has no cursor`);
  const size = Math.ceil(Math.max(place.length, 1) / BLOCK_BYTES) * BLOCK_BYTES;
  return Buffer.concat([place, Buffer.alloc(size - place.length)]);
}
