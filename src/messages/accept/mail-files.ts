// Converts the files of a submitted or received mail to the form in which they are stored with its message.
import { createHash } from 'node:crypto';
import { detectExtension } from 'nodemailer/lib/mime-funcs';
import type { MailPart } from '../../lib/mime/index.js';
import type { NewAttachment } from './accept.store.js';

/** In order. A file without a name is called by its position. */
export function filesOfMail(parts: readonly MailPart[]): NewAttachment[] {
  return parts.map((part, index) => ({
    filename: part.filename ?? `part-${index + 1}.${extensionOf(part.type)}`,
    contentType: part.type,
    cid: part.contentId,
    sha256: createHash('sha256').update(part.content).digest('hex'),
    content: part.content,
  }));
}

function extensionOf(type: string): string {
  if (type === 'message/rfc822') return 'eml';
  return detectExtension(type) || 'bin';
}
