// The columns of suppression files: Mailkeel's own export, and those of Postmark, Mailgun, Amazon SES, SendGrid and Mailchimp.
import { isEmailName, plainWord } from '../lib/rows/index.js';

/** The cells or fields of an entry by the plain words of their names; '' for one that is missing. */
type Cell = (name: string) => string;

interface Format {
  /** Plain words of the names, all of which must be there. */
  needs: readonly string[];
  email: string;
  /** The entry's reason as the program names it, '' if it has none, or the problem because of which the entry is left out. */
  reasonOf: (cell: Cell, has: (name: string) => boolean) => string | { problem: string };
}

export interface RecognizedFormat {
  /** Plain word of the name of the address. */
  email: string;
  /** False for a file that another program made; such a file may have any other columns. */
  isOwn: boolean;
  /** The first name that is not known; null for a file of another program. */
  unknown: string | null;
  read: (cell: Cell) => { email: string; reason: string; subTenantId: string; problem: string | null };
}

const KNOWN: ReadonlySet<string> = new Set([
  ...['reason', 'suppressionreason', 'subtenantid'],
  ...['id', 'object', 'messageid', 'reply', 'createdat'],
]);
/** To name them in an error. */
export const OWN_COLUMNS = ['email', 'reason', 'sub_tenant_id'] as const;

const MAILCHIMP_UNSUBSCRIBED: Format = {
  needs: ['emailaddress', 'unsubtime'],
  email: 'emailaddress',
  reasonOf: (cell) => (cell('unsubtime') === '' ? NOT_SUPPRESSED : 'unsubscribe'),
};
const MAILCHIMP_CLEANED: Format = {
  needs: ['emailaddress', 'cleantime'],
  email: 'emailaddress',
  reasonOf: (cell) => (cell('cleantime') === '' ? NOT_SUPPRESSED : 'bounce'),
};
const POSTMARK: Format = {
  needs: ['emailaddress', 'suppressionreason'],
  email: 'emailaddress',
  // A recipient's own manual suppression is the unsubscribe link.
  reasonOf: (cell) =>
    plainWord(cell('suppressionreason')) === 'manualsuppression' && plainWord(cell('origin')) === 'recipient'
      ? 'unsubscribe'
      : cell('suppressionreason'),
};
const SES: Format = {
  needs: ['emailaddress', 'reason'],
  email: 'emailaddress',
  reasonOf: (cell) => cell('reason'),
};
/** Bounces have a code, unsubscribes their tags, complaints neither. */
const MAILGUN: Format = {
  needs: ['address', 'createdat'],
  email: 'address',
  reasonOf: (_cell, has) =>
    has('code') || has('error') ? 'bounce' : has('tags') || has('tag') ? 'unsubscribe' : 'complaint',
};
/** Bounces and invalid addresses have a reason, reports of spam the IP address, global unsubscribes neither. */
const SENDGRID: Format = {
  needs: ['email', 'created'],
  email: 'email',
  reasonOf(cell, has) {
    if (cell('status').startsWith('4')) return TEMPORARY;
    return has('reason') ? 'bounce' : has('ip') ? 'complaint' : 'unsubscribe';
  },
};
const SENDGRID_GROUP: Format = {
  needs: ['email', 'groupid'],
  email: 'email',
  reasonOf: () => 'unsubscribe',
};
const FORMATS = [
  MAILCHIMP_UNSUBSCRIBED,
  MAILCHIMP_CLEANED,
  POSTMARK,
  SES,
  MAILGUN,
  SENDGRID,
  SENDGRID_GROUP,
] as const;

const NOT_SUPPRESSED = { problem: 'The contact neither unsubscribed nor bounced.' };
const TEMPORARY = { problem: 'The status is temporary, so the address is not suppressed.' };

/** Recognizes the format of a file by the names of its columns or fields. Returns `null` if none is an address. */
export function recognizeFormat(names: readonly string[]): RecognizedFormat | null {
  const words = new Set(names.map(plainWord));
  const has = (name: string): boolean => words.has(name);
  const vendor = FORMATS.find(({ needs }) => needs.every(has));
  const own = names.find(isEmailName);
  const email = vendor?.email ?? (own === undefined ? null : plainWord(own));
  if (email === null) return null;
  const isKnown = (name: string): boolean =>
    name === '' || plainWord(name) === email || KNOWN.has(plainWord(name));
  return {
    email,
    isOwn: vendor === undefined,
    unknown: vendor ? null : (names.find((name) => !isKnown(name)) ?? null),
    read(cell) {
      const told = vendor ? vendor.reasonOf(cell, has) : cell('reason') || cell('suppressionreason');
      const isProblem = typeof told !== 'string';
      return {
        email: cell(email),
        reason: isProblem ? '' : told,
        subTenantId: cell('subtenantid'),
        problem: isProblem ? told.problem : null,
      };
    },
  };
}
