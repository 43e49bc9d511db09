// Tests that U+0000 in any text of a request never causes an internal error. PostgreSQL does not accept such text, and both
// engines respond in the same way.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiOperations, jsonBodyOf, valueOf, type Operation } from '../../support/api-operations.js';
import { createAppliance, type Appliance } from '../../support/appliance.js';
import { QUICK } from '../../support/mail-rig.js';

const NUL = 'a\0b';
let appliance: Appliance;

beforeAll(async () => {
  appliance = await createAppliance({
    process: 'shared',
    env: { ...QUICK, MAILKEEL_RATE_LIMIT_AUTH_FAILURES: '0' },
  });
  await appliance.start();
});
afterAll(() => appliance.close());

interface Request {
  place: string;
  path: string;
  body?: unknown;
}

const operations = apiOperations().filter(({ streams }) => !streams);

function pathOf({ path, parameters }: Operation, given: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams();
  for (const { name, required, schema, in: where } of parameters) {
    if (where === 'query' && (required === true || given[name] !== undefined)) {
      query.set(name, given[name] ?? String(valueOf(schema, name)));
    }
  }
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(given[name] ?? 'none'),
  );
  const search = query.toString();
  return search === '' ? filled : `${filled}?${search}`;
}

/** The operation once for each of its texts, with the character in that text. */
function requestsOf(operation: Operation): Request[] {
  const body = jsonBodyOf(operation);
  const inParameters = operation.parameters
    .filter(({ in: where }) => where !== 'header')
    .map(({ name }): Request => ({ place: name, path: pathOf(operation, { [name]: NUL }), body }));
  const inBody = variants(body).map(([place, one]): Request => ({
    place,
    path: pathOf(operation),
    body: one,
  }));
  return [...inParameters, ...inBody];
}

/** Copies of a value, each with the character in another of its texts. */
function variants(value: unknown, place = ''): [place: string, variant: unknown][] {
  if (typeof value === 'string') return [[place, `${value}\0`]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    variants(one, `${place}.${name}`).map(([at, variant]): [string, unknown] => [
      at,
      Array.isArray(value)
        ? value.map((other: unknown, index) => (String(index) === name ? variant : other))
        : { ...value, [name]: variant },
    ]),
  );
}

describe('a NUL character in a text of', () => {
  it.each(operations)('$id', async (operation) => {
    const faults: string[] = [];
    for (const { place, path, body } of requestsOf(operation)) {
      const answer = await appliance.api(operation.method, path, {
        key: appliance.keys.live_key,
        ...(body === undefined ? {} : { body }),
      });
      if (answer.status >= 500) faults.push(`${place}: ${answer.status}`);
    }
    expect(faults).toEqual([]);
  });
});
