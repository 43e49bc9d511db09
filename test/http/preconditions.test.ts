// Tests ETag and If-Match: if several people change the same object, none overwrites another's change unseen.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixedClock } from '../support/fixed-clock.js';
import { assembleProgram, type TestProgram } from '../support/program.js';

let program: TestProgram;
let admin: string;
// The clock stands still, because versions must differ even if no time passes.
beforeAll(async () => {
  program = await assembleProgram({ clock: fixedClock().now });
  admin = await program.addKey({ permission: 'admin' });
});
afterAll(() => program.close());

const ask = (method: string, url: string, body?: unknown, ifMatch?: string) =>
  program.ask(method, url, {
    key: admin,
    ...(body === undefined ? {} : { body }),
    ...(ifMatch === undefined ? {} : { headers: { 'if-match': ifMatch } }),
  });

async function made(url: string, body: unknown): Promise<string> {
  const answer = await ask('POST', url, body);
  expect(answer.status, answer.text).toBe(201);
  return `${url}/${answer.json.id}`;
}

const KINDS: Record<string, { path: () => Promise<string>; field: string; isKept?: boolean }> = {
  campaign: { path: () => made('/v1/campaigns', { name: 'News' }), field: 'name' },
  sequence: {
    path: async () => {
      const template = await made('/v1/templates', { name: 'Hello', subject: 'Hi', html: '<p>Hi</p>' });
      const steps = [{ type: 'send', template: template.split('/').at(-1) }];
      return made('/v1/sequences', { name: 'Welcome', trigger: { type: 'manual' }, steps });
    },
    field: 'name',
  },
  template: {
    path: () => made('/v1/templates', { name: 'Hello', subject: 'Hi', html: '<p>Hi</p>' }),
    field: 'name',
  },
  'webhook endpoint': {
    path: () => made('/v1/webhook-endpoints', { url: 'https://hooks.example/in' }),
    field: 'description',
  },
  workspace: { path: () => made('/v1/workspaces', { name: 'Second' }), field: 'name', isKept: true },
  organization: { path: () => Promise.resolve('/v1/organization'), field: 'name', isKept: true },
};

describe.each(Object.entries(KINDS))('a change of a %s', (_name, { path, field, isKept = false }) => {
  it('applies to the version in If-Match, and returns the new one', async () => {
    const url = await path();
    const read = await ask('GET', url);
    const { etag } = read.headers;
    expect(etag).toBe(`"${read.json.updated_at}"`);
    const changed = await ask('PATCH', url, { [field]: 'first' }, String(etag));
    expect(changed.status, changed.text).toBe(200);
    expect(changed.headers['etag']).not.toBe(etag);
    expect((await ask('GET', url)).headers['etag']).toBe(changed.headers['etag']);
  });

  it('is refused without effect after another change', async () => {
    const url = await path();
    const etag = String((await ask('GET', url)).headers['etag']);
    const first = await ask('PATCH', url, { [field]: 'first' });
    const second = await ask('PATCH', url, { [field]: 'second' }, etag);
    expect(second.status).toBe(412);
    expect(second.json.error).toMatchObject({
      ...{ type: 'precondition_failed', code: 'precondition_failed' },
      details: { updated_at: first.json.updated_at },
    });
    expect((await ask('GET', url)).json[field]).toBe('first');
    if (isKept) return;
    expect((await ask('DELETE', url, undefined, etag)).status).toBe(412);
    expect((await ask('DELETE', url, undefined, String(first.headers['etag']))).status).toBe(200);
  });

  it('succeeds once for eight simultaneous requests with the same version', async () => {
    const url = await path();
    const etag = String((await ask('GET', url)).headers['etag']);
    const values = Array.from({ length: 8 }, (_, i) => `writer ${i}`);
    const answers = await Promise.all(values.map((value) => ask('PATCH', url, { [field]: value }, etag)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(7).fill(412)]);
    expect((await ask('GET', url)).json[field]).toBe(values[statuses.indexOf(200)]);
  });

  it('applies without If-Match, with `*`, and with a weak tag of a proxy', async () => {
    const url = await path();
    const etag = String((await ask('GET', url)).headers['etag']);
    const weak = await ask('PATCH', url, { [field]: 'weak' }, `"other", W/${etag}`);
    const any = await ask('PATCH', url, { [field]: 'any' }, '*');
    const none = await ask('PATCH', url, { [field]: 'none' });
    expect([weak, any, none].map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});
