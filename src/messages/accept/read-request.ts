// Checks the fields of a message request that its schema cannot check. Each problem names its field and the reason.
import type { MessageRequest, AttachmentInput } from '../message.schema.js';
import { invalidFields, type FieldProblem } from '../../contract/refusal.js';
import type { MessageType, Priority } from '../../contract/names.js';
import { metadataProblem } from '../../contract/schema.js';
import { type Mailbox, readMessageId } from '../../lib/mime/index.js';
import { customHeaderSetProblem, headerValue } from './custom-headers.rules.js';
import { variablesProblem } from '../../lib/templating/index.js';
import { dataProblem, lineProblem, textProblem } from '../../contract/plain-text.js';
import type { TlsTerms } from '../tls-terms.rules.js';
import { readMailbox, readRecipients, readReplyTo, type Recipient } from './recipients.js';
import { createHash } from 'node:crypto';
import { detectMimeType } from 'nodemailer/lib/mime-funcs';
import type { NewAttachment } from './accept.store.js';

// Attachments of a request: decoded, checked and hashed. RFC 4648 section 4, RFC 2045 section 5.1, RFC 2392.
const MAX_CONTENT_TYPE = 255;
const MEDIA_TYPE =
  /^[A-Za-z0-9!#$&^_.+-]+\/[A-Za-z0-9!#$&^_.+-]+(?:[ \t]*;[ \t]*[A-Za-z0-9!#$&^_.+*'-]+=(?:[A-Za-z0-9!#$&^_.+*'%{}|~`-]+|"[\x20\x21\x23-\x5b\x5d-\x7e]*"))*$/;
const CONTENT_ID = /^[\x21-\x3b\x3d\x3f-\x7e]{1,200}$/;

function readAttachments(
  list: readonly AttachmentInput[],
  limit: number,
  problems: FieldProblem[],
): NewAttachment[] {
  if (list.length > limit) {
    problems.push({ path: 'attachments', message: `has ${list.length} files, but the limit is ${limit}` });
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
    if (content === null) note('content', NOT_BASE64);
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

export const NOT_BASE64 = 'must be base64 without line breaks, padded with =';

/** Returns `null` unless encoding the bytes gives the same text, because Node's decoder skips invalid characters. */
export function decodeBase64(text: string): Buffer | null {
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
    return 'must be 1 to 200 printable ASCII characters without spaces or angle brackets';
  }
  if (seen.has(contentId)) return 'is used by another attachment';
  seen.add(contentId);
  return null;
}

/** Octets that these files take on the wire, in base64 lines of 76. */
function wireSizeOf(attachments: readonly NewAttachment[]): number {
  return attachments.reduce((sum, { content }) => sum + Math.ceil(content.byteLength / 57) * 78, 0);
}

export interface RequestLimits {
  messageSizeLimitBytes: number;
  attachmentLimit: number;
  recipientLimit: number;
}

/** A request with individually valid fields. Checks that depend on stored rows follow. */
export interface ReadRequest {
  type: MessageType;
  priority: Priority;
  recipients: Recipient[];
  from: Mailbox | null;
  /** Empty: none was asked for. */
  replyTo: Mailbox[];
  subject: string | null;
  html: string | null;
  /** `null` to derive it from the HTML; '' for none. */
  text: string | null;
  /** If false, inline content is sent unchanged. */
  isRendered: boolean;
  /** A variable without a value is refused. */
  requiresVariables: boolean;
  template: { by: 'slug' | 'id'; value: string } | null;
  variables: Record<string, unknown> | null;
  headers: [name: string, value: string][];
  /** Without angle brackets, or `null`. */
  messageId: string | null;
  attachments: NewAttachment[];
  tags: string[];
  /** JSON text. */
  metadata: string;
  sendAt: string | null;
  expiresAt: string | null;
  tlsTerms: TlsTerms;
  threadId: string | null;
  /** The id of a list. `null` if there is none. */
  topic: string | null;
  trackOpens: boolean | null;
  trackClicks: boolean | null;
}

interface Inspected {
  read: ReadRequest;
  problems: FieldProblem[];
}

/** Fields that a thread fills in for its replies. */
export type CompletedFields = Pick<MessageRequest, 'to' | 'from' | 'subject' | 'thread_id'>;
type OwnFields = Omit<MessageRequest, keyof CompletedFields>;

/** Fields that the draft has as they were read. */
export function takenOver(request: ReadRequest) {
  const { type, priority, recipients, replyTo, attachments, tags, metadata, tlsTerms, threadId } = request;
  return { type, priority, recipients, replyTo, attachments, tags, metadata, tlsTerms, threadId };
}

/** Reads a request of which a thread fills in a part. Refused with `validation_error` naming every field at fault. */
export function readRequest(
  request: OwnFields,
  completed: CompletedFields,
  limits: RequestLimits,
): ReadRequest {
  const { read, problems } = inspectFields(request, completed, limits);
  if (problems.length > 0) throw invalidFields(problems);
  return read;
}

/** Returns the request and its problems. An invalid field is read as if it were absent. */
export function inspectRequest(request: MessageRequest, limits: RequestLimits): Inspected {
  return inspectFields(request, request, limits);
}

function inspectFields(request: OwnFields, completed: CompletedFields, limits: RequestLimits): Inspected {
  const problems: FieldProblem[] = [];
  const { cc, bcc, reply_to, variables, metadata, tags = [] } = request;
  const { to, from, subject, thread_id } = completed;
  checkTexts(request, completed, problems);
  const read: ReadRequest = {
    type: request.type ?? 'transactional',
    priority: request.priority ?? 'normal',
    recipients: readRecipients({ to, cc, bcc }, limits.recipientLimit, problems),
    from: from === undefined ? null : readMailbox(from, 'from', problems),
    replyTo: readReplyTo(reply_to, problems),
    subject: subject ?? null,
    html: emptyAsNull(request.html),
    text: request.text ?? null,
    isRendered: request.render ?? true,
    requiresVariables: readRequiresVariables(request, problems),
    template: templateOf(request, problems),
    variables: variables === undefined ? null : readVariables(variables, problems),
    ...readHeaders(request, problems),
    attachments: readAttachments(request.attachments ?? [], limits.attachmentLimit, problems),
    tags,
    metadata: metadata === undefined ? '{}' : readMetadata(metadata, problems),
    sendAt: request.send_at ?? null,
    expiresAt: request.expires_at ?? null,
    tlsTerms: request.require_tls === true ? 'required' : 'policy',
    threadId: thread_id ?? null,
    topic: request.topic ?? null,
    trackOpens: request.track_opens ?? null,
    trackClicks: request.track_clicks ?? null,
  };
  if (problems.length === 0) checkSize(read, limits.messageSizeLimitBytes, problems);
  return { read, problems };
}

function emptyAsNull(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}

function checkTexts(
  request: OwnFields,
  { subject, thread_id }: CompletedFields,
  problems: FieldProblem[],
): void {
  const note = (path: string, message: string | null): void => {
    if (message !== null) problems.push({ path, message });
  };
  for (const field of ['html', 'text'] as const) {
    const text = request[field];
    if (text !== undefined) note(field, textProblem(text));
  }
  const { template, template_id, sub_tenant_id, topic, idempotency_key, send_at, expires_at } = request;
  const lines = { subject, template, template_id, sub_tenant_id, thread_id, topic };
  for (const [field, line] of Object.entries({ ...lines, idempotency_key, send_at, expires_at })) {
    if (line !== undefined) note(field, lineProblem(line));
  }
  request.tags?.forEach((tag, index) => note(`tags.${index}`, lineProblem(tag)));
}

function templateOf(request: OwnFields, problems: FieldProblem[]): ReadRequest['template'] {
  const { template, template_id: id } = request;
  if (template === undefined && id === undefined) return null;
  if (template !== undefined && id !== undefined) {
    problems.push({ path: 'template_id', message: 'specify either `template` or `template_id`' });
  }
  for (const field of ['html', 'text'] as const) {
    if (request[field] !== undefined) {
      problems.push({ path: field, message: 'must be omitted if a template is given' });
    }
  }
  if (request.render === false) {
    problems.push({ path: 'render', message: 'must be omitted because templates are always rendered' });
  }
  return id === undefined ? { by: 'slug', value: template ?? '' } : { by: 'id', value: id };
}

function readRequiresVariables(request: OwnFields, problems: FieldProblem[]): boolean {
  if (request.require_variables === true && request.render === false) {
    problems.push({
      path: 'require_variables',
      message: 'cannot be true with `render: false`, because variables are not filled in',
    });
  }
  return request.require_variables ?? false;
}

function readVariables(
  variables: Record<string, unknown>,
  problems: FieldProblem[],
): Record<string, unknown> {
  const message = variablesProblem(variables) ?? dataProblem(variables);
  if (message !== null) problems.push({ path: 'variables', message });
  return variables;
}

function readMetadata(metadata: Record<string, unknown>, problems: FieldProblem[]): string {
  // In this order: JSON.stringify recurses.
  const message = dataProblem(metadata) ?? metadataProblem(metadata);
  if (message === null) return JSON.stringify(metadata);
  problems.push({ path: 'metadata', message });
  return '{}';
}

const AUTO_SUBMITTED = 'Auto-Submitted';

/** Returns the custom fields, with Auto-Submitted if the request sets it. Message-ID is stored separately. */
function readHeaders(
  { headers = {}, type = 'transactional', topic, auto_submitted: isAutomatic }: OwnFields,
  problems: FieldProblem[],
): Pick<ReadRequest, 'headers' | 'messageId'> {
  const entries = Object.entries(headers);
  if (isAutomatic !== undefined && headerValue(entries, AUTO_SUBMITTED) !== null) {
    problems.push({ path: 'auto_submitted', message: 'cannot be combined with headers.Auto-Submitted' });
  } else if (isAutomatic === true || (isAutomatic === false && type !== 'transactional')) {
    entries.push([AUTO_SUBMITTED, isAutomatic ? 'auto-generated' : 'no']);
  }
  // Half a surrogate pair would become another character in an encoded word.
  for (const [name, value] of entries) {
    const message = textProblem(value);
    if (message !== null) problems.push({ path: `headers.${name}`, message });
  }
  const isTransactional = type === 'transactional' && topic === undefined;
  const refused = customHeaderSetProblem(entries, { isTransactional });
  if (refused) problems.push({ path: `headers.${refused.name}`, message: refused.problem });
  const messageId = headerValue(entries, 'Message-ID');
  return {
    headers: entries.filter(([name]) => name.toLowerCase() !== 'message-id'),
    messageId: messageId === null ? null : readMessageId(messageId.trim()),
  };
}

function checkSize(read: ReadRequest, limitBytes: number, problems: FieldProblem[]): void {
  const textBytes = Buffer.byteLength(read.html ?? '') + Buffer.byteLength(read.text ?? '');
  const bytes = wireSizeOf(read.attachments) + textBytes;
  if (bytes <= limitBytes) return;
  const path = read.attachments.length > 0 ? 'attachments' : read.html === null ? 'text' : 'html';
  problems.push({ path, message: `the message is ${bytes} bytes, but the limit is ${limitBytes}` });
}
