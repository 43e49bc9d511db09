// Batches of messages on the wire.
import { Type } from 'typebox';
import { errorBody } from '../contract/error-body.js';
import { message } from './message.schema.js';
import { closed, nameSchemas, shownAs } from '../contract/schema.js';

/** Items are checked one by one, so that a bad one does not stop the rest. */
export const createBatch = closed(
  {
    messages: Type.Array(shownAs('MessageCreate'), {
      minItems: 1,
      description: 'Each item as the body of POST /v1/messages, with an idempotency_key of its own.',
    }),
    atomic: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'True: all or nothing. An item that is refused refuses the request, `details.items` says which and why, and no ' +
          'message is sent.',
      }),
    ),
  },
  {
    examples: [
      { messages: [{ to: 'ann@example.com', template: 'welcome', idempotency_key: 'welcome-4711' }] },
    ],
  },
);

export const batchAnswer = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(Type.Union([message, errorBody]), {
    description: 'In the order of the request.',
  }),
});

nameSchemas({ MessageBatchCreate: createBatch, MessageBatch: batchAnswer });
