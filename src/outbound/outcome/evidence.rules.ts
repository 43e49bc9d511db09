// Evidence of messages that were sent between a backup and its restore: lines of the delivery log, and events in the format of
// webhooks and the feed. Each line is a JSON object, whose unknown fields are ignored.

/** `left`: delivered, bounced or in doubt. `stayed`: still queued or deferred, as far as known. */
type LoggedOutcome = 'left' | 'stayed';

export interface EvidenceLine {
  kind: 'message';
  messageId: string;
  /** Epoch ms; `null` if the line has no time. */
  at: number | null;
  outcome: LoggedOutcome;
  /** The event name in the line, for people. */
  word: string;
  /** Epoch ms of the next attempt; `null` if the line has none. */
  nextAt: number | null;
  /** The campaign and recipient of an attempt; `null` for lines of earlier releases and for other events. */
  attempt: { campaignId: string; recipientHash: string } | 'no_campaign' | null;
  isAttempt: boolean;
}

/** A line that reports the loss of earlier lines. */
interface GapLine {
  kind: 'gap';
  /** Epoch ms; `null` if the line has no time. */
  at: number | null;
}

/** Event names after which a message must not be sent again, because it has ended or may have been sent. */
const LEFT = [
  ...['delivered', 'sent', 'accepted', 'bounced', 'failed', 'ambiguous', 'in_doubt', 'opened', 'clicked'],
  ...['complained', 'replied', 'unsubscribed', 'canceled', 'suppressed', 'expired'],
];
const STAYED = ['deferred', 'queued', 'sending', 'held', 'delayed', 'rescheduled'];
/** Time (ms) before the end of a log in which lines may be missing, because a crash loses the last ones. */
const LOG_MARGIN_MS = 5_000;
const MESSAGE_ID = /^msg_[0-9a-z]{26}$/;
const MOST_CHARACTERS = 1024 * 1024;

/** Parses a line. Returns `null` if it reports neither a message nor lost lines. */
export function readEvidenceLine(line: string): EvidenceLine | GapLine | null {
  if (line.length > MOST_CHARACTERS) return null;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  const fields = fieldsOf(value);
  const at = timeOf(fields['time'] ?? fields['occurred_at']);
  if (fields['event'] === 'gap') return { kind: 'gap', at };
  const data = fieldsOf(fields['data']);
  const id = [fields['message_id'], data['message_id'], data['id'], fields['id']].find(
    (one): one is string => typeof one === 'string' && MESSAGE_ID.test(one),
  );
  if (id === undefined) return null;
  const given = [fields['result'], fields['outcome'], fields['event'], fields['type']].find(
    (one): one is string => typeof one === 'string',
  );
  const word = given?.split('.').at(-1)?.toLowerCase() ?? '';
  const outcome = LEFT.includes(word) ? 'left' : STAYED.includes(word) ? 'stayed' : null;
  return outcome === null
    ? null
    : {
        kind: 'message',
        messageId: id,
        at,
        outcome,
        word,
        nextAt: timeOf(fields['retry_at']),
        ...attemptOf(fields),
      };
}

function attemptOf(fields: Record<string, unknown>): Pick<EvidenceLine, 'attempt' | 'isAttempt'> {
  if (fields['event'] !== 'attempt') return { attempt: null, isAttempt: false };
  const { campaign_id: campaignId, recipient_hash: recipientHash } = fields;
  if (campaignId === null) return { attempt: 'no_campaign', isAttempt: true };
  const isNamed = typeof campaignId === 'string' && typeof recipientHash === 'string';
  return { attempt: isNamed ? { campaignId, recipientHash } : null, isAttempt: true };
}

function timeOf(value: unknown): number | null {
  // pino writes epoch ms
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  const at = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(at) ? null : at;
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** The evidence of all lines. */
export interface Evidence {
  /** The most conclusive line of each message, by message id. */
  outcomes: ReadonlyMap<string, Pick<EvidenceLine, 'outcome' | 'word' | 'nextAt'>>;
  /** Epoch ms of the first line in the delivery log; `null` without one. */
  loggedSince: number | null;
  /** Epoch ms of the last line in the delivery log before the restore; `null` without one. */
  loggedUntil: number | null;
  /** Whether the delivery log reports lost lines after the backup. */
  hasGap: boolean;
  /** Epoch ms until which the server was running before the restore, according to its consumers; `null` if unknown. */
  seenUntil: number | null;
}

/** Evidence about the recipients of campaigns. */
export interface CampaignEvidence {
  /** Hashes of the recipients whose copy was sent, by campaign id. */
  reached: ReadonlyMap<string, ReadonlySet<string>>;
  /** Whether the delivery log covers the time from the backup to the restore and has the hash of every recipient. */
  isWhole: boolean;
}

export type Verdict = 'left' | 'may_have_left' | 'stayed' | 'unknown';

interface HeldMail {
  publicId: string;
  /** Epoch ms at which it was first due. Retries and the start after a restore change the current due time. */
  firstDueAt: number;
  /** Whether the final dot was about to be sent when the backup was created, or an attempt ended in doubt. */
  wasInDoubt: boolean;
}

/**
 * Decides whether a message that was queued in the backup has been sent since. All times are epoch ms. `reason` is for the
 * trail and for people.
 */
export function judgeHeld(
  mail: HeldMail,
  evidence: Evidence,
  { copiedAt, restoredAt }: { copiedAt: number; restoredAt: number },
): { verdict: Verdict; reason: string } {
  const logged = evidence.outcomes.get(mail.publicId);
  if (logged?.outcome === 'left')
    return { verdict: 'left', reason: `a log after the backup reports ${logged.word}` };
  if (mail.wasInDoubt)
    return { verdict: 'may_have_left', reason: 'delivery was in progress when the backup was created' };
  if (mail.firstDueAt > restoredAt) return { verdict: 'stayed', reason: 'not due before the restore' };
  const { loggedSince, loggedUntil } = evidence;
  const isCovered = !evidence.hasGap && loggedSince !== null && loggedSince <= copiedAt;
  // A message that was due near the end of the log may have been sent without a line.
  const isSilent = (dueAt: number): boolean =>
    isCovered && (dueAt < (loggedUntil ?? 0) - LOG_MARGIN_MS || dueAt > restoredAt);
  if (logged && logged.nextAt !== null && isSilent(logged.nextAt)) {
    return { verdict: 'stayed', reason: `the last log entry is ${logged.word}` };
  }
  if (!logged && isSilent(mail.firstDueAt)) {
    return {
      verdict: 'stayed',
      reason: 'the delivery log covers this time without an entry for the message',
    };
  }
  if (evidence.seenUntil !== null && mail.firstDueAt <= evidence.seenUntil) {
    return {
      verdict: 'may_have_left',
      reason: 'a consumer has received events of messages due later',
    };
  }
  const reason = evidence.hasGap
    ? 'the delivery log is missing lines, and no other evidence exists'
    : 'no evidence whether the message was sent';
  return { verdict: 'unknown', reason };
}
