// Why a message is where it is, on the wire.
import { Type, type Static } from 'typebox';
import { MESSAGE_STATUSES } from '../../contract/names.js';
import { CALLS, type AdviceOperation } from './advice-calls.rules.js';
import { named, nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../../contract/schema.js';

const OPERATIONS = Object.keys(CALLS) as [AdviceOperation, ...AdviceOperation[]];

const adviceCall = Type.Object(
  {
    operation: oneOf(OPERATIONS),
    method: Type.String(),
    path: Type.String({ description: 'With the ids filled in.' }),
    sub_tenant_id: nullable(
      Type.String({ description: 'Value of the header `X-Sub-Tenant-Id`; `null`: leave the header out.' }),
    ),
  },
  { description: 'A request that the advice suggests. Calls of one advice are made in their order.' },
);

export const explanation = Type.Object({
  object: Type.Literal('explanation'),
  message_id: Type.String(),
  status: oneOf(MESSAGE_STATUSES),
  code: named(
    'ExplanationCode',
    Type.String({
      description: 'Stable. A situation, or `deferred_`, `bounced_` or `expired_` with a cause.',
      examples: ['deferred_greylisted'],
    }),
  ),
  summary: Type.String({ description: 'One plain sentence.' }),
  chain: Type.Array(Type.Object({ at: timestamp, code: Type.String(), text: Type.String() }), {
    description: 'From acceptance to now, oldest first; of more than 100 entries the middle is left out.',
  }),
  next: nullable(
    Type.Object(
      { at: timestamp, what: Type.String() },
      { description: 'The next automatic step, with its time. Null when there is none, or no time is set.' },
    ),
  ),
  advice: Type.Array(
    Type.Object({
      code: named('AdviceCode', Type.String()),
      text: Type.String(),
      calls: Type.Array(adviceCall),
    }),
    {
      description: 'What to do, most useful first.',
    },
  ),
});
export type ExplanationObject = Static<typeof explanation>;

nameSchemas({
  Explanation: explanation,
  ExplanationStep: explanation.properties.chain.items,
  ExplanationNext: explanation.properties.next.anyOf[0],
  ExplanationAdvice: explanation.properties.advice.items,
  AdviceCall: adviceCall,
});

nameEnums({ AdviceOperation: OPERATIONS });
