// Fields of an uploaded form, which a route takes like its query.
import type { Static, TSchema } from 'typebox';
import type { Api } from '../api.js';

/** Puts the fields of a form into the query, checked as its own. */
export function withFields<S extends TSchema>(
  app: Api,
  query: Static<S> & object,
  { schema, fields }: { schema: S; fields: object },
): Static<S> {
  const part = { schema, method: 'POST', url: '/v1/imports', httpPart: 'querystring' };
  const check = app.validatorCompiler?.(part);
  const given = { ...query, ...fields };
  for (const [name, value] of Object.entries(given)) {
    // Forms of pages send empty fields.
    if (value === '') for (const one of [given, query]) Reflect.deleteProperty(one, name);
  }
  const read = check?.(given) as { value: Static<S> } | { error: Error }; // what `createValidatorCompiler` returns
  if ('error' in read) throw read.error;
  return Object.assign(query, read.value);
}
