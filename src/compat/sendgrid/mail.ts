// Sending by SendGrid: a message per personalization, all or none, and batches that can be canceled.
import { randomBytes } from 'node:crypto';
import { Type, type Static } from 'typebox';
import type { MessageObject, MessageRequest } from '../../messages/message.schema.js';
import { invalidFields, Refusal } from '../../contract/refusal.js';
import { closed, oneOf } from '../../contract/schema.js';
import { CONTENT, FEW, LINE, MAX_FILES, MAX_LINE } from '../bounds.js';
import { toBase64, FILE } from '../file-content.js';
import { given, without } from '../fields.js';
import { compatRoute, notHere, type CompatRoute } from '../route.js';
import { RefusedByV1 } from '../../http/server/v1-calls.js';
import { sendTogether, type V1, type WireList } from '../v1.js';

/** Most messages of one request. */
const MAX_PERSONALIZATIONS = 1000;
/** Most messages of a batch that one request cancels. */
const MAX_CANCELED = 10_000;
const BATCH_TAG = 'batch_id:';

const mailbox = closed({ email: LINE, name: Type.Optional(LINE) });
const mailboxes = Type.Array(mailbox, { minItems: 1, maxItems: 1000 });
const headers = Type.Optional(Type.Record(Type.String(), LINE, FEW));
const args = Type.Optional(Type.Record(Type.String(), Type.Unknown(), FEW));
const sendAt = Type.Optional(Type.Integer({ minimum: 0, maximum: 9_999_999_999 }));
const none = (sentence: string) => notHere(Type.Optional(Type.Unknown()), sentence);
/** A setting that may only be disabled. */
const off = (more: object = {}) => Type.Optional(closed({ enable: Type.Optional(Type.Boolean()), ...more }));

const personalization = closed({
  to: mailboxes,
  cc: Type.Optional(mailboxes),
  bcc: Type.Optional(mailboxes),
  from: Type.Optional(mailbox),
  subject: Type.Optional(LINE),
  headers,
  substitutions: Type.Optional(Type.Record(Type.String(), CONTENT, FEW)),
  dynamic_template_data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  custom_args: args,
  send_at: sendAt,
});
const mail = closed({
  personalizations: Type.Array(personalization, { minItems: 1, maxItems: MAX_PERSONALIZATIONS }),
  from: mailbox,
  reply_to: Type.Optional(mailbox),
  reply_to_list: Type.Optional(mailboxes),
  subject: Type.Optional(LINE),
  content: Type.Optional(
    Type.Array(closed({ type: oneOf(['text/plain', 'text/html']), value: CONTENT }), { maxItems: 2 }),
  ),
  attachments: Type.Optional(
    Type.Array(
      closed({
        content: FILE,
        filename: LINE,
        type: Type.Optional(LINE),
        disposition: Type.Optional(oneOf(['attachment', 'inline'])),
        content_id: Type.Optional(LINE),
      }),
      { maxItems: MAX_FILES },
    ),
  ),
  template_id: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_LINE })),
  headers,
  categories: Type.Optional(Type.Array(LINE, { maxItems: 10 })),
  custom_args: args,
  send_at: sendAt,
  batch_id: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{1,100}$' })),
  sections: none('sections are not supported. Put the text into the content, or use a template'),
  asm: none(
    'unsubscribe groups are not supported. Use POST /v1/messages with a topic, which is the ID of a list',
  ),
  ip_pool_name: none('mail is sent from the sources of this server. Omit it'),
  mail_settings: Type.Optional(
    closed({
      sandbox_mode: off(),
      bypass_list_management: off(),
      bypass_spam_management: off(),
      bypass_bounce_management: off(),
      bypass_unsubscribe_management: off(),
      footer: off({ text: Type.Optional(LINE), html: Type.Optional(CONTENT) }),
    }),
  ),
  tracking_settings: Type.Optional(
    closed({
      click_tracking: off({
        enable_text: Type.Optional(
          Type.Union([
            Type.Literal(false),
            notHere(Type.Literal(true), 'links in plain text are not tracked. Set it to false'),
          ]),
        ),
      }),
      open_tracking: off({
        substitution_tag: none('the tracking pixel is always at the end of the HTML. Omit it'),
      }),
      subscription_tracking: off({
        text: Type.Optional(CONTENT),
        html: Type.Optional(CONTENT),
        substitution_tag: Type.Optional(LINE),
      }),
      ganalytics: off({
        utm_source: Type.Optional(LINE),
        utm_medium: Type.Optional(LINE),
        utm_term: Type.Optional(LINE),
        utm_content: Type.Optional(LINE),
        utm_campaign: Type.Optional(LINE),
      }),
    }),
  ),
});
type Mail = Static<typeof mail>;
type Personalization = Static<typeof personalization>;

