// Sending by Postmark: one email or many, with or without a template.
import { Type, type Static } from 'typebox';
import type { ErrorBody } from '../../contract/error-body.js';
import type { MessageObject, MessageRequest } from '../../messages/message.schema.js';
import { invalidFields, Refusal } from '../../contract/refusal.js';
import { closed, oneOf } from '../../contract/schema.js';
import { CONTENT, FEW, LINE, MAILBOXES, MAX_FILES } from '../bounds.js';
import { toBase64, FILE } from '../file-content.js';
import { given, splitMailboxes } from '../fields.js';
import { compatRoute, notHere, type CompatRoute } from '../route.js';
import type { V1 } from '../v1.js';
import { vendorError } from './errors.js';

/** Most emails of one request. */
const MAX_BATCH = 500;

const text = Type.Optional(LINE);
const mailboxes = Type.Optional(MAILBOXES);
const email = {
  From: LINE,
  To: mailboxes,
  Cc: mailboxes,
  Bcc: mailboxes,
  ReplyTo: mailboxes,
  Subject: text,
  HtmlBody: Type.Optional(CONTENT),
  TextBody: Type.Optional(CONTENT),
  Tag: text,
  MessageStream: Type.Optional(LINE),
  TrackOpens: Type.Optional(Type.Boolean()),
  TrackLinks: Type.Optional(oneOf(['None', 'HtmlAndText', 'HtmlOnly', 'TextOnly'])),
  Headers: Type.Optional(Type.Array(closed({ Name: LINE, Value: LINE }), { maxItems: 1000 })),
  Attachments: Type.Optional(
    Type.Array(
      closed({
        Name: LINE,
        Content: FILE,
        ContentType: Type.Optional(LINE),
        ContentID: Type.Optional(LINE),
        ContentLength: Type.Optional(Type.Integer()),
      }),
      { maxItems: MAX_FILES },
    ),
  ),
  Metadata: Type.Optional(
    Type.Record(Type.String(), Type.Union([LINE, Type.Number(), Type.Boolean(), Type.Null()]), FEW),
  ),
};
const plainEmail = closed(email);
const templatedEmail = closed({
  ...email,
  TemplateAlias: text,
  TemplateId: notHere(
    Type.Optional(Type.Unknown()),
    'templates do not have numeric IDs. Pass the slug or ID of the template as TemplateAlias',
  ),
  TemplateModel: Type.Record(Type.String(), Type.Unknown()),
  InlineCss: notHere(
    Type.Optional(Type.Unknown()),
    'is a property of the template. Set it with PATCH /v1/templates/:id {"inline_css": true} and omit it here',
  ),
});
type Email = Static<typeof plainEmail> &
  Partial<Pick<Static<typeof templatedEmail>, 'TemplateAlias' | 'TemplateModel'>>;

const example = {
  From: 'news@customer.example',
  To: 'ann@example.com',
  Subject: 'Welcome',
  TextBody: 'Hello.',
};
const templated = {
  ...{ From: 'news@customer.example', To: 'ann@example.com', TemplateAlias: 'welcome' },
  TemplateModel: { name: 'Ann' },
};

const sendRoute = (
  path: string,
  body: typeof plainEmail | typeof templatedEmail,
  sample: object,
): CompatRoute =>
  compatRoute({
    method: 'POST',
    path,
    permission: 'send',
    isLarge: true,
    body,
    example: sample,
    async handle({ body: request, v1 }) {
      const message = await v1.messages.create(messageOf(request));
      const { inactive, isForAll } = inactiveOf(v1, message);
      if (isForAll) throw inactiveRefusal(inactive);
      return { body: sentAnswer(request, message, inactive) };
    },
  });

const batchRoute = (
  path: string,
  {
    body,
    sample,
    emailsOf,
  }: { body: CompatRoute['body'] & object; sample: unknown; emailsOf: (body: unknown) => Email[] },
): CompatRoute =>
  compatRoute({
    method: 'POST',
    path,
    permission: 'send',
    isLarge: true,
    body,
    example: sample,
    async handle({ body: request, v1 }) {
      const emails = emailsOf(request);
      const read = emails.map(readOne);
      const messages = read.flatMap((one) => (one instanceof Refusal ? [] : [one]));
      const { data } =
        messages.length === 0 ? { data: [] } : await v1.messages.createBatch(messages, { atomic: false });
      const answers = [...data];
      return {
        body: emails.map((one, at) => {
          const own = read[at];
          return own instanceof Refusal ? refusedAnswer(own) : itemAnswer(v1, one, answers.shift());
        }),
      };
    },
  });

export const EMAIL_ROUTES: readonly CompatRoute[] = [
  sendRoute('/email', plainEmail, example),
  sendRoute('/email/withTemplate', templatedEmail, templated),
  batchRoute('/email/batch', {
    body: Type.Array(plainEmail, { minItems: 1, maxItems: MAX_BATCH }),
    sample: [example],
    emailsOf: (body) => body as Email[],
  }),
  batchRoute('/email/batchWithTemplates', {
    body: closed({ Messages: Type.Array(templatedEmail, { minItems: 1, maxItems: MAX_BATCH }) }),
    sample: { Messages: [templated] },
    emailsOf: (body) => (body as { Messages: Email[] }).Messages,
  }),
];

