// The fields of the operations and actions of Amazon SES, with two values of each that make a difference.
import type { FieldRow, RouteTable, VendorTable } from './observe.js';
import type { VendorWorld } from './world.js';

type Rows = Readonly<Record<string, FieldRow>>;
const under = (place: string, rows: Rows): Rows =>
  Object.fromEntries(Object.entries(rows).map(([path, row]) => [`${place}.${path}`, row]));
const over = (more: Record<string, unknown>, rows: Rows): Rows =>
  Object.fromEntries(
    Object.entries(rows).map(([path, row]) => [
      path,
      'partOf' in row ? row : { pair: 'pair' in row ? row.pair : row, over: more },
    ]),
  );

const FROM = 'news@shop.example';
const TO = { ToAddresses: ['ann@example.com'] };
const TAG = { Name: 'a', Value: 'b' };
const HEADER = { Name: 'X-Order', Value: '1' };
const FILE = { FileName: 'a.png', RawContent: 'aGk=', ContentId: 'logo' };

interface MailAnswer {
  MessageId?: string;
  BulkEmailEntryResults?: { MessageId?: string }[];
  text?: string;
}
function lookAtMail(answer: unknown): string[] {
  const { MessageId, BulkEmailEntryResults: entries, text = '' } = answer as MailAnswer;
  const id = MessageId ?? entries?.[0]?.MessageId ?? /<MessageId>(\w+)</.exec(text)?.[1] ?? '';
  const path = `/v1/messages/${id}`;
  return [path, `${path}/content`, `${path}/raw`, '/v1/messages?q=UNIQUE'];
}

const DESTINATION: Rows = {
  ToAddresses: [['ann@example.com'], ['bob@example.com']],
  CcAddresses: [undefined, ['carl@example.com']],
  BccAddresses: [undefined, ['dora@example.com']],
};
const COMMON: Rows = {
  ReplyToAddresses: [undefined, ['help@elsewhere.example']],
  ConfigurationSetName: [undefined, 'marketing'],
};
const COMMON_V2: Rows = {
  ...COMMON,
  FromEmailAddress: [FROM, `Shop <${FROM}>`],
  TenantName: [undefined, 'unknown'],
};
const TEXT: Rows = { Data: ['UNIQUE', 'UNIQUE again'], Charset: ['UTF-8', 'ISO-8859-1'] };
const BODY = { Html: { Data: '<img src="cid:logo">' } };
const SIMPLE = { Subject: { Data: 'UNIQUE' }, Body: BODY };
const TEXTS: Rows = {
  ...under('Subject', TEXT),
  ...under('Body.Html', { ...TEXT, Charset: ['UTF-8', 'ISO-8859-1'] }),
  'Body.Text.Data': [undefined, 'Plain'],
  'Body.Text.Charset': ['UTF-8', 'ISO-8859-1'],
};
const TEXT_CHARSETS = { Data: 'Plain' };
const HEADERS: Rows = { 'Headers[].Name': ['X-Order', 'X-Number'], 'Headers[].Value': ['1', '2'] };
const ATTACHMENTS: Rows = {
  'Attachments[].FileName': ['a.png', 'b.png'],
  'Attachments[].RawContent': ['aGk=', 'aG8='],
  'Attachments[].ContentType': ['image/png', 'image/gif'],
  'Attachments[].ContentId': ['logo', undefined],
  'Attachments[].ContentDisposition': ['ATTACHMENT', 'ELSEWHERE'],
  'Attachments[].ContentTransferEncoding': ['BASE64', 'SEVEN_BIT'],
};
const TEMPLATE = { TemplateName: 'welcome', TemplateData: '{"name":"UNIQUE"}' };
const INLINE = {
  TemplateContent: { Subject: 'UNIQUE {{name}}', Html: '<p>{{name}}</p>' },
  TemplateData: '{"name":"Ann"}',
};

