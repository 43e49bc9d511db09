// Suppressions: addresses that are not written to.
import { Type, type Static } from 'typebox';
import { anyOf, orderedQueryWith } from '../contract/lists.js';
import {
  closed,
  emailText,
  nameEnums,
  nameSchemas,
  nullable,
  oneOf,
  timestamp,
  sentence,
} from '../contract/schema.js';

export const SUPPRESSION_REASONS = ['bounce', 'complaint', 'unsubscribe', 'manual'] as const;

const MAX_REPLY = 500;
const reply = closed(
  {
    code: Type.Optional(
      nullable(Type.Integer({ minimum: 100, maximum: 999, description: 'The SMTP reply code.' })),
    ),
    enhanced_code: Type.Optional(
      nullable(
        Type.String({
          maxLength: 20,
          description: 'The enhanced status code (RFC 3463), for example `5.1.1`.',
        }),
      ),
    ),
    message: Type.Optional(nullable(Type.String({ maxLength: MAX_REPLY }))),
  },
  { description: "The reply of the recipient's mail server that caused the suppression." },
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
  sub_tenant_id: nullable(
    Type.String({
      description: 'The sub-tenant the suppression applies to. `null` if it applies to all sub-tenants.',
    }),
  ),
  message_id: nullable(Type.String({ description: 'The message that caused the suppression.' })),
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
  sub_tenant_id: Type.Optional(
    Type.String({ maxLength: 200, description: 'Return only suppressions of this sub-tenant.' }),
  ),
  created_after: Type.Optional(Type.String({ description: 'An ISO 8601 time with an offset (inclusive).' })),
  created_before: Type.Optional(Type.String({ description: 'An ISO 8601 time with an offset (exclusive).' })),
};
export const suppressionListQuery = orderedQueryWith(suppressionFilters);
export type SuppressionListQuery = Static<typeof suppressionListQuery>;

export const suppressionDeleteQuery = closed({
  sub_tenant_id: Type.Optional(
    Type.String({ description: "Delete the suppression of this sub-tenant instead of the workspace's." }),
  ),
});

export const suppressionCheckQuery = closed({
  email: Type.String(),
  sub_tenant_id: Type.Optional(Type.String({ description: 'Check for messages of this sub-tenant.' })),
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
    oneOf(['csv', 'jsonl'], {
      description: 'The file format. Defaults to the format in the `Accept` header, or CSV.',
    }),
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
        'A CSV file with the header `email[,reason][,sub_tenant_id]`, one address per line without a header, or an export from Postmark, Mailgun, Amazon SES, SendGrid or Mailchimp.',
        'email,reason\nann@example.com,unsubscribe\nbob@example.com,bounce\n',
      ),
    },
    'application/x-ndjson': {
      schema: importLines(
        'One object or address per line.',
        '{"email":"ann@example.com","reason":"unsubscribe"}\n',
      ),
    },
    'application/json': {
      schema: Type.Array(importItem, {
        description:
          'An array of objects or addresses. Responses of the Postmark, Mailgun, Amazon SES and SendGrid APIs are also accepted.',
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
  total: Type.Integer({ description: 'Number of entries, not counting blank lines.' }),
  created: Type.Integer(),
  existing: Type.Integer({
    description: 'Entries that already existed or occurred twice in the body. They were not changed.',
  }),
  failed: Type.Integer(),
  errors: Type.Array(
    Type.Object({
      line: Type.Integer({
        description: 'The line number, starting at 1. For a JSON array, the number of the item.',
      }),
      email: nullable(Type.String({ description: 'The value given as the address, if any.' })),
      message: sentence(),
    }),
    { description: 'The first 100 failed entries.' },
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
