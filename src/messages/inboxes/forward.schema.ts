// Wire shapes of the forwarding addresses of inboxes.
import { Type, type Static } from 'typebox';
import { listOf } from '../../contract/lists.js';
import {
  closed,
  emailText,
  nameEnums,
  nameSchemas,
  nullable,
  oneOf,
  sentence,
  timestamp,
  timestampWith,
} from '../../contract/schema.js';

const STATES = ['pending', 'active', 'suspended', 'stopped'] as const;

export const inboxForward = Type.Object({
  id: Type.String(),
  object: Type.Literal('inbox_forward'),
  inbox_id: Type.String(),
  address: emailText,
  state: oneOf(STATES, {
    description:
      '`pending`: the owner of the address has not confirmed yet. `active`: mail is forwarded. `suspended`: the address is on the suppression list. `stopped`: the owner of the address has stopped the forwarding.',
  }),
  reason: nullable(sentence({ description: 'Why mail is not forwarded. `null` while mail is forwarded.' })),
  confirmation_expires_at: nullable(
    timestampWith({
      description: 'When the link in the confirmation email expires. `null` once the owner has confirmed.',
    }),
  ),
  created_at: timestamp,
  updated_at: timestamp,
});
export type InboxForwardWire = Static<typeof inboxForward>;

export const inboxForwardCreate = closed(
  {
    address: Type.String({
      maxLength: 320,
      description: 'The address to forward to. Its owner receives an email with a confirmation link.',
    }),
  },
  { examples: [{ address: 'ann@example.org' }] },
);

export const inboxForwardParams = Type.Object({ id: Type.String(), forward_id: Type.String() });

export const inboxForwardList = listOf(inboxForward);

nameSchemas({
  InboxForward: inboxForward,
  InboxForwardCreate: inboxForwardCreate,
  InboxForwardList: inboxForwardList,
});
nameEnums({ InboxForwardState: STATES });