/** The fields of a template; `content` puts one into the request. */
function templateRows(content: (template: object) => Record<string, unknown>): Rows {
  return {
    ...over(content(TEMPLATE), {
      TemplateName: ['welcome', 'goodbye'],
      TemplateData: ['{"name":"UNIQUE"}', '{"name":"UNIQUE again"}'],
    }),
    ...over(content(INLINE), {
      'TemplateContent.Subject': ['UNIQUE {{name}}', 'UNIQUE Bye'],
      'TemplateContent.Html': ['<p>{{name}}</p>', '<p>Bye</p>'],
      'TemplateContent.Text': [undefined, 'Plain'],
    }),
    ...over(content({ ...TEMPLATE, Headers: [HEADER] }), HEADERS),
    ...over(content({ ...TEMPLATE, Attachments: [FILE] }), {
      ...ATTACHMENTS,
      'Attachments[].ContentId': ['logo', 'other id'],
    }),
  };
}

const raw = (word: string): string =>
  Buffer.from(`From: ${FROM}\r\nTo: ann@example.com\r\nSubject: ${word}\r\n\r\nHello\r\n`).toString('base64');

const MAIL = { FromEmailAddress: FROM, Destination: TO, Content: { Simple: SIMPLE } };
const simply = (more: object) => ({ Content: { Simple: { ...SIMPLE, ...more } } });
const templated = (template: object) => ({ Content: { Template: template } });
const defaults = (template: object) => ({ DefaultContent: { Template: template } });
const ENTRY = { Destination: TO };

const page = (more: Rows = {}): RouteTable => ({
  fields: { '?NextToken': [undefined, 'nonsense'], '?PageSize': ['1', '2'], ...more },
});

