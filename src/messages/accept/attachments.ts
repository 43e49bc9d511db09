// Attachments of a request: decoded, checked and hashed. RFC 4648 section 4, RFC 2045 section 5.1, RFC 2392.
import { createHash } from 'node:crypto';
import { detectMimeType } from 'nodemailer/lib/mime-funcs';
import type { AttachmentInput } from '../message.schema.js';
import type { FieldProblem } from '../../contract/refusal.js';
import { lineProblem } from './plain-text.rules.js';
import type { NewAttachment } from '../../store/plan.js';

const MAX_CONTENT_TYPE = 255;
const MEDIA_TYPE =
  /^[A-Za-z0-9!#$&^_.+-]+\/[A-Za-z0-9!#$&^_.+-]+(?:[ \t]*;[ \t]*[A-Za-z0-9!#$&^_.+*'-]+=(?:[A-Za-z0-9!#$&^_.+*'%{}|~`-]+|"[\x20\x21\x23-\x5b\x5d-\x7e]*"))*$/;
const CONTENT_ID = /^[\x21-\x3b\x3d\x3f-\x7e]{1,200}$/;

export function readAttachments(
  list: readonly AttachmentInput[],
  limit: number,
  problems: FieldProblem[],
): NewAttachment[] {
  if (list.length > limit) {
    problems.push({ path: 'attachments', message: `has ${list.length} files; ${limit} are allowed` });
    return [];
  }
  const contentIds = new Set<string>();
  return list.flatMap((input, index) => {
    const path = `attachments.${index}`;
    const before = problems.length;
    const note = (field: string, message: string | null): void => {
      if (message !== null) problems.push({ path: `${path}.${field}`, message });
    };
    note('filename', lineProblem(input.filename));
    note('content_type', contentTypeProblem(input.content_type));
    note('content_id', contentIdProblem(input.content_id, contentIds));
    const content = decodeBase64(input.content);
    if (content === null) note('content', 'must be base64 without line breaks, padded with =');
    return content === null || problems.length > before ? [] : [attachmentOf(input, content)];
  });
}

function attachmentOf(input: AttachmentInput, content: Buffer): NewAttachment {
  return {
    filename: input.filename,
    contentType: input.content_type ?? detectMimeType(input.filename),
    cid: input.content_id ?? null,
    sha256: createHash('sha256').update(content).digest('hex'),
    content,
  };
}

/** Null unless the text is exactly what encoding the bytes gives: node's decoder skips what it does not know. */
function decodeBase64(text: string): Buffer | null {
  if (text.length % 4 !== 0) return null;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}

function contentTypeProblem(contentType: string | undefined): string | null {
  if (contentType === undefined) return null;
  if (contentType.length > MAX_CONTENT_TYPE) return `is longer than ${MAX_CONTENT_TYPE} characters`;
  if (!MEDIA_TYPE.test(contentType)) return 'must be a media type such as application/pdf';
  return /^multipart\//i.test(contentType) ? 'must not be a multipart type' : null;
}

function contentIdProblem(contentId: string | undefined, seen: Set<string>): string | null {
  if (contentId === undefined) return null;
  if (!CONTENT_ID.test(contentId)) {
    return 'must be 1 to 200 printable ascii characters without blanks and angle brackets';
  }
  if (seen.has(contentId)) return 'is used by another attachment';
  seen.add(contentId);
  return null;
}

/** Octets that these files take on the wire, in base64 lines of 76. */
export function wireSizeOf(attachments: readonly NewAttachment[]): number {
  return attachments.reduce((sum, { content }) => sum + Math.ceil(content.byteLength / 57) * 78, 0);
}
