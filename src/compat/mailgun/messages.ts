// Sending by Mailgun: a form with fields and files. With recipient variables, each recipient gets a separate message, all or
// none.
import { Type } from 'typebox';
import type { MessageRequest } from '../../messages/message.schema.js';
import { invalidFields } from '../../contract/refusal.js';
import type { Mode } from '../../contract/names.js';
import { parseMailbox } from '../../lib/mime/index.js';
import { given, splitMailboxes } from '../fields.js';
import { readSingle, toForm, type Form, type FormFile, type TakenFields } from '../form-body.js';
import { compatRoute, type CompatRoute } from '../route.js';
import { sendTogether } from '../v1.js';
import { jsonOf, lengthProblems, OPTION_FIELDS, optionProblems, readOptions, switchOf } from './options.js';
import { splitByRecipient, onlyOne, vendorTextProblems } from './recipients.js';

const FIELDS: TakenFields = {
  from: true,
  to: true,
  cc: true,
  bcc: true,
  sender: true,
  subject: true,
  text: true,
  html: true,
  attachment: true,
  inline: true,
  template: true,
  't:variables': true,
  't:text': true,
  't:version': 'the current version of the template is always sent. Omit it',
  'recipient-variables': true,
  'amp-html': 'AMP is not supported. Omit it',
  message: 'is only accepted by messages.mime',
  ...OPTION_FIELDS,
};
const FILE_FIELDS = ['attachment', 'inline'];
/** Fields that may be as long as the body. */
const CONTENT_FIELDS = ['html', 'text', 't:variables', 'recipient-variables'];

export const MESSAGE_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'POST',
    path: '/v3/:domain/messages',
    permission: 'send',
    isLarge: true,
    body: Type.Unknown(),
    form: FIELDS,
    example: { from: 'news@customer.example', to: 'ann@example.com', subject: 'Welcome', text: 'Hello.' },
    async handle({ body, v1, mode, expand, jsonMembers }) {
      const form = toForm(body);
      refuseFields(form, mode);
      const common = commonPart(form, jsonMembers);
      const to = mailboxesOf(form, 'to');
      if (to.length === 0) throw invalidFields([{ path: 'to', message: 'is required' }]);
      const variables = jsonOf(form, 'recipient-variables', jsonMembers);
      const messages =
        variables === null
          ? [await onlyOne(common, to, expand)]
          : await splitByRecipient(common, to, { variables, expand });
      const { internet_message_id: id } = await sendTogether(v1, messages);
      return { body: { id, message: 'Queued. Thank you.' } };
    },
  }),
];

function refuseFields(form: Form, mode: Mode): void {
  const { fields, files } = form;
  const problems = lengthProblems(form, CONTENT_FIELDS);
  if (problems.length > 0) throw invalidFields(problems.slice(0, 20));
  problems.push(...vendorTextProblems(fields));
  for (const { field } of files) {
    if (FILE_FIELDS.includes(field)) continue;
    problems.push({
      path: field.slice(0, 80),
      message: 'does not accept files. Use attachment or inline',
    });
  }
  for (const field of FILE_FIELDS) {
    if (fields.has(field)) problems.push({ path: field, message: 'must be a file' });
  }
  if (fields.has('t:variables') && !fields.has('template')) {
    problems.push({ path: 't:variables', message: 'requires template' });
  }
  problems.push(...optionProblems(form, mode));
  if (switchOf(form, 't:text') === true) {
    problems.push({
      path: 't:text',
      message: 'the text part comes from the template or its HTML. Omit it',
    });
  }
  if (problems.length > 0) throw invalidFields(problems.slice(0, 20));
}

