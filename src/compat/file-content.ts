// Reads files in JSON from clients of other vendors: base64 in any common form, or a Node Buffer.
import { Type, type Static } from 'typebox';
import { closed } from '../contract/schema.js';
import { CONTENT, MAX_CONTENT } from './bounds.js';

export const FILE = Type.Union([
  CONTENT,
  closed({
    type: Type.Literal('Buffer'),
    data: Type.Array(Type.Integer({ minimum: 0, maximum: 255 }), { maxItems: MAX_CONTENT }),
  }),
]);

const PADDING = '=';

/** Returns base64 in the form that /v1 accepts (RFC 4648 section 4). Invalid text is returned as is, for /v1 to refuse. */
export function toBase64(content: Static<typeof FILE>): string {
  if (typeof content !== 'string') return Buffer.from(content.data).toString('base64');
  if (content.length % 4 === 0 && !/[\s_-]/.test(content)) return content;
  // MIME breaks lines (RFC 2045 section 6.8), and the URL-safe alphabet (RFC 4648 section 5) is often used without padding.
  const plain = content.replaceAll(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/');
  let end = plain.length;
  while (plain.charAt(end - 1) === PADDING) end--;
  return plain.slice(0, end).padEnd(Math.ceil(end / 4) * 4, PADDING);
}