function readOne(one: Email): MessageRequest | Refusal {
  try {
    return messageOf(one);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** Refuses unsupported fields with `validation_error`. */
function messageOf(one: Email): MessageRequest {
  const to = splitMailboxes(one.To ?? '');
  if (to.length === 0) throw invalidFields([{ path: 'To', message: 'is required' }]);
  const lists = Object.entries({ cc: one.Cc, bcc: one.Bcc, reply_to: one.ReplyTo }).map(
    ([name, value = '']) => [name, splitMailboxes(value)],
  );
  return {
    from: one.From,
    to,
    ...(Object.fromEntries(lists.filter(([, list]) => list?.length !== 0)) as Partial<MessageRequest>),
    ...given('subject', one.Subject),
    ...given('html', one.HtmlBody),
    ...given('text', one.TextBody),
    ...given('track_opens', one.TrackOpens),
    ...given('track_clicks', linksTracked(one.TrackLinks)),
    ...given('metadata', one.Metadata),
    ...(one.Tag === undefined ? {} : { tags: [one.Tag] }),
    ...(one.Headers === undefined ? {} : { headers: headersOf(one.Headers) }),
    ...(one.Attachments === undefined ? {} : { attachments: one.Attachments.map(attachmentOf) }),
    ...streamOf(one.MessageStream),
    ...contentOf(one),
  };
}

function contentOf({ TemplateAlias: alias, TemplateModel: variables }: Email): Partial<MessageRequest> {
  if (variables === undefined) return { render: false };
  if (alias === undefined) throw invalidFields([{ path: 'TemplateAlias', message: 'is required' }]);
  return { ...(/^tpl_/.test(alias) ? { template_id: alias } : { template: alias }), variables };
}

/** Whether links are tracked, which is possible in HTML only. */
function linksTracked(wanted: Email['TrackLinks']): boolean | undefined {
  if (wanted === 'TextOnly') {
    throw invalidFields([
      { path: 'TrackLinks', message: 'links in plain text are not tracked. Use HtmlOnly or None' },
    ]);
  }
  return wanted === undefined ? undefined : wanted !== 'None';
}

function streamOf(stream = 'outbound'): Partial<MessageRequest> {
  if (stream === 'outbound') return {};
  if (stream === 'broadcast') return { type: 'marketing' };
  const message =
    'custom streams are not supported. Use outbound for transactional mail or broadcast for marketing mail';
  throw invalidFields([{ path: 'MessageStream', message }]);
}

/** Fields about the MIME form in which Postmark's Ruby client would have sent the message. Every message gets its own. */
function isOfMime(name: string, value: string): boolean {
  const key = name.toLowerCase();
  return (key === 'mime-version' && value.trim() === '1.0') || key === 'content-transfer-encoding';
}

function headersOf(fields: NonNullable<Email['Headers']>): Record<string, string> {
  // A Map stores any field name, even `__proto__`, for /v1 to check.
  const headers = new Map<string, string>();
  for (const { Name, Value } of fields) {
    if (isOfMime(Name, Value)) continue;
    if (headers.has(Name)) {
      throw invalidFields([
        { path: 'Headers', message: `${Name.slice(0, 60)} is set more than once. Set it once` },
      ]);
    }
    headers.set(Name, Value);
  }
  return Object.fromEntries(headers);
}

function attachmentOf(
  { Name, Content, ContentType, ContentID, ContentLength: length }: NonNullable<Email['Attachments']>[number],
  at: number,
) {
  const content = toBase64(Content);
  const octets = Buffer.byteLength(content, 'base64');
  if (length !== undefined && length !== octets) {
    const message = `is ${length}, but Content has ${octets} bytes. Omit it`;
    throw invalidFields([{ path: `Attachments.${at}.ContentLength`, message }]);
  }
  return {
    filename: Name,
    content,
    ...given('content_type', ContentType),
    ...given('content_id', ContentID?.replace(/^cid:/, '')),
  };
}

/** Returns the suppressed recipients of a message. `recipients` has all but the first. */
function inactiveOf({ suppressed }: V1, { id, to, recipients = [] }: MessageObject) {
  const all = [{ id, to }, ...recipients];
  const inactive = all.filter((one) => suppressed.has(one.id)).map((one) => one.to);
  return { inactive, isForAll: inactive.length === all.length };
}

/** The vendor's clients extract the addresses from this sentence. */
function inactiveRefusal(inactive: readonly string[]): Refusal {
  return new Refusal(
    'recipient_suppressed',
    'You tried to send to recipient(s) that have been marked as inactive. Found inactive addresses: ' +
      `${inactive.join(', ')}. Inactive recipients are ones that have generated a hard bounce, a spam complaint, or a ` +
      'manual suppression.',
  );
}

function sentAnswer(
  { To, Cc, Bcc }: Email,
  { id, created_at, internet_message_id }: MessageObject,
  inactive: readonly string[],
) {
  return {
    ...given('To', To),
    ...given('Cc', Cc),
    ...given('Bcc', Bcc),
    SubmittedAt: created_at,
    MessageID: id,
    InternetMessageID: internet_message_id,
    ErrorCode: 0,
    Message:
      inactive.length === 0
        ? 'OK'
        : `Message OK, but will not deliver to these inactive addresses: ${inactive.join(', ')}`,
  };
}

function itemAnswer(v1: V1, one: Email, answer: MessageObject | ErrorBody | undefined) {
  if (answer === undefined) return refusedAnswer(new Refusal('internal_error'));
  if (!('id' in answer)) return refusedAnswer(new Refusal(answer.error.code, answer.error.message));
  const { inactive, isForAll } = inactiveOf(v1, answer);
  return isForAll ? refusedAnswer(inactiveRefusal(inactive)) : sentAnswer(one, answer, inactive);
}

function refusedAnswer({ code, message }: Refusal) {
  return { ErrorCode: vendorError(code, '/email')[0], Message: message };
}
