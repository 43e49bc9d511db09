// Encrypted event ids, which reveal no counts and are the same wherever an event appears. They derive from the master key, so
// they survive restarts and work on every node. After a restore, later events get a new epoch in their ids, so that ids of the
// lost history are recognized.
import { createHmac, createSecretKey, hkdfSync, timingSafeEqual, type KeyObject } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARACTERS = 10;
/** The encrypted part of an event id: a tag, then epoch and position, encrypted with a key stream that depends on the tag. */
const TAG_BYTES = 4;
const PLACE_BYTES = 6;
/** The 80 bits are encoded as two numbers of 40 bits, because BigInt arithmetic costs more than the HMACs. */
const HALF_BYTES = 5;
const HALF_CHARACTERS = 8;
/** Events of one workspace occupy 2^36 positions; the 12 bits above are the epoch. */
const POSITIONS_PER_WORKSPACE = 2 ** 36;
const EVENT_ID = /^evt_([0-9a-hjkmnp-tv-z]{10})([0-9a-hjkmnp-tv-z]{16})$/;

/** After this number in a workspace's chain, events are of this epoch. */
export interface ChainEpoch {
  workspaceNumber: number;
  after: number;
  epoch: number;
}

/** An event as its id names it. */
export interface EventPosition {
  /** Epoch milliseconds. */
  occurredAt: number;
  /** `events.position`. */
  position: number;
}

/** `lostAfter` is the last position shared with a history that a restore has undone; null for an event of the current history. */
export type DecodedPosition = EventPosition & { lostAfter: number | null };

/** `masterKey` has 32 octets; `epochs` are in the order of the restores. */
export function createEventIds(masterKey: Buffer, epochs: readonly ChainEpoch[]) {
  // A key object, because HMACs with a raw key take five times as long.
  const eventKey = createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, '', 'service event id', 32)));
  let ofWorkspace = byWorkspace(epochs);

  /** Returns the epoch of the newest restore before the event was appended. */
  function epochOf(workspaceNumber: number, seq: number): number {
    return ofWorkspace.get(workspaceNumber)?.findLast(({ after }) => seq > after)?.epoch ?? 0;
  }

  /** Returns where, at the latest, a lost history left the chain. Events may be sent twice, but none is missed. */
  function forkBefore(workspaceNumber: number, seq: number): number {
    const forks = (ofWorkspace.get(workspaceNumber) ?? []).map(({ after }) => after);
    return Math.min(seq, ...forks.filter((after) => after < seq));
  }

  function lostAfter(workspaceNumber: number, seq: number, epoch: number): number | null {
    if (epoch === epochOf(workspaceNumber, seq)) return null;
    return startOf(workspaceNumber) + forkBefore(workspaceNumber, seq);
  }

  return {
    /** Called after another restore. */
    setEpochs(now: readonly ChainEpoch[]): void {
      ofWorkspace = byWorkspace(now);
    },

    /**
     * Returns `evt_` and 26 characters of Crockford base32: the time, by which it sorts like every other id, and the encrypted
     * position.
     */
    eventId(workspaceNumber: number, { occurredAt, position }: EventPosition): string {
      const seq = position - startOf(workspaceNumber);
      const place = epochOf(workspaceNumber, seq) * POSITIONS_PER_WORKSPACE + seq;
      const tag = tagOf(eventKey, workspaceNumber, { occurredAt, place });
      const octets = Buffer.alloc(PLACE_BYTES);
      octets.writeUIntBE(place, 0, PLACE_BYTES);
      const stream = keyStream(eventKey, { workspaceNumber, occurredAt, tag });
      const sealed = Buffer.concat([tag, octets.map((octet, at) => octet ^ (stream[at] ?? 0))]);
      const halves = [sealed.readUIntBE(0, HALF_BYTES), sealed.readUIntBE(HALF_BYTES, HALF_BYTES)];
      const [first, second] = halves.map((half) => encode(half, HALF_CHARACTERS));
      return `evt_${encode(occurredAt, TIME_CHARACTERS)}${first}${second}`;
    },

    /**
     * Returns the position that an event id of this workspace encodes; null for any other text. Does not check that the event
     * exists.
     */
    eventPlace(workspaceNumber: number, id: string): DecodedPosition | null {
      const [, time, rest] = EVENT_ID.exec(id) ?? [];
      if (time === undefined || rest === undefined) return null;
      const occurredAt = decode(time);
      const sealed = Buffer.alloc(2 * HALF_BYTES);
      sealed.writeUIntBE(decode(rest.slice(0, HALF_CHARACTERS)), 0, HALF_BYTES);
      sealed.writeUIntBE(decode(rest.slice(HALF_CHARACTERS)), HALF_BYTES, HALF_BYTES);
      const tag = sealed.subarray(0, TAG_BYTES);
      const stream = keyStream(eventKey, { workspaceNumber, occurredAt, tag });
      const octets = Buffer.from(sealed.subarray(TAG_BYTES).map((octet, at) => octet ^ (stream[at] ?? 0)));
      const place = octets.readUIntBE(0, PLACE_BYTES);
      if (!timingSafeEqual(tagOf(eventKey, workspaceNumber, { occurredAt, place }), tag)) return null;
      const seq = place % POSITIONS_PER_WORKSPACE;
      const epoch = Math.floor(place / POSITIONS_PER_WORKSPACE);
      const position = startOf(workspaceNumber) + seq;
      return { occurredAt, position, lostAfter: lostAfter(workspaceNumber, seq, epoch) };
    },

    /** Encodes a position between two events, with its epoch, for a cursor. */
    placeText(position: number, workspaceNumber: number): string {
      const epoch = epochOf(workspaceNumber, position - startOf(workspaceNumber));
      return epoch === 0 ? String(position) : `${position}.${epoch}`;
    },

    /** Decodes the result of `placeText`. */
    readPlace(text: string, workspaceNumber: number): Omit<DecodedPosition, 'occurredAt'> {
      const [position = NaN, epoch = 0] = text.split('.').map(Number);
      return { position, lostAfter: lostAfter(workspaceNumber, position - startOf(workspaceNumber), epoch) };
    },
  };
}

