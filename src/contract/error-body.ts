// The one shape of every error answer.
import { Type, type Static } from 'typebox';
import { ERROR_TYPES, REFUSAL_CODES } from './refusal.js';
import { nameEnums, nameSchemas, oneOf } from './schema.js';

export const errorBody = Type.Object(
  {
    error: Type.Object({
      type: oneOf(ERROR_TYPES, { description: 'The class of the error; one per HTTP status.' }),
      code: oneOf(REFUSAL_CODES, { description: 'The precise reason.' }),
      message: Type.String({ description: 'One sentence for the developer: what happened, and what to do.' }),
      param: Type.Optional(Type.String({ description: 'The request field at fault.' })),
      details: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'Further data; of a validation_error `fields`, a list of {path, message}.',
        }),
      ),
      request_id: Type.String({ description: 'Finds the request in the log; also in X-Request-Id.' }),
    }),
  },
  { description: 'The answer to every refused or failed request.' },
);
export type ErrorBody = Static<typeof errorBody>;

nameSchemas({
  Error: errorBody,
  ErrorDetails: errorBody.properties.error,
});

nameEnums({ ErrorType: ERROR_TYPES, ErrorCode: REFUSAL_CODES });
