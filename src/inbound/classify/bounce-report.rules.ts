// Classifies a delivery report for the message that it concerns. RFC 3464 section 2.3.3 (actions), RFC 3461 section 6 (who is
// reported when a recipient forwards).
import type { BounceCategory } from '../../contract/names.js';
import { addressKey, addressDomain } from '../../lib/mime/index.js';
import {
  type BounceReport,
  decodeXtext,
  type DsnAction,
  isMailAddress,
  type QuotedReply,
  type ReportedRecipient,
  UNRECOGNIZED_FORMAT,
} from '../../lib/dsn/index.js';
import {
  bounceType,
  classOfReply,
  isProofOfAddress,
  type BounceRules,
  type PeerReply,
} from '../../outbound/outcome/bounce-class.rules.js';
import { cleanReplyText } from '../../lib/smtp-replies/index.js';
import {
  classifyReply,
  type ReplyVerdict,
  type Suppression,
} from '../../outbound/outcome/disposition.rules.js';

// The reason in the human-readable part of a delivery report, if the machine-readable part gives none: no Diagnostic-Code and a
// status of class.0.0 (RFC 3464 section 2.3.6, RFC 3463 section 3.1).
const MAX_SENTENCES = 100;
/** Advice names causes that are only possible ones. */
const ADVICE =
  /^(?:if|in case|please|check|make sure|verify|ensure|you (?:may|might|can|could|should)|this (?:may|might|can|could)|the .{0,40}(?:may|might) |possible|possibly|perhaps|for (?:more|further)|contact|try|bitte|falls|wenn|sollte|veuillez|si |por favor|compruebe)\b/i;
/** Categories that such texts mention in passing. They count only if the text gives no more precise reason. */
const VAGUE: readonly BounceCategory[] = ['policy', 'protocol', 'network', 'expired', 'unknown'];

/**
 * Returns the first sentence that a rule recognizes, with precise reasons before vague ones; null if there is none. `isPassing`:
 * the status describes a temporary failure.
 */
function reportedReason(
  paragraphs: readonly string[],
  { isPassing, provider }: { isPassing: boolean; provider: string | null },
  rules: BounceRules,
): string | null {
  const code = isPassing ? 451 : 554;
  let vague: string | null = null;
  for (const sentence of sentencesOf(paragraphs)) {
    const found = classOfReply({ phase: 'dsn', code, enhanced: null, text: sentence, provider }, rules);
    if (!found.isClear) continue;
    if (!VAGUE.includes(found.category)) return sentence;
    vague ??= sentence;
  }
  return vague;
}

function sentencesOf(paragraphs: readonly string[]): string[] {
  return paragraphs
    .flatMap((paragraph) => paragraph.split(/(?<=[.!?;:])\s+/, MAX_SENTENCES))
    .slice(0, MAX_SENTENCES)
    .map(cleanReplyText)
    .filter((sentence) => sentence !== '' && !ADVICE.test(sentence));
}

export interface BounceClassification {
  /** `unclear`: a report that says too little to be acted on. */
  outcome: 'bounced' | 'delayed' | 'delivered' | 'relayed' | 'expanded' | 'unclear';
  /** Of a bounce; null otherwise. */
  type: 'hard' | 'soft' | null;
  /** Why it bounced or is late; null otherwise. */
  category: BounceCategory | null;
  /** SMTP reply code; null when no reply is quoted. */
  code: number | null;
  /** RFC 3463. */
  enhanced: string | null;
  /** The remote's words: one line of at most 512 characters, as a foreign server wrote them; not trusted. */
  message: string;
  remoteHost: string | null;
  /** `never` for an address to which the recipient's mail was forwarded, and for a guess. */
  suppress: Suppression;
}

interface BounceQuestion {
  /** `addressKey` of the message's recipient. */
  recipientKey: string;
  /** Name of the provider who runs a host, for the rules that are for one provider only. */
  providerOfHost?: (host: string) => string | null;
}

/** How a group of the report relates to the recipient of the sent message. */
type Relation = 'ours' | 'unnamed' | 'forwarded' | 'foreign';

/**
 * Classifies by the group about the message's recipient or, without one, by those of the addresses to which its mail was forwarded.
 * The latter can make it a bounce, but never one caused by the recipient's address.
 */
