// The wire form of a contact's activity.
import { type Static, Type } from 'typebox';
import { ACTORS, DIRECTIONS, MESSAGE_TRAIL_EVENTS, MESSAGE_TYPES } from '../contract/names.js';
import { nameSchemas, nullable, oneOf, timestamp } from '../contract/schema.js';

export const contactActivity = Type.Object(
  {
    object: Type.Literal('contact_activity'),
    event: oneOf([...MESSAGE_TRAIL_EVENTS, 'list_joined', 'list_requested', 'list_left'], {
      description:
        'The audit trail event of a message, or a list membership change. `list_requested` means that the contact signed up but has not confirmed yet.',
    }),
    occurred_at: timestamp,
    message: nullable(
      Type.Object({
        id: Type.String(),
        subject: Type.String(),
        type: oneOf(MESSAGE_TYPES),
        direction: oneOf(DIRECTIONS),
        campaign_id: nullable(Type.String()),
        sequence_id: nullable(Type.String()),
      }),
    ),
    list: nullable(Type.Object({ id: Type.String(), name: Type.String() })),
    actor: nullable(oneOf(ACTORS)),
    metadata: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Details of the audit trail entry.',
    }),
    provider: Type.Optional(Type.String()),
    provider_message_id: Type.Optional(Type.String()),
    ip: Type.Optional(Type.String()),
    user_agent: Type.Optional(Type.String()),
  },
  { description: 'An action of a contact, or a change to it.' },
);
export type ContactActivityWire = Static<typeof contactActivity>;

nameSchemas({
  ContactActivity: contactActivity,
  ContactActivityMessage: contactActivity.properties.message.anyOf[0],
  ContactActivityPlace: contactActivity.properties.list.anyOf[0],
});
