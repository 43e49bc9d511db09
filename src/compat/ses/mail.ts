// Sending by Amazon SES API v2: one mail to some recipients, or one of a template to each entry.
import { Type, type Static } from 'typebox';
import type { ErrorBody } from '../../contract/error-body.js';
import type { MessageObject, MessageRequest } from '../../messages/message.schema.js';
import { invalidFields, type FieldProblem } from '../../contract/refusal.js';
import { closed, oneOf } from '../../contract/schema.js';
import { parseMailbox } from '../../lib/mime/index.js';
import { CONTENT, LINE, MAX_FILES, MAX_LINE } from '../bounds.js';
import { given } from '../fields.js';
import { toBase64 } from '../file-content.js';
import { parseJsonObject } from '../form-body.js';
import { compatRoute, notHere, type CompatCall, type CompatRoute } from '../route.js';
import { RefusedByV1 } from '../../http/server/v1-calls.js';
import { renamed, type V1 } from '../v1.js';
import { errorName } from './errors.js';
import { FIELDS } from './field-names.js';
import { placeholderProblems } from './placeholders.js';
import { fromSesHtml } from '../../account-imports/dialects/ses-templates.rules.js';
import { templateField, templateName } from './templates.js';
import { CONFIGURATION_SET_TAG } from './webhook-format.js';

/** Most entries of one bulk request, as SES has it. */
const MAX_ENTRIES = 50;
const MAX_RECIPIENTS = 50;
const MAX_TAGS = 50;
const MAX_HEADERS = 100;

export const NO_ARN = 'identities have no ARN. Access is a matter of the API key. Omit it';
export const NO_BOUNCE_MAIL =
  'bounces and complaints are not forwarded by mail. Create a webhook with the format ses';

const absent = (sentence: string) => notHere(Type.Optional(Type.Unknown()), sentence);
export const addresses = Type.Optional(Type.Array(LINE, { maxItems: MAX_RECIPIENTS }));
export const destination = closed({
  ToAddresses: addresses,
  CcAddresses: addresses,
  BccAddresses: addresses,
});
export const text = closed({ Data: CONTENT, Charset: Type.Optional(LINE) });
export const tags = Type.Optional(Type.Array(closed({ Name: LINE, Value: LINE }), { maxItems: MAX_TAGS }));
const headers = Type.Optional(Type.Array(closed({ Name: LINE, Value: LINE }), { maxItems: MAX_HEADERS }));
const attachments = Type.Optional(
  Type.Array(
    closed({
      RawContent: CONTENT,
      FileName: LINE,
      ContentType: Type.Optional(LINE),
      ContentId: Type.Optional(LINE),
      ContentDisposition: Type.Optional(oneOf(['ATTACHMENT', 'INLINE'])),
      ContentDescription: absent('attachments have no description. Omit it'),
      ContentTransferEncoding: Type.Optional(
        Type.Union([
          Type.Literal('BASE64'),
          notHere(oneOf(['QUOTED_PRINTABLE', 'SEVEN_BIT']), 'files are sent in base64. Omit it'),
        ]),
      ),
    }),
    { maxItems: MAX_FILES },
  ),
);
const template = closed({
  TemplateName: Type.Optional(templateName),
  TemplateArn: absent(NO_ARN),
  TemplateContent: Type.Optional(
    closed({
      Subject: Type.Optional(CONTENT),
      Text: Type.Optional(CONTENT),
      Html: Type.Optional(CONTENT),
    }),
  ),
  TemplateData: Type.Optional(CONTENT),
  Headers: headers,
  Attachments: attachments,
});
const common = {
  FromEmailAddress: Type.Optional(LINE),
  FromEmailAddressIdentityArn: absent(NO_ARN),
  ReplyToAddresses: addresses,
  FeedbackForwardingEmailAddress: absent(NO_BOUNCE_MAIL),
  FeedbackForwardingEmailAddressIdentityArn: absent(NO_BOUNCE_MAIL),
  ConfigurationSetName: Type.Optional(LINE),
  EndpointId: absent('there is one endpoint. Omit it'),
  TenantName: Type.Optional(LINE),
};
const mail = closed({
  ...common,
  Destination: Type.Optional(destination),
  Content: closed({
    Simple: Type.Optional(
      closed({
        Subject: text,
        Body: closed({ Text: Type.Optional(text), Html: Type.Optional(text) }),
        Headers: headers,
        Attachments: attachments,
      }),
    ),
    Raw: Type.Optional(closed({ Data: CONTENT })),
    Template: Type.Optional(template),
  }),
  EmailTags: tags,
  ListManagementOptions: Type.Optional(
    closed({
      ContactListName: Type.String({ minLength: 1, maxLength: MAX_LINE }),
      TopicName: absent('a topic is a list. Set ContactListName to the ID of the list'),
    }),
  ),
});
type Mail = Static<typeof mail>;
type Template = Static<typeof template>;

