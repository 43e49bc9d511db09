// Contacts as a file: CSV that a spreadsheet opens unharmed, or JSON. What it has, an import takes back unchanged.
import type { ExportedContact } from '../../contract/contact.js';
import { csvLines, csvRow } from '../../mail/rows/csv-cells.js';
import { spreadsheetCell } from '../../mail/spreadsheet-cell.js';
import type { Transfer } from '../../store/transfers.js';

export interface ContactFileFormat {
  mediaType: string;
  extension: string;
  head: string;
  /** `isFirst`: nothing but the head stands before them. */
  lines: (contacts: readonly ExportedContact[], isFirst: boolean) => string;
  tail: string;
}

export const CONTACT_COLUMNS = [
  'email',
  'name',
  'phone',
  'tags',
  'status',
  'metadata',
  'sub_tenant_id',
  'id',
  'created_at',
  'updated_at',
  'consents',
] as const;

export const CONTACT_FILES: Record<Transfer['format'], ContactFileFormat> = {
  csv: {
    mediaType: 'text/csv; charset=utf-8; header=present',
    extension: 'csv',
    head: csvLines([CONTACT_COLUMNS]),
    lines: (contacts) => csvLines(contacts.map(cellsOf)),
    tail: '',
  },
  ndjson: {
    mediaType: 'application/x-ndjson; charset=utf-8',
    extension: 'ndjson',
    head: '',
    lines: (contacts) => contacts.map((contact) => `${JSON.stringify(contact)}\n`).join(''),
    tail: '',
  },
  json: {
    mediaType: 'application/json; charset=utf-8',
    extension: 'json',
    head: '[',
    lines: (contacts, isFirst) =>
      contacts.map((contact, i) => `${isFirst && i === 0 ? '\n' : ',\n'}${JSON.stringify(contact)}`).join(''),
    tail: '\n]\n',
  },
};

function cellsOf(contact: ExportedContact): string[] {
  return CONTACT_COLUMNS.map((column) => spreadsheetCell(cellOf(contact, column)));
}

function cellOf(contact: ExportedContact, column: (typeof CONTACT_COLUMNS)[number]): string {
  if (column === 'tags') return csvRow(contact.tags);
  if (column === 'consents') return contact.consents.length === 0 ? '' : JSON.stringify(contact.consents);
  if (column !== 'metadata') return contact[column] ?? '';
  return Object.keys(contact.metadata).length === 0 ? '' : JSON.stringify(contact.metadata);
}