const V2: VendorTable = {
  'POST /v2/email/outbound-emails': {
    body: MAIL,
    look: lookAtMail,
    fields: {
      ...COMMON_V2,
      ...under('Destination', DESTINATION),
      ...under('Content.Simple', TEXTS),
      'Content.Simple.Body.Text.Charset': {
        pair: ['UTF-8', 'ISO-8859-1'],
        over: simply({ Body: { ...BODY, Text: TEXT_CHARSETS } }),
      },
      ...under('Content.Simple', over(simply({ Headers: [HEADER] }), HEADERS)),
      ...under('Content.Simple', over(simply({ Attachments: [FILE] }), ATTACHMENTS)),
      'Content.Raw.Data': { pair: [raw('One'), raw('Two')], over: { Content: {} } },
      ...under('Content.Template', templateRows(templated)),
      ...over({ EmailTags: [TAG] }, { 'EmailTags[].Name': ['a', 'c'], 'EmailTags[].Value': ['b', 'd'] }),
      'ListManagementOptions.ContactListName': [
        ({ names }: VendorWorld) => names.LIST_ONE,
        ({ names }: VendorWorld) => names.LIST_TWO,
      ],
    },
    refused: {
      'Content.Simple.Attachments[].ContentDescription': simply({ Attachments: [FILE] }),
      'Content.Template.Attachments[].ContentDescription': templated({ ...TEMPLATE, Attachments: [FILE] }),
      'ListManagementOptions.TopicName': { ListManagementOptions: { ContactListName: 'x' } },
    },
  },
  'POST /v2/email/outbound-bulk-emails': {
    body: { FromEmailAddress: FROM, ...defaults(TEMPLATE), BulkEmailEntries: [ENTRY] },
    look: lookAtMail,
    fields: {
      ...COMMON_V2,
      ...over(
        { DefaultEmailTags: [TAG] },
        { 'DefaultEmailTags[].Name': ['a', 'c'], 'DefaultEmailTags[].Value': ['b', 'd'] },
      ),
      ...under('DefaultContent.Template', templateRows(defaults)),
      ...under('BulkEmailEntries[].Destination', DESTINATION),
      'BulkEmailEntries[].ReplacementEmailContent.ReplacementTemplate.ReplacementTemplateData': [
        undefined,
        '{"name":"UNIQUE again"}',
      ],
      ...over(
        { BulkEmailEntries: [{ ...ENTRY, ReplacementTags: [TAG] }] },
        {
          'BulkEmailEntries[].ReplacementTags[].Name': ['a', 'c'],
          'BulkEmailEntries[].ReplacementTags[].Value': ['b', 'd'],
        },
      ),
      ...over(
        { BulkEmailEntries: [{ ...ENTRY, ReplacementHeaders: [HEADER] }] },
        {
          'BulkEmailEntries[].ReplacementHeaders[].Name': ['X-Order', 'X-Number'],
          'BulkEmailEntries[].ReplacementHeaders[].Value': ['1', '2'],
        },
      ),
    },
    refused: {
      'DefaultContent.Template.Attachments[].ContentDescription': defaults({
        ...TEMPLATE,
        Attachments: [FILE],
      }),
    },
  },
  'POST /v2/email/templates': {
    body: { TemplateName: 'a-UNIQUE', TemplateContent: { Subject: 'Hello', Html: '<p>Hello</p>' } },
    look: () => ['/v1/templates?q=UNIQUE'],
    fields: {
      TemplateName: ['a-UNIQUE', 'b-UNIQUE'],
      'TemplateContent.Subject': ['Hello', 'Bye'],
      'TemplateContent.Html': ['<p>Hello</p>', '<p>Bye</p>'],
      'TemplateContent.Text': [undefined, 'Plain'],
    },
  },
  'GET /v2/email/templates': page(),
  'PUT /v2/email/templates/:name': {
    params: async (world) => ({ name: await world.newTemplate() }),
    body: { TemplateContent: { Subject: 'Hello', Html: '<p>Hello</p>' } },
    look: (_answer, { name = '' }) => [`/v1/templates/${name}`],
    fields: {
      'TemplateContent.Subject': ['Hello', 'Bye'],
      'TemplateContent.Html': ['<p>Hello</p>', '<p>Bye</p>'],
      'TemplateContent.Text': [undefined, 'Plain'],
    },
  },
  'POST /v2/email/templates/:name/render': {
    params: () => ({ name: 'welcome' }),
    body: { TemplateData: '{"name":"Ann"}' },
    fields: { TemplateData: ['{"name":"Ann"}', '{"name":"Bob"}'] },
  },
  'PUT /v2/email/suppression/addresses': {
    body: { EmailAddress: 'UNIQUE@a.example', Reason: 'BOUNCE' },
    look: () => ['/v1/suppressions?q=UNIQUE'],
    fields: { EmailAddress: ['UNIQUE@a.example', 'nonsense'], Reason: ['BOUNCE', 'COMPLAINT'] },
  },
  'GET /v2/email/suppression/addresses': page({
    '?Reason': ['BOUNCE', 'COMPLAINT'],
    '?StartDate': [undefined, '2035-01-01T00:00:00Z'],
    '?EndDate': [undefined, '2020-01-01T00:00:00Z'],
  }),
  'GET /v2/email/identities': page(),
  'POST /v2/email/identities': {
    body: { EmailIdentity: 'UNIQUE.example' },
    fields: { EmailIdentity: ['UNIQUE.example', 'nonsense'] },
  },
};

const V1_BULK = { Source: FROM, Template: 'welcome', DefaultTemplateData: '{"name":"UNIQUE"}' };
const TEMPLATE_V1 = { TemplateName: 'a-UNIQUE', SubjectPart: 'Hello', HtmlPart: '<p>Hello</p>' };
const TEMPLATE_ROWS: Rows = {
  'Template.SubjectPart': ['Hello', 'Bye'],
  'Template.HtmlPart': ['<p>Hello</p>', '<p>Bye</p>'],
  'Template.TextPart': [undefined, 'Plain'],
};
const doomed = async ({ ask, post }: VendorWorld): Promise<void> => {
  await ask('DELETE', '/v1/templates/doomed');
  await post('/v1/templates', { name: 'doomed', slug: 'doomed', subject: 'x', html: '<p>x</p>' });
};

