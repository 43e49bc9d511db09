// Sending by Mailgun: a form with fields and files. With recipient variables, each recipient gets a separate message, all or
// none.
import { Type } from 'typebox';
import type { MessageRequest } from '../../messages/message.schema.js';
import { invalidFields } from '../../contract/refusal.js';
import type { Mode } from '../../contract/names.js';
import { isoOfTime } from '../../lib/mime/index.js';
import { MAX_LINE, MAX_MAILBOXES_TEXT } from '../bounds.js';
import { given, splitMailboxes } from '../fields.js';
import {
  toForm,
  parseJsonObject,
  readSingle,
  type Form,
  type TakenFields,
  type FormFile,
} from '../form-body.js';
import { compatRoute, type CompatRoute } from '../route.js';
import { sendTogether } from '../v1.js';
import { splitByRecipient, onlyOne, vendorTextProblems } from './recipients.js';

const NO_POOLS = 'mail is sent from the sources of this server. Omit it';
const ONE_TIME = 'a message has a single send time. Use o:deliverytime';
const FIELDS: TakenFields = {
  from: true,
  to: true,
  cc: true,
  bcc: true,
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
  'o:tag': true,
  'o:deliverytime': true,
  'o:deliverytime-optimize-period': ONE_TIME,
  'o:time-zone-localize': ONE_TIME,
  'o:testmode': true,
  'o:tracking': true,
  'o:tracking-clicks': true,
  'o:tracking-opens': true,
  'o:tracking-pixel-location-top': 'the tracking pixel is always at the end of the HTML. Omit it',
  'o:require-tls': true,
  'o:skip-verification': true,
  'o:dkim': true,
  'o:sending-ip': NO_POOLS,
  'o:sending-ip-pool': NO_POOLS,
  'amp-html': 'AMP is not supported. Omit it',
  'h:*': true,
  'v:*': true,
};
const FILE_FIELDS = ['attachment', 'inline'];
/** Fields that may be as long as the body. */
const CONTENT_FIELDS = ['html', 'text', 't:variables', 'recipient-variables'];
/** Fields with up to a thousand recipients. */
const MAILBOX_FIELDS = ['to', 'cc', 'bcc', 'h:reply-to'];
/** Header with custom variables in JSON, as an alternative to `v:` fields. */
const VARIABLES_HEADER = 'x-mailgun-variables';

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

/** Returns the most characters of a field's values together. */
function lengthLimit(name: string): number {
  if (CONTENT_FIELDS.includes(name)) return Infinity;
  return MAILBOX_FIELDS.includes(name.toLowerCase()) ? MAX_MAILBOXES_TEXT * 10 : MAX_LINE;
}

function refuseFields({ fields, files }: Form, mode: Mode): void {
  const problems: { path: string; message: string }[] = [];
  for (const [name, values] of fields) {
    const most = lengthLimit(name);
    if (values.reduce((sum, value) => sum + value.length, 0) > most) {
      problems.push({ path: name.slice(0, 80), message: `must not have more than ${most} characters` });
    }
  }
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
  const isOn = (name: string): boolean | undefined => switchOf({ fields, files }, name);
  if (isOn('o:testmode') === true && mode === 'live') {
    problems.push({
      path: 'o:testmode',
      message: 'is determined by the API key. Only test keys (svc_test_…) send to the sandbox',
    });
  }
  if (isOn('o:dkim') === false)
    problems.push({ path: 'o:dkim', message: 'must be yes because all mail is signed' });
  if (isOn('o:skip-verification') === true) {
    const message = "certificates are verified according to the recipient's policy. Omit it";
    problems.push({ path: 'o:skip-verification', message });
  }
  if (isOn('t:text') === true) {
    problems.push({
      path: 't:text',
      message: 'the text part comes from the template or its HTML. Omit it',
    });
  }
  if (problems.length > 0) throw invalidFields(problems.slice(0, 20));
}

function commonPart(form: Form, jsonMembers: number): Omit<MessageRequest, 'to'> {
  const { fields, files } = form;
  const contentIds = assignContentIds(files);
  const html = readSingle(form, 'html');
  const one = (name: string): string | undefined => readSingle(form, name);
  const [cc, bcc] = [mailboxesOf(form, 'cc'), mailboxesOf(form, 'bcc')];
  const tracking = switchOf(form, 'o:tracking');
  const tags = fields.get('o:tag') ?? [];
  const time = one('o:deliverytime');
  const { headers, replyTo, variables } = headersOf(form, jsonMembers);
  const custom = [...fields.keys()]
    .filter((name) => name.startsWith('v:'))
    .map((name) => [name.slice(2), one(name) ?? ''] as const);
  const metadata: Record<string, unknown> = Object.fromEntries([...custom, ...Object.entries(variables)]);
  const from = one('from');
  if (from === undefined) throw invalidFields([{ path: 'from', message: 'is required' }]);
  return {
    from,
    ...(cc.length === 0 ? {} : { cc }),
    ...(bcc.length === 0 ? {} : { bcc }),
    ...given('subject', one('subject')),
    ...given('html', html === undefined ? undefined : withContentIds(html, contentIds)),
    ...given('text', one('text')),
    ...contentOf(form, metadata, jsonMembers),
    ...given('send_at', time === undefined ? undefined : isoOfTime(time)),
    ...given('track_clicks', switchOf(form, 'o:tracking-clicks') ?? tracking),
    ...given('track_opens', switchOf(form, 'o:tracking-opens') ?? tracking),
    ...given('require_tls', switchOf(form, 'o:require-tls')),
    ...(replyTo.length === 0 ? {} : { reply_to: replyTo }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    ...(files.length === 0 ? {} : { attachments: files.map((file) => attachmentOf(file, contentIds)) }),
  };
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

function switchOf(form: Form, name: string): boolean | undefined {
  const value = readSingle(form, name);
  if (value === undefined) return undefined;
  if (['yes', 'true', 'True', 'htmlonly'].includes(value)) return true;
  if (['no', 'false', 'False'].includes(value)) return false;
  throw invalidFields([{ path: name, message: 'must be yes or no' }]);
}

/** Returns a JSON object; null if the field is absent. */
function jsonOf(form: Form, name: string, members: number): Record<string, unknown> | null {
  const text = readSingle(form, name);
  return text === undefined ? null : parseJsonObject(text, name, members);
}

function headersOf(
  { fields }: Form,
  jsonMembers: number,
): { headers: Record<string, string>; replyTo: string[]; variables: Record<string, unknown> } {
  let variables: Record<string, unknown> = {};
  // A Map stores any field name, even `__proto__`, for /v1 to check.
  const headers = new Map<string, string>();
  const replyTo: string[] = [];
  for (const [name, values] of fields) {
    if (!name.startsWith('h:')) continue;
    const field = name.slice(2);
    if (values.length > 1)
      throw invalidFields([{ path: name.slice(0, 80), message: 'is set more than once. Set it once' }]);
    const [value = ''] = values;
    const lower = field.toLowerCase();
    if (value === '') continue;
    if (lower === 'reply-to') replyTo.push(...splitMailboxes(value));
    else if (lower === VARIABLES_HEADER) variables = parseJsonObject(value, name, jsonMembers);
    else headers.set(field, value);
  }
  return { headers: Object.fromEntries(headers), replyTo, variables };
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
