// Tools for drafts of replies, which a person or another key sends.
import { Type } from 'typebox';
import { closed, nullable, oneOf, timestamp } from '../../contract/schema.js';
import { pathPart } from '../../http/server/v1-calls.js';
import { formatMailbox } from '../../lib/mime/index.js';
import { DRAFT_STATES, type DraftWire } from '../../messages/drafts/draft.schema.js';
import {
  cutBodies,
  defineTool,
  line,
  lineOrNull,
  listInput,
  listOutput,
  readList,
  untrusted,
  type Tool,
} from '../tool.js';
import { attachedFile } from './message-parts.js';
import { replyFields } from './sending.js';

const textOrNull = nullable(Type.String());
const threadId = Type.String({ maxLength: 64 });

const draftFacts = {
  id: Type.String(),
  state: oneOf(DRAFT_STATES),
  thread_id: Type.String(),
  version: Type.Integer({ description: 'The version number. Starts at 1 and increases with each change.' }),
  created_by: Type.String({ description: 'The ID of the user or API key that created the draft.' }),
  updated_by: Type.String({ description: 'The ID of the user or API key that last changed the draft.' }),
  message_id: nullable(Type.String({ description: 'The message that it was sent as.' })),
  updated_at: timestamp,
};

function factsOf(draft: DraftWire) {
  const { id, state, thread_id, version, created_by, updated_by, message_id, updated_at } = draft;
  return { id, state, thread_id, version, created_by, updated_by, message_id, updated_at };
}

/** Addresses of one field, and files, that the list shows of a draft. */
const MOST = 20;

type MailboxField = DraftWire['to'];

function mailboxesOf(field: MailboxField): string[] {
  const given = field === undefined ? [] : Array.isArray(field) ? field : [field];
  return given.map((one) => line(typeof one === 'string' ? one : formatMailbox({ name: null, ...one })));
}

function presentDraft(draft: DraftWire) {
  const fields = {
    to: mailboxesOf(draft.to),
    cc: mailboxesOf(draft.cc),
    bcc: mailboxesOf(draft.bcc),
    attachments: (draft.attachments ?? []).map(({ filename, content_type, size }) => ({
      ...{ filename: line(filename), content_type: line(content_type), size },
    })),
  };
  const { truncated, ...bodies } = cutBodies({ text: draft.text ?? null, html: draft.html ?? null });
  const { to, cc, bcc, attachments } = fields;
  return {
    ...factsOf(draft),
    truncated: truncated || Object.values(fields).some(({ length }) => length > MOST),
    untrusted_content: {
      ...{ to: to.slice(0, MOST), cc: cc.slice(0, MOST), bcc: bcc.slice(0, MOST) },
      from: mailboxesOf(draft.from)[0] ?? null,
      subject: lineOrNull(draft.subject),
      template: lineOrNull(draft.template),
      ...bodies,
      attachments: attachments.slice(0, MOST),
    },
  };
}

const createDraft = defineTool({
  name: 'create_draft',
  title: 'Create draft',
  description:
    'Stores a reply in a thread without sending it, so that a person can read, change and send it. By default it goes to the correspondent with the subject of the thread.',
  operation: { method: 'POST', permission: 'send' },
  effect: { destructive: false, idempotent: false, openWorld: false },
  input: closed({ thread_id: threadId, ...replyFields }),
  output: Type.Object(draftFacts),
  async run({ thread_id: id, ...reply }, { v1 }) {
    const made = await v1.post(`/v1/threads/${pathPart(id)}/drafts`, { ...reply, render: false });
    return factsOf(made as DraftWire);
  },
});

const listDrafts = defineTool({
  name: 'list_drafts',
  title: 'List drafts',
  description:
    'Lists drafts of replies with their recipients, text and files, newest first. A draft without recipients goes to the correspondent of its thread. Sent ones have only the ID of their message.',
  operation: { method: 'GET', permission: 'send' },
  input: listInput({ thread_id: Type.Optional(threadId), state: Type.Optional(oneOf(DRAFT_STATES)) }),
  output: listOutput(
    Type.Object({
      ...draftFacts,
      truncated: Type.Boolean({
        description: `Whether the text was cut, or a list has more than ${MOST} entries.`,
      }),
      untrusted_content: untrusted({
        ...{ to: Type.Array(Type.String()), cc: Type.Array(Type.String()), bcc: Type.Array(Type.String()) },
        ...{
          from: textOrNull,
          subject: textOrNull,
          template: textOrNull,
          text: textOrNull,
          html: textOrNull,
        },
        attachments: Type.Array(attachedFile),
      }),
    }),
  ),
  run: (filters, call) => readList(call, '/v1/drafts', filters, presentDraft),
});

export const DRAFT_TOOLS: readonly Tool[] = [createDraft, listDrafts];
