// Builds the forwarded form of a received message: its own bytes below the trace fields.
import { type ComposedMessage, foldField, splitHeaderBlock } from '../../lib/mime/index.js';
import { relaxedField } from '../../lib/dkim/index.js';
import { readSubmittedAgain } from '../relayed/submitted-mail.rules.js';
import type { ForwardTrace } from './forwards.tables.js';

/** Returns whether the bytes can be sent and sealed unchanged. */
export function isForwardable(raw: Buffer): boolean {
  // NUL, and line endings other than CRLF.
  if (readSubmittedAgain(raw) === null) return false;
  try {
    for (const { line } of splitHeaderBlock(raw)?.fields ?? []) relaxedField(line);
    return true;
  } catch {
    return false;
  }
}

/**
 * Keeps every byte of the message, because the author's signature covers them. RFC 9228 defines Delivered-To. Throws for bytes that
 * cannot be forwarded.
 */
export function forwardedForm(
  raw: Buffer,
  { received, address }: Pick<ForwardTrace, 'received' | 'address'>,
): ComposedMessage {
  const block = splitHeaderBlock(raw);
  if (block === null) throw new Error('a message that was received cannot be forwarded');
  const headerLines = [foldField('Received', received), foldField('Delivered-To', address, { utf8: true })];
  return { headerLines: [...headerLines, ...block.fields.map(({ line }) => line)], body: block.body };
}