const entry = closed({
  Destination: destination,
  ReplacementTags: tags,
  ReplacementEmailContent: Type.Optional(
    closed({
      ReplacementTemplate: Type.Optional(closed({ ReplacementTemplateData: Type.Optional(CONTENT) })),
    }),
  ),
  ReplacementHeaders: headers,
});
const bulk = closed({
  ...common,
  DefaultEmailTags: tags,
  DefaultContent: closed({ Template: template }),
  BulkEmailEntries: Type.Array(entry, { minItems: 1, maxItems: MAX_ENTRIES }),
});

const FROM = 'news@customer.example';

export const MAIL_ROUTES: readonly CompatRoute[] = [
  compatRoute({
    method: 'POST',
    path: '/v2/email/outbound-emails',
    permission: 'send',
    isLarge: true,
    body: mail,
    example: {
      FromEmailAddress: FROM,
      Destination: { ToAddresses: ['ann@example.com'] },
      Content: { Simple: { Subject: { Data: 'Welcome' }, Body: { Text: { Data: 'Hello.' } } } },
    },
    async handle(call) {
      return { body: { MessageId: await sendMail(call) } };
    },
  }),
  compatRoute({
    method: 'POST',
    path: '/v2/email/outbound-bulk-emails',
    permission: 'send',
    isLarge: true,
    body: bulk,
    example: {
      FromEmailAddress: FROM,
      DefaultContent: { Template: { TemplateName: 'Welcome', TemplateData: '{}' } },
      BulkEmailEntries: [{ Destination: { ToAddresses: ['ann@example.com'] } }],
    },
    async handle(call) {
      return { body: { BulkEmailEntryResults: await sendBulk(call) } };
    },
  }),
];

type Sending<Body> = Pick<CompatCall<Body>, 'body' | 'v1' | 'jsonMembers'>;

/** Returns the ID of the first message. */
export async function sendMail({ body, v1, jsonMembers }: Sending<Mail>): Promise<string> {
  const { Content: content, ListManagementOptions: list } = body;
  const kinds = [content.Simple, content.Raw, content.Template].filter((one) => one !== undefined);
  if (kinds.length !== 1) {
    throw invalidFields([{ path: 'Content', message: 'must have one of Simple, Raw and Template' }]);
  }
  if (content.Raw !== undefined) return sendRaw(v1, rawMail(body, content.Raw.Data));
  const { id } = await v1.messages.create({
    ...envelopeOf(body),
    ...recipientsOf(body.Destination ?? {}),
    ...contentOf(content, jsonMembers),
    ...tagsOf(body.EmailTags, body.ConfigurationSetName),
    ...given('topic', list?.ContactListName),
  });
  return id;
}

interface RawMail {
  /** Base64. */
  data: string;
  /** The envelope sender. */
  from: string | undefined;
  /** Absent: the recipients in the header. */
  to: readonly string[] | undefined;
  tags: Static<typeof tags> | undefined;
  configurationSet: string | undefined;
  tenant?: string | undefined;
}

/** Sends a MIME message unchanged. Returns the ID of the first message. */
export async function sendRaw(v1: V1, { data, from, to, tenant, ...more }: RawMail): Promise<string> {
  const { id } = await v1.messages.createRaw({
    raw: toBase64(data),
    ...given('from', from === undefined ? undefined : bareAddress(from)),
    ...given('to', to?.map(bareAddress)),
    ...given('sub_tenant_id', tenant),
    ...tagsOf(more.tags, more.configurationSet),
  });
  return id;
}

/** Returns the address without the name, which is in the header of the message. */
function bareAddress(mailbox: string): string {
  return parseMailbox(mailbox)?.email ?? mailbox;
}

