// Tools for drafts of replies, which a person or another key sends.
import { Type } from 'typebox';
import { closed, nullable, oneOf, timestamp } from '../../contract/schema.js';
import { pathPart } from '../../http/server/v1-calls.js';
import { DRAFT_STATES, type DraftWire } from '../../messages/drafts/draft.schema.js';
import {
  cutBodies,
  defineTool,
  lineOrNull,
  listInput,
  listOutput,
  readList,
  untrusted,
  type Tool,
} from '../tool.js';
import { replyFields } from './sending.js';

const textOrNull = nullable(Type.String());
const threadId = Type.String({ maxLength: 64 });

const draftFacts = {
  id: Type.String(),
  state: oneOf(DRAFT_STATES),
  thread_id: Type.String(),
  version: Type.Integer({ description: '1, and one more with each change.' }),
  created_by: Type.String({ description: 'The ID of the user or API key that wrote it.' }),
  updated_by: Type.String({ description: 'The ID of the user or API key that changed it last.' }),
  message_id: nullable(Type.String({ description: 'The message that it was sent as.' })),
  updated_at: timestamp,
};

function factsOf(draft: DraftWire) {
  const { id, state, thread_id, version, created_by, updated_by, message_id, updated_at } = draft;
  return { id, state, thread_id, version, created_by, updated_by, message_id, updated_at };
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
    'Lists drafts of replies with their text, newest first. Sent ones have only the ID of their message.',
  operation: { method: 'GET', permission: 'send' },
  input: listInput({ thread_id: Type.Optional(threadId), state: Type.Optional(oneOf(DRAFT_STATES)) }),
  output: listOutput(
    Type.Object({
      ...draftFacts,
      truncated: Type.Boolean({ description: 'Whether the text was cut.' }),
      untrusted_content: untrusted({ subject: textOrNull, text: textOrNull, html: textOrNull }),
    }),
  ),
  run: (filters, call) =>
    readList(call, '/v1/drafts', filters, (draft: DraftWire) => {
      const { truncated, ...bodies } = cutBodies({ text: draft.text ?? null, html: draft.html ?? null });
      const subject = lineOrNull(draft.subject);
      return { ...factsOf(draft), truncated, untrusted_content: { subject, ...bodies } };
    }),
});

export const DRAFT_TOOLS: readonly Tool[] = [createDraft, listDrafts];
