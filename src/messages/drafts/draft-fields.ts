// The stored fields of a draft: everything except the contents of attachments, which are read only when the draft is changed or
// sent.
import { readRequest, type RequestLimits } from '../accept/read-request.js';
import { contentsOf, storedContents } from './draft-files.rules.js';
import { type DraftFields, type DraftUpdate, type DraftWire, FIELD_NAMES } from './draft.schema.js';
import type { ReplyDraft } from './drafts.tables.js';

/** The thread determines the recipient when the draft is sent. */
const ANYONE = 'recipient@example.com';

type StoredFields = Pick<ReplyDraft, 'fields' | 'files' | 'size_bytes'>;
type ShownAttachment = NonNullable<DraftWire['attachments']>[number];

export const NO_FIELDS: StoredFields = { fields: '{}', files: null, size_bytes: 0 };

/** Refused with `validation_error` if the fields could not be sent as a reply. */
export function storedFields(fields: DraftFields, limits: RequestLimits): StoredFields {
  const { to = ANYONE, from, subject } = fields;
  const read = readRequest(
    fields,
    { to, ...(from === undefined ? {} : { from }), ...(subject === undefined ? {} : { subject }) },
    limits,
  );
  const { attachments: given, ...others } = fields;
  const attachments = read.attachments.map(
    ({ filename, contentType, cid, sha256, content }): ShownAttachment => ({
      ...{ filename, content_type: contentType, size: content.byteLength, content_id: cid, sha256 },
    }),
  );
  const stored = JSON.stringify(given === undefined ? others : { ...others, attachments });
  const files = given === undefined ? null : JSON.stringify(given.map(({ content }) => content));
  const size = Buffer.byteLength(stored) + (files?.length ?? 0);
  return { fields: stored, files, size_bytes: size };
}

/** Returns the fields as they were given. */
export function givenFields({ fields, files }: Pick<ReplyDraft, 'fields' | 'files'>): DraftFields {
  const { attachments, ...others } = shownFields(fields);
  if (attachments === undefined || files === null) return others;
  const contents = storedContents(files);
  return {
    ...others,
    attachments: attachments.map(({ filename, content_type, content_id }, at) => ({
      ...{ filename, content_type, content: contents[at] ?? '' },
      ...(content_id === null ? {} : { content_id }),
    })),
  };
}

/** Returns an attachment by its position; null if there is none. */
export function fileOfDraft(
  { fields, files }: Pick<ReplyDraft, 'fields' | 'files'>,
  index: number,
): { filename: string; content: Buffer } | null {
  const { filename } = shownFields(fields).attachments?.[index] ?? {};
  const content = contentsOf(files)[index];
  if (filename === undefined || content === undefined) return null;
  return { filename, content };
}

/** Returns the fields as the API shows them. */
export function shownFields(
  fields: ReplyDraft['fields'],
): Omit<DraftFields, 'attachments'> & Pick<DraftWire, 'attachments'> {
  return JSON.parse(fields) as ReturnType<typeof shownFields>;
}

/** Replaces fields. Those that are null or empty are cleared. */
export function withChanges(fields: DraftFields, changes: DraftUpdate): DraftFields {
  const entries = FIELD_NAMES.map((name) => [
    name,
    changes[name] === undefined ? fields[name] : changes[name],
  ]);
  return Object.fromEntries(entries.filter(([, value]) => !isEmpty(value))) as DraftFields; // named by FIELD_NAMES
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}
