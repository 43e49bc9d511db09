// The one shape of every error answer.
import { Type, type Static } from 'typebox';
import { ERROR_TYPES, REFUSAL_CODES } from './refusal.js';
import { nameEnums, nameSchemas, oneOf } from './schema.js';

export const errorBody = Type.Object(
  {
    error: Type.Object({
      type: oneOf(ERROR_TYPES, { description: 'The class of the error; one per HTTP status.' }),
      code: oneOf(REFUSAL_CODES, { description: 'The precise reason.' }),
      message: Type.String({ description: 'One sentence a developer can act on.' }),
      param: Type.Optional(Type.String({ description: 'The request field at fault.' })),
      details: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'More about it; of a validation_error `fields`, a list of {path, message}.',
        }),
      ),
      request_id: Type.String({ description: 'Finds the request in the log; also in X-Request-Id.' }),
    }),
  },
  { description: 'What every refused or failed request is answered with.' },
);
export type ErrorBody = Static<typeof errorBody>;

nameSchemas({
  Error: errorBody,
  ErrorDetails: errorBody.properties.error,
});

nameEnums({ ErrorType: ERROR_TYPES, ErrorCode: REFUSAL_CODES });
