// Reads the facts that the header alone contains about a received message: half of every parsed mail, and all of one whose body
// could not be parsed.
import type { Mailbox } from './address.js';
import { readMailboxes } from './address-field.js';
import { rawValue } from './header-block.js';
import { readDate, readMessageIds } from './header-values.js';
import type { ParsedMail } from './parsed-mail.js';
import { readableField, readHeader, type HeaderLimits, type ReceivedHeader } from './received-header.js';

type MailOfHeader = Omit<ParsedMail, 'text' | 'html' | 'parts'>;

/** Reads the facts of the header. The first field counts if a unique field is repeated. Never throws. */
export function factsOfHeader(header: ReceivedHeader): MailOfHeader {
  const problems = [...header.problems];
  const fields = header.fields.map(readableField);
  const valuesOf = (name: string): string[] =>
    header.fields.filter((field) => field.name === name).map(rawValue);
  const mailboxesOf = (name: string): Mailbox[] => valuesOf(name).flatMap(readMailboxes);
  const idsOf = (name: string): string[] => readMessageIds(valuesOf(name)[0] ?? '');
  if (valuesOf('from').length > 1) problems.push('The header has several From fields. The first was used.');
  return {
    fields,
    from: readMailboxes(valuesOf('from')[0] ?? '')[0] ?? null,
    replyTo: mailboxesOf('reply-to'),
    to: mailboxesOf('to'),
    cc: mailboxesOf('cc'),
    subject: fields.find(({ name }) => name === 'subject')?.value ?? '',
    messageId: idsOf('message-id')[0] ?? null,
    inReplyTo: idsOf('in-reply-to'),
    references: idsOf('references'),
    date: readDate(valuesOf('date')[0] ?? ''),
    problems,
  };
}

/** Reads only the header of a message and adds `reason` as its last problem. Never throws. */
export function mailOfHeader(raw: Uint8Array, limits: HeaderLimits, reason: string): ParsedMail {
  const facts = factsOfHeader(readHeader(raw, limits));
  return { ...facts, text: null, html: null, parts: [], problems: [...facts.problems, reason] };
}
