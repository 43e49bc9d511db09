// The sandbox on the wire: outcomes by hand, and the addresses that the mailbox simulator knows.
import { Type, type Static } from 'typebox';
import { BOUNCE_CATEGORIES } from '../../contract/names.js';
import { closed, nameEnums, nameSchemas, nullable, oneOf } from '../../contract/schema.js';

const SIMULATED_OUTCOMES = [
  'delivered',
  'bounced',
  'soft_bounced',
  'complained',
  'opened',
  'clicked',
  'replied',
  'unsubscribed',
] as const;
export type SimulatedOutcome = (typeof SIMULATED_OUTCOMES)[number];

export const simulateRequest = closed(
  {
    event: oneOf(SIMULATED_OUTCOMES, {
      description: 'The outcome of the message or the action of its recipient.',
    }),
  },
  { examples: [{ event: 'complained' }] },
);

const sandboxAddress = Type.Object({
  object: Type.Literal('sandbox_address'),
  local_part: Type.String({
    description:
      'The local part, which works at any domain and is not case-sensitive. You can add any text after a `+`.',
  }),
  example: Type.String(),
  is_default: Type.Boolean({ description: 'Whether this is the behavior of all other addresses.' }),
  steps: Type.Array(
    Type.Object({
      event: Type.String({ description: 'An audit trail event, or `replied` for an incoming reply.' }),
      after_ms: Type.Integer({ description: 'Milliseconds after the previous step.' }),
      reply: nullable(
        Type.Object(
          {
            code: Type.Integer(),
            enhanced_code: Type.String(),
            message: Type.String(),
            category: nullable(oneOf(BOUNCE_CATEGORIES)),
          },
          { description: 'The reply of the simulated server.' },
        ),
      ),
    }),
  ),
});
export type SandboxAddress = Static<typeof sandboxAddress>;

export const sandboxAddresses = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(sandboxAddress),
  has_more: Type.Literal(false),
  next_cursor: Type.Null(),
});

nameSchemas({
  SimulateRequest: simulateRequest,
  SandboxAddress: sandboxAddress,
  SandboxAddressList: sandboxAddresses,
});
nameEnums({ SimulatedOutcome: SIMULATED_OUTCOMES });