const example = {
  personalizations: [{ to: [{ email: 'ann@example.com' }] }],
  from: { email: 'news@customer.example' },
  subject: 'Welcome',
  content: [{ type: 'text/plain', value: 'Hello.' }],
};

export const MAIL_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'POST',
    path: '/v3/mail/send',
    permission: 'send',
    isLarge: true,
    body: mail,
    example,
    async handle({ body, v1, mode, expand }) {
      refuseSettings(body, mode);
      refuseAmbiguous(body);
      const attachments = body.attachments?.map(attachmentOf);
      const filled = await expand({
        common: contentParts(body),
        copies: body.personalizations.map(({ subject, substitutions = {} }) => ({
          own: given('subject', subject),
          values: Object.entries(substitutions),
        })),
        ...given('files', attachments),
      });
      const messages = body.personalizations.map((one, at) => ({
        ...messageOf(body, one, filled[at] ?? {}),
        ...given('attachments', attachments),
      }));
      const first = await sendWithSubject(v1, messages);
      const { id, internet_message_id: messageId } = first;
      return { status: 202, headers: { 'X-Message-Id': id, 'X-Internet-Message-Id': messageId ?? '' } };
    },
  }),
  compatRoute({
    method: 'POST',
    path: '/v3/mail/batch',
    permission: 'send',
    handle: () => Promise.resolve({ status: 201, body: { batch_id: randomBytes(24).toString('base64url') } }),
  }),
  compatRoute({
    method: 'POST',
    path: '/v3/user/scheduled_sends',
    permission: 'send',
    body: closed({
      batch_id: Type.String({ minLength: 1, maxLength: 100 }),
      status: oneOf(['cancel', 'pause']),
    }),
    example: { batch_id: 'none', status: 'cancel' },
    async handle({ body: { batch_id, status }, v1 }) {
      if (status === 'pause') {
        const message =
          'batches cannot be paused. Cancel the batch, or reschedule its messages with PATCH /v1/messages/:id';
        throw invalidFields([{ path: 'status', message }]);
      }
      await cancelBatch(v1, batch_id);
      return { status: 201, body: { batch_id, status } };
    },
  }),
];

/**
 * Cancels the waiting messages of the batch; messages already being sent are not stopped. Refuses with `conflict` if there are
 * more than one request may cancel.
 */
async function cancelBatch(v1: V1, batchId: string): Promise<void> {
  const wanted = { tag: `${BATCH_TAG}${batchId}`, status: 'queued', limit: 100 };
  let canceled = 0;
  let cursor: string | null = null;
  do {
    const page: WireList<MessageObject> = await v1.messages.list(
      cursor === null ? wanted : { ...wanted, cursor },
    );
    for (const { id } of page.data) await cancelWaiting(v1, id);
    canceled += page.data.length;
    cursor = page.next_cursor;
    if (cursor !== null && canceled >= MAX_CANCELED) {
      throw new Refusal(
        'conflict',
        `${canceled} messages of the batch were canceled, but more remain. Repeat the request.`,
      );
    }
  } while (cursor !== null);
}

async function cancelWaiting(v1: V1, id: string): Promise<void> {
  try {
    await v1.messages.cancel(id);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'message_not_cancelable') throw error;
  }
}

/** Refuses unsupported settings that are enabled. */
function refuseSettings(
  { mail_settings: mails = {}, tracking_settings: tracking = {} }: Mail,
  mode: 'live' | 'test',
): void {
  const { sandbox_mode: sandbox, ...others } = mails;
  const problems: { path: string; message: string }[] = [];
  if (sandbox?.enable === true && mode === 'live') {
    const message = 'is determined by the API key. Only test keys (svc_test_…) send to the sandbox';
    problems.push({ path: 'mail_settings.sandbox_mode', message });
  }
  for (const [name, setting] of Object.entries(others)) {
    if (setting.enable !== true) continue;
    const message =
      name === 'footer' ? 'put the footer into the content' : 'mail is never sent to suppressed addresses';
    problems.push({ path: `mail_settings.${name}`, message });
  }
  for (const name of ['subscription_tracking', 'ganalytics'] as const) {
    if (tracking[name]?.enable === true) {
      const message = 'put the link into the content. Marketing mail gets List-Unsubscribe automatically';
      problems.push({ path: `tracking_settings.${name}`, message });
    }
  }
  if (problems.length > 0) throw invalidFields(problems);
}

