// Wire shapes of inboxes and the messages in them.
import { Type, type Static } from 'typebox';
import { listOf, orderedQueryWith, pageQueryWith } from '../../contract/lists.js';
import { closed, emailText, nameSchemas, nullable, timestamp } from '../../contract/schema.js';
import { message } from '../message.schema.js';
import { label } from '../threads/thread.schema.js';

const MAX_NAME = 200;
const MAX_CLIENT_ID = 200;
const MAX_WAIT_SECONDS = 60;

export const inbox = Type.Object({
  id: Type.String(),
  object: Type.Literal('inbox'),
  address: emailText,
  name: nullable(Type.String()),
  client_id: Type.String({ description: 'The client ID that you passed when you created the inbox.' }),
  policy_key: nullable(
    Type.String({ description: 'The ID of the API key whose send policy applies to replies.' }),
  ),
  sub_tenant_id: nullable(Type.String({ description: 'The sub-tenant that owns the domain.' })),
  created_at: timestamp,
  updated_at: timestamp,
});

const name = nullable(Type.String({ minLength: 1, maxLength: MAX_NAME, description: 'A name for people.' }));
const policyKey = nullable(
  Type.String({
    maxLength: 100,
    description:
      'The ID of an API key with the permission `send`. Replies in threads of the inbox are sent with this key, so its send policy applies.',
  }),
);

export const inboxCreate = closed(
  {
    address: Type.Optional(
      Type.String({ maxLength: 320, description: 'An address on an inbound domain that you own.' }),
    ),
    domain: Type.Optional(
      Type.String({
        maxLength: 253,
        description: 'An inbound domain that you own. Mailkeel chooses the local part.',
      }),
    ),
    client_id: Type.String({
      minLength: 1,
      maxLength: MAX_CLIENT_ID,
      description:
        'Your own ID for the inbox. Repeating the request with the same ID and parameters returns the same inbox.',
    }),
    name: Type.Optional(name),
    policy_key: Type.Optional(policyKey),
  },
  { examples: [{ domain: 'reply.example.com', client_id: 'support-agent', name: 'Support' }] },
);
export type InboxCreate = Static<typeof inboxCreate>;

export const inboxUpdate = closed(
  { name: Type.Optional(name), policy_key: Type.Optional(policyKey) },
  { examples: [{ name: 'Support' }] },
);
export type InboxUpdate = Static<typeof inboxUpdate>;

export const inboxesQuery = orderedQueryWith({
  address: Type.Optional(
    Type.String({ maxLength: 320, description: 'Return only the inbox with this address.' }),
  ),
});

export const inboxMessagesQuery = pageQueryWith({
  from: Type.Optional(Type.String({ maxLength: 320, description: "Filter by the sender's address." })),
  since: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Received at or after this date or ISO 8601 time with an offset.',
    }),
  ),
  unread: Type.Optional(
    Type.Boolean({
      description: 'Return only messages in unread threads (`true`) or in read threads (`false`).',
    }),
  ),
  label: Type.Optional({ ...label, description: 'Return only messages in threads with this label.' }),
  after: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'The ID of a message. Return the messages received after it, oldest first.',
    }),
  ),
  wait: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_WAIT_SECONDS,
      description:
        'Seconds to wait for a message newer than `after`, or newer than the newest message if `after` is omitted. If none arrives, the response is an empty list.',
    }),
  ),
});
export type InboxMessagesQuery = Static<typeof inboxMessagesQuery>;

export const inboxMessageList = listOf(message);

nameSchemas({
  Inbox: inbox,
  InboxCreate: inboxCreate,
  InboxUpdate: inboxUpdate,
  InboxMessageList: inboxMessageList,
});
