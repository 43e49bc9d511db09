// Wire shapes of explanations.
import { Type, type Static } from 'typebox';
import { MESSAGE_STATUSES } from '../../contract/names.js';
import { CALLS, type AdviceOperation } from './advice-calls.rules.js';
import {
  named,
  nameEnums,
  nameSchemas,
  nullable,
  oneOf,
  timestamp,
  sentence,
} from '../../contract/schema.js';

const OPERATIONS = Object.keys(CALLS) as [AdviceOperation, ...AdviceOperation[]];

const adviceCall = Type.Object(
  {
    operation: oneOf(OPERATIONS),
    method: Type.String(),
    path: Type.String({ description: 'The request path with the IDs filled in.' }),
    sub_tenant_id: nullable(
      Type.String({
        description: 'The value of the `X-Sub-Tenant-Id` header. Omit the header if this is `null`.',
      }),
    ),
  },
  { description: 'A suggested request. If the advice has several, make them in order.' },
);

export const explanation = Type.Object({
  object: Type.Literal('explanation'),
  message_id: Type.String(),
  status: oneOf(MESSAGE_STATUSES),
  code: named(
    'ExplanationCode',
    Type.String({
      description:
        'A stable code: a situation, or `deferred_`, `bounced_` or `expired_` followed by a cause.',
      examples: ['deferred_greylisted'],
    }),
  ),
  summary: sentence({ description: 'A one-sentence summary.' }),
  chain: Type.Array(Type.Object({ at: timestamp, code: Type.String(), text: sentence() }), {
    description:
      'The steps from acceptance until now, oldest first. If there are more than 100, the middle ones are omitted.',
  }),
  next: nullable(
    Type.Object(
      { at: timestamp, what: sentence() },
      {
        description:
          'The next automatic step and its time. `null` if there is none or its time is not known.',
      },
    ),
  ),
  advice: Type.Array(
    Type.Object({
      code: named('AdviceCode', Type.String()),
      text: sentence(),
      calls: Type.Array(adviceCall),
    }),
    {
      description: 'Suggested actions, most useful first.',
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