function rawMail(body: Mail, data: string): RawMail {
  const { ReplyToAddresses: replyTo = [], ListManagementOptions: list, Destination: to = {} } = body;
  const problems = [
    ...(replyTo.length === 0
      ? []
      : [{ path: 'ReplyToAddresses', message: 'is in the MIME message. Omit it' }]),
    ...(list === undefined
      ? []
      : [{ path: 'ListManagementOptions', message: 'cannot be combined with Content.Raw' }]),
  ];
  if (problems.length > 0) throw invalidFields(problems);
  const { ToAddresses = [], CcAddresses = [], BccAddresses = [] } = to;
  const recipients = [...ToAddresses, ...CcAddresses, ...BccAddresses];
  return {
    data,
    from: body.FromEmailAddress,
    to: recipients.length === 0 ? undefined : recipients,
    tags: body.EmailTags,
    configurationSet: body.ConfigurationSetName,
    tenant: body.TenantName,
  };
}

/** Sends each entry that is valid, and returns the results in order. */
export async function sendBulk({ body, v1, jsonMembers }: Sending<Static<typeof bulk>>) {
  const { Template: wanted } = body.DefaultContent;
  const messages = body.BulkEmailEntries.map((one, at): MessageRequest => {
    const path = `BulkEmailEntries.${at}.ReplacementEmailContent.ReplacementTemplate.ReplacementTemplateData`;
    const { ReplacementTemplateData: own } = one.ReplacementEmailContent?.ReplacementTemplate ?? {};
    return {
      ...envelopeOf(body),
      ...recipientsOf(one.Destination),
      ...templatedContent(wanted, jsonMembers, dataOf(own, path, jsonMembers)),
      ...headersOf([...(wanted.Headers ?? []), ...(one.ReplacementHeaders ?? [])]),
      ...tagsOf(one.ReplacementTags ?? body.DefaultEmailTags, body.ConfigurationSetName),
    };
  });
  const { data } = await v1.messages.createBatch(messages, { atomic: false });
  return data.map(resultOf);
}

function contentOf({ Simple: simple, Template: wanted }: Mail['Content'], jsonMembers: number) {
  if (wanted !== undefined) {
    return { ...templatedContent(wanted, jsonMembers), ...headersOf(wanted.Headers ?? []) };
  }
  const { Subject, Body, Headers, Attachments } = simple ?? {};
  return {
    ...simpleContent({ Subject, Body }, 'Content.Simple'),
    ...headersOf(Headers ?? []),
    ...attachmentsOf(Attachments, 'Content.Simple'),
  };
}

type Text = Static<typeof text>;
interface SimpleContent {
  Subject?: Text | undefined;
  Body?: { Text?: Text; Html?: Text } | undefined;
}

/** Returns content unchanged. Refuses character sets other than UTF-8, and the placeholder of SES. */
function simpleContent({ Subject, Body = {} }: SimpleContent, place: string) {
  const parts: [name: string, part: Text | undefined][] = [
    ['Subject', Subject],
    ['Body.Text', Body.Text],
    ['Body.Html', Body.Html],
  ];
  const problems = parts.flatMap(([name, part]): FieldProblem[] => {
    const { Data = '', Charset = 'UTF-8' } = part ?? {};
    if (!/^(utf-?8|us-ascii)$/i.test(Charset)) {
      return [{ path: `${place}.${name}.Charset`, message: 'must be UTF-8, in which all mail is sent' }];
    }
    return placeholderProblems(Data, `${place}.${name}.Data`);
  });
  if (problems.length > 0) throw invalidFields(problems);
  return {
    render: false,
    ...given('subject', Subject?.Data),
    ...given('text', Body.Text?.Data),
    ...given('html', Body.Html?.Data),
  };
}

/** `own` overrides values of the template's data. */
function templatedContent(
  { TemplateName: name, TemplateContent: inline, TemplateData: data, Attachments: files }: Template,
  jsonMembers: number,
  own: Record<string, unknown> = {},
): Partial<MessageRequest> {
  if ((name === undefined) === (inline === undefined)) {
    const message = 'must have one of TemplateName and TemplateContent';
    throw invalidFields([{ path: 'Template', message }]);
  }
  const variables = withOwn(dataOf(data, 'TemplateData', jsonMembers), own);
  const rest = { variables, require_variables: true, ...attachmentsOf(files, 'Template') };
  if (name !== undefined) return { ...templateField(name), ...rest };
  const { Subject = '', Text = '', Html = '' } = inline ?? {};
  const problems = [Subject, Text, Html].flatMap((part) => placeholderProblems(part, 'TemplateContent'));
  if (problems.length > 0) throw invalidFields(problems.slice(0, 1));
  return {
    ...(Subject === '' ? {} : { subject: Subject }),
    ...(Text === '' ? {} : { text: Text }),
    ...(Html === '' ? {} : { html: fromSesHtml(Html) }),
    ...rest,
  };
}

