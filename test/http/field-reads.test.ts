// A field of a request that nobody reads is an error: every example is sent, and each declared field of body and query must be read by name.
import { channel } from 'node:diagnostics_channel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiOperations, valueOf, type Operation, type Schema } from '../support/api-operations.js';
import { addOverride, sendExamples } from '../support/example-world.js';
import { recordFieldReads, type FieldReads } from '../support/field-reads.js';
import { startFullApi, type FullApiRig } from '../support/full-api-rig.js';
import { PLATFORM_DOMAIN, readyToMail } from '../support/people-rig.js';

/** Its answer has no end. */
const NOT_RUN = ['events.stream'];
/** A name that no schema has. */
const MADE_UP = 'made_up';
const UNSEEN: Record<string,string> = {};
let rig: FullApiRig;
let reads: FieldReads;
beforeAll(async () => {
  rig = await startFullApi({
    async before(store) {
      await addOverride(store);
      await readyToMail(store, Date.now);
    },
    env: { MAILKEEL_RATE_LIMIT_AUTH_FAILURES: '0', MAILKEEL_PLATFORM_DOMAIN: PLATFORM_DOMAIN },
  });
  reads = recordFieldReads();
  await sendExamples(rig, apiOperations(), variantsOf);
}, 120_000);
afterAll(async () => {
  reads.stop();
  await rig.close();
});

describe('the fields of requests', () => {
  it('are read by the handlers', () => {
    const unseen = Object.entries(UNSEEN).flatMap(([object, names]) =>
      names.split(' ').map((name) => `${object}.${name}`),
    );
    const unread = reads.unread().filter((field) => !field.endsWith(`.${MADE_UP}`));
    expect(unread.toSorted()).toEqual(unseen.toSorted());
  });

  it('are looked at in every operation that has some', () => {
    const withFields = apiOperations().filter(
      ({ bodies, parameters }) =>
        'application/json' in bodies || parameters.some((one) => one.in === 'query' && !isPlace(one.name)),
    );
    const missing = withFields
      .map(({ id }) => id)
      .filter((id) => !reads.ran.has(id) && !NOT_RUN.includes(id));
    expect(missing).toEqual([]);
  });

  it('are reported when one is added to a schema, in the body, in an object of it and in the query', () => {
    const unread = reads.unread();
    for (const object of ['campaigns.create: body', 'campaigns.create: body.utm', 'contacts.list: query']) {
      expect(unread).toContain(`${object}.${MADE_UP}`);
    }
    const objects = unread.filter((field) => field.endsWith(`.${MADE_UP}`));
    expect(objects.length).toBeGreaterThan(150);
  });

  it('are not read by a copy of their object', () => {
    const text = { type: 'string' };
    const inner = { type: 'object', properties: { kept: text, used: text } };
    const body = { type: 'object', properties: { inner, copied: text, rest: text, used: text } };
    const request = {
      routeOptions: { schema: { operationId: 'made.up', body } },
      body: { inner: { kept: 'a', used: 'b' }, copied: 'c', rest: 'd', used: 'e' },
    };
    channel('tracing:fastify.request.handler:start').publish({ request });
    const { used, ...others } = request.body;
    const shown = [used, request.body.inner.used, JSON.stringify(others), { ...request.body }];
    expect(shown).toHaveLength(4);
    const unread = reads.unread().filter((field) => field.startsWith('made.up: '));
    expect(unread.filter((field) => !field.endsWith(MADE_UP))).toEqual([
      'made.up: body.inner.kept',
      'made.up: body.copied',
      'made.up: body.rest',
    ]);
  });
});

/** Read by a hook, which takes it out of the query. */
function isPlace(name: string): boolean {
  return name === 'workspace_id' || name === 'environment';
}

type Body = Record<string, unknown>;

/** The example with one field set to each kind of value that its schema takes, field by field. */
function variantsOf({ bodies }: Operation, body: Body): Body[] {
  const schema = bodies['application/json']?.schema;
  if (schema === undefined) return [];
  return choicesOf(schema).flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, one]) =>
      filled(one, name).map((value) => ({ ...body, idempotency_key: undefined, [name]: value })),
    ),
  );
}

function choicesOf(schema: Schema): Schema[] {
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return choices.length === 0 ? [schema] : choices.flatMap(choicesOf);
}

/** A value of each kind that the schema takes, objects with all their fields. */
function filled(schema: Schema, name: string, depth = 0): unknown[] {
  return choicesOf(schema).flatMap((one): unknown[] => {
    if (one.properties !== undefined && depth < 5) {
      const fields = Object.entries(one.properties).map(
        ([key, field]) => [key, filled(field, key, depth + 1)[0]] as const,
      );
      return [Object.fromEntries(fields)];
    }
    if (one.items !== undefined && depth < 5) {
      const items = filled(one.items, name, depth + 1);
      return [Array.from({ length: Math.max(one.minItems ?? 1, items.length) }, (_, i) => items[i % items.length])];
    }
    return [valueOf(one, name)];
  });
}
