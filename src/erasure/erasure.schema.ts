// The wire form of an erasure.
import { type Static, Type } from 'typebox';
import { nameSchemas } from '../contract/schema.js';

export const contactErasure = Type.Object({
  object: Type.Literal('contact_erasure'),
  complete: Type.Boolean({
    description:
      'Whether the erasure is complete. If `false`, some copies are currently being delivered; repeat the request after a minute. Repeating it is always safe.',
  }),
  erased: Type.Object({
    contacts: Type.Integer(),
    messages_sent: Type.Integer(),
    messages_received: Type.Integer(),
    messages_canceled: Type.Integer({ description: 'Queued messages that were canceled.' }),
    attachments: Type.Integer({ description: 'Deleted files that no other message uses.' }),
    threads: Type.Integer(),
    drafts: Type.Integer({
      description: 'Deleted drafts to the contact, or with the address in a field or file.',
    }),
    events: Type.Integer({
      description: 'Audit trail entries whose details were removed. The entries themselves remain.',
    }),
    campaign_recipients: Type.Integer(),
    list_unsubscribes: Type.Integer(),
    inbound_messages: Type.Integer({
      description: 'Received messages, including bounce reports about messages to the contact.',
    }),
  }),
  kept: Type.Object({
    suppressions: Type.Integer({
      description: 'Suppressions of the address that remain, so that it gets no further email.',
    }),
  }),
});
export type ContactErasureWire = Static<typeof contactErasure>;

nameSchemas({
  ContactErasure: contactErasure,
  ContactErasureCounts: contactErasure.properties.erased,
  ContactErasureKept: contactErasure.properties.kept,
});
