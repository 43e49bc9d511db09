// The words by which other programs' files mark addresses that unsubscribed, bounced or complained.
import { plainWord } from '../lib/rows/index.js';
import type { SuppressionFact } from './suppression.rules.js';

type Reason = SuppressionFact['reason'];

const words = (text: string): readonly string[] => text.split(' ');

/** `none`: the address may be written to. */
const WORDS: Readonly<Record<Reason | 'none', readonly string[]>> = {
  bounce: words(
    'bounce bounced bounces hard hardbounce hardbounced hardbounces permanentbounce permanentfailure cleaned ' +
      'undeliverable invalid invalidemail unzustellbar',
  ),
  complaint: words(
    'complaint complained complaints spam spamcomplaint spamcomplaints spamreport spamreports spamnotification abuse ' +
      'abusecomplaint reportedspam markedasspam spamreported beschwerde',
  ),
  unsubscribe: words(
    'unsubscribe unsubscribed unsubscribes unsub optout optedout globalunsubscribe groupunsubscribe blocklisted ' +
      'blacklisted blocked disabled inactive donotemail donotcontact removed abgemeldet gesperrt',
  ),
  manual: words('manual manualsuppression suppressed'),
  none: words(
    'active subscribed enabled confirmed optin optedin doubleoptin valid ok aktiv angemeldet abonniert bestätigt',
  ),
};

const REASON_OF_WORD: ReadonlyMap<string, Reason | 'none'> = new Map(
  Object.entries(WORDS).flatMap(([reason, list]) =>
    list.map((word) => [word, reason as Reason | 'none'] as const),
  ),
);

/** The meaning of a status or reason in any program's spelling; null for a word that is not known. */
export function reasonOfWord(text: string): Reason | 'none' | null {
  return REASON_OF_WORD.get(plainWord(text)) ?? null;
}

const YES: ReadonlySet<string> = new Set(words('true 1 yes y t on x ja wahr'));
const NO: ReadonlySet<string> = new Set(words('false 0 no n f off nein falsch'));

/** Null for a text that is neither yes nor no. */
export function yesOrNo(text: string): boolean | null {
  const word = plainWord(text);
  return YES.has(word) ? true : NO.has(word) ? false : null;
}