export function classifyBounceReport(
  report: BounceReport,
  question: BounceQuestion,
  rules: BounceRules,
): BounceClassification {
  const { group: found, relation } = groupOf(report.recipients, question.recipientKey);
  const action = found === null ? null : actionOf(found);
  if (found === null || action === null) return unclear(found);
  // Any mail from a mail system may have this form. It concerns a sent message if it names that message's recipient.
  if (report.format === UNRECOGNIZED_FORMAT && relation !== 'ours') return unclear(found);
  const provider = found.remoteMta === null ? null : (question.providerOfHost?.(found.remoteMta) ?? null);
  const group = withReason(found, report, provider, rules);
  const facts = {
    code: group.reply.code,
    enhanced: group.reply.enhanced ?? group.status,
    message: messageOf(group.reply),
    remoteHost: group.remoteMta,
    suppress: 'never' as const,
  };
  if (action !== 'failed' && action !== 'delayed') {
    return { outcome: action, type: null, category: null, ...facts };
  }
  const { category, suppress } = verdictOn(group, action, provider, rules);
  if (action === 'delayed') {
    return { outcome: 'delayed', type: null, category, ...facts };
  }
  const isNamed = relation === 'ours' || relation === 'unnamed';
  const isCertain = !report.isGuess || facts.code !== null || facts.enhanced !== null;
  return {
    outcome: 'bounced',
    type: bounceType(category),
    category,
    ...facts,
    suppress: isNamed && isCertain ? suppress : 'never',
  };
}

/** Completes a group without a reason with the reason that the human-readable part gives for it. */
function withReason(
  group: ReportedRecipient,
  report: BounceReport,
  provider: string | null,
  rules: BounceRules,
): ReportedRecipient {
  const { diagnosticType, reply, status, finalRecipient } = group;
  const isSilent = diagnosticType === null && reply.code === null && reply.text === '';
  if (!isSilent || (status !== null && !status.endsWith('.0.0'))) return group;
  // With several recipients, a reason applies to the one that its paragraph names.
  const about =
    report.recipients.length === 1
      ? report.words
      : report.words.filter((paragraph) => finalRecipient !== null && paragraph.includes(finalRecipient));
  const text = reportedReason(about, { isPassing: status?.startsWith('4') === true, provider }, rules);
  return text === null ? group : { ...group, reply: { ...reply, text } };
}

function unclear(group: ReportedRecipient | null): BounceClassification {
  return {
    outcome: 'unclear',
    type: null,
    category: null,
    code: group?.reply.code ?? null,
    enhanced: group?.reply.enhanced ?? group?.status ?? null,
    message: group === null ? '' : messageOf(group.reply),
    remoteHost: group?.remoteMta ?? null,
    suppress: 'never',
  };
}

/** Returns one line, without the code, and without closing brackets or quotes left from the surrounding text. */
function messageOf({ code, text }: QuotedReply): string {
  const clean = cleanReplyText(text);
  const message = code !== null && clean.startsWith(`${code} `) ? clean.slice(4) : clean;
  const isLeftOver = (open: string, close: string): boolean =>
    message.endsWith(close) && message.split(open).length < message.split(close).length;
  const isHalfQuote = message.endsWith("'") && message.split("'").length % 2 === 0;
  return isLeftOver('(', ')') || isLeftOver('<', '>') || isLeftOver('[', ']') || isHalfQuote
    ? message.slice(0, -1).trimEnd()
    : message;
}

/**
 * Without an action, the status decides. Its class 4 does not, because the server may have given up or may still be trying (RFC
 * 3463 section 2).
 */
function actionOf({ action, status, reply, willRetryUntil }: ReportedRecipient): DsnAction | null {
  if (action !== null) return action;
  const first = status?.charAt(0) ?? (reply.code === null ? '' : String(reply.code).charAt(0));
  if (first === '5') return 'failed';
  if (first === '2') return 'delivered';
  return first === '4' && willRetryUntil !== null ? 'delayed' : null;
}

