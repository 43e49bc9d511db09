// Reads the evidence for the bulk sender rules from a sent message (RFC 5322, 6376 and 8058).
import {
  addressDomain,
  type RawField,
  rawValue,
  readDate,
  readMailboxes,
  readMessageIds,
} from '../../lib/mime/index.js';
import { hasSameOwner } from '../../domains/effective-names.rules.js';

export interface MailForm {
  /** Sentences about violations of RFC 5322; empty if there are none. */
  formProblems: string[];
  /** `null` if the message has no reproducible signature. */
  isDkimAligned: boolean | null;
  /** Sentences about one-click unsubscribing (RFC 8058); none when it works. */
  oneClickProblems: string[];
  /** A link in the body by which a recipient unsubscribes. */
  hasUnsubscribeLink: boolean;
}

const UNSUBSCRIBE_WORDS = /unsubscrib|abmeld|abbestell|opt[- ]?out|d[ée]sinscri|\/u\/[0-9a-z]{20}/i;

/** `body` is the displayed HTML and text. Null if the header cannot be read. */
export function readMailForm(fields: readonly RawField[] | null, body: string): MailForm {
  if (fields === null) {
    const problem = 'The header contains a line that is not a field.';
    return {
      formProblems: [problem],
      isDkimAligned: null,
      oneClickProblems: [problem],
      hasUnsubscribeLink: UNSUBSCRIBE_WORDS.test(body),
    };
  }
  const all = (name: string): string[] => fields.filter((field) => field.name === name).map(rawValue);
  const from = all('from').flatMap((value) => readMailboxes(value));
  const signatures = all('dkim-signature').map(signatureOf);
  const fromDomain = from[0] === undefined ? null : addressDomain(from[0].email);
  return {
    formProblems: formProblems(all, from.length),
    isDkimAligned:
      signatures.length === 0
        ? null
        : fromDomain !== null && signatures.some(({ domain }) => isAligned(domain, fromDomain)),
    oneClickProblems: oneClickProblems(all, signatures),
    hasUnsubscribeLink: UNSUBSCRIBE_WORDS.test(body),
  };
}

/** Relaxed alignment (RFC 7489 section 3.1.1): the same domain, or one registrable domain. */
function isAligned(domain: string, fromDomain: string): boolean {
  return domain === fromDomain || hasSameOwner(domain, fromDomain);
}

const ONCE = [
  'from',
  'date',
  'message-id',
  'subject',
  'to',
  'cc',
  'reply-to',
  'sender',
  'mime-version',
] as const;

function formProblems(all: (name: string) => string[], mailboxes: number): string[] {
  const problems = ONCE.filter((name) => all(name).length > 1).map(
    (name) => `The header contains more than one ${name} field.`,
  );
  if (all('from').length === 0) problems.push('The From field is missing.');
  else if (mailboxes !== 1) problems.push('The From field must contain exactly one address.');
  const [date] = all('date');
  if (date === undefined || readDate(date) === null) problems.push('The Date field is missing or invalid.');
  const [id] = all('message-id');
  if (id === undefined || readMessageIds(id).length !== 1)
    problems.push('The Message-ID field is missing or invalid.');
  return problems;
}

interface Signature {
  domain: string;
  /** Lower case. */
  signed: ReadonlySet<string>;
}

function signatureOf(value: string): Signature {
  const tag = (name: string): string =>
    new RegExp(`(?:^|;)\\s*${name}\\s*=([^;]*)`).exec(value)?.[1]?.replace(/\s+/g, '') ?? '';
  return { domain: tag('d').toLowerCase(), signed: new Set(tag('h').toLowerCase().split(':')) };
}

function oneClickProblems(all: (name: string) => string[], signatures: readonly Signature[]): string[] {
  const [header] = all('list-unsubscribe');
  if (header === undefined) return ['The List-Unsubscribe field is missing.'];
  const problems: string[] = [];
  if (!/<https:\/\/[^>\s]+>/i.test(header))
    problems.push('List-Unsubscribe does not contain an https address.');
  const [post] = all('list-unsubscribe-post');
  if (post?.replace(/\s/g, '').toLowerCase() !== 'list-unsubscribe=one-click') {
    problems.push('The field List-Unsubscribe-Post: List-Unsubscribe=One-Click is missing.');
  }
  const both = ['list-unsubscribe', 'list-unsubscribe-post'];
  if (signatures.length > 0 && !signatures.some(({ signed }) => both.every((name) => signed.has(name)))) {
    problems.push('No DKIM signature covers both fields.');
  }
  return problems;
}
