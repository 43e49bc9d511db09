// The actions of Amazon SES API v1. They send and read as the operations of API v2 do.
import { Type } from 'typebox';
import { Refusal } from '../../contract/refusal.js';
import { closed, oneOf } from '../../contract/schema.js';
import { CONTENT, LINE } from '../bounds.js';
import { given } from '../fields.js';
import { parseJsonObject } from '../form-body.js';
import { notHere } from '../route.js';
import type { V1 } from '../v1.js';
import { readQuota } from './account.js';
import { findIdentity, identityName, isVerified } from './identities.js';
import {
  addresses,
  destination,
  NO_ARN,
  NO_BOUNCE_MAIL,
  sendBulk,
  sendMail,
  sendRaw,
  tags,
  text,
} from './mail.js';
import { action, type ActionRoute } from './query.js';
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  renderTemplate,
  templateName,
  updateTemplate,
} from './templates.js';

const MAX_BULK = 50;
const MAX_IDENTITIES = 100;
const absent = (sentence: string) => notHere(Type.Optional(Type.Unknown()), sentence);
const common = {
  Source: LINE,
  ReplyToAddresses: addresses,
  ReturnPath: absent(NO_BOUNCE_MAIL),
  SourceArn: absent(NO_ARN),
  ReturnPathArn: absent(NO_ARN),
  ConfigurationSetName: Type.Optional(LINE),
};
const FROM = 'news@customer.example';
const TO = { ToAddresses: ['ann@example.com'] };

const MAIL_ACTIONS: readonly ActionRoute[] = [
  action({
    name: 'SendEmail',
    permission: 'send',
    isLarge: true,
    body: closed({
      ...common,
      Destination: destination,
      Message: closed({
        Subject: text,
        Body: closed({ Text: Type.Optional(text), Html: Type.Optional(text) }),
      }),
      Tags: tags,
    }),
    example: {
      Source: FROM,
      Destination: TO,
      Message: { Subject: { Data: 'Welcome' }, Body: { Text: { Data: 'Hello.' } } },
    },
    async handle({ body, ...call }) {
      const { Source, ReplyToAddresses, ConfigurationSetName, Destination, Message, Tags } = body;
      const mail = {
        FromEmailAddress: Source,
        Destination,
        Content: { Simple: Message },
        ...given('ReplyToAddresses', ReplyToAddresses),
        ...given('ConfigurationSetName', ConfigurationSetName),
        ...given('EmailTags', Tags),
      };
      return { MessageId: await sendMail({ ...call, body: mail }) };
    },
  }),
  action({
    name: 'SendRawEmail',
    permission: 'send',
    isLarge: true,
    body: closed({
      Source: Type.Optional(LINE),
      Destinations: Type.Optional(Type.Array(LINE, { maxItems: MAX_BULK })),
      RawMessage: closed({ Data: CONTENT }),
      FromArn: absent(NO_ARN),
      SourceArn: absent(NO_ARN),
      ReturnPathArn: absent(NO_ARN),
      Tags: tags,
      ConfigurationSetName: Type.Optional(LINE),
    }),
    example: {
      RawMessage: {
        Data: Buffer.from(`From: ${FROM}\r\nTo: ann@example.com\r\nSubject: Hi\r\n\r\nHello.\r\n`).toString(
          'base64',
        ),
      },
    },
    async handle({ body, v1 }) {
      const { Source: from, Destinations: to = [], RawMessage, Tags, ConfigurationSetName } = body;
      const id = await sendRaw(v1, {
        data: RawMessage.Data,
        from,
        to: to.length === 0 ? undefined : to,
        tags: Tags,
        configurationSet: ConfigurationSetName,
      });
      return { MessageId: id };
    },
  }),
  action({
    name: 'SendTemplatedEmail',
    permission: 'send',
    isLarge: true,
    body: closed({
      ...common,
      Destination: destination,
      Template: templateName,
      TemplateArn: absent(NO_ARN),
      TemplateData: CONTENT,
      Tags: tags,
    }),
    example: { Source: FROM, Destination: TO, Template: 'Welcome', TemplateData: '{}' },
    async handle({ body, ...call }) {
      const { Source, ReplyToAddresses, ConfigurationSetName, Destination, Template, TemplateData, Tags } =
        body;
      const mail = {
        FromEmailAddress: Source,
        Destination,
        Content: { Template: { TemplateName: Template, TemplateData } },
        ...given('ReplyToAddresses', ReplyToAddresses),
        ...given('ConfigurationSetName', ConfigurationSetName),
        ...given('EmailTags', Tags),
      };
      return { MessageId: await sendMail({ ...call, body: mail }) };
    },
  }),
  action({
    name: 'SendBulkTemplatedEmail',
    permission: 'send',
    isLarge: true,
    body: closed({
      ...common,
      Template: templateName,
      TemplateArn: absent(NO_ARN),
      DefaultTags: tags,
      DefaultTemplateData: Type.Optional(CONTENT),
      Destinations: Type.Array(
        closed({
          Destination: destination,
          ReplacementTags: tags,
          ReplacementTemplateData: Type.Optional(CONTENT),
        }),
        { minItems: 1, maxItems: MAX_BULK },
      ),
    }),
    example: {
      Source: FROM,
      Template: 'Welcome',
      DefaultTemplateData: '{}',
      Destinations: [{ Destination: TO }],
    },
    async handle({ body, ...call }) {
      const { Source, ReplyToAddresses, ConfigurationSetName, Template, DefaultTags } = body;
      const mail = {
        FromEmailAddress: Source,
        DefaultContent: {
          Template: { TemplateName: Template, ...given('TemplateData', body.DefaultTemplateData) },
        },
        BulkEmailEntries: body.Destinations.map(
          ({ Destination, ReplacementTags, ReplacementTemplateData: own }) => ({
            Destination,
            ...given('ReplacementTags', ReplacementTags),
            ReplacementEmailContent: {
              ReplacementTemplate: given('ReplacementTemplateData', own),
            },
          }),
        ),
        ...given('ReplyToAddresses', ReplyToAddresses),
        ...given('ConfigurationSetName', ConfigurationSetName),
        ...given('DefaultEmailTags', DefaultTags),
      };
      const results = await sendBulk({ ...call, body: mail });
      return { Status: results.map(({ Status, ...rest }) => ({ Status: inWords(Status), ...rest })) };
    },
  }),
];

