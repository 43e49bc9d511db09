// Finishes the OpenAPI document: moves shared parts into components and adds examples.
import type { TSchema } from 'typebox';
import { ANSWER_EXAMPLES } from './answer-examples.js';
import { PLACE_PARAMETERS } from '../access/named-environment.js';
import {
  errorAnswers,
  sharedHeaders,
  sharedResponses,
  SUCCESSES,
  successHeaders,
  type DescribedRoute,
} from './openapi-answers.js';
import { createComponents, type DocumentSchema } from './openapi-components.js';

/** Key of a route's facts between the two steps that build the document. */
export const DESCRIBED = 'x-described';

interface Media {
  schema?: DocumentSchema;
  example?: unknown;
  examples?: Record<string, object>;
}

interface Parameter {
  in: string;
  name: string;
  schema?: DocumentSchema;
}

interface Response {
  $ref?: string;
  description?: string;
  headers?: Record<string, object>;
  content?: Record<string, Media>;
}

interface Operation {
  [DESCRIBED]?: DescribedRoute & { optionalBody: boolean };
  operationId: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { required?: boolean; description?: string; content: Record<string, Media> };
  responses: Record<string, Response>;
}

export interface OpenapiDocument {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, object>>;
}

interface Parts {
  catalogues: Readonly<Record<string, readonly string[]>>;
  errorBody: TSchema;
}

/** Number of uses from which a parameter is shared. */
const SHARED_FROM = 3;
const EXAMPLES = '#/components/examples/';

/** Changes the document in place. */
export function finishDocument(document: OpenapiDocument, { catalogues, errorBody }: Parts): void {
  const { schemas, refer } = createComponents(catalogues);
  const examples: Record<string, object> = {};
  // A TypeBox schema is a JSON Schema.
  const error = refer(errorBody as unknown as DocumentSchema);
  const operations = [...Object.values(document.paths), ...Object.values(document.webhooks ?? {})].flatMap(
    (methods) => Object.values(methods),
  );
  for (const operation of operations) {
    referSchemas(operation, refer);
    finishOperation(operation, examples);
  }
  document.components = {
    ...document.components,
    schemas: sorted(schemas),
    parameters: sorted(shareParameters(operations)),
    responses: sharedResponses(error),
    headers: sharedHeaders(),
    examples: sorted(examples),
  };
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function referSchemas(operation: Operation, refer: (schema: DocumentSchema) => DocumentSchema): void {
  const { parameters = [], requestBody, responses } = operation;
  const media = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)];
  const places = [...media.flatMap((content) => Object.values(content ?? {})), ...parameters];
  for (const place of places) {
    if ('schema' in place) place.schema = refer(place.schema);
  }
}

function finishOperation(operation: Operation, examples: Record<string, object>): void {
  const { [DESCRIBED]: route, requestBody, responses } = operation;
  if (route === undefined) return;
  delete operation['x-described'];
  if (route.method === 'GET' && !route.isPublic) {
    operation.parameters = [...(operation.parameters ?? []), ...PLACE_PARAMETERS];
  }
  // The generator marks every body as required.
  if (requestBody && route.optionalBody) requestBody.required = false;
  // The schema has the description already.
  delete requestBody?.description;
  for (const [status, response] of Object.entries(responses)) {
    // The generator's placeholder for an answer without a description.
    if (response.description === 'Default Response')
      response.description = SUCCESSES[status] ?? 'The answer.';
    const headers = { ...response.headers, ...successHeaders(route) };
    if (Object.keys(headers).length > 0) response.headers = headers;
    for (const media of Object.values(response.content ?? {})) addExample(media, examples);
  }
  Object.assign(responses, errorAnswers(route));
}

/** Answers of a named schema share their example. */
function addExample(media: Media, examples: Record<string, object>): void {
  const reference = media.schema?.['$ref'];
  const name = typeof reference === 'string' ? (reference.split('/').at(-1) ?? '') : '';
  const text = ANSWER_EXAMPLES[name];
  if (text === undefined) return;
  examples[name] = { value: JSON.parse(text) as unknown };
  media.examples = { [name]: { $ref: EXAMPLES + name } };
}

/** Turns frequently used parameters into components, and returns these by name. */
function shareParameters(operations: readonly Operation[]): Record<string, object> {
  const counts = new Map<string, number>();
  for (const { parameters = [] } of operations) {
    for (const parameter of parameters) {
      const text = JSON.stringify(parameter);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  }
  const names = new Map<string, string>();
  const shared: Record<string, object> = {};
  const frequent = [...counts].filter(([, count]) => count >= SHARED_FROM).toSorted((a, b) => b[1] - a[1]);
  for (const [text] of frequent) {
    const parameter = JSON.parse(text) as Parameter;
    const name = componentName(parameter);
    // Among parameters with the same name, the most frequent one is shared.
    if (shared[name] !== undefined) continue;
    shared[name] = parameter;
    names.set(text, name);
  }
  for (const operation of operations) {
    if (!operation.parameters) continue;
    operation.parameters = operation.parameters.map((parameter) => {
      const name = names.get(JSON.stringify(parameter));
      return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
    });
  }
  return shared;
}

/** Returns `SubTenantIdQuery` for `sub_tenant_id` in a query, and `RequestId` for `X-Request-Id`. */
function componentName({ name, in: place }: Parameter): string {
  const pascal = (text: string): string =>
    text.replaceAll(/(?:^|[_-])(.)/g, (_, letter: string) => letter.toUpperCase());
  return place === 'header' ? pascal(name).replace(/^X(?=[A-Z])/, '') : pascal(name) + pascal(place);
}
