// The chain of an explanation: what happened to a message, step by step, in plain sentences.
import type { AttemptDetail } from '../../messages/attempt.schema.js';
import { inCausalOrder, type TimelineFact } from '../../messages/causal-order.rules.js';
import { cleanReplyText } from '../../lib/smtp/reply-text.rules.js';
import type { AttemptFact, ExplainFacts, TrailFact } from './explain-facts.rules.js';

const MAX_ENTRIES = 100;
const FIRST_ENTRIES = 4;
const MAX_QUOTE = 300;

export interface ChainEntry {
  /** Epoch ms. */
  at: number;
  /** A trail event, `attempt_…` with its outcome, or at the end the explanation's own code. */
  code: string;
  text: string;
}

type RecordedEntry = ChainEntry & { code: TimelineFact };

/** Oldest first; the last entry is how things are now. Of very many the middle is left out. */
export function chainOf(facts: ExplainFacts, state: { code: string; text: string }): ChainEntry[] {
  const recorded = new Set(facts.attempts.map(({ number }) => number));
  const entries: RecordedEntry[] = [
    ...facts.trail.flatMap((entry) => auditTrailEntry(entry, recorded)),
    ...facts.attempts.map(attemptEntry),
    ...suppressionEntry(facts),
    ...pauseEntry(facts),
  ];
  const ordered = inCausalOrder(entries, ({ code, at }) => ({ fact: code, at }));
  return [...withoutMiddle(ordered), { at: facts.now, ...state }];
}

function withoutMiddle(entries: ChainEntry[]): ChainEntry[] {
  const left = entries.length - MAX_ENTRIES;
  if (left <= 0) return entries;
  const from = entries[FIRST_ENTRIES];
  return [
    ...entries.slice(0, FIRST_ENTRIES),
    { at: from?.at ?? 0, code: 'omitted', text: `${left} entries are left out here.` },
    ...entries.slice(FIRST_ENTRIES + left),
  ];
}

function auditTrailEntry(entry: TrailFact, recorded: ReadonlySet<number>): RecordedEntry[] {
  const { event, at, metadata } = entry;
  const say = (text: string): RecordedEntry[] => [{ at, code: event, text }];
  switch (event) {
    case 'queued':
      return say(acceptedText(metadata));
    case 'sent':
      return metadata['why'] === undefined
        ? say('Passed on for delivery.')
        : say(`Passed on for delivery by ${quote(metadata['via'])}: ${quote(metadata['why'])}.`);
    case 'suppressed':
      return say(
        metadata['added'] === true
          ? `The address was put on the suppression list (${quote(metadata['reason'])}).`
          : `Not sent: the address is suppressed (${quote(metadata['reason'])}).`,
      );
    case 'failed':
      return say(`Failed: ${quote(metadata['message'] ?? metadata['category'])}`);
    case 'rescheduled':
      return say(rescheduledText(metadata));
    case 'deferred':
    case 'delivered':
    case 'bounced': {
      // The record of the attempt says it better.
      if (typeof metadata['attempt'] === 'number' && recorded.has(metadata['attempt'])) return [];
      if (metadata['by_mail'] === true) return say(reportText(event, metadata));
      return say(`${OUTCOMES[event]}${peerOf(metadata)}: ${replyOf(metadata)}`);
    }
    case 'sending':
      return say('Taken from the queue, checked, composed and signed.');
    case 'opened':
      return say('The message was opened.');
    case 'clicked':
      return say('A link in the message was clicked.');
    case 'complained':
      return say('The recipient reported the message as spam.');
    case 'canceled':
      return say('The message was canceled.');
    case 'unsubscribed':
      return say('The recipient unsubscribed.');
    case 'received':
      return say('The message was received.');
    case 'auto_replied':
      return say('An automatic answer was received.');
  }
}

function acceptedText(metadata: TrailFact['metadata']): string {
  const { scheduled_at: scheduledAt, expires_at: expiresAt, require_tls: requireTls } = metadata;
  const wishes = [
    typeof scheduledAt === 'string' ? `to be sent at ${scheduledAt}` : '',
    typeof expiresAt === 'string' ? `to be tried until ${expiresAt} at most` : '',
    requireTls === true ? 'over verified TLS only' : '',
  ].filter((wish) => wish !== '');
  return `${['Accepted', ...wishes].join(', ')}.`;
}

