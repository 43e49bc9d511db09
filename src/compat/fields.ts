// Small readings that several vendors need.
import type { MailboxInput } from '../messages/message.schema.js';
import { decodeWords, parseMailbox } from '../lib/mime/index.js';

/** Without some of its fields. */
export function without<T extends object, K extends keyof T>(value: T, ...names: K[]): Omit<T, K> {
  const rest = { ...value };
  for (const name of names) Reflect.deleteProperty(rest, name);
  return rest;
}

/** A field with a value, or no field. */
export function given<K extends string, V>(name: K, value: V | null | undefined): Partial<Record<K, V>> {
  return value === undefined || value === null ? {} : ({ [name]: value } as Partial<Record<K, V>>);
}

/** The mailboxes of a header field, as they stand: at commas outside of quotes and angle brackets. */
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
 * A mailbox whose name is written as in a header field, with that name in plain text: encoded words decoded (RFC 2047), quotes and folds
 * removed. Any other input is returned as it is, for /v1 to check.
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

/** A mailbox as a header field shows it. */
export function mailboxText({ email, name }: { email: string; name?: string | null }): string {
  return name === null || name === undefined ? email : `${name} <${email}>`;
}

/** A date alone is that whole day (UTC): its end, where a time is exclusive. */
export function endOf(text: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(Date.parse(text))) return text;
  return new Date(Date.parse(text) + 86_400_000).toISOString();
}
