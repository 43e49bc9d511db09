// Classifies a received message by its recipient and content, without look-ups.
import {
  type BounceReport,
  type DsnRules,
  type FeedbackReport,
  readBounceReport,
  readFeedbackReport,
  readReturnedMail,
} from '../../lib/dsn/index.js';
import { findField, type ParsedMail } from '../../lib/mime/index.js';
import type { ReplyRules } from '../replies/reply-rules.rules.js';
import { autoReplyKind, isFromDaemon, type AutoReplyKind } from './auto-reply.rules.js';
import type { ClassifiedKind } from '../inbound.tables.js';

export type Classification =
  | { kind: 'bounce'; report: BounceReport }
  | { kind: 'complaint'; report: FeedbackReport }
  | { kind: 'unsubscribe' }
  /** `autoReply` is `null` if a person wrote it. */
  | { kind: 'reply'; autoReply: string | null }
  /** Kept for a while, without further effect. */
  | { kind: 'ignored'; why: 'automatic' | 'unrecognized' };

export interface ClassificationRules {
  dsn: DsnRules;
  reply: ReplyRules;
}

/** `mailFrom` is '' for the null sender, which reports and automatic replies have. */
export function classifyMail(
  mail: ParsedMail,
  { kind, mailFrom, rcptTo }: { kind: ClassifiedKind; mailFrom: string; rcptTo: string },
  rules: ClassificationRules,
): Classification {
  const feedback = readFeedbackReport(mail);
  // Other forms are guesses. They count only at addresses for complaints; people also ask a postmaster for help.
  const takesGuesses = kind === 'feedback' && !/^postmaster(?:@|$)/i.test(rcptTo);
  if (feedback && (feedback.form === 'standard' || takesGuesses)) {
    return { kind: 'complaint', report: feedback };
  }
  const isNullSender = mailFrom === '';
  const autoReply = autoReplyKind({ mail, envelopeFrom: mailFrom }, rules.reply);
  if (kind === 'return_path') {
    const isFromMailSystem = isFromDaemon(mail) || (isNullSender && !answersPerson(mail, autoReply));
    const returned = readReturnedMail(mail, rules.dsn, { isFromMailSystem });
    if (returned) return { kind: 'bounce', report: returned };
    return { kind: 'ignored', why: autoReply === null ? 'unrecognized' : 'automatic' };
  }
  const report = readBounceReport(mail, rules.dsn);
  switch (kind) {
    case 'feedback':
      return { kind: 'ignored', why: report || autoReply !== null ? 'automatic' : 'unrecognized' };
    case 'unsubscribe':
      // An automatic reply is not a request to unsubscribe.
      return (report && !report.isGuess) || (isNullSender && autoReply !== null)
        ? { kind: 'ignored', why: 'automatic' }
        : { kind: 'unsubscribe' };
    case 'reply':
    case 'mailbox':
      // Some systems send reports to Reply-To, but people may also quote or attach one.
      return report && !report.isGuess && (isNullSender || autoReply !== null)
        ? { kind: 'bounce', report }
        : { kind: 'reply', autoReply };
  }
}

/** Returns whether the message replies to another, such as an absence notice, whose text may name the recipient too. */
function answersPerson(mail: ParsedMail, autoReply: AutoReplyKind | null): boolean {
  return (
    findField(mail, 'in-reply-to') !== null ||
    (autoReply !== null && autoReply !== 'auto-generated' && autoReply !== 'report')
  );
}