/** Returns a status of API v2 as v1 spells it, such as `MessageRejected`. */
function inWords(status: string): string {
  if (status === 'INVALID_PARAMETER') return 'InvalidParameterValue';
  if (status === 'TEMPLATE_NOT_FOUND') return 'TemplateDoesNotExist';
  const words = status.toLowerCase().split('_');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

const NO_PARAMETERS = closed({});

const ACCOUNT_ACTIONS: readonly ActionRoute[] = [
  action({
    name: 'GetSendQuota',
    permission: 'send',
    body: NO_PARAMETERS,
    handle: ({ v1 }) => readQuota(v1),
  }),
  action({
    name: 'GetAccountSendingEnabled',
    permission: 'send',
    body: NO_PARAMETERS,
    handle: () => Promise.resolve({ Enabled: true }),
  }),
];

const page = {
  NextToken: Type.Optional(LINE),
  MaxItems: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
};
const PAGE = 100;

const IDENTITY_ACTIONS: readonly ActionRoute[] = [
  action({
    name: 'ListIdentities',
    permission: 'read',
    body: closed({ ...page, IdentityType: Type.Optional(oneOf(['EmailAddress', 'Domain'])) }),
    async handle({ body: { NextToken, MaxItems = PAGE, IdentityType }, v1 }) {
      const { data, next_cursor: next } = await v1.senders.list({
        limit: Math.min(MaxItems, PAGE),
        ...given('cursor', NextToken),
      });
      const kind = IdentityType === 'Domain' ? 'domain' : 'address';
      const shown = data.filter((one) => IdentityType === undefined || one.kind === kind);
      return { Identities: shown.map(identityName), ...given('NextToken', next) };
    },
  }),
  action({
    name: 'ListVerifiedEmailAddresses',
    permission: 'read',
    body: NO_PARAMETERS,
    async handle({ v1 }) {
      const { data } = await v1.senders.list({ limit: PAGE });
      const shown = data.filter((one) => one.kind === 'address' && isVerified(one));
      return { VerifiedEmailAddresses: shown.map(identityName) };
    },
  }),
  action({
    name: 'GetIdentityVerificationAttributes',
    permission: 'read',
    body: closed({ Identities: Type.Array(LINE, { maxItems: MAX_IDENTITIES }) }),
    example: { Identities: ['customer.example'] },
    async handle({ body: { Identities: names }, v1 }) {
      v1.expect(names.length);
      const found = new Map<string, object>();
      for (const name of new Set(names)) {
        const status = await verificationStatus(v1, name);
        if (status !== null) found.set(name, { VerificationStatus: status });
      }
      return { VerificationAttributes: found };
    },
  }),
];

/** Returns null if there is no such identity. */
async function verificationStatus(v1: V1, name: string): Promise<string | null> {
  try {
    const sender = await findIdentity(v1, name);
    if (isVerified(sender)) return 'Success';
    return sender.status === 'pending_verification' ? 'Pending' : 'Failed';
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'not_found') throw error;
    return null;
  }
}

