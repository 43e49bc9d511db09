// Makes src/operations.ts, what the command line knows of every operation, from the OpenAPI document.
import { readFileSync } from 'node:fs';
import { format } from 'oxfmt';

const FORMAT = new URL('../../.oxfmtrc.json', import.meta.url);
/** Options of every command choose these. */
const GLOBAL_PARAMETERS = ['workspace_id', 'environment'];
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

let document;

/** The text of the file by its name. */
export async function generate(given) {
  document = given;
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]?.operationId !== undefined).map((method) =>
      operationOf(method, path, item[method]),
    ),
  );
  operations.sort((a, b) => (a.id < b.id ? -1 : 1));
  const text = `import type { Operation } from './operation.js';\n\nexport const OPERATIONS: readonly Operation[] = [\n${operations
    .map((operation) => `  ${JSON.stringify(operation)},\n`)
    .join('')}];\n`;
  const { printWidth, singleQuote } = JSON.parse(readFileSync(FORMAT, 'utf8'));
  const { code, errors } = await format('operations.ts', text, { printWidth, singleQuote });
  if (errors.length > 0) throw new Error(errors[0].message);
  return { 'operations.ts': code };
}

function operationOf(method, path, operation) {
  const content = operation.requestBody?.content ?? null;
  const parameters = (operation.parameters ?? []).map(resolved);
  const body = content === null ? null : bodyOf(content['application/json']?.schema ?? {});
  // A field that JSON has too is a parameter for bodies of other types.
  const ofBody = (body ?? []).map(({ name }) => name);
  const query = parameters.filter(
    ({ in: place, name }) => place === 'query' && ![...GLOBAL_PARAMETERS, ...ofBody].includes(name),
  );
  const pathNames = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    pathNames,
    query: query.map((one) =>
      fieldOf(one.name, { description: one.description, ...one.schema }, one.required),
    ),
    body,
    isRows: content !== null && 'application/x-ndjson' in content,
    ...(parameters.some(({ name }) => name === 'If-Match') ? { isVersioned: true } : {}),
    answer: answerOf(operation),
  };
}

function bodyOf(schema) {
  const known = resolved(schema);
  const shapes = known.oneOf?.map(resolved) ?? [known];
  const fields = new Map();
  for (const { properties = {}, required = [] } of shapes) {
    for (const [name, property] of Object.entries(properties)) {
      const isRequired = required.includes(name) && shapes.length === 1;
      if (!fields.has(name)) fields.set(name, fieldOf(name, property, isRequired));
    }
  }
  return [...fields.values()];
}

function fieldOf(name, schema, required = false) {
  const known = { ...resolved(schema), ...(schema.description ? { description: schema.description } : {}) };
  const values = enumOf(schema);
  return {
    name,
    kind: kindOf(schema),
    about: sentenceOf(known.description),
    ...(values === null ? {} : { values }),
    ...(required ? { required: true } : {}),
  };
}

function kindOf(schema) {
  const known = resolved(schema);
  if (known.enum !== undefined || known.const !== undefined) return 'text';
  const choices = (known.anyOf ?? known.oneOf ?? []).map(kindOf).filter((kind) => kind !== 'null');
  if (choices.length === 1) return choices[0];
  if (choices.length > 1) return new Set(choices).size === 1 ? choices[0] : 'any';
  const types = [known.type].flat().filter((type) => type !== 'null');
  if (types.length === 0) return known.type === 'null' ? 'null' : 'any';
  if (types.length > 1) return 'any';
  switch (types[0]) {
    case 'string':
      return 'text';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return kindOf(known.items ?? {}) === 'text' ? 'list' : 'json';
    default:
      return 'json';
  }
}

function enumOf(schema) {
  const known = resolved(schema);
  if ([known.type].flat().includes('array')) return enumOf(known.items ?? {});
  if (known.enum !== undefined) return known.enum.filter((value) => typeof value === 'string');
  for (const choice of known.anyOf ?? []) {
    const values = enumOf(choice);
    if (values !== null) return values;
  }
  return null;
}

function answerOf({ responses }) {
  const [, answer] = Object.entries(responses).find(([status]) => Number(status) < 300) ?? [];
  const content = resolved(answer ?? {}).content ?? {};
  if ('text/event-stream' in content) return 'stream';
  const schema = resolved(content['application/json']?.schema ?? {});
  const isPaged = 'has_more' in (schema.properties ?? {});
  if (isPaged) return 'list';
  return Object.keys(content).every((type) => type === 'application/json') ? 'json' : 'file';
}

function resolved(one) {
  if (one.$ref === undefined) return one;
  const [, , group, name] = one.$ref.split('/');
  const { $ref: _ref, ...besides } = one;
  return { ...resolved(document.components[group][name]), ...besides };
}

/** The first sentence, which has room in a help text. */
function sentenceOf(description) {
  if (description === undefined) return '';
  const [first = ''] = description.replaceAll('`', '').split(/(?<=\.)\s/);
  return first.length > 160 ? `${first.slice(0, 157)}...` : first;
}
