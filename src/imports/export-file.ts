// Writes exported rows to a file: CSV that is safe to open in a spreadsheet, or JSON. Importing exported contacts again changes
// nothing.
import type { ExportedContact } from '../contacts/contact.schema.js';
import type { EventObject } from '../events/event.schema.js';
import type { ExportKind } from './export.schema.js';
import type { MessageObject } from '../messages/message.schema.js';
import type { SuppressionWire } from '../suppressions/suppression.schema.js';
import { csvLines, csvRow, spreadsheetCell } from '../lib/rows/index.js';
import type { Transfer } from './transfers.tables.js';

/** Kinds whose file has rows of one kind. */
export type RowKind = Exclude<ExportKind, 'workspace'>;

/** Type of one line, for each of these kinds. */
export interface Exported {
  contacts: ExportedContact;
  messages: MessageObject;
  events: EventObject;
  suppressions: SuppressionWire;
}

type Format = Transfer['format'];

export interface ExportFormat<Row> {
  head: string;
  /** `isFirst` if only the header precedes them. */
  lines: (rows: readonly Row[], isFirst: boolean) => string;
  tail: string;
}

/** The columns of a CSV file in their order, each with its value. */
type Columns<Row> = Record<string, (row: Row) => unknown>;

export const MEDIA_TYPES: Record<Format, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

const CONTACTS: Columns<Exported['contacts']> = {
  email: (row) => row.email,
  name: (row) => row.name,
  phone: (row) => row.phone,
  tags: (row) => row.tags,
  status: (row) => row.status,
  metadata: (row) => row.metadata,
  sub_tenant_id: (row) => row.sub_tenant_id,
  id: (row) => row.id,
  created_at: (row) => row.created_at,
  updated_at: (row) => row.updated_at,
  consents: (row) => row.consents,
};

const MESSAGES: Columns<Exported['messages']> = {
  id: (row) => row.id,
  created_at: (row) => row.created_at,
  updated_at: (row) => row.updated_at,
  direction: (row) => row.direction,
  type: (row) => row.type,
  status: (row) => row.status,
  to: (row) => row.to,
  recipient_role: (row) => row.recipient_role,
  from_email: (row) => row.from.email,
  from_name: (row) => row.from.name,
  subject: (row) => row.subject,
  sub_tenant_id: (row) => row.sub_tenant_id,
  template_id: (row) => row.template_id,
  template_version: (row) => row.template_version,
  priority: (row) => row.priority,
  tags: (row) => row.tags,
  metadata: (row) => row.metadata,
  attachments: (row) => row.attachments.map(({ filename }) => filename),
  scheduled_at: (row) => row.scheduled_at,
  opened_at: (row) => row.opened_at,
  clicked_at: (row) => row.clicked_at,
  provider: (row) => row.provider,
  provider_message_id: (row) => row.provider_message_id,
  internet_message_id: (row) => row.internet_message_id,
  error_type: (row) => row.error?.type,
  error_category: (row) => row.error?.category,
  error_code: (row) => row.error?.code,
  error_message: (row) => row.error?.message,
  idempotency_key: (row) => row.idempotency_key,
  content_hash: (row) => row.content_hash,
  thread_id: (row) => row.thread_id,
  campaign_id: (row) => row.campaign_id,
  sequence_id: (row) => row.sequence_id,
  variant: (row) => row.variant,
  topic_id: (row) => row.topic_id,
  sandbox: (row) => row.sandbox,
};

const EVENTS: Columns<Exported['events']> = {
  id: (row) => row.id,
  event: (row) => row.event,
  occurred_at: (row) => row.occurred_at,
  actor: (row) => row.actor,
  subject_id: (row) => row.data.id,
  sub_tenant_id: (row) => row.sub_tenant_id,
  provider: (row) => row.data.provider,
  provider_message_id: (row) => row.data.provider_message_id,
  ip: (row) => row.data.ip,
  user_agent: (row) => row.data.user_agent,
  detail: (row) => row.data.metadata,
  tags: (row) => row.tags,
  metadata: (row) => row.metadata,
  sandbox: (row) => row.sandbox,
};

const SUPPRESSIONS: Columns<Exported['suppressions']> = {
  email: (row) => row.email,
  reason: (row) => row.reason,
  sub_tenant_id: (row) => row.sub_tenant_id,
  message_id: (row) => row.message_id,
  created_at: (row) => row.created_at,
  id: (row) => row.id,
};

export const EXPORT_FORMATS: { [Kind in RowKind]: Record<Format, ExportFormat<Exported[Kind]>> } = {
  contacts: formatsOf(CONTACTS),
  messages: formatsOf(MESSAGES),
  events: formatsOf(EVENTS),
  suppressions: formatsOf(SUPPRESSIONS),
};

export const EXPORT_COLUMNS: Record<RowKind, readonly string[]> = {
  contacts: Object.keys(CONTACTS),
  messages: Object.keys(MESSAGES),
  events: Object.keys(EVENTS),
  suppressions: Object.keys(SUPPRESSIONS),
};

function formatsOf<Row>(columns: Columns<Row>): Record<Format, ExportFormat<Row>> {
  const getters = Object.values(columns);
  return {
    csv: {
      head: csvLines([Object.keys(columns)]),
      lines: (rows) => csvLines(rows.map((row) => getters.map((get) => spreadsheetCell(cellOf(get(row)))))),
      tail: '',
    },
    ndjson: {
      head: '',
      lines: (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
      tail: '',
    },
    json: {
      head: '[',
      lines: (rows, isFirst) =>
        rows.map((row, i) => `${isFirst && i === 0 ? '\n' : ',\n'}${JSON.stringify(row)}`).join(''),
      tail: '\n]\n',
    },
  };
}

/** Returns the texts of a list as the cells of a row. Empty values become empty cells, and other values become JSON. */
function cellOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (isTexts(value)) return csvRow(value);
  if (typeof value === 'object' && Object.keys(value).length === 0) return '';
  return JSON.stringify(value);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
