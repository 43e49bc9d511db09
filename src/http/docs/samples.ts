// Renders sample calls of an operation for curl, the SDK and other languages, with the document's example.
import {
  resolveReference,
  type Answer,
  type Described,
  type Entry,
  type Media,
  type Parameter,
} from './openapi-model.js';

interface Sample {
  language: 'curl' | 'TypeScript' | 'Python' | 'PHP' | 'Go';
  code: string;
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
  /** True if the answer is an endless stream. */
  isStream: boolean;
}

const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';

export function buildSamples(entry: Entry, document: Described): Sample[] {
  const { method, path, operation } = entry;
  const body = bodyOf(operation, document);
  const query = requiredQuery(operation, document).map((name) => `${name}=${placeholder(name)}`);
  const url =
    path.replace(/\{(\w+)\}/g, (_, name: string) => placeholder(name)) +
    (query.length === 0 ? '' : `?${query.join('&')}`);
  const isPublic = operation.security?.length === 0;
  const isStream = answerTypesOf(operation, document).includes(STREAM_TYPE);
  const call = { method, url, body, isPublic, isStream };
  return [
    { language: 'curl', code: curlOf(call) },
    { language: 'TypeScript', code: sdkCallOf(entry, body, document) },
    { language: 'Python', code: pythonOf(call) },
    { language: 'PHP', code: phpOf(call) },
    { language: 'Go', code: goOf(call) },
  ];
}

/**
 * Picks a JSON body if the operation takes one, otherwise the first type with an example. Returns null for an operation without
 * a body.
 */
function bodyOf({ requestBody }: Entry['operation'], document: Described): Body | null {
  const { [JSON_TYPE]: json, ...others } = requestBody?.content ?? {};
  for (const [type, media] of [[JSON_TYPE, json] as const, ...Object.entries(others)]) {
    const example = media === undefined ? undefined : findExample(media, document);
    if (example !== undefined) return { type, example };
  }
  return null;
}

function curlOf({ method, url, body, isPublic }: Call): string {
  const text = textOf(body);
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$BASE${url}"`,
    ...(isPublic ? [] : [`-H "Authorization: Bearer $KEY"`]),
    ...(body === null
      ? []
      : [
          `-H 'Content-Type: ${body.type}'`,
          // -d would strip the line ends of a table.
          `${body.type === JSON_TYPE ? '-d' : '--data-binary'} '${text.replaceAll("'", String.raw`'\''`)}'`,
        ]),
  ];
  return lines.join(' \\\n  ');
}

function textOf(body: Body | null): string {
  return typeof body?.example === 'string' ? body.example : JSON.stringify(body?.example, null, 2);
}

/** Uses requests, the most common HTTP library for Python. */
function pythonOf({ method, url, body, isPublic, isStream }: Call): string {
  const headers = [
    ...(isPublic ? [] : [`"Authorization": f"Bearer {os.environ['KEY']}"`]),
    ...(body === null || body.type === JSON_TYPE ? [] : [`"Content-Type": "${body.type}"`]),
  ];
  const given = [
    `os.environ["BASE"] + ${JSON.stringify(url)}`,
    ...(headers.length === 0 ? [] : [`headers={${headers.join(', ')}}`]),
    ...(body === null
      ? []
      : [
          body.type === JSON_TYPE
            ? `json=${pythonLiteral(body.example)}`
            : `data=${JSON.stringify(body.example)}.encode()`,
        ]),
    ...(isStream ? ['stream=True'] : []),
  ];
  return [
    `import os\nimport requests\n`,
    `response = requests.${method.toLowerCase()}(`,
    ...given.map((one) => `${indented(one)},`),
    `)\nresponse.raise_for_status()`,
    isStream
      ? 'for line in response.iter_lines(decode_unicode=True):\n    print(line)'
      : 'print(response.text)',
  ].join('\n');
}

/** Renders JSON with Python's keywords; strings stay as they are. */
function pythonLiteral(value: unknown): string {
  const words: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
  const text = JSON.stringify(value, null, 4);
  return text.replace(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g, (part) => words[part] ?? part);
}

