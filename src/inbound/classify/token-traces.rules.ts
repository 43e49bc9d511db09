// Finds Mailkeel's tokens in a report, most reliable first. It does not verify them; verp.rules.ts, mail-tokens.rules.ts and
// unsubscribe.rules.ts do.
import type { HeaderField } from '../../lib/mime/index.js';

/** `field` is the lower-case name of the header field that contains the token. */
export type TokenTrace =
  /** For `readReturnPathLocal`. */
  | { kind: 'return_path'; local: string; domain: string; field: string }
  /** For `readMessageReference`. */
  | { kind: 'reference'; token: string; field: string }
  /** For `readUnsubscribeToken`. */
  | { kind: 'unsubscribe_link'; token: string; field: string }
  /** For `readUnsubscribeLocal`. */
  | { kind: 'unsubscribe_address'; local: string; domain: string; field: string }
  /** For `readReplyLocal`. */
  | { kind: 'reply_address'; local: string; domain: string; field: string }
  /** Unsigned: anyone who has seen a message of the thread can write it. Without angle brackets. */
  | { kind: 'message_id'; messageId: string; field: string };

export interface Traced {
  /** Envelope sender given in the report. */
  originalMailFrom?: string | null;
  /** Header of the reported message. */
  original: readonly HeaderField[];
}

const MAX_TRACES = 20;
const MAX_VALUE = 4096;
const TOKEN = '[0-9a-z]{30,62}';
/** Envelope senders that forwarders rewrote: `SRS0=hash=time=domain=local@them`, or BATV's prefix `prvs=tag=`. */
const RETURN_PATH = new RegExp(`(?:=([a-z0-9.-]{1,253})=)?\\b(b-${TOKEN})(?:@([a-z0-9.-]{1,253}))?`, 'gi');
const REPLY = new RegExp(`\\b(reply\\+${TOKEN})@([a-z0-9.-]{1,253})`, 'gi');
const UNSUBSCRIBE = new RegExp(`\\b(unsubscribe\\+${TOKEN})@([a-z0-9.-]{1,253})`, 'gi');
const LINK = new RegExp(`/u/(${TOKEN})(?![0-9a-z])`, 'gi');
const MESSAGE_ID = /^<?([^\s<>@]{1,250}@[^\s<>@]{1,253})>?/;
/** Header fields that contain no token, or only the sender's text. */
const OF_THE_SENDER = ['subject', 'references', 'in-reply-to', 'comments', 'keywords'];
const PLACES = [
  'return-path',
  'original-mail-from',
  'x-service-ref',
  'list-unsubscribe',
  'reply-to',
  'message-id',
];

/**
 * The traces in the order in which they are to be tried: envelope sender, reference, unsubscribe link and address, reply
 * address, envelope senders noted in other fields (Received-SPF, Authentication-Results), Message-ID. At most 20, none twice.
 */
export function tokensIn({ originalMailFrom, original }: Traced): TokenTrace[] {
  const stated = originalMailFrom ?? '';
  const valuesOf = (name: string): string[] =>
    original.filter((field) => field.name === name).map(({ value }) => value.slice(0, MAX_VALUE));
  const others = original.filter(({ name }) => !PLACES.includes(name) && !OF_THE_SENDER.includes(name));
  const traces: TokenTrace[] = [
    ...valuesOf('return-path').flatMap((value) => returnPathsIn(value, 'return-path')),
    ...returnPathsIn(stated.slice(0, MAX_VALUE), 'original-mail-from'),
    ...valuesOf('x-service-ref').flatMap(referencesIn),
    ...valuesOf('list-unsubscribe').flatMap(unsubscribesIn),
    ...valuesOf('reply-to').flatMap(repliesIn),
    ...others.flatMap(({ name, value }) => returnPathsIn(value.slice(0, MAX_VALUE), name)),
    ...valuesOf('message-id').flatMap(messageIdsIn),
  ];
  // Keeps the first of equal tokens, regardless of its field.
  const distinct = new Map(traces.map((trace) => [keyOf(trace), trace] as const).reverse());
  return traces.filter((trace) => distinct.get(keyOf(trace)) === trace).slice(0, MAX_TRACES);
}

function keyOf(trace: TokenTrace): string {
  return JSON.stringify({ ...trace, field: '' }).toLowerCase();
}

function returnPathsIn(value: string, field: string): TokenTrace[] {
  const traces: TokenTrace[] = [];
  for (const [, wrapped, local = '', domain] of value.matchAll(RETURN_PATH)) {
    for (const host of [wrapped, domain]) {
      if (host?.includes('.') === true)
        traces.push({ kind: 'return_path', local, domain: trimmedHost(host), field });
    }
  }
  return traces;
}

function referencesIn(value: string): TokenTrace[] {
  const token = new RegExp(`^${TOKEN}$`, 'i').exec(value.trim())?.[0];
  return token === undefined ? [] : [{ kind: 'reference', token, field: 'x-service-ref' }];
}

function unsubscribesIn(value: string): TokenTrace[] {
  const field = 'list-unsubscribe';
  const plain = value.replace(/%2B/gi, '+').replace(/%40/g, '@').replace(/%2F/gi, '/');
  return [
    ...Array.from(plain.matchAll(LINK), ([, token = '']): TokenTrace => ({
      kind: 'unsubscribe_link',
      token,
      field,
    })),
    ...Array.from(plain.matchAll(UNSUBSCRIBE), ([, local = '', domain = '']): TokenTrace => ({
      kind: 'unsubscribe_address',
      local,
      domain: trimmedHost(domain),
      field,
    })),
  ];
}

function repliesIn(value: string): TokenTrace[] {
  return Array.from(value.matchAll(REPLY), ([, local = '', domain = '']): TokenTrace => ({
    kind: 'reply_address',
    local,
    domain: trimmedHost(domain),
    field: 'reply-to',
  }));
}

function messageIdsIn(value: string): TokenTrace[] {
  const messageId = MESSAGE_ID.exec(value.trim())?.[1];
  return messageId === undefined ? [] : [{ kind: 'message_id', messageId, field: 'message-id' }];
}

/** Removes the full stop of a sentence after a host name. */
function trimmedHost(host: string): string {
  return host.replace(/[.-]+$/, '');
}