function rescheduledText(metadata: TrailFact['metadata']): string {
  if (metadata['retry'] === true) return 'Retried by request: the next attempt is due now.';
  const to = metadata['scheduled_at'];
  return typeof to === 'string' ? `Given another time: ${to}.` : 'Sent at once, and not at its former time.';
}

const OUTCOMES: Readonly<Record<AttemptDetail['outcome'], string>> = {
  delivered: 'Taken',
  deferred: 'Put off',
  bounced: 'Refused',
  failed: 'Failed',
  ambiguous: 'Lost after the whole message was sent',
  held: 'Held',
};

const REPORTED = { delivered: 'delivered', deferred: 'delayed', bounced: 'not delivered' } as const;

/** A report by mail on the message after it was relayed (RFC 3464). */
function reportText(event: keyof typeof REPORTED, metadata: TrailFact['metadata']): string {
  const reporter = quote(metadata['reporting_mta']);
  const of = reporter === '' ? '' : ` of ${reporter}`;
  const said = replyOf(metadata);
  const words = said === 'no answer' ? '.' : `${peerOf(metadata)}: ${said}`;
  return `A delivery report${of} says: ${REPORTED[event]}${words}`;
}

const ENVELOPE_PHASES = ['mail', 'rcpt', 'data', 'dot'];

function attemptEntry({ number, at, detail }: AttemptFact): RecordedEntry {
  const { outcome, host, address, source, tls, next_attempt_at: nextAt } = detail;
  const where = host === null ? '' : ` by ${quote(host)}${address === null ? '' : ` (${quote(address)})`}`;
  const how = [
    detail.via === 'smarthost'
      ? `through the smarthost ${source}`
      : source === ''
        ? ''
        : `from source ${source}`,
    tls ? `over ${tls.version}${tls.verified ? ', verified' : ''}` : hadSession(detail) ? 'without TLS' : '',
    detail.phase === null || outcome === 'delivered' ? '' : `at ${detail.phase}`,
  ].filter((part) => part !== '');
  const said = replyOf({ code: detail.code, enhanced_code: detail.enhanced_code, reply: detail.reply });
  const next = nextAt === null ? '' : `${/[.!?]$/.test(said) ? '' : '.'} Next at ${nextAt}.`;
  const text = `Attempt ${number}: ${[`${lowerFirst(OUTCOMES[outcome])}${where}`, ...how].join(', ')}: ${said}${next}`;
  return { at, code: `attempt_${outcome}`, text };
}

/** Whether it came as far as the envelope: before, TLS may still have been to come. */
function hadSession({ host, phase }: AttemptDetail): boolean {
  return host !== null && (phase === null || ENVELOPE_PHASES.includes(phase));
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function peerOf(metadata: TrailFact['metadata']): string {
  return typeof metadata['remote_host'] === 'string' ? ` by ${quote(metadata['remote_host'])}` : '';
}

function replyOf(said: Readonly<Record<string, unknown>>): string {
  const parts = [said['code'], said['enhanced_code']].filter(
    (part) => typeof part === 'string' || typeof part === 'number',
  );
  const text = quote(said['reply']);
  // Many replies carry the enhanced code in their text already.
  const codes = parts.filter((part) => !text.startsWith(String(part))).join(' ');
  return [codes, text].filter((part) => part !== '').join(' ') || 'no answer';
}

/** Peers' words: one line, without control characters, of bounded length. */
function quote(value: unknown): string {
  return typeof value === 'string' ? cleanReplyText(value).slice(0, MAX_QUOTE) : '';
}

function suppressionEntry({ suppression, message }: ExplainFacts): RecordedEntry[] {
  if (!suppression || message.isSandbox || suppression.createdAt < message.createdAt) return [];
  return [
    {
      at: suppression.createdAt,
      code: 'suppression_added',
      text: `The address was put on the suppression list (${suppression.reason}).`,
    },
  ];
}

function pauseEntry({ pause, message, queue }: ExplainFacts): RecordedEntry[] {
  if (!pause || !queue) return [];
  const why = pause.reason === '' ? '' : `: ${quote(pause.reason)}`;
  return [
    { at: pause.createdAt, code: 'destination_pause', text: `Mail to ${message.domain} was paused${why}.` },
  ];
}
