// Tests that every field of a request is read: every example is sent, and each declared field of path, query and body must be
// read by name. The fields of an import's form are put into its query. test/compat/every-field.test.ts checks, from the schemas,
// that fields of other vendors' requests have an effect or are refused with a sentence.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify from 'fastify';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Api } from '../../src/http/api.js';
import { createValidatorCompiler } from '../../src/http/body/validation.js';
import type { Operation as Operated } from '../../src/http/operation.js';
import { suppressionRoutes } from '../../src/suppressions/suppressions.routes.js';
import { apiOperations, valueOf, type Operation, type Schema } from '../support/api-operations.js';
import { addOverride, sendExamples } from '../support/example-world.js';
import { recordFieldReads, type FieldReads } from '../support/field-reads.js';
import { startFullApi, type FullApiRig } from '../support/program.js';
import { EGRESS_WITH_SHARE } from '../support/share-route.js';
import { PLATFORM_DOMAIN, readyToMail } from '../support/people-rig.js';

/** Its response never ends. */
const NOT_RUN = ['events.stream'];
/** A name that no schema of the program has. */
const MADE_UP = 'made_up';

let rig: FullApiRig;
let reads: FieldReads;
beforeAll(async () => {
  rig = await startFullApi({
    async before(store) {
      await addOverride(store);
      await readyToMail(store, Date.now);
    },
    env: {
      MAILKEEL_RATE_LIMIT_AUTH_FAILURES: '0',
      MAILKEEL_PLATFORM_DOMAIN: PLATFORM_DOMAIN,
      MAILKEEL_OUTBOUND: EGRESS_WITH_SHARE,
    },
  });
  reads = recordFieldReads();
  await sendExamples(rig, apiOperations(), variantsOf);
  await sendOthers(rig);
  reads.stop();
}, 120_000);
afterAll(() => rig.close());

describe('the fields of requests', () => {
  it('are read by the handlers', () => {
    expect(reads.unread()).toEqual([]);
  });

  it('are found in every operation that has some', () => {
    const withFields = apiOperations().filter(
      ({ bodies, parameters }) =>
        'application/json' in bodies || parameters.some((one) => one.in !== 'header' && !isPlace(one.name)),
    );
    const missing = withFields
      .map(({ id }) => id)
      .filter((id) => !reads.ran.has(id) && !NOT_RUN.includes(id));
    expect(missing).toEqual([]);
  });

  it('are reported when one is added to a schema: in the path, the query, the body and an object of it', async () => {
    const extended = await withMadeUpFields(rig);
    const own = recordFieldReads();
    const { body } = await extended.inject({
      method: 'POST',
      url: '/v1/suppressions',
      body: {
        ...{ email: 'cara@example.com', reason: 'manual', [MADE_UP]: 'x' },
        reply: { code: 550, enhanced_code: null, message: null, [MADE_UP]: 'x' },
      },
    });
    const { id } = JSON.parse(body) as { id: string };
    await extended.inject({ method: 'DELETE', url: `/v1/suppressions/${id}?${MADE_UP}=x` });
    own.stop();
    await extended.close();
    expect(own.unread()).toEqual([
      `suppressions.create: body.reply.${MADE_UP}`,
      `suppressions.create: body.${MADE_UP}`,
      `suppressions.delete: query.${MADE_UP}`,
      `suppressions.delete: params.${MADE_UP}`,
    ]);
  });

  it('are not read by a copy of their object', async () => {
    const text = Type.String();
    const inner = Type.Object({ kept: text, used: text });
    const schema = {
      operationId: 'made.up',
      body: Type.Object({ inner, copied: text, rest: text, used: text }),
    };
    const app = fastify().withTypeProvider<TypeBoxTypeProvider>();
    app.post('/', { schema }, (request) => {
      const { used, ...others } = request.body;
      return [used, request.body.inner.used, JSON.stringify(others), { ...request.body }];
    });
    const own = recordFieldReads();
    const body = { inner: { kept: 'a', used: 'b' }, copied: 'c', rest: 'd', used: 'e' };
    const answer = await app.inject({ method: 'POST', url: '/', body });
    own.stop();
    await app.close();
    expect(answer.json()).toHaveLength(4);
    expect(own.unread()).toEqual(['made.up: body.inner.kept', 'made.up: body.copied', 'made.up: body.rest']);
  });
});

/** The routes of suppressions, with one additional field in each schema. */
async function withMadeUpFields({ store, app: { cursors }, clock, workspaceId }: FullApiRig): Promise<Api> {
  const scope = { ...(await store.accounts.environmentOf(workspaceId, 'live')), subTenantId: null };
  const app = fastify().withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(createValidatorCompiler());
  app.decorate('cursors', cursors);
  app.decorateRequest('caller');
  app.addHook('onRequest', (request, _reply, done) => {
    Object.assign(request, { caller: { scope } });
    done();
  });
  app.addHook('onRoute', (route) => {
    const { body, querystring, params } = (route.schema ?? {}) as Operated;
    const parts = Object.entries({ body, querystring, params }).flatMap(([part, schema]) =>
      schema === undefined ? [] : [[part, extended(schema)] as const],
    );
    route.schema = { ...route.schema, ...Object.fromEntries(parts) };
  });
  suppressionRoutes(app, { store, clock, importSizeLimitBytes: 1_000 });
  return app;
}

function extended(schema: Schema): Schema {
  const { anyOf, properties } = schema;
  if (anyOf !== undefined) return { ...schema, anyOf: anyOf.map(extended) };
  if (properties === undefined) return schema;
  const own = Object.entries(properties).map(([name, one]) => [name, extended(one)]);
  return { ...schema, properties: { ...Object.fromEntries(own), [MADE_UP]: Type.String() } };
}

/** The examples change no segment, and nothing of them has been delivered to a webhook endpoint. */
async function sendOthers({ ask }: FullApiRig): Promise<void> {
  const filter = { any: [{ field: 'tag', op: 'has', value: 'vip' }] };
  const { json } = await ask('POST', '/v1/lists', { body: { name: 'A segment', filter } });
  const { status } = await ask('PATCH', `/v1/lists/${json.id}`, { body: { filter } });
  expect(status).toBe(200);
  const url = 'https://hooks.example.com/in';
  const endpoint = await ask('POST', '/v1/webhook-endpoints', { body: { url } });
  await ask('POST', `/v1/webhook-endpoints/${endpoint.json.id}/deliveries/none/replay`);
}

/** A hook reads it and removes it from the query. */
function isPlace(name: string): boolean {
  return name === 'workspace_id' || name === 'environment';
}

type Body = Record<string, unknown>;

/**
 * Returns the example with one field at a time set to each kind of value that its schema accepts, without a key for the single
 * request.
 */
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

/** Returns a value of each kind that the schema accepts, objects with all their fields. */
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
      return [
        Array.from({ length: Math.max(one.minItems ?? 1, items.length) }, (_, i) => items[i % items.length]),
      ];
    }
    return [valueOf(one, name)];
  });
}