/**
 * Sends the messages. A template's subject overrides that of the request, so the messages go without theirs first. If /v1 refuses
 * that because the template has no subject, they are sent with it.
 */
async function sendWithSubject(v1: V1, messages: MessageRequest[]): Promise<MessageObject> {
  const isSpare = messages.some(({ variables, subject }) => variables !== undefined && subject !== undefined);
  if (!isSpare) return sendTogether(v1, messages);
  try {
    return await sendTogether(
      v1,
      messages.map((message) => without(message, 'subject')),
    );
  } catch (error) {
    if (!(error instanceof RefusedByV1)) throw error;
    return sendTogether(v1, messages);
  }
}

/** Refuses contradicting fields, and fields that require a template or its absence. */
function refuseAmbiguous(body: Mail): void {
  const problems: { path: string; message: string }[] = [];
  if (body.reply_to !== undefined && body.reply_to_list !== undefined) {
    problems.push({ path: 'reply_to', message: 'cannot be combined with reply_to_list' });
  }
  const types = (body.content ?? []).map(({ type }) => type);
  if (new Set(types).size < types.length) {
    problems.push({ path: 'content', message: 'must have at most one part of each type' });
  }
  body.attachments?.forEach(({ disposition, content_id }, at) => {
    if (disposition !== 'inline' || content_id !== undefined) return;
    const message =
      'is required with disposition inline, because the HTML refers to the file as cid: followed by this ID';
    problems.push({ path: `attachments.${at}.content_id`, message });
  });
  const hasTemplate = body.template_id !== undefined;
  body.personalizations.forEach((one, at) => {
    const path = `personalizations.${at}`;
    if (hasTemplate && one.substitutions !== undefined) {
      const message = 'are not used in dynamic templates. Use dynamic_template_data';
      problems.push({ path: `${path}.substitutions`, message });
    }
    if (!hasTemplate && one.dynamic_template_data !== undefined) {
      const message = 'requires template_id. Without a template, use substitutions';
      problems.push({ path: `${path}.dynamic_template_data`, message });
    }
  });
  if (problems.length > 0) throw invalidFields(problems.slice(0, 20));
}

/** Returns the texts that substitutions fill, by their names in /v1. */
function contentParts({ subject, content = [] }: Mail): Partial<MessageRequest> {
  const part = (type: string) => content.find((each) => each.type === type)?.value;
  return {
    ...given('subject', subject),
    ...given('html', part('text/html')),
    ...given('text', part('text/plain')),
  };
}

function messageOf(common: Mail, one: Personalization, filled: Partial<MessageRequest>): MessageRequest {
  const at = one.send_at ?? common.send_at;
  const replyTo = common.reply_to_list ?? common.reply_to;
  const clicks = common.tracking_settings?.click_tracking?.enable;
  const opens = common.tracking_settings?.open_tracking?.enable;
  return {
    from: one.from ?? common.from,
    to: one.to,
    ...given('cc', one.cc),
    ...given('bcc', one.bcc),
    ...given('reply_to', replyTo),
    ...filled,
    ...contentOf(common, one),
    ...given('send_at', at === undefined ? undefined : new Date(at * 1000).toISOString()),
    ...given('track_clicks', clicks),
    ...given('track_opens', opens),
    ...(common.headers || one.headers ? { headers: { ...common.headers, ...one.headers } } : {}),
    ...(common.custom_args || one.custom_args
      ? { metadata: { ...common.custom_args, ...one.custom_args } }
      : {}),
    ...tagsOf(common),
  };
}

function contentOf({ template_id: id }: Mail, one: Personalization): Partial<MessageRequest> {
  if (id === undefined) return { render: false };
  const variables = one.dynamic_template_data ?? {};
  return { ...(/^tpl_/.test(id) ? { template_id: id } : { template: id }), variables };
}

function tagsOf({ categories = [], batch_id: batchId }: Mail): Partial<MessageRequest> {
  const tags = batchId === undefined ? categories : [...categories, `${BATCH_TAG}${batchId}`];
  return tags.length === 0 ? {} : { tags };
}

function attachmentOf({ content, filename, type, content_id }: NonNullable<Mail['attachments']>[number]) {
  return {
    filename,
    content: toBase64(content),
    ...given('content_type', type),
    ...given('content_id', content_id),
  };
}
