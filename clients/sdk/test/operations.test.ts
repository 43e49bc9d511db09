// Tests that every operation of the OpenAPI document has a method of its name, which sends the right method and path, and that
// there are no other methods.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { API_VERSIONS } from '../../../src/contract/versions.js';
import { API_VERSION, Mailkeel } from '../src/index.js';

interface Parameter {
  in: string;
  name: string;
  $ref?: string;
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: object;
  security?: unknown[];
}
const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
  components: { parameters: Record<string, Parameter> };
};

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, { operationId }]) => typeof operationId === 'string')
    .map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
);

/** Bodies that the SDK checks before it sends them. */
const BODIES: Record<string, unknown> = {
  'messages.create': { to: 'ann@example.com', text: 'Hello' },
  'messages.createBatch': { messages: [{ to: 'ann@example.com', text: 'Hello' }] },
  'messages.createRaw': { raw: 'SGVsbG8=' },
  'imports.create': 'email\nann@example.com',
  'imports.preview': 'email\nann@example.com',
  'suppressions.import': 'email\nann@example.com',
  'accountImports.upload': '{"object":"workspace_export"}\n',
};

function parametersOf({ parameters = [] }: Operation, place: string): string[] {
  return parameters
    .map(({ $ref, ...own }) =>
      $ref === undefined ? own : document.components.parameters[$ref.split('/').at(-1) ?? ''],
    )
    .flatMap((one) => (one?.in === place ? [one.name] : []));
}

function recorder() {
  const asked: { method: string; url: URL; headers: Headers; body: unknown }[] = [];
  const mailkeel = new Mailkeel({
    apiKey: `svc_test_${'k'.repeat(43)}`,
    baseUrl: 'https://mail.example.test/base/',
    fetch: (input, init) => {
      const headers = new Headers(init?.headers);
      asked.push({
        method: init?.method ?? 'GET',
        url: new URL(new Request(input).url),
        headers,
        body: init?.body,
      });
      const list = { object: 'list', data: [], has_more: false, next_cursor: null };
      // A stream would be requested repeatedly.
      const status = new Request(input).url.includes('/stream') ? 404 : 200;
      return Promise.resolve(new Response(JSON.stringify(list), { status }));
    },
  });
  return { asked, mailkeel };
}

type Method = (...given: unknown[]) => PromiseLike<unknown> | AsyncGenerator;

function methodOf(mailkeel: Mailkeel, id: string): Method | undefined {
  const [tag = '', verb = ''] = id.split('.');
  const resource = Reflect.get(mailkeel, tag) as Record<string, Method | undefined> | undefined;
  return resource?.[verb]?.bind(resource);
}

describe('the methods of the client', () => {
  it.each(operations.map((one) => [one.operationId, one] as const))('%s', async (id, operation) => {
    const { asked, mailkeel } = recorder();
    const method = methodOf(mailkeel, id);
    if (method === undefined) throw new Error(`The SDK has no method ${id}; see CONTRIBUTING.md.`);
    const values = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => `a/${name} ?`);
    const hasParams =
      operation.requestBody !== undefined ||
      parametersOf(operation, 'query').some((name) => !['workspace_id', 'environment'].includes(name));
    const params = BODIES[id] ?? { probe: ['one', 'two'] };
    const answer = method(...values, ...(hasParams ? [params] : []));
    await ('next' in answer ? answer.next().catch(() => null) : answer);
    expect(asked).toHaveLength(1);
    const [
      { url, method: verb, headers, body } = {
        url: new URL('x:'),
        method: '',
        headers: new Headers(),
        body: null,
      },
    ] = asked;
    const parts = values.map(encodeURIComponent);
    const path = operation.path.replace(/\{\w+\}/g, () => parts.shift() ?? '');
    expect(`${verb} ${url.pathname}`).toBe(`${operation.method} /base${path}`);
    expect(headers.get('authorization')).toMatch(/^Bearer svc_test_/);
    const takesKey = parametersOf(operation, 'header').includes('Idempotency-Key');
    expect(headers.get('idempotency-key') !== null, 'an idempotency key').toBe(takesKey);
    if (BODIES[id] === undefined && hasParams) {
      if (operation.requestBody !== undefined) expect(JSON.parse(String(body))).toEqual(params);
      else if (id !== 'events.stream') expect(url.searchParams.getAll('probe')).toEqual(['one', 'two']);
    }
  });

  it('have no others', () => {
    const { mailkeel } = recorder();
    const methods = Object.entries(mailkeel).flatMap(([tag, resource]) =>
      Object.getOwnPropertyNames(Object.getPrototypeOf(resource))
        .filter((name) => name !== 'constructor')
        .map((name) => `${tag}.${name}`),
    );
    expect(methods.sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
  });

  it('refuse an empty id, and one that would change the path, without a request', async () => {
    const { asked, mailkeel } = recorder();
    for (const id of ['', ' ', '.', '..', undefined as unknown as string]) {
      await expect(mailkeel.messages.get(id)).rejects.toThrow('id must be given');
    }
    expect(asked).toHaveLength(0);
  });

  it('send no key exactly if the API needs none', async () => {
    let asked = 0;
    const mailkeel = new Mailkeel({
      baseUrl: 'https://mail.example.test',
      fetch: () => {
        asked += 1;
        return Promise.resolve(new Response('{}'));
      },
    });
    for (const { operationId: id, security, path } of operations) {
      const values = [...path.matchAll(/\{(\w+)\}/g)].map(() => 'one');
      const ask = async (): Promise<unknown> => {
        const answer = methodOf(mailkeel, id)?.(...values, BODIES[id] ?? {});
        return answer !== undefined && 'next' in answer ? answer.next() : answer;
      };
      const before = asked;
      if (security?.length === 0) await ask();
      else await expect(ask(), id).rejects.toThrow('apiKey is missing');
      expect(asked - before, id).toBe(security?.length === 0 ? 1 : 0);
    }
  });

  it('use the newest version of the API', () => {
    expect(API_VERSION).toBe(API_VERSIONS.at(-1));
  });
});
