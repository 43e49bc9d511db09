// Shortens responses to examples of the OpenAPI document: replaces random values, and checks them against their schemas.
import { Compile, type Validator } from 'typebox/compile';
import type { TSchema } from 'typebox';
import { inlined, type Schema } from './api-operations.js';

type Json = Record<string, unknown>;

const IDS = /\b([a-z]{2,4})_[0-9a-hjkmnp-tv-z]{26}\b/g;
/** In a Message-ID: the id of its message, without the prefix. */
const MESSAGE_IDS = /<([0-9a-hjkmnp-tv-z]{26})@/g;
const TIMES = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const CHANCE = /(?:(?<=")|\b)(svc_live_|svc_test_|whsec_)?[A-Za-z0-9+/_-]{32,}={0,2}/g;
/** Short random values: beginnings of keys, codes for people, selectors. */
const SHORT_CHANCE: readonly (readonly [pattern: RegExp, text: string])[] = [
  [/\b(svc_(?:live|test)_)[A-Za-z0-9_-]{4}(?=")/g, '$1kJ3v'],
  [/\b[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}\b/g, 'WDJB-MJHT'],
  [/"[0-9a-z]{4}(?:-[0-9a-z]{4}){3}"/g, '"k3vq-2nw8-xz5h-t7c1"'],
  [/\b(rsa|ed)-[0-9a-z]{8}\b/g, '$1-k3vq2nw8'],
];
/** Measured by the program about itself. */
const MEASURED: Readonly<Json> = {
  duration_ms: 3,
  uptime_seconds: 86_400.5,
  cpu_seconds: 512.25,
  memory_bytes: 134_217_728,
};
const BASE_TIME = Date.parse('2026-03-01T09:00:00.000Z');
const ID_BODY = '01kdyak3se4w5amvgkazjzkv';
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const MOST_OBJECTS = 1;
const MOST_VALUES = 3;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A response with ids, times and secrets that are the same in every run, and short lists. */
export function exampleOf(answer: unknown): unknown {
  const text = JSON.stringify(short(answer));
  const ids = [...new Set(text.match(IDS))];
  const times = [...new Set(text.match(TIMES))].toSorted();
  const named = text
    .replace(IDS, (id, prefix: string) => `${prefix}_${ID_BODY}${suffix(ids.indexOf(id))}`)
    .replace(MESSAGE_IDS, (_, body: string) => `<${ID_BODY}${suffix(ids.indexOf(`msg_${body}`))}@`)
    .replace(TIMES, (time) => new Date(BASE_TIME + times.indexOf(time) * 1_000).toISOString())
    .replace(CHANCE, (word, prefix: string | undefined) =>
      word.includes(ID_BODY) ? word : `${prefix ?? ''}kJ3vQ2nW8xZ5hT7c`,
    );
  const settled = SHORT_CHANCE.reduce((done, [pattern, chosen]) => done.replace(pattern, chosen), named);
  return JSON.parse(settled) as unknown;
}

function suffix(index: number): string {
  return `${ALPHABET[Math.floor(index / 32) + 11] ?? 'b'}${ALPHABET[(index + 7) % 32] ?? '7'}`;
}

function short(value: unknown): unknown {
  if (Array.isArray(value)) {
    const most = value.some(isObject) ? MOST_OBJECTS : MOST_VALUES;
    return value.slice(0, most).map(short);
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      typeof one === 'number' ? (MEASURED[key] ?? one) : short(one),
    ]),
  );
}

/** The file of the examples, with one line for each name and the first example of it. */
export function exampleFile(examples: readonly (readonly [name: string, example: unknown])[]): string {
  const first = new Map<string, unknown>();
  for (const [name, example] of examples) if (!first.has(name)) first.set(name, example);
  const lines = [...first]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, example]) => {
      const text = JSON.stringify(example).replaceAll('\\', '\\\\').replaceAll("'", "\\'");
      return `  ${name}: '${text}',`;
    });
  return `// Examples of answers, by the name of their schema: what the program answered to the examples of requests. Written by
// \`WRITE_EXAMPLES=1 npx vitest run test/http/examples.test.ts\`, which otherwise holds them against the program.
export const ANSWER_EXAMPLES: Readonly<Record<string, string>> = {
${lines.join('\n')}
};
`;
}

const validators = new Map<string, { validator: Validator; schema: Schema }>();

/** Returns the problems of a value of a component of the document, including fields that the schema does not have. */
export function schemaProblems(value: unknown, name: string, document: unknown): string[] {
  let known = validators.get(name);
  if (!known) {
    const { components } = document as { components: { schemas: Record<string, Schema> } };
    const schema = inlined(components.schemas[name] ?? {}, document);
    known = { schema, validator: Compile(schema as unknown as TSchema) };
    validators.set(name, known);
  }
  const errors = known.validator.Check(value)
    ? []
    : known.validator.Errors(value).map(({ instancePath, message }) => `${instancePath} ${message}`);
  return [...errors, ...unknownFields(value, known.schema, '')];
}

function unknownFields(value: unknown, schema: Schema, path: string): string[] {
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches) {
    const problems = branches.map((branch) => unknownFields(value, branch, path));
    return problems.some((found) => found.length === 0) ? [] : (problems[0] ?? []);
  }
  if (Array.isArray(value)) {
    return value.flatMap((one, i) => unknownFields(one, schema.items ?? {}, `${path}/${i}`));
  }
  const { properties } = schema;
  if (!isObject(value) || properties === undefined) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    const property = properties[key];
    return property ? unknownFields(one, property, `${path}/${key}`) : [`${path}/${key} is not described`];
  });
}

/** Differences between the shapes of two values: other keys or other types. null matches anything. */
export function differencesOf(example: unknown, answer: unknown, path = ''): string[] {
  if (example === null || answer === null) return [];
  if (Array.isArray(example) && Array.isArray(answer)) {
    const [one, other] = [example[0] as unknown, answer[0] as unknown];
    return one === undefined || other === undefined ? [] : differencesOf(one, other, `${path}/0`);
  }
  if (isObject(example) && isObject(answer)) {
    const keys = Object.keys(example).filter((key) => key in answer);
    return keys.flatMap((key) => differencesOf(example[key], answer[key], `${path}/${key}`));
  }
  return typeof example === typeof answer ? [] : [`${path} is ${typeof answer}, not ${typeof example}`];
}
