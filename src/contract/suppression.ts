// Suppressions: addresses that are not written to.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { closed, nullable, oneOf, timestamp } from './schema.js';

const SUPPRESSION_REASONS = ['bounce', 'complaint', 'unsubscribe', 'manual'] as const;

export const suppression = Type.Object({
  id: Type.String(),
  object: Type.Literal('suppression'),
  email: Type.String(),
  reason: oneOf(SUPPRESSION_REASONS),
  sub_tenant_id: nullable(Type.String({ description: 'Null: it blocks every sub-tenant.' })),
  message_id: nullable(Type.String({ description: 'The message that caused it.' })),
  created_at: timestamp,
});
export type SuppressionWire = Static<typeof suppression>;

export const suppressionCreate = closed(
  {
    email: Type.String(),
    reason: Type.Optional(oneOf(SUPPRESSION_REASONS, { default: 'manual' })),
    sub_tenant_id: Type.Optional(nullable(Type.String())),
  },
  { examples: [{ email: 'ann@example.com' }] },
);

export const suppressionFilters = {
  reason: Type.Optional(oneOf(SUPPRESSION_REASONS)),
  q: Type.Optional(Type.String({ maxLength: 254, description: 'Part of the address.' })),
};

export const suppressionDeleteQuery = closed({
  sub_tenant_id: Type.Optional(
    Type.String({ description: "Deletes this sub-tenant's row instead of the workspace's." }),
  ),
});

export const suppressionCheckQuery = closed({
  email: Type.String(),
  sub_tenant_id: Type.Optional(Type.String({ description: "Asks for this sub-tenant's mail." })),
});

export const suppressionCheck = Type.Object({
  email: Type.String(),
  suppressed: Type.Boolean(),
  reason: nullable(oneOf(SUPPRESSION_REASONS)),
  scope: nullable(oneOf(['workspace', 'sub_tenant'])),
});
