// How an operation is called, by curl and in TypeScript, with the example of the document.
import { targetOf, type Described, type Entry, type Media, type Parameter } from './openapi-model.js';

export interface Samples {
  curl: string;
  typescript: string;
}

/** `media` of the request body; null for an operation without one. */
export function samplesOf({ method, path, operation }: Entry, document: Described): Samples {
  const media = operation.requestBody?.content?.['application/json'];
  const example = media === undefined ? undefined : exampleOf(media, document);
  const body = example === undefined ? null : JSON.stringify(example, null, 2);
  const url =
    path.replace(/\{(\w+)\}/g, (_, name: string) => placeholder(name)) +
    queryOf(operation.parameters, document);
  const isPublic = operation.security?.length === 0;
  return {
    curl: curlOf({ method, url, body, isPublic }),
    typescript: fetchOf({ method, url, body, isPublic }),
  };
}

interface Call {
  method: string;
  url: string;
  body: string | null;
  isPublic: boolean;
}

function curlOf({ method, url, body, isPublic }: Call): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$BASE${url}"`,
    ...(isPublic ? [] : [`-H "Authorization: Bearer $KEY"`]),
    ...(body === null
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${body.replaceAll("'", String.raw`'\''`)}'`]),
  ];
  return lines.join(' \\\n  ');
}

function fetchOf({ method, url, body, isPublic }: Call): string {
  const headers = [
    ...(isPublic ? [] : ['Authorization: `Bearer ${key}`']),
    ...(body === null ? [] : ["'Content-Type': 'application/json'"]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(', ')} },`]),
    ...(body === null ? [] : [`  body: JSON.stringify(${body.replaceAll('\n', '\n  ')}),`]),
  ];
  const target = '`${base}' + url + '`';
  const call = options.length === 0 ? `fetch(${target})` : `fetch(${target}, {\n${options.join('\n')}\n})`;
  return `const response = await ${call};\nconst answer = await response.json();`;
}

/** The required parameters of the query. */
function queryOf(
  parameters: NonNullable<Entry['operation']['parameters']> = [],
  document: Described,
): string {
  const required = parameters
    .map((parameter) => targetOf<Parameter>(parameter, document))
    .filter((parameter) => parameter.in === 'query' && parameter.required === true)
    .map(({ name }) => `${name}=${placeholder(name)}`);
  return required.length === 0 ? '' : `?${required.join('&')}`;
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
