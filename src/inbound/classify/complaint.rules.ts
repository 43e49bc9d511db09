// Decides whether a complaint counts. A forged one would suppress recipients, so the reporter must be authenticated.
import type { FeedbackReport, FeedbackType } from '../../lib/dsn/index.js';

export interface ComplaintFacts {
  report: Pick<FeedbackReport, 'type'>;
  /**
   * DKIM signatures of the mail that brought the report, and whether each belongs to the organization of its From. `null` if the
   * mail was not authenticated. SPF does not prove the sender here, because it passes for hosts that many senders share.
   */
  authentication: { dkim: readonly { result: string; aligned: boolean }[] } | null;
  /** Whether the client is in MAILKEEL_FEEDBACK_SOURCES. */
  sourceIsConfigured: boolean;
}

/**
 * `complaint`: the recipient does not want such mail. `not_spam`: recorded without effect. `untrusted`: anyone may have written it.
 * `other`: not about the recipient's wish, such as authentication failures (RFC 6591).
 */
type ComplaintClass = 'complaint' | 'not_spam' | 'untrusted' | 'other';

/** An opt-out counts as a complaint, because the recipient used the spam button and wants no more mail. */
const MEANING: Readonly<Record<FeedbackType, Exclude<ComplaintClass, 'untrusted'>>> = {
  abuse: 'complaint',
  fraud: 'complaint',
  'opt-out': 'complaint',
  'not-spam': 'not_spam',
  // A scanner reported it, not the recipient.
  virus: 'other',
  'auth-failure': 'other',
  other: 'other',
};

/** RFC 5965 section 8.2: whether a report is genuine must be established by other means than the report. */
export function classifyComplaint(facts: ComplaintFacts): ComplaintClass {
  const meaning = MEANING[facts.report.type];
  if (meaning === 'other') return 'other';
  const isSigned =
    facts.authentication?.dkim.some(({ result, aligned }) => result === 'pass' && aligned) === true;
  return facts.sourceIsConfigured || isSigned ? meaning : 'untrusted';
}
