// Evidence of what left in the life before a restore: lines of the delivery log, and events as webhooks and the feed have them,
// one JSON object a line. Fields that are not known are passed over.

/** `left`: delivered, bounced or in doubt; `stayed`: the last that is known is that it was put off. */
export type LoggedOutcome = 'left' | 'stayed';

export interface EvidenceLine {
  kind: 'message';
  messageId: string;
  /** Epoch ms; null when the line has no time. */
  at: number | null;
  outcome: LoggedOutcome;
  /** The word of the line, for people. */
  word: string;
  /** When the line says that it is tried next, epoch ms; null: it does not say. */
  nextAt: number | null;
  /** Of an attempt's line; null of one that an older program wrote, and of other lines. */
  attempt: { campaignId: string; recipientHash: string } | 'no_campaign' | null;
  isAttempt: boolean;
}

/** Says that lines before it were lost. */
export interface GapLine {
  kind: 'gap';
  /** Epoch ms; null when the line has no time. */
  at: number | null;
}

/** Words for an end of a message, or for a copy that may be out: it must not be sent again. */
const LEFT = [
  ...['delivered', 'sent', 'accepted', 'bounced', 'failed', 'ambiguous', 'in_doubt', 'opened', 'clicked'],
  ...['complained', 'replied', 'unsubscribed', 'canceled', 'suppressed', 'expired'],
];
const STAYED = ['deferred', 'queued', 'sending', 'held', 'delayed', 'rescheduled'];
/** The last lines of a log may be lost with the machine. */
const LOG_MARGIN_MS = 5_000;
const MESSAGE_ID = /^msg_[0-9a-z]{26}$/;
const MOST_CHARACTERS = 1024 * 1024;

/** Null for a line that says nothing about a message, nor of lost lines. */
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

/** All the evidence, gathered from its lines. */
export interface Evidence {
  /** By message id; the strongest word of each. */
  outcomes: ReadonlyMap<string, Pick<EvidenceLine, 'outcome' | 'word' | 'nextAt'>>;
  /** The first time in the delivery log, epoch ms; null without one. */
  loggedSince: number | null;
  /** The last time in the delivery log before the restore, epoch ms; null without one. */
  loggedUntil: number | null;
  /** The delivery log says that it lost lines after the copy. */
  hasGap: boolean;
  /** The former life was at work at least until then, by what its consumers have seen; null: not known. */
  seenUntil: number | null;
}

/** Evidence about the recipients of campaigns. */
export interface CampaignEvidence {
  /** By campaign id, the hashes of recipients whose copy left. */
  reached: ReadonlyMap<string, ReadonlySet<string>>;
  /** The delivery log has all of the time from the copy to the end of the former life, and names every recipient. */
  isWhole: boolean;
}

export type Verdict = 'left' | 'may_have_left' | 'stayed' | 'unknown';

export interface HeldMail {
  publicId: string;
  /** When it was due first: retries and the start after the restore move the present time. */
  firstDueAt: number;
  /** Its final dot was about to be written when the copy was made, or an attempt ended in doubt. */
  wasInDoubt: boolean;
}

/** Whether a message that was queued in the copy has left since. `reason` is a sentence for the trail and for people. */
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
  // Mail that was due at the end of the log, or after it, may have left without a line.
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