const BY_RELATION: readonly Relation[] = ['ours', 'unnamed', 'forwarded', 'foreign'];
/** Among the groups of the recipient's own address, the worst counts. */
const OWN_ORDER: readonly (DsnAction | null)[] = [
  'failed',
  'delayed',
  'delivered',
  'relayed',
  'expanded',
  null,
];
/** Of several that it was forwarded to, one that has it is enough. */
const FORWARD_ORDER: readonly (DsnAction | null)[] = [
  'delivered',
  'relayed',
  'expanded',
  'delayed',
  'failed',
  null,
];

function groupOf(
  groups: readonly ReportedRecipient[],
  key: string,
): { group: ReportedRecipient | null; relation: Relation } {
  const related = groups.map((group) => ({ group, relation: relationOf(group, key) }));
  for (const relation of BY_RELATION) {
    const candidates = related.filter((one) => one.relation === relation);
    const order = relation === 'ours' || relation === 'unnamed' ? OWN_ORDER : FORWARD_ORDER;
    for (const action of order) {
      const found = candidates.find(({ group }) => actionOf(group) === action);
      if (found) return found;
    }
  }
  return { group: null, relation: 'foreign' };
}

function relationOf({ finalRecipient, originalRecipient }: ReportedRecipient, key: string): Relation {
  if (finalRecipient !== null) {
    if (isSameMailbox(finalRecipient, key)) return 'ours';
    // A name within another system. It is the recipient's if it equals the local part.
    if (!isMailAddress(finalRecipient)) {
      return addressKey(finalRecipient) === key.slice(0, key.lastIndexOf('@')) ? 'ours' : 'forwarded';
    }
  }
  if (originalRecipient === null) return finalRecipient === null ? 'unnamed' : 'foreign';
  if (!isSameMailbox(originalRecipient, key)) return 'foreign';
  return finalRecipient === null ? 'ours' : 'forwarded';
}

/** The same address, or the same local part at a host of the domain, as servers name their mailboxes inside. */
function isSameMailbox(address: string, key: string): boolean {
  // Some reports give the address as the command has it, in xtext; most do not.
  return [address, decodeXtext(address)].some((spelling) => {
    const other = addressKey(spelling);
    if (other === key) return true;
    const [domain, ourDomain] = [addressDomain(other), addressDomain(key)];
    const isSameLocal = other.slice(0, other.lastIndexOf('@')) === key.slice(0, key.lastIndexOf('@'));
    return (
      isSameLocal && domain !== '' && (domain.endsWith(`.${ourDomain}`) || ourDomain.endsWith(`.${domain}`))
    );
  });
}

function verdictOn(
  group: ReportedRecipient,
  action: 'failed' | 'delayed',
  provider: string | null,
  rules: BounceRules,
): Pick<ReplyVerdict, 'category' | 'suppress'> {
  const reply = replyFor(group, action, provider, rules);
  const classification = classifyReply(reply, rules);
  const isPassing = reply.code !== null && reply.code < 500;
  const { category, suppress } = classification;
  if (action === 'delayed' || !isPassing) {
    // The server's text and the status of the report confirm each other.
    const isConfirmed = suppress === 'repeated' && category !== 'quota' && isProofOfAddress(group.status);
    return isConfirmed ? { category, suppress: 'now' } : classification;
  }
  // The recipient was deferred until the message expired, so the address may be valid. A full mailbox is named as in Mailkeel's own
  // deliveries, because several of them suppress the address.
  return category === 'quota' ? { category, suppress } : { category: 'expired', suppress: 'never' };
}

/**
 * The remote server's text takes precedence over the status, which many servers derive from the basic code (5.1.1 for every 550).
 * If there is no code, a code without a meaning is used.
 */
function replyFor(
  { reply, status }: ReportedRecipient,
  action: 'failed' | 'delayed',
  provider: string | null,
  rules: BounceRules,
): PeerReply {
  const isPassing = action === 'delayed' || (reply.enhanced ?? status)?.startsWith('4') === true;
  const code = reply.code ?? (isPassing ? 451 : 554);
  const said = { phase: 'dsn', code, enhanced: reply.enhanced, text: reply.text, provider } as const;
  if (status === null || (reply.enhanced !== null && !reply.enhanced.endsWith('.0.0'))) return said;
  if (reply.code !== null && classOfReply(said, rules).isClear) return said;
  return { ...said, enhanced: status };
}
