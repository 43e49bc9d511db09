// Recipients of a request: mailboxes read and checked, duplicates collapsed.
import type { MailboxInput, MessageRequest } from '../message.schema.js';
import type { FieldProblem } from '../../contract/refusal.js';
import { addressKey, addressProblem, type Mailbox, parseMailbox } from '../../lib/mime/index.js';
import { lineProblem } from '../../contract/plain-text.js';

const MAX_NAME = 255;
const ROLES = ['to', 'cc', 'bcc'] as const;

export interface Recipient extends Mailbox {
  role: 'to' | 'cc' | 'bcc';
  /** The key of the address in contacts and suppressions. */
  key: string;
  /** The request field that named it. */
  path: string;
}

/** Returns the mailbox of a field; null after recording its problem. `utf8Local` allows a non-ASCII local part (RFC 6531). */
export function readMailbox(
  input: MailboxInput,
  path: string,
  problems: FieldProblem[],
  { utf8Local = false } = {},
): Mailbox | null {
  const mailbox =
    typeof input === 'string' ? parseMailbox(input) : { email: input.email, name: input.name ?? null };
  if (mailbox === null) {
    problems.push({
      path,
      message: 'must be a single address such as ann@example.com or Ann <ann@example.com>',
    });
    return null;
  }
  const { email } = mailbox;
  const name = mailbox.name === '' ? null : mailbox.name;
  const emailProblem = addressProblem(email, { utf8Local });
  const emailPath = typeof input === 'string' ? path : `${path}.email`;
  if (emailProblem !== null) problems.push({ path: emailPath, message: emailProblem });
  const wrongName = name === null ? null : nameProblem(name);
  const namePath = typeof input === 'string' ? path : `${path}.name`;
  if (wrongName !== null) problems.push({ path: namePath, message: wrongName });
  return emailProblem === null && wrongName === null ? { email, name } : null;
}

/** The problem of a display name, in words; null when it is fine. */
export function nameProblem(name: string): string | null {
  if (name.length > MAX_NAME) return `the name is longer than ${MAX_NAME} characters`;
  const problem = lineProblem(name);
  return problem === null ? null : `the name ${problem}`;
}

/** `to` first, then cc, then bcc; an address named twice counts once, where it was named first. */
export function readRecipients(
  request: Record<Recipient['role'], MessageRequest['to'] | undefined>,
  limit: number,
  problems: FieldProblem[],
): Recipient[] {
  const recipients = new Map<string, Recipient>();
  const read = (input: MailboxInput, role: Recipient['role'], path: string): void => {
    const mailbox = readMailbox(input, path, problems, { utf8Local: true });
    if (mailbox === null) return;
    const key = addressKey(mailbox.email);
    if (!recipients.has(key)) recipients.set(key, { ...mailbox, role, key, path });
  };
  const fields = ROLES.map((role) => ({ role, given: namedInputs(request[role], role) }));
  const named = fields.reduce((sum, { given }) => sum + given.length, 0);
  if (named > limit) {
    const path = fields.toSorted((a, b) => b.given.length - a.given.length)[0]?.role ?? 'to';
    problems.push({ path, message: `to, cc and bcc contain ${named} recipients, but the limit is ${limit}` });
    return [];
  }
  for (const { role, given } of fields) for (const { input, path } of given) read(input, role, path);
  return [...recipients.values()];
}

/** Answers go to each of them once. */
export function readReplyTo(given: MessageRequest['reply_to'], problems: FieldProblem[]): Mailbox[] {
  const mailboxes = new Map<string, Mailbox>();
  for (const { input, path } of namedInputs(given, 'reply_to')) {
    const mailbox = readMailbox(input, path, problems);
    const key = mailbox === null ? null : addressKey(mailbox.email);
    if (mailbox !== null && key !== null && !mailboxes.has(key)) mailboxes.set(key, mailbox);
  }
  return [...mailboxes.values()];
}

/** Parses the mailboxes of a field that accepts one or a list, each with its own path. */
function namedInputs(
  given: MailboxInput | MailboxInput[] | undefined,
  field: string,
): { input: MailboxInput; path: string }[] {
  if (given === undefined) return [];
  if (!Array.isArray(given)) return [{ input: given, path: field }];
  return given.map((input, index) => ({ input, path: `${field}.${index}` }));
}
