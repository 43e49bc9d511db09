// Builds the chain of an explanation: what happened to a message, step by step, in plain sentences.
import type { AttemptDetail } from '../../messages/attempt.schema.js';
import { timelineOf, type TimelineFact } from '../../messages/causal-order.rules.js';
import { cleanReplyText } from '../../lib/smtp-replies/index.js';
import type { ShareChoice } from '../route/share.rules.js';
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
  const ordered = timelineOf(entries, ({ code, at }) => ({ fact: code, at })).map(({ entry, at }) => ({
    ...entry,
    at,
  }));
  // The clock of another node may be ahead.
  return [...withoutMiddle(ordered), { at: Math.max(facts.now, ordered.at(-1)?.at ?? 0), ...state }];
}

function withoutMiddle(entries: ChainEntry[]): ChainEntry[] {
  const left = entries.length - MAX_ENTRIES;
  if (left <= 0) return entries;
  const from = entries[FIRST_ENTRIES];
  return [
    ...entries.slice(0, FIRST_ENTRIES),
    { at: from?.at ?? 0, code: 'omitted', text: `${left} entries omitted.` },
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
      return say(sentText(metadata));
    case 'suppressed':
      return say(
        metadata['added'] === true
          ? `The address was added to the suppression list (${quote(metadata['reason'])}).`
          : `Not sent because the address is suppressed (${quote(metadata['reason'])}).`,
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
      return say('Processing started: dequeued, checked, composed and signed.');
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
      return say('An automatic reply was received.');
    case 'approval_requested':
      return say('Approval was requested, as the send policy of the API key requires.');
    case 'approval_changed':
      return say(`${approverOf(metadata)} changed the message.`);
    case 'approved':
      return say(`${approverOf(metadata)} approved the message.`);
    case 'rejected':
      return say(rejectedText(metadata));
    case 'approval_expired':
      return say('The approval request expired.');
  }
}

function approverOf(metadata: TrailFact['metadata']): string {
  return quote(metadata['email']) || 'An approver';
}

function rejectedText(metadata: TrailFact['metadata']): string {
  const note = quote(metadata['note']);
  const by = approverOf(metadata);
  return note === '' ? `${by} rejected the message.` : `${by} rejected the message: ${note}`;
}

/** Names a way that is not the first choice, or the side of a route with a share. */
function sentText({ via, why, route_share: share }: TrailFact['metadata']): string {
  if (why !== undefined) return `Handed over for delivery through ${quote(via)}: ${quote(why)}.`;
  if (!isShare(share)) return 'Handed over for delivery.';
  const { route, percent, side, reason } = share;
  return SHARE_TEXTS[side][reason](route, percent);
}

/** Metadata of the trail is JSON of this or an earlier release. */
function isShare(value: unknown): value is ShareChoice {
  return typeof value === 'object' && value !== null && 'side' in value && 'reason' in value;
}

type ShareText = (route: string, percent: number) => string;

const SHARE_TEXTS: Readonly<Record<ShareChoice['side'], Record<ShareChoice['reason'], ShareText>>> = {
  direct: {
    position: (route, percent) =>
      `Handed over for direct delivery: route "${route}" delivers ${percent} % directly.`,
    engagement: (route, percent) =>
      `Handed over for direct delivery: route "${route}" delivers ${percent} % directly, engaged recipients first.`,
    kept: (route, percent) =>
      `Handed over for direct delivery: route "${route}" delivers ${percent} % directly; the side was chosen earlier.`,
  },
  smarthost: {
    position: (route, percent) =>
      `Handed over to a smarthost: route "${route}" delivers ${percent} % directly.`,
    engagement: (route, percent) =>
      `Handed over to a smarthost: route "${route}" delivers ${percent} % directly, engaged recipients first.`,
    kept: (route, percent) =>
      `Handed over to a smarthost: route "${route}" delivers ${percent} % directly; the side was chosen earlier.`,
  },
};

function acceptedText(metadata: TrailFact['metadata']): string {
  const { scheduled_at: scheduledAt, expires_at: expiresAt, require_tls: requireTls } = metadata;
  const wishes = [
    typeof scheduledAt === 'string' ? `scheduled for ${scheduledAt}` : '',
    typeof expiresAt === 'string' ? `expiring at ${expiresAt}` : '',
    requireTls === true ? 'requiring verified TLS' : '',
  ].filter((wish) => wish !== '');
  return `${['Accepted', ...wishes].join(', ')}.`;
}

function rescheduledText(metadata: TrailFact['metadata']): string {
  if (metadata['retry'] === true) return 'Retry requested. The next attempt is due now.';
  const to = metadata['scheduled_at'];
  return typeof to === 'string' ? `Rescheduled for ${to}.` : 'Rescheduled to send now.';
}

const OUTCOMES: Readonly<Record<AttemptDetail['outcome'], string>> = {
  delivered: 'Accepted',
  deferred: 'Deferred',
  bounced: 'Rejected',
  failed: 'Failed',
  ambiguous: 'Not confirmed',
  held: 'On hold',
};

const REPORTED = { delivered: 'delivered', deferred: 'delayed', bounced: 'failed' } as const;

/** A report by mail on the message after it was relayed (RFC 3464). */
function reportText(event: keyof typeof REPORTED, metadata: TrailFact['metadata']): string {
  const reporter = quote(metadata['reporting_mta']);
  const of = reporter === '' ? '' : ` from ${reporter}`;
  const said = replyOf(metadata);
  const peer = typeof metadata['remote_host'] === 'string' ? ` at ${quote(metadata['remote_host'])}` : '';
  const words = said === 'no response' ? '.' : `${peer}: ${said}`;
  return `Delivery report${of}: ${REPORTED[event]}${words}`;
}

const ENVELOPE_PHASES = ['mail', 'rcpt', 'data', 'dot'];

/** Names of the phases that are not commands. */
const STEPS: ReadonlyMap<string, string> = new Map([
  ['connect', 'connection setup'],
  ['greeting', 'greeting'],
  ['tls', 'TLS handshake'],
  ['mail', 'MAIL FROM'],
  ['rcpt', 'RCPT TO'],
  ['dot', 'end of data'],
  ['route', 'routing'],
]);

function attemptEntry({ number, at, detail }: AttemptFact): RecordedEntry {
  const { outcome, host, address, source, tls, next_attempt_at: nextAt } = detail;
  const where = host === null ? '' : ` by ${quote(host)}${address === null ? '' : ` (${quote(address)})`}`;
  const step =
    detail.phase === null || outcome === 'delivered'
      ? ''
      : ` during ${STEPS.get(detail.phase) ?? detail.phase.toUpperCase()}`;
  const how = [
    tls
      ? `over ${tls.version.replace('TLSv', 'TLS ')}${tls.verified ? ' (verified)' : ''}`
      : hadSession(detail)
        ? 'without TLS'
        : '',
    source === '' ? '' : detail.via === 'smarthost' ? `via smarthost "${source}"` : `from source "${source}"`,
    detail.route_share === undefined ? '' : `by route "${detail.route_share.route}"`,
  ].filter((part) => part !== '');
  const said = replyOf({ code: detail.code, enhanced_code: detail.enhanced_code, reply: detail.reply });
  const next = nextAt === null ? '' : `${/[.!?]$/.test(said) ? '' : '.'} Next attempt at ${nextAt}.`;
  const text = `Attempt ${number}: ${[`${lowerFirst(OUTCOMES[outcome])}${where}${step}`, ...how].join(', ')}: ${said}${next}`;
  return { at, code: `attempt_${outcome}`, text };
}

/** Whether the attempt reached the envelope. Before that, TLS may not have been negotiated yet. */
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
  return [codes, text].filter((part) => part !== '').join(' ') || 'no response';
}

/** Peers' words: one line, without control characters, of bounded length. */
function quote(value: unknown): string {
  return typeof value === 'string' ? cleanReplyText(value).slice(0, MAX_QUOTE) : '';
}

function suppressionEntry({ suppressions: [suppression], message, trail }: ExplainFacts): RecordedEntry[] {
  if (!suppression || message.isSandbox || suppression.createdAt < message.createdAt) return [];
  // The trail contains the suppression that this message itself has added.
  const isTold = trail.some(
    ({ event, at, metadata }) =>
      event === 'suppressed' && metadata['added'] === true && at === suppression.createdAt,
  );
  if (isTold) return [];
  return [
    {
      at: suppression.createdAt,
      code: 'suppression_added',
      text: `The address was added to the suppression list (${suppression.reason}).`,
    },
  ];
}

function pauseEntry({ pause, message, queue }: ExplainFacts): RecordedEntry[] {
  if (!pause || !queue) return [];
  const why = pause.reason === '' ? '' : `: ${quote(pause.reason)}`;
  return [
    {
      at: pause.createdAt,
      code: 'destination_pause',
      text: `Delivery to ${message.domain} was paused${why}.`,
    },
  ];
}
