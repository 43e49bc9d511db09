// Cursors of lists and ids of events: sealed, so that neither tells how many rows or events there are, and bound to what
// they were issued for. Both are made of the master key: they outlive restarts, and every process reads those of another.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { POSITIONS_PER_WORKSPACE } from '../../events/chains.store.js';

/** Octets of the synthetic IV, which is also what authenticates a cursor. */
const IV_BYTES = 16;
/** Places are filled up to a multiple of this: the length of a cursor does not count digits. */
const BLOCK_BYTES = 16;
/** Longest place in octets: with it a cursor has 192 characters. */
const MAX_PLACE_BYTES = 128;
const CIPHER = 'aes-256-ctr';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARACTERS = 10;
const SEALED_CHARACTERS = 16;
/** The sealed part of an event id: a tag, and the position under a key stream that the tag chooses. */
const TAG_BYTES = 4;
const POSITION_BYTES = 6;
const EVENT_ID = /^evt_([0-9a-hjkmnp-tv-z]{10})([0-9a-hjkmnp-tv-z]{16})$/;

export type Cursors = ReturnType<typeof createCursors>;

/** An event as its id names it. */
export interface EventPlace {
  /** Epoch milliseconds. */
  occurredAt: number;
  /** `events.position`. */
  position: number;
}

/** `masterKey` has 32 octets. */
export function createCursors(masterKey: Buffer) {
  const derive = (what: string): Buffer =>
    Buffer.from(hkdfSync('sha256', masterKey, '', `posthorn ${what}`, 32));
  const ivKey = derive('cursor iv');
  const cipherKey = derive('cursor cipher');
  const eventKey = derive('event id');

  const ivOf = (binding: string, plain: Buffer): Buffer =>
    createHmac('sha256', ivKey).update(`${binding}\0`).update(plain).digest().subarray(0, IV_BYTES);

  function tagOf(workspaceNumber: number, { occurredAt, position }: EventPlace): Buffer {
    const mac = createHmac('sha256', eventKey)
      .update(`${workspaceNumber} ${occurredAt} ${position}`)
      .digest();
    return mac.subarray(0, TAG_BYTES);
  }

  function streamOf(workspaceNumber: number, occurredAt: number, tag: Buffer): Buffer {
    const mac = createHmac('sha256', eventKey).update(`stream ${workspaceNumber} ${occurredAt} `).update(tag);
    return mac.digest().subarray(0, POSITION_BYTES);
  }

  return {
    /** The cursor of a place: at most 192 characters, of places that have up to 128 octets. Throws beyond. */
    seal(binding: string, place: string): string {
      const plain = padded(Buffer.from(place));
      const iv = ivOf(binding, plain);
      const cipher = createCipheriv(CIPHER, cipherKey, iv);
      return Buffer.concat([iv, cipher.update(plain), cipher.final()]).toString('base64url');
    },

    /** The place of a cursor that was sealed with this binding; null for any other text. */
    open(binding: string, cursor: string): string | null {
      const octets = Buffer.from(cursor, 'base64url');
      if (octets.length <= IV_BYTES || octets.toString('base64url') !== cursor) return null;
      const iv = octets.subarray(0, IV_BYTES);
      const decipher = createDecipheriv(CIPHER, cipherKey, iv);
      const plain = Buffer.concat([decipher.update(octets.subarray(IV_BYTES)), decipher.final()]);
      return timingSafeEqual(ivOf(binding, plain), iv) ? plain.toString().replace(/\0+$/, '') : null;
    },

    /**
     * `evt_` and 26 characters of Crockford base32: the time, by which it sorts like every other id, and the place in the
     * workspace's chain, sealed. The same for an event wherever it is shown.
     */
    eventId(workspaceNumber: number, place: EventPlace): string {
      const tag = tagOf(workspaceNumber, place);
      const position = Buffer.alloc(POSITION_BYTES);
      position.writeUIntBE(place.position - startOf(workspaceNumber), 0, POSITION_BYTES);
      const stream = streamOf(workspaceNumber, place.occurredAt, tag);
      const sealed = Buffer.concat([tag, position.map((octet, at) => octet ^ (stream[at] ?? 0))]);
      const time = encode(BigInt(place.occurredAt), TIME_CHARACTERS);
      return `evt_${time}${encode(BigInt(`0x${sealed.toString('hex')}`), SEALED_CHARACTERS)}`;
    },

    /** Place that an event id of this workspace names; null for any other text. Does not check that the event exists. */
    eventPlace(workspaceNumber: number, id: string): EventPlace | null {
      const [, time, rest] = EVENT_ID.exec(id) ?? [];
      if (time === undefined || rest === undefined) return null;
      const occurredAt = Number(decode(time));
      const hex = decode(rest).toString(16);
      const sealed = Buffer.from(hex.padStart(2 * (TAG_BYTES + POSITION_BYTES), '0'), 'hex');
      const tag = sealed.subarray(0, TAG_BYTES);
      const stream = streamOf(workspaceNumber, occurredAt, tag);
      const octets = Buffer.from(sealed.subarray(TAG_BYTES).map((octet, at) => octet ^ (stream[at] ?? 0)));
      const place = { occurredAt, position: startOf(workspaceNumber) + octets.readUIntBE(0, POSITION_BYTES) };
      return timingSafeEqual(tagOf(workspaceNumber, place), tag) ? place : null;
    },
  };
}

/** The ids of events of the workspace that is asked for. */
export function eventIdsOf({ server, caller }: Pick<FastifyRequest, 'server' | 'caller'>) {
  return (place: EventPlace): string => server.cursors.eventId(caller.scope.workspaceNumber, place);
}

/** Whether the oldest is first. */
const TIME_ORDERS = new Map([
  ['asc', true],
  ['created_at', true],
  ['desc', false],
  ['-created_at', false],
]);

/** A list of one workspace and environment, in one order: the cursors of any other are refused. */
export function bindingOf(
  request: Pick<FastifyRequest, 'routeOptions' | 'params' | 'query' | 'caller'>,
): string {
  const { workspaceId, mode } = request.caller.scope;
  const { order } = request.query as { order?: string };
  const place = [request.routeOptions.url, request.params ?? null, workspaceId, mode];
  return JSON.stringify([...place, order === undefined ? false : (TIME_ORDERS.get(order) ?? order)]);
}

/** Positions of a workspace lie above it. */
function startOf(workspaceNumber: number): number {
  return workspaceNumber * POSITIONS_PER_WORKSPACE;
}

function padded(place: Buffer): Buffer {
  if (place.length > MAX_PLACE_BYTES) throw new RangeError(`a place of ${place.length} octets has no cursor`);
  const size = Math.ceil(Math.max(place.length, 1) / BLOCK_BYTES) * BLOCK_BYTES;
  return Buffer.concat([place, Buffer.alloc(size - place.length)]);
}

function encode(value: bigint, characters: number): string {
  let text = '';
  for (let rest = value, i = 0; i < characters; i++) {
    text = ALPHABET.charAt(Number(rest % 32n)) + text;
    rest /= 32n;
  }
  return text;
}

function decode(text: string): bigint {
  let value = 0n;
  for (const character of text) value = value * 32n + BigInt(ALPHABET.indexOf(character));
  return value;
}
