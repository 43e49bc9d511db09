// The reason that a delivery report gives in its part for people, where the part for machines gives none: no
// Diagnostic-Code and a status of class.0.0 (RFC 3464 section 2.3.6, RFC 3463 section 3.1).
import type { BounceCategory } from '../../contract/names.js';
import { classOfReply, type BounceRules } from '../../outbound/outcome/bounce-class.rules.js';
import { cleanReplyText } from '../../lib/smtp/reply-text.rules.js';

const MAX_SENTENCES = 100;
/** Advice names causes that are only possible ones. */
const ADVICE =
  /^(?:if|in case|please|check|make sure|verify|ensure|you (?:may|might|can|could|should)|this (?:may|might|can|could)|the .{0,40}(?:may|might) |possible|possibly|perhaps|for (?:more|further)|contact|try|bitte|falls|wenn|sollte|veuillez|si |por favor|compruebe)\b/i;
/** What such texts say in passing. Counts only when nothing more precise is said. */
const VAGUE: readonly BounceCategory[] = ['policy', 'protocol', 'network', 'expired', 'unknown'];

/**
 * The first sentence that a rule recognizes; precise reasons come before vague ones. Null when there is none.
 * `isPassing`: the status says that the failure was a temporary one.
 */
export function reportedReason(
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
