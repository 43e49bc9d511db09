// Imports of contacts: a file is taken at once, and worked on in the background.
import { Type } from 'typebox';
import { orderedQuery } from '../contract/lists.js';
import { closed, metadata, nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../contract/schema.js';

const TRANSFER_STATUSES = ['queued', 'running', 'completed', 'failed', 'canceled'] as const;
export const TRANSFER_FORMATS = ['csv', 'ndjson', 'json'] as const;
const IMPORT_MODES = ['upsert', 'create_only', 'update_only'] as const;

const rows = (description: string) => Type.Integer({ description });

export const pausedReason = nullable(
  Type.String({
    description:
      'Why it waits, as a sentence, when the server is short of disk space. It resumes automatically.',
  }),
);

/** Fields that imports and exports share. */
export const transferFields = {
  status: oneOf(TRANSFER_STATUSES),
  format: oneOf(TRANSFER_FORMATS),
  sub_tenant_id: nullable(Type.String()),
  list_id: nullable(Type.String()),
  total: nullable(Type.Integer({ description: 'Rows in all; null until they have been counted.' })),
  processed: rows('Rows that are done.'),
  error: nullable(Type.String({ description: 'Why it failed, as a sentence.' })),
  paused_reason: pausedReason,
  created_at: timestamp,
  updated_at: timestamp,
  finished_at: nullable(timestamp),
};

export const contactImport = Type.Object({
  id: Type.String(),
  object: Type.Literal('import'),
  ...transferFields,
  mode: oneOf(IMPORT_MODES),
  tags: Type.Array(Type.String()),
  dry_run: Type.Boolean(),
  size_bytes: Type.Integer(),
  processed_bytes: Type.Integer(),
  created: rows('Contacts that are new.'),
  updated: rows('Contacts that were changed, or that joined the list.'),
  unchanged: rows('Contacts that were equal to the row.'),
  skipped: rows('Rows that `mode` leaves out.'),
  opted_out: rows(
    'Rows that say that the contact unsubscribed, bounced or complained. The status is set and the address suppressed; a dry run only counts.',
  ),
  warnings: Type.Array(Type.String(), {
    description:
      'Of a dry run: columns that look like a status and would be custom fields. Map each in `columns`.',
  }),
  not_rejoined: rows('Contacts that left the list on their own, and stay away; counted above as well.'),
  failed: rows('Rows that were refused; the report of refused rows says why.'),
});

const columns = Type.Optional(
  Type.Record(Type.String(), Type.String({ maxLength: 200 }), {
    description:
      '`columns[E-Mail]=email`: what a column or field becomes, by its name in the file. A target is `email`, `name`, `first_name`, ' +
      '`last_name`, `phone`, `tags`, `status`, `metadata` (a JSON object), `sub_tenant_id`, `metadata.<key>` (a custom field) or `ignore`. Other ' +
      'columns are guessed from their names. A CSV file with an unknown column that looks like a status is refused until its target is given.',
  }),
);

export const importQuery = closed({
  list_id: Type.Optional(
    Type.String({ maxLength: 100, description: 'The list that the contacts join, segments excepted.' }),
  ),
  tags: Type.Optional(
    Type.String({ maxLength: 8000, description: 'Tags that every contact gets, separated by commas.' }),
  ),
  mode: Type.Optional(
    oneOf(IMPORT_MODES, {
      default: 'upsert',
      description: '`create_only` leaves known contacts as they are, `update_only` adds none.',
    }),
  ),
  dry_run: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Checks every row and changes nothing. An address in two rows far apart counts as new twice.',
    }),
  ),
  columns,
  sub_tenant_id: Type.Optional(Type.String({ maxLength: 100 })),
});

export const transferListQuery = orderedQuery;

const importItem = Type.Object(
  {
    email: Type.String(),
    name: Type.Optional(nullable(Type.String())),
    phone: Type.Optional(nullable(Type.String())),
    tags: Type.Optional(Type.Array(Type.String())),
    metadata: Type.Optional(metadata),
    status: Type.Optional(Type.String()),
  },
  { description: 'Any other field becomes a key of metadata.' },
);

const file = (description: string, example: string) => ({
  schema: Type.String({ description, examples: [example] }),
});

/** By media type. */
export const importBody = {
  content: {
    'text/csv': file(
      'A header row, or one address a line. Columns are found by their names in any of the usual exports (Mailchimp, Brevo, Google Contacts, ' +
        'Outlook, HubSpot, listmonk and others; also in German, French and Spanish): the address, name or first and last name, phone, tags ' +
        '(separated by commas or semicolons, or a JSON array), `status`, `metadata` or `attributes` (a JSON object), `sub_tenant_id`; any other ' +
        'column becomes a key of metadata, except those that say that somebody unsubscribed, bounced or complained (`unsubscribed`, ' +
        '`subscribed`, `Opted Out`, `UNSUB_TIME`, …). Cells are separated by commas, semicolons, tabs or pipes; a first line `sep=;` says so. ' +
        'The encoding is that of the byte order mark or of `charset`; without both, rows that are not UTF-8 are read as Windows-1252. Empty cells ' +
        'change nothing. `text/plain` and `application/vnd.ms-excel` are read alike.',
      'email,name,tags,city\nann@example.com,Ann Smith,"vip,beta",Bremen\n',
    ),
    'application/x-ndjson': file(
      'One object a line.',
      '{"email":"ann@example.com","name":"Ann Smith","tags":["vip"],"metadata":{"city":"Bremen"}}\n',
    ),
    'application/json': { schema: Type.Array(importItem, { description: 'All of them in one array.' }) },
    'multipart/form-data': {
      schema: Type.Object(
        { file: Type.String({ format: 'binary' }) },
        {
          description:
            'A form with one file. Its fields are the parameters of the query, and stand before the file.',
        },
      ),
    },
  },
};

export const previewQuery = closed({ columns });

const previewColumn = Type.Object({
  name: Type.String({ description: 'As in the file.' }),
  becomes: Type.String({ description: 'Its target, as `columns` of an import names it.' }),
  samples: Type.Array(Type.String(), { description: 'Its values in the first rows.' }),
  warning: nullable(
    Type.String({
      description: 'Set if the column looks like a status; an import is refused until `columns` maps it.',
    }),
  ),
});

export const importPreview = Type.Object({
  object: Type.Literal('import_preview'),
  format: oneOf(TRANSFER_FORMATS),
  encoding: Type.String({ description: 'Such as `utf-8`, `utf-16le` or `windows-1252`.' }),
  delimiter: nullable(Type.String({ description: 'Null for JSON.' })),
  columns: Type.Array(previewColumn),
});

nameSchemas({
  Import: contactImport,
  ImportItem: importItem,
  ImportPreview: importPreview,
  ImportPreviewColumn: previewColumn,
});

nameEnums({ TransferStatus: TRANSFER_STATUSES, TransferFormat: TRANSFER_FORMATS, ImportMode: IMPORT_MODES });
