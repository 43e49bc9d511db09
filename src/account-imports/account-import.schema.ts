// Wire shapes of /v1/account-imports.
import { Type } from 'typebox';
import { closed, nameEnums, nameSchemas, nullable, oneOf, sentence, timestamp } from '../contract/schema.js';
import { API_SOURCES, FILE_SOURCES, IMPORT_KINDS, IMPORT_SOURCES } from './kinds.rules.js';

const STATUSES = ['queued', 'running', 'completed', 'failed', 'canceled'] as const;
const REGIONS = ['global', 'eu'] as const;

const kind = oneOf(IMPORT_KINDS);
const objects = (description: string) => Type.Integer({ description });

const kindCounts = Type.Object({
  kind,
  found: objects('Objects found at the vendor.'),
  created: objects('Objects created.'),
  updated: objects('Existing contacts whose fields changed.'),
  unchanged: objects('Objects that already exist.'),
  left_out: objects('Objects that were not imported. The report has the reasons.'),
});

export const accountImport = Type.Object({
  id: Type.String(),
  object: Type.Literal('account_import'),
  source: oneOf(IMPORT_SOURCES),
  kinds: Type.Array(kind),
  dry_run: Type.Boolean(),
  status: oneOf(STATUSES),
  sub_tenant_id: nullable(Type.String()),
  counts: Type.Array(kindCounts, { description: 'Counts for each kind, in import order.' }),
  report_lines: Type.Integer({
    description: 'Number of lines in the report, up to 10,000. Objects beyond that are only counted.',
  }),
  error: nullable(sentence({ description: 'Why the import failed, as a sentence.' })),
  paused_reason: nullable(
    sentence({ description: 'Why the import is waiting, as a sentence. It resumes automatically.' }),
  ),
  created_at: timestamp,
  updated_at: timestamp,
  finished_at: nullable(timestamp),
});

const secret = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 500, writeOnly: true, description }));

const connection = closed(
  {
    api_key: secret(
      'The API key, for `brevo`, `mailgun`, `resend` and `sendgrid`; the server API token, for `postmark`.',
    ),
    account_token: secret('The account API token, for `postmark`. Without it, domains are left out.'),
    region: Type.Optional(
      oneOf(REGIONS, {
        description: 'The region of a `mailgun` or `sendgrid` account. Defaults to `global`.',
      }),
    ),
    access_key_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 128, description: 'The access key ID, for `ses`.' }),
    ),
    secret_access_key: secret('The secret access key, for `ses`.'),
    aws_region: Type.Optional(
      Type.String({
        maxLength: 30,
        description: 'The AWS region of the account, for `ses`, such as `eu-west-1`.',
      }),
    ),
    url: Type.Optional(
      Type.String({ maxLength: 2048, description: 'The URL of the server, for `listmonk`.' }),
    ),
    user: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'The name of the API user, for `listmonk`.' }),
    ),
    token: secret('The token of the API user, for `listmonk`.'),
  },
  {
    description:
      'How to reach the account. The credentials are encrypted, never returned, and deleted when the import ends.',
  },
);

export const accountImportCreate = closed(
  {
    source: oneOf(API_SOURCES, { description: 'The vendor to import from.' }),
    connection,
    kinds: Type.Optional(
      Type.Array(kind, {
        minItems: 1,
        maxItems: IMPORT_KINDS.length,
        description: 'The kinds of objects to import. Defaults to all kinds that the source supports.',
      }),
    ),
    dry_run: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether to read and check everything without changing anything.',
      }),
    ),
    sub_tenant_id: Type.Optional(nullable(Type.String())),
  },
  {
    examples: [
      {
        source: 'resend',
        connection: { api_key: 're_kJ3vQ2nW8xZ5hT7c' },
        kinds: ['suppressions', 'contacts'],
        dry_run: true,
      },
    ],
  },
);

export const accountImportUpload = closed({
  source: Type.Optional(
    oneOf(FILE_SOURCES, {
      default: 'mailkeel',
      description:
        'The kind of file: a workspace export of a Mailkeel server (`mailkeel`), an account or audience export (`mailchimp`), or a database dump (`listmonk`, `postal`).',
    }),
  ),
  kinds: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'The kinds of objects to import, separated by commas. Defaults to all kinds that the source supports.',
    }),
  ),
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'The name of the audience in a `mailchimp` export, which defaults to the name in the file, or of the server in a `postal` dump that has several.',
    }),
  ),
  dry_run: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Whether to read and check everything without changing anything.',
    }),
  ),
  sub_tenant_id: Type.Optional(Type.String({ maxLength: 100 })),
});

export const accountImportFile = {
  content: {
    'application/x-ndjson': {
      schema: Type.String({
        description: 'The file of a workspace export.',
        examples: [
          '{"object":"workspace_export","format":1,"environment":"live","sub_tenant_id":null}\n{"object":"workspace_export_end","counts":{}}\n',
        ],
      }),
    },
    'application/octet-stream': {
      schema: Type.String({
        format: 'binary',
        description: 'The file of another program. Dumps can be compressed with gzip.',
      }),
    },
    'multipart/form-data': {
      schema: Type.Object(
        { file: Type.String({ format: 'binary' }) },
        {
          description:
            'A form with one file. Send the query parameters as form fields before the file, if you use them.',
        },
      ),
    },
  },
};

nameSchemas({
  AccountImport: accountImport,
  AccountImportCreate: accountImportCreate,
  AccountImportCounts: kindCounts,
  AccountImportConnection: connection,
});
nameEnums({
  AccountImportSource: IMPORT_SOURCES,
  AccountImportVendor: API_SOURCES,
  AccountImportFileSource: FILE_SOURCES,
  AccountImportKind: IMPORT_KINDS,
});
