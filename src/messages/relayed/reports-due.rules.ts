// Decides whether an outcome requires a delivery report to the submitter of a relayed message (RFC 3461 sections 4.1 and 5.2).
import type { MessageTrailEvent } from '../../contract/names.js';
import type { DsnAction, DsnOptions, DsnRecipient } from '../../lib/dsn/index.js';

/** An event of the message, as far as it matters here. */
export interface OutcomeEvent {
  event: MessageTrailEvent;
  /** Epoch ms. */
  occurredAt: number;
  /** As in the trail: `code`, `enhanced_code`, `reply`, `remote_host`, `category`, `delayed`, `ambiguous`, … */
  metadata: Readonly<Record<string, unknown>> | null;
}

/** The outcome of one attempt, or of one report from a later server, for a message. */
export interface DeliveryOutcome {
  events: readonly OutcomeEvent[];
  /** A smarthost's final 250, of which the trail has no entry: when, and the metadata that an entry would have. */
  handedOver: Omit<OutcomeEvent, 'event'> | null;
  /** The next server supports DSN and got NOTIFY, so it reports the success itself. */
  isPassedOn: boolean;
  /** The success that a delivery report from a downstream server confirms. */
  reported: 'delivered' | 'relayed' | 'expanded' | null;
}

export interface ReportTerms {
  /** `null` if the message was not relayed, or no report was requested. */
  options: Pick<DsnOptions, 'sender' | 'notify'> | null;
  /** MAILKEEL_RELAY_DSN. */
  mode: 'asked' | 'failure' | 'never';
  /** The delay was reported before; once is enough. */
  isDelayReported: boolean;
}

/** The fields of the report about the recipient, besides the addresses. */
export type DueReport = Pick<
  DsnRecipient,
  'action' | 'status' | 'remoteMta' | 'diagnostic' | 'lastAttemptAt'
>;

/** The report that is due; null if none is. */
export function reportDue(outcome: DeliveryOutcome, terms: ReportTerms): DueReport | null {
  const found = actionOf(outcome);
  if (found === null || !isWanted(found.action, terms)) return null;
  return { action: found.action, ...describe(found.action, found.event) };
}

interface Found {
  action: DsnAction;
  event: Omit<OutcomeEvent, 'event'>;
}

function actionOf({ events, handedOver, isPassedOn, reported }: DeliveryOutcome): Found | null {
  const failure = events.findLast((one) => isFailure(one));
  if (failure) return { action: 'failed', event: failure };
  const success = events.findLast(({ event }) => event === 'delivered') ?? handedOver;
  if (reported !== null) {
    const event = success ?? events.at(-1);
    return event ? { action: reported, event } : null;
  }
  if (success) {
    // A 250 is the next server's promise, not a mailbox's receipt. Only a server that puts the message into the mailbox
    // may say `delivered` (RFC 3461 section 5.2.3); a client whose peer takes no NOTIFY must say `relayed` (section
    // 5.2.2), and one whose peer takes it must leave the report to the peer (section 5.2.1).
    return isPassedOn ? null : { action: 'relayed', event: success };
  }
  const delay = events.findLast(
    ({ event, metadata }) => event === 'deferred' && metadata?.['delayed'] === true,
  );
  return delay ? { action: 'delayed', event: delay } : null;
}

/** Returns whether delivery failed. A message in doubt without a retry counts as failed. */
function isFailure({ event, metadata }: OutcomeEvent): boolean {
  if (event === 'bounced' || event === 'failed') return true;
  // An event with `added` only records the new suppression after a bounce or complaint.
  if (event === 'suppressed') return metadata?.['added'] !== true;
  const isUnknown = (event === 'sent' || event === 'deferred') && metadata?.['ambiguous'] === true;
  return isUnknown && (metadata['next_attempt_at'] ?? null) === null;
}

function isWanted(action: DsnAction, { options, mode, isDelayReported }: ReportTerms): boolean {
  // Never an answer to the null sender (RFC 3461 section 5.2): a report must cause no mail.
  if (mode === 'never' || options === null || options.sender === '') return false;
  if (action === 'delayed' && isDelayReported) return false;
  // Without NOTIFY, only failures may be reported (sections 5.2.2 e and 5.2.6 c), if the operator has enabled it.
  if (options.notify === null) return mode === 'failure' && action === 'failed';
  if (options.notify.includes('NEVER')) return false;
  if (action === 'failed') return options.notify.includes('FAILURE');
  return options.notify.includes(action === 'delayed' ? 'DELAY' : 'SUCCESS');
}

function describe(
  action: DsnAction,
  { occurredAt, metadata }: Omit<OutcomeEvent, 'event'>,
): Omit<DueReport, 'action'> {
  const text = (name: string): string | null => {
    const value = metadata?.[name];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const code = metadata?.['code'];
  const enhanced =
    text('enhanced_code') ?? /^[245]\.\d{1,3}\.\d{1,3}\b/.exec(text('reply') ?? '')?.[0] ?? null;
  const reply = text('reply') ?? text('message') ?? '';
  const wasAttempted = action !== 'failed' || metadata?.['attempt'] !== undefined || typeof code === 'number';
  return {
    status: enhanced ?? impliedStatus(metadata),
    remoteMta: text('remote_host'),
    diagnostic:
      typeof code === 'number'
        ? { type: 'smtp', text: smtpLine(code, enhanced, reply) }
        : ownWords(reply, metadata),
    lastAttemptAt: wasAttempted ? occurredAt : null,
  };
}

/** The reply as stored in the trail: the code, the enhanced code once, and the text. */
function smtpLine(code: number, enhanced: string | null, reply: string): string {
  const words = enhanced === null || reply.startsWith(enhanced) ? reply : `${enhanced} ${reply}`;
  return `${code} ${words}`.trim();
}

function ownWords(reply: string, metadata: OutcomeEvent['metadata']): DueReport['diagnostic'] {
  if (metadata?.['ambiguous'] === true) {
    const text = `The connection was lost before the server replied. The message may have been delivered. ${reply}`;
    return { type: 'x-service', text };
  }
  if (typeof metadata?.['reason'] === 'string' && reply === '') {
    return { type: 'x-service', text: 'The recipient is on the suppression list' };
  }
  return reply === '' ? null : { type: 'x-service', text: reply };
}

/** RFC 3463 codes for outcomes without a reply. */
function impliedStatus(metadata: OutcomeEvent['metadata']): string | null {
  if (metadata?.['ambiguous'] === true) return '4.4.2';
  if (metadata?.['category'] === 'expired') return '4.4.7';
  if (typeof metadata?.['reason'] === 'string') return '5.7.1';
  return null;
}
