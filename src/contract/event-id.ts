// Public ids of events: `evt_`, the time and the place in the chain, so that no column has to hold them.

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARACTERS = 10;
const POSITION_CHARACTERS = 16;
const FORM = /^evt_([0-9a-hjkmnp-tv-z]{10})([0-9a-hjkmnp-tv-z]{16})$/;

export interface EventPlace {
  /** Epoch milliseconds. */
  occurredAt: number;
  /** `events.position`. */
  position: number;
}

/** `evt_` and 26 characters of Crockford base32; it sorts by time like every other id. */
export function eventId({ occurredAt, position }: EventPlace): string {
  return `evt_${encode(occurredAt, TIME_CHARACTERS)}${encode(position, POSITION_CHARACTERS)}`;
}

/** What an event id says; null when the text is none. That there is such an event is not said. */
export function eventPlaceOf(id: string): EventPlace | null {
  const parts = FORM.exec(id);
  const occurredAt = decode(parts?.[1] ?? '');
  const position = decode(parts?.[2] ?? '');
  return occurredAt === null || position === null ? null : { occurredAt, position };
}

function encode(value: number, characters: number): string {
  let text = '';
  for (let rest = value, i = 0; i < characters; i++) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function decode(text: string): number | null {
  if (text === '') return null;
  let value = 0n;
  for (const character of text) value = value * 32n + BigInt(ALPHABET.indexOf(character));
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : null;
}
