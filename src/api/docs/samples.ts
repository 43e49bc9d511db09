// Calls of an operation by curl and by the SDK, with the example of the document.
import {
  targetOf,
  type Answer,
  type Described,
  type Entry,
  type Media,
  type Parameter,
} from './openapi-model.js';

export interface Samples {
  curl: string;
  typescript: string;
}

interface Body {
  type: string;
  example: unknown;
}

interface Call {
  method: string;
  url: string;
  body: Body | null;
  isPublic: boolean;
}

const JSON_TYPE = 'application/json';

export function samplesOf(entry: Entry, document: Described): Samples {
  const { method, path, operation } = entry;
  const body = bodyOf(operation, document);
  const query = requiredQuery(operation, document).map((name) => `${name}=${placeholder(name)}`);
  const url =
    path.replace(/\{(\w+)\}/g, (_, name: string) => placeholder(name)) +
    (query.length === 0 ? '' : `?${query.join('&')}`);
  const isPublic = operation.security?.length === 0;
  return { curl: curlOf({ method, url, body, isPublic }), typescript: sdkCallOf(entry, body, document) };
}

/** JSON if it takes that, else the first type that it has an example of; null for an operation without a body. */
function bodyOf({ requestBody }: Entry['operation'], document: Described): Body | null {
  const { [JSON_TYPE]: json, ...others } = requestBody?.content ?? {};
  for (const [type, media] of [[JSON_TYPE, json] as const, ...Object.entries(others)]) {
    const example = media === undefined ? undefined : exampleOf(media, document);
    if (example !== undefined) return { type, example };
  }
  return null;
}

function curlOf({ method, url, body, isPublic }: Call): string {
  const text = typeof body?.example === 'string' ? body.example : JSON.stringify(body?.example, null, 2);
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$BASE${url}"`,
    ...(isPublic ? [] : [`-H "Authorization: Bearer $KEY"`]),
    ...(body === null
      ? []
      : [
          `-H 'Content-Type: ${body.type}'`,
          // -d would take the line ends of a table away.
          `${body.type === JSON_TYPE ? '-d' : '--data-binary'} '${text.replaceAll("'", String.raw`'\''`)}'`,
        ]),
  ];
  return lines.join(' \\\n  ');
}

/** By the SDK: its methods are named as the operations are, and take the parts of the path, then the body or the query. */
function sdkCallOf({ id, path, operation }: Entry, body: Body | null, document: Described): string {
  const isNumber = new Set(
    parametersOf(operation, document).flatMap(({ name, schema }) =>
      schema?.type === 'integer' ? [name] : [],
    ),
  );
  const parts = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    isNumber.has(name) ? '1' : `"${placeholder(name)}"`,
  );
  const query = requiredQuery(operation, document);
  const params =
    body === null ? Object.fromEntries(query.map((name) => [name, placeholder(name)])) : body.example;
  const hasParams = body !== null || query.length > 0;
  const given = [...parts, ...(hasParams ? [literalOf(params)] : [])];
  const call = `posthorn.${id}(${given.join(', ')})`;
  const types = answerTypesOf(operation, document);
  const client = `import { Posthorn } from "@posthorn/sdk";\n\nconst posthorn = new Posthorn();\n`;
  if (types.includes('text/event-stream')) {
    return `${client}for await (const event of ${call}) console.log(event);`;
  }
  const isFile = types.length > 0 && !types.includes(JSON_TYPE);
  return `${client}const ${isFile ? 'response' : 'answer'} = await ${call};`;
}

/** As people write it: without the quotes of names. */
function literalOf(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/^( *)"([A-Za-z_]\w*)": /gm, '$1$2: ');
}

function answerTypesOf({ responses = {} }: Entry['operation'], document: Described): string[] {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  return success === undefined ? [] : Object.keys(targetOf<Answer>(success, document).content ?? {});
}

function requiredQuery(operation: Entry['operation'], document: Described): string[] {
  return parametersOf(operation, document)
    .filter((parameter) => parameter.in === 'query' && parameter.required === true)
    .map(({ name }) => name);
}

function parametersOf({ parameters = [] }: Entry['operation'], document: Described): Parameter[] {
  return parameters.map((parameter) => targetOf<Parameter>(parameter, document));
}

function placeholder(name: string): string {
  return name.toUpperCase();
}

/** The first example of a body; undefined where there is none. */
export function exampleOf(media: Media, document: Described): unknown {
  if (media.example !== undefined) return media.example;
  const [first] = Object.values(media.examples ?? {});
  if (first === undefined) return undefined;
  return targetOf<{ value?: unknown }>(first, document).value;
}
