// Helpers that read fields for several vendors.
import type { MailboxInput } from '../messages/message.schema.js';
import { decodeWords, parseMailbox } from '../lib/mime/index.js';

/** Copies an object without some of its fields. */
export function without<T extends object, K extends keyof T>(value: T, ...names: K[]): Omit<T, K> {
  const rest = { ...value };
  for (const name of names) Reflect.deleteProperty(rest, name);
  return rest;
}

/** Returns an object with the field, or an empty one if there is no value. */
export function given<K extends string, V>(name: K, value: V | null | undefined): Partial<Record<K, V>> {
  return value === undefined || value === null ? {} : ({ [name]: value } as Partial<Record<K, V>>);
}

/** Splits a header field into mailboxes at commas outside quotes and angle brackets. */
export function splitMailboxes(text: string): string[] {
  const found: string[] = [];
  const signs = /[",<>\\]/g;
  let [start, isQuoted, isBracketed] = [0, false, false];
  for (let sign = signs.exec(text); sign !== null; sign = signs.exec(text)) {
    const [letter] = sign;
    if (letter === '"') isQuoted = !isQuoted;
    else if (isQuoted) signs.lastIndex += letter === '\\' ? 1 : 0;
    else if (letter === '<') isBracketed = true;
    else if (letter === '>') isBracketed = false;
    else if (letter === ',' && !isBracketed) {
      found.push(text.slice(start, sign.index));
      start = sign.index + 1;
    }
  }
  return [...found, text.slice(start)].map((each) => each.trim()).filter((each) => each !== '');
}

/**
 * Decodes the name of a mailbox in header form: encoded words (RFC 2047), quotes and folds. Any other input is returned
 * unchanged, for /v1 to check.
 */
export function plainMailbox(input: MailboxInput): MailboxInput {
  if (typeof input === 'string') {
    const mailbox = parseMailbox(input.replaceAll(/\r?\n(?=[ \t])/g, ''));
    if (mailbox === null || mailbox.name === null) return input;
    return { email: mailbox.email, name: decodeWords(mailbox.name) };
  }
  const { name } = input;
  if (name === undefined || name === null) return input;
  const quoted = /^"(?:[^"\\]|\\.)*"$/s.test(name) ? name.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : name;
  return { ...input, name: decodeWords(quoted) };
}

/** Formats a mailbox as in a header field. */
export function mailboxText({ email, name }: { email: string; name?: string | null }): string {
  return name === null || name === undefined ? email : `${name} <${email}>`;
}

/** Reads an exclusive end time. A date means the whole day (UTC). */
export function readEnd(text: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(Date.parse(text))) return text;
  return new Date(Date.parse(text) + 86_400_000).toISOString();
}
