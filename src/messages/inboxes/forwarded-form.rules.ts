// A received message in the form in which it is forwarded: its own octets below the fields that say where it came from.
import { type ComposedMessage, foldField, splitHeaderBlock } from '../../lib/mime/index.js';
import { relaxedField } from '../../lib/dkim/index.js';
import { readSubmittedAgain } from '../relayed/submitted-mail.rules.js';
import type { ForwardTrace } from './forwards.tables.js';

/** Returns whether the octets can be sent and sealed as they are. */
export function isForwardable(raw: Buffer): boolean {
  // NUL, and line ends that are not CRLF.
  if (readSubmittedAgain(raw) === null) return false;
  try {
    for (const { line } of splitHeaderBlock(raw)?.fields ?? []) relaxedField(line);
    return true;
  } catch {
    return false;
  }
}

/** The message keeps every octet, because the author's signature covers them. Delivered-To is of RFC 9228. Throws for octets that cannot be forwarded. */
export function forwardedForm(
  raw: Buffer,
  { received, address }: Pick<ForwardTrace, 'received' | 'address'>,
): ComposedMessage {
  const block = splitHeaderBlock(raw);
  if (block === null) throw new Error('a message that was received cannot be forwarded');
  const headerLines = [foldField('Received', received), foldField('Delivered-To', address, { utf8: true })];
  return { headerLines: [...headerLines, ...block.fields.map(({ line }) => line)], body: block.body };
}
