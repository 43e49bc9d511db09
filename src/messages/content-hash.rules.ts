// The hash that stands for a message's content in its object and its proof.
import { hash } from 'node:crypto';
import type { QuoteText } from '../lib/json/index.js';

interface HashedContent {
  subject: string;
  from: { email: string; name: string | null };
  to: { email: string; name: string | null };
  html: string | null;
  text: string | null;
  /** Lower-case hex SHA-256 of each attachment, in their order. */
  attachments: readonly string[];
}

/**
 * `sha256:` and the hex digest of the content's RFC 8785 text, which is built here in key order because every
 * accepted message passes through; the result equals that of canonicalJson.
 */
export function contentHash(content: HashedContent, quote: QuoteText = JSON.stringify): string {
  const { attachments, from, html, subject, text, to } = content;
  const quoted = (body: string | null): string => (body === null ? 'null' : quote(body));
  const mailbox = ({ email, name }: HashedContent['from']): string => JSON.stringify({ email, name });
  const canonical =
    `{"attachments":${JSON.stringify(attachments)},"from":${mailbox(from)},"html":${quoted(html)},` +
    `"subject":${JSON.stringify(subject)},"text":${quoted(text)},"to":${mailbox(to)}}`;
  return `sha256:${hash('sha256', canonical, 'hex')}`;
}
