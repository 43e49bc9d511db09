// The hash that stands for a message's content in its object and its proof.
import { hash } from 'node:crypto';

export interface HashedContent {
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
export function contentHash(content: HashedContent): string {
  const { attachments, from, html, subject, text, to } = content;
  const canonical = JSON.stringify({
    attachments,
    from: { email: from.email, name: from.name },
    html,
    subject,
    text,
    to: { email: to.email, name: to.name },
  });
  return `sha256:${hash('sha256', canonical, 'hex')}`;
}