const V1: VendorTable = {
  SendEmail: {
    body: { Source: FROM, Destination: TO, Message: SIMPLE },
    look: lookAtMail,
    fields: {
      ...COMMON,
      Source: [FROM, `Shop <${FROM}>`],
      ...under('Destination', DESTINATION),
      ...under('Message', TEXTS),
      'Message.Body.Text.Charset': {
        pair: ['UTF-8', 'ISO-8859-1'],
        over: { Message: { ...SIMPLE, Body: { ...BODY, Text: TEXT_CHARSETS } } },
      },
      ...over({ Tags: [TAG] }, { 'Tags[].Name': ['a', 'c'], 'Tags[].Value': ['b', 'd'] }),
    },
  },
  SendRawEmail: {
    body: { Source: FROM, RawMessage: { Data: raw('One') } },
    look: lookAtMail,
    fields: {
      Source: [FROM, 'nonsense'],
      Destinations: [['ann@example.com'], ['bob@example.com']],
      'RawMessage.Data': [raw('One'), raw('Two')],
      ...over({ Tags: [TAG] }, { 'Tags[].Name': ['a', 'c'], 'Tags[].Value': ['b', 'd'] }),
      ConfigurationSetName: [undefined, 'marketing'],
    },
  },
  SendTemplatedEmail: {
    body: { Source: FROM, Destination: TO, Template: 'welcome', TemplateData: '{"name":"UNIQUE"}' },
    look: lookAtMail,
    fields: {
      ...COMMON,
      Source: [FROM, `Shop <${FROM}>`],
      ...under('Destination', DESTINATION),
      Template: ['welcome', 'goodbye'],
      TemplateData: ['{"name":"UNIQUE"}', '{"name":"UNIQUE again"}'],
      ...over({ Tags: [TAG] }, { 'Tags[].Name': ['a', 'c'], 'Tags[].Value': ['b', 'd'] }),
    },
  },
  SendBulkTemplatedEmail: {
    body: { ...V1_BULK, Destinations: [ENTRY] },
    look: lookAtMail,
    fields: {
      ...COMMON,
      Source: [FROM, `Shop <${FROM}>`],
      Template: ['welcome', 'goodbye'],
      DefaultTemplateData: ['{"name":"UNIQUE"}', '{"name":"UNIQUE again"}'],
      ...over(
        { DefaultTags: [TAG] },
        { 'DefaultTags[].Name': ['a', 'c'], 'DefaultTags[].Value': ['b', 'd'] },
      ),
      ...under('Destinations[].Destination', DESTINATION),
      'Destinations[].ReplacementTemplateData': [undefined, '{"name":"UNIQUE again"}'],
      ...over(
        { Destinations: [{ ...ENTRY, ReplacementTags: [TAG] }] },
        {
          'Destinations[].ReplacementTags[].Name': ['a', 'c'],
          'Destinations[].ReplacementTags[].Value': ['b', 'd'],
        },
      ),
    },
  },
  ListIdentities: {
    body: {},
    fields: {
      NextToken: [undefined, 'nonsense'],
      MaxItems: ['1', '2'],
      IdentityType: ['Domain', 'EmailAddress'],
    },
  },
  GetIdentityVerificationAttributes: {
    body: {},
    fields: { Identities: [['one.example'], ['two.example']] },
  },
  CreateTemplate: {
    body: { Template: TEMPLATE_V1 },
    look: () => ['/v1/templates?q=UNIQUE'],
    fields: { 'Template.TemplateName': ['a-UNIQUE', 'b-UNIQUE'], ...TEMPLATE_ROWS },
  },
  UpdateTemplate: {
    before: doomed,
    body: { Template: { ...TEMPLATE_V1, TemplateName: 'doomed' } },
    look: () => ['/v1/templates/doomed'],
    fields: { 'Template.TemplateName': ['doomed', 'none'], ...TEMPLATE_ROWS },
  },
  GetTemplate: { body: {}, fields: { TemplateName: ['welcome', 'goodbye'] } },
  ListTemplates: { body: {}, fields: { NextToken: [undefined, 'nonsense'], MaxItems: ['1', '2'] } },
  DeleteTemplate: {
    before: doomed,
    body: {},
    look: () => ['/v1/templates/doomed'],
    fields: { TemplateName: ['doomed', 'none'] },
  },
  TestRenderTemplate: {
    body: { TemplateName: 'welcome', TemplateData: '{"name":"Ann"}' },
    fields: {
      TemplateName: ['welcome', 'goodbye'],
      TemplateData: ['{"name":"Ann"}', '{"name":"Bob"}'],
    },
  },
};

export const SES_TABLE: VendorTable = { ...V2, ...V1 };
