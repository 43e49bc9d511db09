export { composeDsn, type DsnRecipient } from './dsn-build.js';
export { compileDsnRules, type DsnRules } from './dsn-formats.js';
export { type DsnOptions, type NotifyKeyword, readDsnOptions } from './dsn-options.js';
export { type DsnAction, isMailAddress, type ReportedRecipient } from './dsn-part.js';
export { type DsnParameters, dsnRequest } from './dsn-request.js';
export { type QuotedReply, replyIn } from './dsn-words.js';
export { type BounceReport, readBounceReport, readReturnedMail, UNRECOGNIZED_FORMAT } from './dsn.js';
export {
  FEEDBACK_TYPES,
  type FeedbackReport,
  type FeedbackType,
  readFeedbackReport,
} from './feedback-report.js';
export { decodeXtext, isXtext } from './xtext.js';
