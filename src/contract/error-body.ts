// The shape of every error answer.
import { Type, type Static } from 'typebox';
import { ERROR_TYPES, REFUSAL_CODES } from './refusal.js';
import { nameEnums, nameSchemas, oneOf, sentence } from './schema.js';

export const errorBody = Type.Object(
  {
    error: Type.Object({
      type: oneOf(ERROR_TYPES, { description: 'The class of the error, one per HTTP status.' }),
      code: oneOf(REFUSAL_CODES, { description: 'A code for the exact reason.' }),
      message: sentence({
        description: 'A sentence for developers that explains the error and how to fix it.',
      }),
      param: Type.Optional(Type.String({ description: 'The request field that caused the error.' })),
      details: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'Additional data. For a `validation_error`, `fields` is a list of `{path, message}`.',
        }),
      ),
      request_id: Type.String({
        description: 'The request ID, which identifies the request in the log. Also sent as `X-Request-Id`.',
      }),
    }),
  },
  { description: 'The response to every rejected or failed request.' },
);
export type ErrorBody = Static<typeof errorBody>;

nameSchemas({
  Error: errorBody,
  ErrorDetails: errorBody.properties.error,
});

nameEnums({ ErrorType: ERROR_TYPES, ErrorCode: REFUSAL_CODES });