/** A Map keeps any name, even `__proto__`. */
function withOwn(shared: Record<string, unknown>, own: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries([...Object.entries(shared), ...Object.entries(own)]);
}

function dataOf(json: string | undefined, path: string, jsonMembers: number): Record<string, unknown> {
  return json === undefined || json === '' ? {} : parseJsonObject(json, path, jsonMembers);
}

function envelopeOf({
  FromEmailAddress: from,
  ReplyToAddresses: replyTo = [],
  TenantName: tenant,
}: Pick<Mail, 'FromEmailAddress' | 'ReplyToAddresses' | 'TenantName'>) {
  return {
    ...given('from', from),
    ...(replyTo.length === 0 ? {} : { reply_to: replyTo }),
    ...given('sub_tenant_id', tenant === undefined ? undefined : tenantId(tenant)),
  };
}

/** The name of a tenant is the external ID of a sub-tenant. */
function tenantId(name: string): string {
  return /^(tnt_|external:)/.test(name) ? name : `external:${name}`;
}

function recipientsOf({
  ToAddresses: to = [],
  CcAddresses: cc = [],
  BccAddresses: bcc = [],
}: Static<typeof destination>) {
  return { to, ...(cc.length === 0 ? {} : { cc }), ...(bcc.length === 0 ? {} : { bcc }) };
}

/** Tags are stored as `name:value`, with one for the configuration set. */
function tagsOf(pairs: Static<typeof tags> = [], configurationSet: string | undefined): { tags?: string[] } {
  const all = pairs.map(({ Name, Value }) => `${Name}:${Value}`);
  if (configurationSet !== undefined) all.push(`${CONFIGURATION_SET_TAG}:${configurationSet}`);
  return all.length === 0 ? {} : { tags: all };
}

/** Later headers override earlier ones of the same name. */
function headersOf(pairs: readonly { Name: string; Value: string }[]): Partial<MessageRequest> {
  const named = new Map(pairs.map(({ Name, Value }) => [Name.toLowerCase(), [Name, Value] as const]));
  return named.size === 0 ? {} : { headers: Object.fromEntries(named.values()) };
}

function attachmentsOf(files: Static<typeof attachments> = [], place: string): Partial<MessageRequest> {
  if (files.length === 0) return {};
  files.forEach(({ ContentDisposition, ContentId }, at) => {
    if (ContentDisposition !== 'INLINE' || ContentId !== undefined) return;
    const message =
      'is required with the disposition INLINE, because the HTML refers to the file as cid: with this ID';
    throw invalidFields([{ path: `${place}.Attachments.${at}.ContentId`, message }]);
  });
  return {
    attachments: files.map(({ RawContent, FileName, ContentType, ContentId }) => ({
      filename: FileName,
      content: toBase64(RawContent),
      ...given('content_type', ContentType),
      ...given('content_id', ContentId?.replace(/^<(.*)>$/, '$1')),
    })),
  };
}

const STATUSES: Readonly<Record<string, string>> = {
  MessageRejected: 'MESSAGE_REJECTED',
  LimitExceededException: 'ACCOUNT_DAILY_QUOTA_EXCEEDED',
  TooManyRequestsException: 'ACCOUNT_THROTTLED',
  BadRequestException: 'INVALID_PARAMETER',
  ServiceUnavailableException: 'TRANSIENT_FAILURE',
};

/** The result of one entry of a bulk request. */
function resultOf(result: MessageObject | ErrorBody) {
  if ('id' in result) return { Status: 'SUCCESS', MessageId: result.id };
  const refusal = new RefusedByV1(result, undefined);
  const status = refusal.code === 'template_not_found' ? 'TEMPLATE_NOT_FOUND' : STATUSES[errorName(refusal)];
  return { Status: status ?? 'FAILED', Error: renamed(refusal, FIELDS).message };
}
