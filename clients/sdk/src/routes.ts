// Types of the operations' requests and responses, taken from the API document by method and path.
import type { operations, paths } from './openapi.js';

type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** All API routes, such as `POST /v1/messages`. */
export type Route = {
  [P in keyof paths]: {
    [V in Verb]: paths[P][V] extends { responses: object } ? `${Uppercase<V>} ${P}` : never;
  }[Verb];
}[keyof paths];

type OperationOf<R extends Route> = R extends `${infer M} ${infer P}`
  ? P extends keyof paths
    ? Lowercase<M> extends infer V extends keyof paths[P]
      ? paths[P][V]
      : never
    : never
  : never;

type JsonOf<A> = A extends { content: { 'application/json': infer J } } ? J : never;

type AnswerOf<O> = O extends { responses: infer A }
  ? { [S in keyof A & (200 | 201 | 202)]: JsonOf<A[S]> }[keyof A & (200 | 201 | 202)]
  : never;

type BodyOf<O> = O extends { requestBody?: infer B } ? JsonOf<NonNullable<B>> : never;

type QueryOf<O> = O extends { parameters: { query?: infer Q } }
  ? Omit<NonNullable<Q>, 'workspace_id' | 'environment'>
  : never;

/** Response type of an operation. */
export type Answer<R extends Route> = AnswerOf<OperationOf<R>>;

/** Request body type of an operation, by name: `Body<'messages.create'>`. */
export type Body<Id extends keyof operations> = BodyOf<operations[Id]>;

/** Query type of an operation, by name: `Query<'messages.list'>`. */
export type Query<Id extends keyof operations> = QueryOf<operations[Id]>;
