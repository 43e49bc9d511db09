// Knows the columns and fields by which other programs' contact files mark contacts who must not receive mail.
import type { ContactStatus } from '../contract/names.js';
import { plainWord } from '../lib/rows/index.js';
import { reasonOfWord, yesOrNo } from '../suppressions/opt-out-words.rules.js';
import { STATUS_OF_REASON } from '../suppressions/suppression.rules.js';

/** `opt-out` applies if the value is true, `consent` if it is false, and `moment` if there is a value. */
type Kind = 'status' | 'opt-out' | 'consent' | 'moment';
interface OptOutField {
  kind: Kind;
  status: Exclude<ContactStatus, 'active'>;
}

const fieldsOf = (kind: Kind, status: OptOutField['status'], names: string) =>
  names.split(' ').map((name): [string, OptOutField] => [name, { kind, status }]);

/** By the plain word of the name. */
const FIELDS: ReadonlyMap<string, OptOutField> = new Map([
  ...fieldsOf(
    'status',
    'unsubscribed',
    'status subscriptionstatus subscriberstatus emailstatus memberstatus contactstatus marketingstatus ' +
      'emailmarketingstatus emailmarketingconsent emailconsent emailsubscriptionstatus',
  ),
  ...fieldsOf(
    'opt-out',
    'unsubscribed',
    'unsubscribed isunsubscribed hasunsubscribed unsubscribe optout optedout isoptedout hasoptedout emailoptout ' +
      'emailoptedout hasoptedoutofemail unsubscribedfromemails unsubscribedfromallemail globalunsubscribe globallyunsubscribed donotemail ' +
      'donotcontact blacklist blacklisted blocklist blocklisted isblocklisted isblacklisted emailblacklist ' +
      'emailblacklisted suppressed issuppressed abgemeldet gesperrt',
  ),
  ...fieldsOf(
    'opt-out',
    'bounced',
    'bounced isbounced hasbounced hardbounced hardbounce bounce cleaned undeliverable',
  ),
  ...fieldsOf(
    'opt-out',
    'complained',
    'complained hascomplained complaint spam isspam spamcomplaint markedasspam reportedspam spamreported',
  ),
  ...fieldsOf(
    'consent',
    'unsubscribed',
    'subscribed issubscribed optin optedin isoptedin emailoptin emailoptedin emailsubscribed subscribedtoemails ' +
      'acceptsmarketing acceptsemailmarketing marketingconsent marketingoptin abonniert angemeldet',
  ),
  ...fieldsOf(
    'moment',
    'unsubscribed',
    'unsubscribedat unsubscribedate unsubscribeddate unsubscribedon unsubtime unsubcampaigntitle unsubcampaignid ' +
      'unsubreason unsubreasonother optoutat optouttime optoutdate optedoutat abmeldedatum',
  ),
  ...fieldsOf(
    'moment',
    'bounced',
    'bouncedat bouncereason hardbouncereason emailhardbouncereason bouncedate bouncetime cleantime cleancampaigntitle cleancampaignid',
  ),
  ...fieldsOf('moment', 'complained', 'complainedat complaintdate complainttime spamcomplaintat'),
]);

/** Parts of names that may say whether a contact may be written to. */
const STATUS_LIKE =
  /status|subscri|unsub|optout|optin|optedout|optedin|bounce|complain|spam|blacklist|blocklist|suppress|donot|consent|abgemeldet|abmeld|gesperrt|widerruf/;
/** Facts about a consent, and other channels than email. */
const OTHER_MATTER = /sms|phone|whatsapp|push|(?:at|on|time|date|ip|source|url|page|count|id|list|lists)$/;

/** Whether the name of an unknown column suggests a status, under a customer's own name. */
export function looksLikeStatus(name: string): boolean {
  const word = plainWord(name);
  return !FIELDS.has(word) && STATUS_LIKE.test(word) && !OTHER_MATTER.test(word);
}

export type OptOut =
  /** `null` if the field does not forbid mail to the contact. `isKept` if it is also a custom field. */
  { status: OptOutField['status'] | null; isKept: boolean } | { problem: string };

/** The status that a field of a row asks for; null for a field that is not about it. */
export function readOptOut(name: string, value: unknown): OptOut | null {
  const field = FIELDS.get(plainWord(name));
  if (!field) return null;
  const { kind, status } = field;
  if (kind === 'moment') return { status: isEmpty(value) ? null : status, isKept: true };
  if (isEmpty(value)) return { status: null, isKept: false };
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const isYes = yesOrNo(text);
  if (isYes !== null) return { status: isYes === (kind === 'opt-out') ? status : null, isKept: false };
  const reason = reasonOfWord(text);
  if (reason !== null) {
    return { status: reason === 'none' ? null : STATUS_OF_REASON[reason], isKept: false };
  }
  // A time, such as that of the opt-out.
  if (kind === 'opt-out' && /\d{4}/.test(text) && !Number.isNaN(Date.parse(text))) {
    return { status, isKept: false };
  }
  const shown = text.slice(0, 50);
  return { problem: `${name} is "${shown}", which does not show whether the contact can receive mail.` };
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}

const STRENGTH = ['active', 'bounced', 'unsubscribed', 'complained'] as const;

/** The status that says most against writing to the contact. */
export function strongestStatus(statuses: readonly ContactStatus[]): ContactStatus | null {
  return STRENGTH.findLast((status) => statuses.includes(status)) ?? null;
}