const template = closed({
  Template: closed({
    TemplateName: templateName,
    SubjectPart: Type.Optional(CONTENT),
    TextPart: Type.Optional(CONTENT),
    HtmlPart: Type.Optional(CONTENT),
  }),
});
const named = closed({ TemplateName: templateName });
const example = {
  Template: { TemplateName: 'HelloAgain', SubjectPart: 'Hello {{name}}', HtmlPart: '<p>Hi</p>' },
};

function partsOf({ Template: { SubjectPart, TextPart, HtmlPart } }: Type.Static<typeof template>) {
  return { ...given('Subject', SubjectPart), ...given('Text', TextPart), ...given('Html', HtmlPart) };
}

const TEMPLATE_ACTIONS: readonly ActionRoute[] = [
  action({
    name: 'CreateTemplate',
    permission: 'full',
    isLarge: true,
    body: template,
    example,
    async handle({ body, v1 }) {
      await createTemplate(v1, body.Template.TemplateName, partsOf(body));
      return {};
    },
  }),
  action({
    name: 'UpdateTemplate',
    permission: 'full',
    isLarge: true,
    body: template,
    example,
    async handle({ body, v1 }) {
      await updateTemplate(v1, body.Template.TemplateName, partsOf(body));
      return {};
    },
  }),
  action({
    name: 'GetTemplate',
    permission: 'read',
    body: named,
    example: { TemplateName: 'Welcome' },
    async handle({ body, v1 }) {
      const { name, content } = await getTemplate(v1, body.TemplateName);
      const { Subject: SubjectPart, Text: TextPart, Html: HtmlPart } = content;
      return { Template: { TemplateName: name, SubjectPart, TextPart, HtmlPart } };
    },
  }),
  action({
    name: 'ListTemplates',
    permission: 'read',
    body: closed({ ...page, MaxItems: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })) }),
    async handle({ body: { NextToken, MaxItems }, v1 }) {
      const { templates, next } = await listTemplates(v1, NextToken, MaxItems);
      const metadata = templates.map(({ name, createdAt }) => ({
        Name: name,
        CreatedTimestamp: new Date(createdAt).toISOString(),
      }));
      return { TemplatesMetadata: metadata, ...given('NextToken', next) };
    },
  }),
  action({
    name: 'DeleteTemplate',
    permission: 'full',
    body: named,
    example: { TemplateName: 'none' },
    async handle({ body, v1 }) {
      try {
        await deleteTemplate(v1, body.TemplateName);
      } catch (error) {
        // SES reports a missing template as deleted.
        if (!(error instanceof Refusal) || error.code !== 'template_not_found') throw error;
      }
      return {};
    },
  }),
  action({
    name: 'TestRenderTemplate',
    permission: 'full',
    isLarge: true,
    body: closed({ TemplateName: templateName, TemplateData: CONTENT }),
    example: { TemplateName: 'Welcome', TemplateData: '{"name":"Ann"}' },
    async handle({ body: { TemplateName: name, TemplateData: json }, v1, jsonMembers }) {
      const data = parseJsonObject(json, 'TemplateData', jsonMembers);
      return { RenderedTemplate: await renderTemplate(v1, name, data) };
    },
  }),
];

export const ACTIONS: readonly ActionRoute[] = [
  ...MAIL_ACTIONS,
  ...ACCOUNT_ACTIONS,
  ...IDENTITY_ACTIONS,
  ...TEMPLATE_ACTIONS,
];
