// Exports of contacts: at once as a stream, or in the background into a file.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { contactFilters } from './contact.js';
import { CONTACT_STATUSES } from './names.js';
import { TRANSFER_FORMATS, transferFields } from './import.js';
import { closed, nameSchemas, nullable, oneOf } from './schema.js';

const wanted = {
  format: Type.Optional(oneOf(TRANSFER_FORMATS, { default: 'csv' })),
  list_id: Type.Optional(
    Type.String({ maxLength: 100, description: "Only this list's subscribed members." }),
  ),
  tag: contactFilters.tag,
  status: Type.Optional(oneOf(CONTACT_STATUSES)),
};

export const exportQuery = closed(wanted);
export type ExportQuery = Static<typeof exportQuery>;

export const exportCreate = closed(
  { ...wanted, sub_tenant_id: Type.Optional(nullable(Type.String())) },
  { examples: [{ format: 'csv', tag: 'vip' }] },
);

export const contactExport = Type.Object({
  id: Type.String(),
  object: Type.Literal('export'),
  ...transferFields,
  tag: nullable(Type.String()),
  contact_status: nullable(Type.String({ description: 'The `status` that was asked for.' })),
  size_bytes: Type.Integer({ description: 'Of the file, as far as it is written.' }),
});
export type ExportWire = Static<typeof contactExport>;

nameSchemas({
  ExportCreate: exportCreate,
  Export: contactExport,
});
