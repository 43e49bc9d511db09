export { readEveryMailbox, readMailboxes, readOneMailbox } from './address-field.js';
export {
  addressKey,
  addressProblem,
  addressDomain,
  domainProblem,
  envelopeAddress,
  formatMailbox,
  holdsAddress,
  keyText,
  type Mailbox,
  parseMailbox,
} from './address.js';
export { asciiField } from './ascii-field.js';
export { decodeCharset } from './charset.js';
export { decodeWords } from './encoded-words.js';
export {
  headerBlockSize,
  holdsUtf8,
  NAME,
  type RawField,
  parseRawField,
  rawValue,
  splitHeaderBlock,
  writtenName,
} from './header-block.js';
export { encodeText, foldField, MAX_LINE } from './header-field.js';
export { factsOfHeader, mailOfHeader } from './header-mail.js';
export { formatDate, isoOfTime, readDate, readMessageId, readMessageIds } from './header-values.js';
export { mendLineEnds } from './line-ends.js';
export {
  cleanContentId,
  cleanFilename,
  contentOfLeaves,
  joinFlowedLines,
  type Leaf,
  type MailContent,
} from './mail-content.js';
export { MAIL_LIMITS, type MailLimits } from './mail-limits.js';
export { providerMessageId, publicIdIn, rfcMessageId } from './message-id.js';
export { type ComposedMessage, composeMessage, joinMessage } from './mime-build.js';
export { findField, type HeaderField, type MailPart, type ParsedMail } from './parsed-mail.js';
export { isQuick, plainContent, readPlainMail } from './plain-mail.js';
export { hasLongLine, toSevenBit, withinLineLength } from './re-encode.js';
export { readHeader, type ReceivedHeader } from './received-header.js';
export { shownLine } from './shown-line.js';
export { isForwardSubject, replyHeaders, replySubject, subjectKey, threadCandidates } from './threading.js';
export { readTnefFiles } from './tnef.js';
export { isSevenBit } from './transfer-encoding.js';
export { extractSignedEntity, extractTnefLeaves, uudecoded } from './wrapped-parts.js';
