// Decides whether a refusal concerns the egress source, so that another source of the pool may be accepted.
import { canonicalAddress } from '../../lib/addresses/index.js';
import { cleanReplyText } from '../../lib/smtp-replies/index.js';
import { compileSafePattern } from '../../lib/patterns/index.js';
import { causeOf, type Cause } from '../explain/explain-cause.rules.js';
import { bounceType, withoutAddresses, type ReplyPhase } from './bounce-class.rules.js';
import type { Failure } from './failure.js';

/** A permanent refusal in one of these phases concerns the source, because the peer knows nothing about the message. */
const BEFORE_MAIL: readonly (ReplyPhase | 'route')[] = ['connect', 'greeting', 'ehlo'];
const OF_THE_SOURCE: readonly Cause[] = ['blocklisted', 'no_reverse_dns', 'poor_reputation'];
const NAMES_THE_SOURCE = compileSafePattern(
  'client (?:host|ip|address)|\\b(?:your|sending|connecting|remote) (?:ip|host|hostname|server|mail server|mailserver|mta|network)\\b|\\breputation\\b|\\b(?:helo|ehlo)\\b',
);
/** Greylisting requires the same source, and rate and size limits apply to every source. */
const OF_OTHERS: readonly Cause[] = [
  'greylisted',
  'rate_limited',
  'too_many_connections',
  'mailbox_full',
  'server_full',
];
/** Refusals of the message or its sender, which apply to every source. Many peers quote the source's address in them. */
const OF_THE_MESSAGE: readonly Cause[] = [
  'content_refused',
  'malware_found',
  'spf_failed',
  'dkim_failed',
  'dmarc_failed',
  'sender_refused',
  'too_large',
  'eight_bit_missing',
  'smtputf8_missing',
];
const NAMES_THE_DOMAIN = compileSafePattern(
  '\\b(?:sender|sending|from|your)(?:.s)? domain\\b|\\bdomain(?:.s)? reputation\\b|\\breputation of (?:the |your |this )?domain\\b|\\b(?:dbl|rhsbl)\\b',
);
/** Matches IPv4 and IPv6 addresses. A colon may follow the latter. */
const ADDRESSES = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?!\.?\d)|(?:\b|:)[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,8}/gi;
const NAMES_AN_IP = compileSafePattern('\\bips?\\b');
/** Number of equal deferrals after which another source is tried. */
const EQUAL_DEFERRALS = 3;
/** Number of earlier attempts that `isWornOut` needs. */
export const LATEST_ATTEMPTS = EQUAL_DEFERRALS - 1;

/** Whether the reply refers to the host, address or reputation of the source, or permanently refuses its session. */
export function isAboutSource(failure: Failure): boolean {
  const { code, phase, peer, text, verdict } = failure;
  if (code === null || bounceType(verdict.category) === 'hard') return false;
  if (code >= 500 && BEFORE_MAIL.includes(phase)) return true;
  const cause = causeOfFailure(failure);
  if (OF_OTHERS.includes(cause) || OF_THE_MESSAGE.includes(cause)) return false;
  const words = withoutAddresses(cleanReplyText(text));
  if (NAMES_THE_DOMAIN.test(words) && !NAMES_AN_IP.test(words)) return false;
  return (
    OF_THE_SOURCE.includes(cause) ||
    NAMES_THE_SOURCE.test(words) ||
    namesAddress(text, peer?.localAddress ?? null)
  );
}

/** Whether the text contains the address in any notation, and not as part of a longer one. */
function namesAddress(text: string, address: string | null): boolean {
  if (address === null) return false;
  const ours = canonicalAddress(address);
  const named = cleanReplyText(text)
    .replace(/\bipv6:/gi, ' ')
    .match(ADDRESSES);
  return named?.some((one) => canonicalAddress(one.replace(/\b:$/, '')) === ours) === true;
}

/** An earlier attempt from the message's record. */
interface EarlierAttempt {
  source: string;
  phase: string | null;
  code: number | null;
  enhanced_code: string | null;
  reply: string;
}

/** Whether the source got the same deferral, which does not suggest waiting, several times. `earlier` has the latest attempt last. */
export function isWornOut(failure: Failure, source: string, earlier: readonly EarlierAttempt[]): boolean {
  if (failure.code === null || OF_OTHERS.includes(causeOfFailure(failure))) return false;
  const { phase, code, enhanced, text } = failure;
  const now = comparableWords({ source, phase, code, enhanced_code: enhanced, reply: text });
  const latest = earlier.slice(-LATEST_ATTEMPTS);
  return latest.length === LATEST_ATTEMPTS && latest.every((attempt) => comparableWords(attempt) === now);
}

/** Removes times and ids, which contain digits, so that replies can be compared. */
function comparableWords({ source, phase, code, enhanced_code: enhanced, reply }: EarlierAttempt): string {
  return JSON.stringify([source, phase, code, enhanced, cleanReplyText(reply).replace(/\S*\d\S*/g, '0')]);
}

function causeOfFailure({ phase, code, enhanced, text, verdict, peer }: Failure): Cause {
  const { category } = verdict;
  return causeOf({ phase, code, enhanced, category, text, tlsPolicy: peer?.tlsPolicy ?? null });
}