function commonPart(form: Form, jsonMembers: number): Omit<MessageRequest, 'to'> {
  const { files } = form;
  const contentIds = assignContentIds(files);
  const html = readSingle(form, 'html');
  const one = (name: string): string | undefined => readSingle(form, name);
  const [cc, bcc] = [mailboxesOf(form, 'cc'), mailboxesOf(form, 'bcc')];
  const { headers, replyTo, metadata, options } = readOptions(form, jsonMembers);
  const from = one('from');
  if (from === undefined) throw invalidFields([{ path: 'from', message: 'is required' }]);
  refuseOtherSender(one('sender'), from);
  return {
    from,
    ...(cc.length === 0 ? {} : { cc }),
    ...(bcc.length === 0 ? {} : { bcc }),
    ...given('subject', one('subject')),
    ...given('html', html === undefined ? undefined : withContentIds(html, contentIds)),
    ...given('text', one('text')),
    ...contentOf(form, metadata, jsonMembers),
    ...options,
    ...(replyTo.length === 0 ? {} : { reply_to: replyTo }),
    ...(headers.size === 0 ? {} : { headers: Object.fromEntries(headers) }),
    ...(files.length === 0 ? {} : { attachments: files.map((file) => attachmentOf(file, contentIds)) }),
  };
}

/** WordPress plug-ins repeat the From address, for bounces. These go to the return path of the server. */
function refuseOtherSender(sender: string | undefined, from: string): void {
  if (sender === undefined) return;
  const addressOf = (text: string) => parseMailbox(text)?.email.toLowerCase();
  if (addressOf(sender) === addressOf(from)) return;
  throw invalidFields([{ path: 'sender', message: 'must be the From address. Omit it' }]);
}

/** Custom variables also fill templates, but `t:variables` override them. Template names are case-insensitive. */
function contentOf(
  form: Form,
  custom: Record<string, unknown>,
  jsonMembers: number,
): Partial<MessageRequest> {
  const template = readSingle(form, 'template')?.toLowerCase();
  if (template === undefined) return { render: false };
  const own = jsonOf(form, 't:variables', jsonMembers) ?? {};
  const variables = Object.fromEntries([...Object.entries(custom), ...Object.entries(own)]);
  return { ...(/^tpl_/.test(template) ? { template_id: template } : { template }), variables };
}

function mailboxesOf({ fields }: Form, name: string): string[] {
  return (fields.get(name) ?? []).flatMap(splitMailboxes);
}

function attachmentOf(
  { field, filename, contentType, octets }: FormFile,
  contentIds: ReadonlyMap<string, string>,
) {
  return {
    filename,
    content: octets.toString('base64'),
    ...(contentType === '' ? {} : { content_type: contentType }),
    ...(field === 'inline' ? given('content_id', contentIds.get(filename.normalize())) : {}),
  };
}

const CONTENT_ID = /^[\x21-\x3b\x3d\x3f-\x7e]{1,200}$/;
const MAX_SHOWN = 1000;
/** A reference ends at its quote, or earlier if it is unquoted, as in `url(cid:a.png)` of CSS, or if the quotes are escaped. */
const REFERENCE = new RegExp(`cid:([^"'<>]{1,${MAX_SHOWN}})`, 'gi');
const EARLIER_ENDS = [/&quot;|&#39;/, ')'];

/**
 * Returns the Content-ID (RFC 2392) of each inline file by name: the name itself if it is valid. The HTML references the files
 * by name, `cid:my logo.png`.
 */
function assignContentIds(files: readonly FormFile[]): Map<string, string> {
  const inline = files.filter(({ field }) => field === 'inline');
  return new Map(
    inline.map(({ filename }, at) => [
      filename.normalize(),
      CONTENT_ID.test(filename) ? filename : `${at}.${asciiOf(filename)}`,
    ]),
  );
}

/** Replaces names in the HTML by Content-IDs. Names may be percent-encoded or contain character references. */
function withContentIds(html: string, contentIds: ReadonlyMap<string, string>): string {
  if ([...contentIds].every(([name, id]) => name === id)) return html;
  return html.replaceAll(REFERENCE, (whole, shown: string) => {
    for (const written of [shown, ...EARLIER_ENDS.flatMap((end) => shown.split(end, 1))]) {
      const id = contentIds.get(nameIn(written));
      if (id !== undefined) return `cid:${id}${shown.slice(written.length)}`;
    }
    return whole;
  });
}

function nameIn(written: string): string {
  const text = written.trim().replaceAll('&amp;', '&');
  try {
    return decodeURIComponent(text).normalize();
  } catch {
    // The percent sign is part of the name.
    return text.normalize();
  }
}

function asciiOf(filename: string): string {
  return filename
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '_')
    .slice(0, 100);
}
