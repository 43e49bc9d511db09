// Suppressions: addresses that are not written to.
import { Type, type Static } from 'typebox';
import { anyOf, orderedQueryWith } from '../contract/lists.js';
import { closed, emailText, nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../contract/schema.js';

export const SUPPRESSION_REASONS = ['bounce', 'complaint', 'unsubscribe', 'manual'] as const;

const MAX_REPLY = 500;
const reply = closed(
  {
    code: Type.Optional(
      nullable(Type.Integer({ minimum: 100, maximum: 999, description: 'The SMTP reply code.' })),
    ),
    enhanced_code: Type.Optional(
      nullable(Type.String({ maxLength: 20, description: 'RFC 3463, such as 5.1.1.' })),
    ),
    message: Type.Optional(nullable(Type.String({ maxLength: MAX_REPLY }))),
  },
  { description: "The reply of the recipient's server for which the address was suppressed." },
);
export type SuppressionReply = Required<Static<typeof reply>>;

/** The reply as a suppression keeps it: JSON. */
export function replyJson({
  code = null,
  enhanced_code = null,
  message = null,
}: Static<typeof reply>): string {
  const kept: SuppressionReply = { code, enhanced_code, message: message?.slice(0, MAX_REPLY) ?? null };
  return JSON.stringify(kept);
}

export const suppression = Type.Object({
  id: Type.String(),
  object: Type.Literal('suppression'),
  email: emailText,
  reason: oneOf(SUPPRESSION_REASONS),
  sub_tenant_id: nullable(Type.String({ description: 'Null: it blocks every sub-tenant.' })),
  message_id: nullable(Type.String({ description: 'The message that caused it.' })),
  reply: nullable(reply),
  created_at: timestamp,
});
export type SuppressionWire = Static<typeof suppression>;

export const suppressionCreate = closed(
  {
    email: Type.String(),
    reason: Type.Optional(oneOf(SUPPRESSION_REASONS, { default: 'manual' })),
    sub_tenant_id: Type.Optional(nullable(Type.String())),
    reply: Type.Optional(nullable(reply)),
  },
  { examples: [{ email: 'ann@example.com' }] },
);

const suppressionFilters = {
  reason: anyOf(SUPPRESSION_REASONS),
  q: Type.Optional(Type.String({ maxLength: 254, description: 'Part of the address.' })),
  sub_tenant_id: Type.Optional(Type.String({ maxLength: 200, description: "Only this sub-tenant's." })),
  created_after: Type.Optional(Type.String({ description: 'ISO 8601 with an offset; inclusive.' })),
  created_before: Type.Optional(Type.String({ description: 'ISO 8601 with an offset; exclusive.' })),
};
export const suppressionListQuery = orderedQueryWith(suppressionFilters);
export type SuppressionListQuery = Static<typeof suppressionListQuery>;

export const suppressionDeleteQuery = closed({
  sub_tenant_id: Type.Optional(
    Type.String({ description: "Deletes this sub-tenant's row instead of the workspace's." }),
  ),
});

export const suppressionCheckQuery = closed({
  email: Type.String(),
  sub_tenant_id: Type.Optional(Type.String({ description: "Asks for this sub-tenant's mail." })),
});

export const suppressionCheck = Type.Object({
  email: emailText,
  suppressed: Type.Boolean(),
  reason: nullable(oneOf(SUPPRESSION_REASONS)),
  scope: nullable(oneOf(['workspace', 'sub_tenant'])),
});

export const suppressionExportQuery = closed({
  ...suppressionFilters,
  format: Type.Optional(
    oneOf(['csv', 'jsonl'], { description: 'Without it the Accept header decides, else it is CSV.' }),
  ),
});
export type SuppressionExportQuery = Static<typeof suppressionExportQuery>;

const importItem = closed({
  email: Type.String(),
  reason: Type.Optional(nullable(oneOf(SUPPRESSION_REASONS, { default: 'manual' }))),
  sub_tenant_id: Type.Optional(nullable(Type.String())),
});

const importLines = (description: string, example: string) =>
  Type.String({ description, examples: [example] });

/** By media type. */
export const suppressionImportBody = {
  content: {
    'text/csv': {
      schema: importLines(
        'A header row `email[,reason][,sub_tenant_id]`, one address a line without any, or an export of Postmark, Mailgun, ' +
          'Amazon SES, SendGrid or Mailchimp.',
        'email,reason\nann@example.com,unsubscribe\nbob@example.com,bounce\n',
      ),
    },
    'application/x-ndjson': {
      schema: importLines(
        'One object a line; an address alone will do.',
        '{"email":"ann@example.com","reason":"unsubscribe"}\n',
      ),
    },
    'application/json': {
      schema: Type.Array(importItem, {
        description:
          'All of them in one array; an address alone will do for an item. The answers of the APIs of Postmark, Mailgun, ' +
          'Amazon SES and SendGrid are read as well.',
      }),
    },
    'multipart/form-data': {
      schema: Type.Object(
        { file: Type.String({ format: 'binary' }) },
        { description: 'A form with one file.' },
      ),
    },
  },
};

export const suppressionImport = Type.Object({
  object: Type.Literal('suppression_import'),
  total: Type.Integer({ description: 'Entries that were read; blank lines are none.' }),
  created: Type.Integer(),
  existing: Type.Integer({
    description: 'Entries that existed already, or were in the body twice. They are unchanged.',
  }),
  failed: Type.Integer(),
  errors: Type.Array(
    Type.Object({
      line: Type.Integer({ description: 'From 1. In a JSON array the number of the item.' }),
      email: nullable(Type.String({ description: 'The text in the place of the address, if any.' })),
      message: Type.String(),
    }),
    { description: 'The first 100 of those that failed.' },
  ),
});

nameSchemas({
  Suppression: suppression,
  SuppressionReply: reply,
  SuppressionCreate: suppressionCreate,
  SuppressionCheck: suppressionCheck,
  SuppressionImportItem: importItem,
  SuppressionImport: suppressionImport,
  SuppressionImportError: suppressionImport.properties.errors.items,
});

nameEnums({ SuppressionReason: SUPPRESSION_REASONS, SuppressionScope: ['workspace', 'sub_tenant'] });
