// Tests the OpenAPI document of the whole program: every operation is described consistently, and its examples are valid
// requests.
import { Compile } from 'typebox/compile';
import type { TSchema } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inlined } from '../support/api-operations.js';
import { startFullApi, type FullApiRig } from '../support/program.js';

interface Content {
  schema: TSchema;
  example?: unknown;
}

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  parameters?: { name: string; schema: TSchema }[];
  requestBody?: { required?: boolean; content: Record<string, Content> };
}

let rig: FullApiRig;
let operations: (Operation & { route: string })[];
let whole: object;
let tags: { name: string; description: string }[];
beforeAll(async () => {
  rig = await startFullApi();
  const document = JSON.parse(JSON.stringify(rig.app.swagger())) as {
    paths: Record<string, Record<string, Operation>>;
    tags: { name: string; description: string }[];
  };
  const paths = inlined(document.paths, document);
  ({ tags } = document);
  whole = document;
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, route: `${method} ${path}` })),
  );
}, 60_000);
afterAll(() => rig.close());

/** Every schema within one, with its own examples. */
function* schemasIn(schema: unknown): Generator<TSchema & { examples?: unknown[] }> {
  if (typeof schema !== 'object' || schema === null) return;
  if (!Array.isArray(schema)) yield schema;
  for (const [key, part] of Object.entries(schema)) {
    if (!['example', 'examples', 'default', 'enum', 'const'].includes(key)) yield* schemasIn(part);
  }
}

function bodiesOf({ requestBody }: Operation): [string, Content][] {
  return Object.entries(requestBody?.content ?? {});
}

describe('the OpenAPI document', () => {
  it('names each operation once, for what it does', () => {
    expect(operations.length).toBeGreaterThan(150);
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]*)*\.[a-z]+([A-Z][a-z]*)*$/.test(id))).toEqual([]);
  });

  it('has the operations that name client methods', async () => {
    const lines = operations.map(({ operationId, route }) => `${operationId} ${route}\n`);
    await expect(lines.toSorted().join('')).toMatchFileSnapshot('operations.txt');
  });

  it('equals the one in docs/, which `-u` updates', async () => {
    const text = JSON.stringify({ ...whole, servers: [{ url: 'https://mail.example.com' }] }, null, 1);
    // one file for all releases
    const shown = text.replace(/"version": "[^"]+"/, '"version": "0"');
    await expect(`${shown}\n`).toMatchFileSnapshot('../../docs/openapi.json');
  });

  it('takes fewer than 3,000 characters per operation with examples, because its parts have names', () => {
    expect(JSON.stringify(whole).length / operations.length).toBeLessThan(3_000);
  });

  it('names an operation by its described tag', () => {
    const described = tags.map(({ name }) => name);
    const used = operations.map(({ tags: [tag = ''] }) => tag);
    expect(described.filter((tag) => !used.includes(tag))).toEqual([]);
    expect(described[0]).toBe('Messages');
    const group = (tag: string) =>
      tag.toLowerCase().replaceAll(/[- ](.)/g, (_, letter: string) => letter.toUpperCase());
    const wrong = operations.filter(
      ({ operationId, tags: [tag = ''] }) =>
        !described.includes(tag) || operationId.split('.')[0] !== group(tag),
    );
    expect(wrong.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('summarizes each operation in one line, with one tag', () => {
    const wrong = operations.filter(
      ({ summary, tags }) => !/^[A-Z].{8,}[^.\s]$/.test(summary) || tags.length !== 1,
    );
    expect(wrong.map(({ route }) => route)).toEqual([]);
    const unfinished = operations.filter(({ description = '.' }) => !/[.`)]$/.test(description.trim()));
    expect(unfinished.map(({ route }) => route)).toEqual([]);
  });

  it('shows a body for every operation that requires one', () => {
    const bare = operations.filter((operation) => {
      const bodies = bodiesOf(operation);
      const isShown = bodies.some(([, { schema, example }]) => example !== undefined || 'examples' in schema);
      return operation.requestBody?.required === true && !isShown;
    });
    expect(bare.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('shows only valid bodies and values', () => {
    const refused = operations.flatMap((operation) => {
      const bodies = bodiesOf(operation).filter(
        ([type, { schema, example }]) =>
          type.endsWith('json') && example !== undefined && !Compile(schema).Check(example),
      );
      const values = [
        ...bodiesOf(operation).flatMap(([, { schema }]) => [...schemasIn(schema)]),
        ...(operation.parameters ?? []).flatMap(({ schema }) => [...schemasIn(schema)]),
      ].filter(({ examples = [], ...schema }) => examples.some((example) => !Compile(schema).Check(example)));
      return [...bodies, ...values].map((wrong) => `${operation.route}: ${JSON.stringify(wrong)}`);
    });
    expect(refused).toEqual([]);
  });
});
