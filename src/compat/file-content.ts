// Files in JSON, as the clients of other vendors write them: base64 in any of its common forms, or a Buffer of Node.
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

/** The file in base64 as /v1 takes it (RFC 4648 section 4). Text that is not base64 stays so, for /v1 to refuse. */
export function base64Of(content: Static<typeof FILE>): string {
  if (typeof content !== 'string') return Buffer.from(content.data).toString('base64');
  if (content.length % 4 === 0 && !/[\s_-]/.test(content)) return content;
  // MIME breaks lines (RFC 2045 section 6.8); the url-safe alphabet (RFC 4648 section 5) often comes without padding.
  const plain = content.replaceAll(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/');
  let end = plain.length;
  while (plain.charAt(end - 1) === PADDING) end--;
  return plain.slice(0, end).padEnd(Math.ceil(end / 4) * 4, PADDING);
}
