// Wire shapes of drafts, which are replies that are sent later.
import { Type, type Static, type TProperties, type TSchema } from 'typebox';
import { orderedQueryWith } from '../../contract/lists.js';
import { closed, nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../../contract/schema.js';
import { message } from '../message.schema.js';
import { threadReply } from '../threads/thread.schema.js';

export const DRAFT_STATES = ['open', 'sent'] as const;

const { properties: fields } = Type.Omit(threadReply, ['idempotency_key']);
const { properties: shownFields } = Type.Omit(threadReply, ['idempotency_key', 'attachments']);

export const draftCreate = closed(fields, {
  description: 'The fields of a reply. Fields that you omit get their defaults when the draft is sent.',
  examples: [{ text: 'Your order shipped this morning.' }],
});
export type DraftFields = Static<typeof draftCreate>;
export const FIELD_NAMES = Object.keys(fields) as (keyof DraftFields)[]; // Object.keys returns strings

const version = Type.Optional(
  Type.Integer({
    minimum: 1,
    description: 'The `version` that you last read. If the draft has changed since, the request fails.',
  }),
);

type Clearable<Fields> = { [Name in keyof Fields]?: Fields[Name] | null };

/** Each field, or null to clear it. */
const clearable = Object.fromEntries(
  Object.entries(undescribed(fields)).map(([name, schema]: [string, TSchema]) => [
    name,
    Type.Optional(nullable(schema)),
  ]),
);

export const draftUpdate = Type.Unsafe<Clearable<DraftFields> & { version?: number }>(
  closed(
    { ...clearable, version },
    {
      minProperties: 1,
      description: 'The fields to replace. `null` and empty values clear a field.',
      examples: [{ text: 'Your order ships tomorrow.', version: 1 }],
    },
  ),
);
export type DraftUpdate = Static<typeof draftUpdate>;

export const draftSend = closed({ version }, { examples: [{ version: 1 }] });

export const draft = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('draft'),
    state: oneOf(DRAFT_STATES, {
      description: '`open`: it can be changed and sent. `sent`: see `message_id`.',
    }),
    thread_id: Type.String(),
    sub_tenant_id: nullable(Type.String()),
    version: Type.Integer({ description: 'The version number. Starts at 1 and increases with each change.' }),
    created_by: Type.String({ description: 'The ID of the user or API key that created the draft.' }),
    updated_by: Type.String({ description: 'The ID of the user or API key that last changed the draft.' }),
    message_id: nullable(Type.String({ description: 'The ID of the first message sent from the draft.' })),
    created_at: timestamp,
    updated_at: timestamp,
    ...undescribed(shownFields),
    attachments: Type.Optional(message.properties.attachments),
  },
  {
    description:
      'A reply to send later, with the fields that you set. A sent draft has no fields, because its message contains them.',
  },
);
export type DraftWire = Static<typeof draft>;

/** `DraftCreate` has the descriptions of the fields, which are all optional, and have no default here. */
function undescribed<P extends TProperties>(properties: P): P {
  const entries = Object.entries(properties).map(([name, schema]: [string, TSchema]) => {
    const parts = Object.entries(schema).filter(([part]) => part !== 'description' && part !== 'default');
    return [name, Type.Optional(Object.fromEntries(parts) as TSchema)];
  });
  return Object.fromEntries(entries) as P; // the same schemas
}

export const draftsQuery = orderedQueryWith({
  thread_id: Type.Optional(Type.String({ maxLength: 64, description: 'Return only drafts in this thread.' })),
  state: Type.Optional(oneOf(DRAFT_STATES)),
  sub_tenant_id: Type.Optional(
    Type.String({ maxLength: 200, description: 'Return only drafts in threads of this sub-tenant.' }),
  ),
});

nameSchemas({ Draft: draft, DraftCreate: draftCreate, DraftUpdate: draftUpdate, DraftSend: draftSend });

nameEnums({ DraftState: DRAFT_STATES });
