// Contacts: the people that marketing and sales mail may go to, and what templates know about them.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { listOf } from './lists.js';
import { closed, metadata, nullable, oneOf, timestamp } from './schema.js';

const CONTACT_STATUSES = ['active', 'unsubscribed', 'bounced', 'complained'] as const;

export const contact = Type.Object({
  id: Type.String(),
  object: Type.Literal('contact'),
  email: Type.String(),
  name: nullable(Type.String()),
  phone: nullable(Type.String()),
  tags: Type.Array(Type.String()),
  metadata,
  status: oneOf(CONTACT_STATUSES),
  sub_tenant_id: nullable(Type.String()),
  created_at: timestamp,
  updated_at: timestamp,
});
export type ContactWire = Static<typeof contact>;

export const contactList = Type.Object({
  ...listOf(contact).properties,
  total: Type.Integer({ description: 'All that match, on whatever page.' }),
});

const editable = {
  name: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
  phone: Type.Optional(nullable(Type.String({ maxLength: 40 }))),
  tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { maxItems: 50 })),
  metadata: Type.Optional(metadata),
  status: Type.Optional(
    oneOf(['active', 'unsubscribed'], {
      description: '`active` again does not lift a suppression; that is deleted on its own.',
    }),
  ),
};

export const contactUpsert = closed(
  {
    email: Type.String(),
    ...editable,
    sub_tenant_id: Type.Optional(nullable(Type.String())),
  },
  {
    examples: [{ email: 'ann@example.com', name: 'Ann Smith', tags: ['vip'], metadata: { city: 'Bremen' } }],
  },
);
export type ContactUpsert = Static<typeof contactUpsert>;

export const contactPatch = closed(editable);
export type ContactPatch = Static<typeof contactPatch>;

export const contactFilters = {
  q: Type.Optional(Type.String({ maxLength: 254, description: 'Part of the address or name.' })),
  tag: Type.Optional(Type.String({ maxLength: 128 })),
  status: Type.Optional(oneOf(CONTACT_STATUSES)),
};

export const contactParams = Type.Object({
  id: Type.String({ description: 'Its id, or its address, URL-encoded.' }),
});