/** `place` combines epoch and number in the chain. */
interface SealedPosition {
  occurredAt: number;
  place: number;
}

function tagOf(key: KeyObject, workspaceNumber: number, { occurredAt, place }: SealedPosition): Buffer {
  // Ids of epoch 0 have the format from before epochs existed.
  const position = startOf(workspaceNumber) + place;
  const mac = createHmac('sha256', key).update(`${workspaceNumber} ${occurredAt} ${position}`).digest();
  return mac.subarray(0, TAG_BYTES);
}

function keyStream(
  key: KeyObject,
  { workspaceNumber, occurredAt, tag }: { workspaceNumber: number; occurredAt: number; tag: Buffer },
): Buffer {
  const mac = createHmac('sha256', key).update(`stream ${workspaceNumber} ${occurredAt} `).update(tag);
  return mac.digest().subarray(0, PLACE_BYTES);
}

function byWorkspace(epochs: readonly ChainEpoch[]): ReadonlyMap<number, ChainEpoch[]> {
  const ofWorkspace = new Map<number, ChainEpoch[]>();
  for (const one of epochs) {
    const list = ofWorkspace.get(one.workspaceNumber);
    if (list) list.push(one);
    else ofWorkspace.set(one.workspaceNumber, [one]);
  }
  return ofWorkspace;
}

/** Returns the position below all positions of a workspace. */
function startOf(workspaceNumber: number): number {
  return workspaceNumber * POSITIONS_PER_WORKSPACE;
}

/** `value` is at most 2^53 - 1. */
function encode(value: number, characters: number): string {
  let text = '';
  for (let rest = value, i = 0; i < characters; i++) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function decode(text: string): number {
  let value = 0;
  for (const character of text) value = value * 32 + ALPHABET.indexOf(character);
  return value;
}