function phpOf({ method, url, body, isPublic }: Call): string {
  const headers = [
    ...(isPublic ? [] : [`'Authorization: Bearer ' . getenv('KEY')`]),
    ...(body === null ? [] : [`'Content-Type: ${body.type}'`]),
  ];
  const options = [
    `CURLOPT_CUSTOMREQUEST => '${method}'`,
    'CURLOPT_RETURNTRANSFER => true',
    ...(headers.length === 0 ? [] : [`CURLOPT_HTTPHEADER => [${headers.join(', ')}]`]),
    // The heredoc ends with its own line, so nothing in the text must be escaped.
    ...(body === null ? [] : [`CURLOPT_POSTFIELDS => <<<'BODY'\n${indented(textOf(body))}\n    BODY`]),
  ];
  return [
    `<?php\n$request = curl_init(getenv('BASE') . '${url}');`,
    'curl_setopt_array($request, [',
    ...options.map((one) => `    ${one},`),
    ']);',
    'echo curl_exec($request);',
  ].join('\n');
}

function goOf({ method, url, body, isPublic, isStream }: Call): string {
  const text = body === null ? null : textOf(body);
  const given =
    text === null ? 'nil' : `strings.NewReader(${text.includes('`') ? JSON.stringify(text) : `\`${text}\``})`;
  const lines = [
    `request, err := http.NewRequest("${method}", os.Getenv("BASE")+${JSON.stringify(url)}, ${given})`,
    'if err != nil {\n\tpanic(err)\n}',
    ...(isPublic ? [] : [`request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))`]),
    ...(body === null ? [] : [`request.Header.Set("Content-Type", "${body.type}")`]),
    'response, err := http.DefaultClient.Do(request)',
    'if err != nil {\n\tpanic(err)\n}',
    'defer response.Body.Close()',
    `io.Copy(os.Stdout, response.Body)${isStream ? ' // as the events come' : ''}`,
  ];
  const packages = ['io', 'net/http', 'os', ...(text === null ? [] : ['strings'])];
  const imports = packages.map((name) => `\t"${name}"`).join('\n');
  return `package main\n\nimport (\n${imports}\n)\n\nfunc main() {\n${tabbed(lines, text)}\n}`;
}

/** Indents the lines of a Go function, but not those of the body. */
function tabbed(lines: readonly string[], text: string | null): string {
  return lines
    .map((line) => {
      const [before = '', after = ''] = text === null ? [line] : line.split(text);
      const isBody = text !== null && line.includes(text);
      return isBody ? `\t${before}${text}${after}` : `\t${before.replaceAll('\n', '\n\t')}`;
    })
    .join('\n');
}

function indented(text: string): string {
  return text.replace(/^/gm, '    ');
}

/** SDK methods are named after the operations. Their arguments are the path parameters, then the body or query. */
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
  const call = `mailkeel.${id}(${given.join(', ')})`;
  const types = answerTypesOf(operation, document);
  const client = `import { Mailkeel } from "@mailkeel/sdk";\n\nconst mailkeel = new Mailkeel();\n`;
  if (types.includes('text/event-stream')) {
    return `${client}for await (const event of ${call}) console.log(event);`;
  }
  const isFile = types.length > 0 && !types.includes(JSON_TYPE);
  return `${client}const ${isFile ? 'response' : 'answer'} = await ${call};`;
}

/** Renders a JavaScript literal with unquoted property names. */
function literalOf(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/^( *)"([A-Za-z_]\w*)": /gm, '$1$2: ');
}

function answerTypesOf({ responses = {} }: Entry['operation'], document: Described): string[] {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  return success === undefined ? [] : Object.keys(resolveReference<Answer>(success, document).content ?? {});
}

function requiredQuery(operation: Entry['operation'], document: Described): string[] {
  return parametersOf(operation, document)
    .filter((parameter) => parameter.in === 'query' && parameter.required === true)
    .map(({ name }) => name);
}

function parametersOf({ parameters = [] }: Entry['operation'], document: Described): Parameter[] {
  return parameters.map((parameter) => resolveReference<Parameter>(parameter, document));
}

function placeholder(name: string): string {
  return name.toUpperCase();
}

/** Returns the first example of a body; undefined if there is none. */
export function findExample(media: Media, document: Described): unknown {
  if (media.example !== undefined) return media.example;
  const [first] = Object.values(media.examples ?? {});
  if (first === undefined) return undefined;
  return resolveReference<{ value?: unknown }>(first, document).value;
}
