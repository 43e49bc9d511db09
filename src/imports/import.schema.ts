// Wire shapes of contact imports. The file is stored immediately and processed in the background.
import { Type } from 'typebox';
import { orderedQuery } from '../contract/lists.js';
import {
  closed,
  metadata,
  nameEnums,
  nameSchemas,
  nullable,
  oneOf,
  timestamp,
  sentence,
} from '../contract/schema.js';

const TRANSFER_STATUSES = ['queued', 'running', 'completed', 'failed', 'canceled'] as const;
export const TRANSFER_FORMATS = ['csv', 'ndjson', 'json'] as const;
const IMPORT_MODES = ['upsert', 'create_only', 'update_only'] as const;

const rows = (description: string) => Type.Integer({ description });

export const pausedReason = nullable(
  Type.String({
    description:
      'Why the job is paused because the server is short of disk space, as a sentence. It resumes automatically.',
  }),
);

/** Fields that imports and exports share. */
export const transferFields = {
  status: oneOf(TRANSFER_STATUSES),
  format: oneOf(TRANSFER_FORMATS),
  sub_tenant_id: nullable(Type.String()),
  list_id: nullable(Type.String()),
  total: nullable(
    Type.Integer({ description: 'Total number of rows. `null` until they have been counted.' }),
  ),
  processed: rows('Number of rows processed.'),
  error: nullable(sentence({ description: 'Why the job failed, as a sentence.' })),
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
  created: rows('Contacts created.'),
  updated: rows('Contacts that were updated or joined the list.'),
  unchanged: rows('Contacts already identical to the row.'),
  skipped: rows(
    'Rows skipped because `mode` excludes them: existing contacts with `create_only`, new contacts with `update_only`.',
  ),
  opted_out: rows(
    'Rows that mark the contact as unsubscribed, bounced or complained. Their status is set and the address is suppressed; in a dry run they are only counted.',
  ),
  warnings: Type.Array(sentence(), {
    description:
      'Columns found in a dry run that look like a status but would become custom fields. Map each of them in `columns`.',
  }),
  not_rejoined: rows(
    'Contacts who had unsubscribed from the list and were not added again. Also included in the counts above.',
  ),
  failed: rows('Rejected rows. Download the report of rejected rows for details.'),
});

const columns = Type.Optional(
  Type.Record(Type.String(), Type.String({ maxLength: 200 }), {
    description:
      'Maps columns or fields to contact fields by their name in the file, for example `columns[E-Mail]=email`. Targets are `email`, `name`, `first_name`, `last_name`, `phone`, `tags`, `status`, `metadata` (a JSON object), `sub_tenant_id`, `metadata.<key>` (a custom field) and `ignore`. Columns that you do not map are detected by name. A CSV file is rejected if an unknown column looks like a status, until you map it.',
  }),
);

export const importQuery = closed({
  list_id: Type.Optional(
    Type.String({ maxLength: 100, description: 'The list to add the contacts to. Cannot be a segment.' }),
  ),
  tags: Type.Optional(
    Type.String({ maxLength: 8000, description: 'Comma-separated tags to add to every contact.' }),
  ),
  mode: Type.Optional(
    oneOf(IMPORT_MODES, {
      default: 'upsert',
      description:
        'Which rows to import. `create_only` skips existing contacts, and `update_only` skips new ones.',
    }),
  ),
  dry_run: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Whether to check every row without changing anything. An address that occurs in two distant rows is counted as new twice.',
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
  { description: 'A contact. Unknown fields are stored as metadata.' },
);

const file = (description: string, example: string) => ({
  schema: Type.String({ description, examples: [example] }),
});

/** By media type. */
export const importBody = {
  content: {
    'text/csv': file(
      'A CSV file with a header row, or one address per line. Columns are detected by name in the exports of Mailchimp, Brevo, Google Contacts, Outlook, HubSpot, listmonk and others, in English, German, French and Spanish. Recognized are the address, name or first and last name, phone, tags (comma- or semicolon-separated, or a JSON array), `status`, `metadata` or `attributes` (a JSON object) and `sub_tenant_id`. Columns such as `unsubscribed`, `subscribed`, `Opted Out` or `UNSUB_TIME` mark a contact as unsubscribed, bounced or complained. All other columns are stored as metadata. Cells are separated by commas, semicolons, tabs or pipes; a first line `sep=;` sets the separator. The encoding is determined by the byte order mark or `charset`. Without either, rows that are not valid UTF-8 are read as Windows-1252. Empty cells change nothing. `text/plain` and `application/vnd.ms-excel` are read in the same way.',
      'email,name,tags,city\nann@example.com,Ann Smith,"vip,beta",Bremen\n',
    ),
    'application/x-ndjson': file(
      'One object per line.',
      '{"email":"ann@example.com","name":"Ann Smith","tags":["vip"],"metadata":{"city":"Bremen"}}\n',
    ),
    'application/json': { schema: Type.Array(importItem, { description: 'All objects in an array.' }) },
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

export const previewQuery = closed({ columns });

const previewColumn = Type.Object({
  name: Type.String({ description: 'The column name in the file.' }),
  becomes: Type.String({
    description: 'The target of the column, with the names used in `columns` of an import.',
  }),
  samples: Type.Array(Type.String(), { description: 'Values of the column in the first rows.' }),
  warning: nullable(
    sentence({
      description:
        'Set if the column looks like a status. The import is rejected until you map the column in `columns`.',
    }),
  ),
});

export const importPreview = Type.Object({
  object: Type.Literal('import_preview'),
  format: oneOf(TRANSFER_FORMATS),
  encoding: Type.String({ description: 'The encoding, for example `utf-8`, `utf-16le` or `windows-1252`.' }),
  delimiter: nullable(Type.String({ description: 'The separator. `null` for JSON.' })),
  columns: Type.Array(previewColumn),
});

nameSchemas({
  Import: contactImport,
  ImportItem: importItem,
  ImportPreview: importPreview,
  ImportPreviewColumn: previewColumn,
});

nameEnums({ TransferStatus: TRANSFER_STATUSES, TransferFormat: TRANSFER_FORMATS, ImportMode: IMPORT_MODES });
