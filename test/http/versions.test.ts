// Tests dated versions of the API, and deprecated operations.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiVersions } from '../../src/contract/versions.js';
import { apiKeySecretHash } from '../../src/accounts/api-keys/api-key-secret.js';
import { startApi, type StartedApi } from '../support/start-api.js';

const OLD = '2026-12-01';
const NEW = '2027-06-01';

/** As if a later release had renamed a field of contacts and listed it in the changelog. */
const LATER: ApiVersions = {
  known: [OLD, NEW],
  changes: [
    {
      version: NEW,
      description: 'Contacts have `metadata` in place of `fields`.',
      operations: ['contacts.get', 'contacts.upsert', 'contacts.create'],
      undo: (answer) => {
        const { metadata, ...rest } = answer as Record<string, unknown>;
        return { ...rest, fields: metadata };
      },
    },
  ],
};

let api: StartedApi;
let later: StartedApi;
beforeAll(async () => {
  api = await startApi();
  later = await startApi({
    deps: (deps) => ({ ...deps, versions: LATER }),
    routes: () => [
      (app) => {
        app.get(
          '/v1/old',
          {
            config: {
              deprecation: {
                since: '2026-12-01T00:00:00Z',
                sunset: '2027-12-01T00:00:00Z',
                link: 'https://mail.example.test/docs/old',
              },
            },
            schema: { operationId: 'old.get', tags: ['Health'], summary: 'Old' },
          },
          () => ({ object: 'old' }),
        );
      },
    ],
  });
});
afterAll(async () => {
  await api.close();
  await later.close();
});

const named = (version: string) => ({ 'service-version': version });

it('responses name the version, and an unknown one is refused with a list', async () => {
  const plain = await api.ask('GET', '/v1/contacts');
  expect([plain.status, plain.headers['service-version']]).toEqual([200, OLD]);
  const known = await api.ask('GET', '/v1/contacts', { headers: named(OLD) });
  expect(known.headers['service-version']).toBe(OLD);
  for (const version of ['2026-11-30', 'latest', '']) {
    const { status, json } = await api.ask('GET', '/v1/contacts', { headers: named(version) });
    expect([status, json.error.code, json.error.param]).toEqual([400, 'bad_request', 'Service-Version']);
    expect(json.error.message).toContain(OLD);
  }
});

it('a key keeps the version of its first call, and a header overrides it', async () => {
  const key = await later.addKey({});
  const versionOf = async () =>
    (await later.store.accounts.credential(apiKeySecretHash(key)))?.apiVersion ?? null;
  expect(await versionOf()).toBeNull();
  const first = await later.ask('GET', '/v1/contacts', { key, headers: named(OLD) });
  expect(first.headers['service-version']).toBe(OLD);
  expect(await versionOf()).toBe(OLD);
  const next = await later.ask('GET', '/v1/contacts', { key });
  expect(next.headers['service-version']).toBe(OLD);
  const other = await later.ask('GET', '/v1/contacts', { key, headers: named(NEW) });
  expect(other.headers['service-version']).toBe(NEW);
  expect(await versionOf()).toBe(OLD);
  const many = await later.addKey({});
  const answers = await Promise.all([1, 2, 3].map(() => later.ask('GET', '/v1/contacts', { key: many })));
  expect(answers.map(({ headers }) => headers['service-version'])).toEqual([NEW, NEW, NEW]);
});

it('a response in an older version is unchanged, even if it is repeated for an idempotency key', async () => {
  const key = await later.addKey({});
  const body = { email: 'ann@example.com', metadata: { a: 1 } };
  const headers = { 'idempotency-key': 'versioned' };
  const made = await later.ask('POST', '/v1/contacts', { key, body, headers: { ...headers, ...named(OLD) } });
  expect(made.json).toMatchObject({ email: 'ann@example.com', fields: { a: 1 } });
  expect(made.json).not.toHaveProperty('metadata');
  const again = await later.ask('POST', '/v1/contacts', { key, body, headers });
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect(again.json).toEqual(made.json);
  const path = `/v1/contacts/${String(made.json.id)}`;
  expect((await later.ask('GET', path, { key })).json).toEqual(made.json);
  const { fields, ...rest } = made.json as Record<string, unknown>;
  expect((await later.ask('GET', path, { key, headers: named(NEW) })).json).toEqual({
    ...rest,
    metadata: fields,
  });
  const missing = await later.ask('GET', '/v1/contacts/cnt_x', { key });
  expect(missing.json.error.code).toBe('not_found');
});

it('a deprecated operation says since when, until when, and where to read more', async () => {
  const { headers } = await later.ask('GET', '/v1/old');
  expect(headers['deprecation']).toBe(`@${Date.UTC(2026, 11, 1) / 1000}`);
  expect(headers['sunset']).toBe('Wed, 01 Dec 2027 00:00:00 GMT');
  expect(headers['link']).toBe('<https://mail.example.test/docs/old>; rel="deprecation"');
  expect((await later.ask('GET', '/v1/contacts')).headers).not.toHaveProperty('deprecation');
  const document = (await later.ask('GET', '/openapi.json')).json as {
    paths: Record<string, { get: { deprecated?: boolean } }>;
  };
  expect(document.paths['/v1/old']?.get.deprecated).toBe(true);
});

it('a first call that only reads works while the store is unavailable', async () => {
  const full = await startApi({
    deps: (deps) => ({
      ...deps,
      store: { ...deps.store, commit: () => Promise.reject(new Error('database or disk is full')) },
    }),
  });
  expect((await full.ask('GET', '/v1/contacts')).status).toBe(200);
  expect((await full.ask('POST', '/v1/contacts', { body: { email: 'a@example.com' } })).status).toBe(500);
  await full.close();
});
