// Tests forms of other sites: the publishable key of a list, the fields of a form, the responses, and access for scripts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAudienceRig, type AudienceRig } from '../support/audience-rig.js';

let rig: AudienceRig;
let listId = '';
let key = '';
const BROWSER = { accept: 'text/html,application/xhtml+xml', origin: 'https://shop.example' };

beforeAll(async () => {
  rig = await startAudienceRig();
  listId = await rig.addList({ name: 'News', form_origins: ['https://shop.example'] });
  const made = await rig.ask('POST', `/v1/lists/${listId}/publishable-key`);
  key = made.json.publishable_key as string;
});
afterAll(() => rig.close());

const post = (form: Record<string, string>, headers: Record<string, string> = {}) =>
  rig.ask('POST', '/v1/subscribe', { key: '', form: { list_key: key, ...form }, headers });
const members = async () =>
  (
    (await rig.ask('GET', `/v1/lists/${listId}/contacts`)).json.data as {
      email: string;
      name: string | null;
      metadata: unknown;
    }[]
  ).map(({ email, name, metadata }) => ({ email, name, metadata }));

describe('a form with a publishable key', () => {
  it('signs a visitor up and shows a page', async () => {
    const answer = await post({ email: 'Ann@example.com', name: 'Ann', 'metadata[city]': 'Bremen' }, BROWSER);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.text).toContain('Thank you');
    expect(await members()).toEqual([
      { email: 'Ann@example.com', name: 'Ann', metadata: { city: 'Bremen' } },
    ]);
    const contact = (await rig.ask('GET', '/v1/contacts/Ann%40example.com/activity')).json;
    expect(JSON.stringify(contact)).toContain('/v1/subscribe from https://shop.example');
  });

  it('responds to programs in the same way for every address, and does not change known contacts', async () => {
    const answers = [];
    for (const email of ['ann@example.com', 'new@example.com']) {
      const { status, json } = await post({ email, name: 'Eve', 'metadata[city]': 'Rome' });
      answers.push([status, json]);
    }
    const accepted = { object: 'sign_up', list_id: listId, status: 'accepted' };
    expect(answers).toEqual([
      [200, accepted],
      [200, accepted],
    ]);
    expect((await members()).map(({ name, metadata }) => [name, metadata])).toEqual([
      ['Eve', { city: 'Rome' }],
      ['Ann', { city: 'Bremen' }],
    ]);
  });

  it('redirects a browser only to allowed origins', async () => {
    const to = (redirect_url: string) => post({ email: 'led@example.com', redirect_url }, BROWSER);
    const led = await to('https://shop.example/thanks?x=1');
    expect([led.status, led.headers['location']]).toEqual([303, 'https://shop.example/thanks?x=1']);
    // Characters that no header can carry are encoded as in the URL standard.
    for (const [url, location] of [
      ['https://shop.example/danke-\u20ac', 'https://shop.example/danke-%E2%82%AC'],
      ['https://shop.example/\r\nX-Evil: 1', 'https://shop.example/X-Evil:%201'],
      ['https:\\\\shop.example\\@evil.example', 'https://shop.example/@evil.example'],
      ['https:shop.example/thanks', 'https://shop.example/thanks'],
    ] as const) {
      const answer = await to(url);
      expect([answer.status, answer.headers['location']], url).toEqual([303, location]);
    }
    for (const url of [
      'https://evil.example/',
      'https://shop.example.evil.example/',
      'https://shop.example@evil.example/',
      'http://shop.example/',
      '//shop.example/',
      'javascript:alert(1)',
    ]) {
      const refused = await to(url);
      expect([refused.status, refused.headers['location']], url).toEqual([422, undefined]);
      expect(refused.text).toContain('redirect_url');
    }
  });

  it('reports every invalid field, and stores nothing', async () => {
    const before = await members();
    const answer = await post({
      email: 'no address',
      mail: 'x',
      redirect_url: 'https://evil.example',
      'metadata[site]': 'www.evil.example',
    });
    expect([answer.status, answer.json.error.code]).toEqual([422, 'validation_error']);
    const fields = answer.json.error.details.fields as { path: string }[];
    expect(fields.map(({ path }) => path).sort()).toEqual(['email', 'mail', 'metadata.site', 'redirect_url']);
    expect(await members()).toEqual(before);
    const page = await post({ email: '<b>' }, BROWSER);
    expect([page.status, page.text.includes('<b>')]).toEqual([422, false]);
  });

  it('is ignored if a program filled in the trap', async () => {
    const before = await members();
    expect((await post({ email: 'bot@example.com', website: 'x' })).status).toBe(200);
    expect(await members()).toEqual(before);
  });

  it('works until the key is replaced or revoked', async () => {
    const other = await rig.addList({ name: 'Other' });
    const url = `/v1/lists/${other}/publishable-key`;
    const first = (await rig.ask('POST', url)).json.publishable_key as string;
    const second = (await rig.ask('POST', url)).json.publishable_key as string;
    expect(first).toMatch(/^pk_live_[0-9a-z]{26}$/);
    const status = async (list_key: string) => (await post({ email: 'a@example.com', list_key })).status;
    const gone = await post({ email: 'a@example.com', list_key: first });
    expect([gone.json.error.code, gone.json.error.param]).toEqual(['list_not_found', 'list_key']);
    expect(await status(second)).toBe(200);
    expect((await rig.ask('GET', `/v1/lists/${other}`)).json.publishable_key).toBe(second);
    expect((await rig.ask('DELETE', url)).json.publishable_key).toBeNull();
    expect(await status(second)).toBe(gone.status);
    expect(await status('pk_live_nonsense')).toBe(gone.status);
    expect((await post({ email: 'a@example.com', list_key: '' })).status).toBe(422);
  });

  it('is valid for one environment, and for nothing else', async () => {
    const list = await rig.addList({ name: 'Test' }, rig.keys.test);
    const made = await rig.ask('POST', `/v1/lists/${list}/publishable-key`, { key: rig.keys.test });
    expect(made.json.publishable_key).toMatch(/^pk_test_/);
    expect((await rig.ask('GET', '/v1/lists', { key })).status).toBe(401);
    const json = await rig.ask('POST', '/v1/subscribe', {
      key: '',
      body: { list_key: key, email: 'a@b.example' },
    });
    expect(json.status).toBe(401);
  });

  it('cannot be used for a segment, and requires valid origins', async () => {
    const segment = await rig.addList({
      name: 'Segment',
      filter: { all: [{ field: 'tag', op: 'has', value: 'x' }] },
    });
    const refused = await rig.ask('POST', `/v1/lists/${segment}/publishable-key`);
    expect(refused.json.error.code).toBe('list_is_segment');
    const wrong = await rig.ask('PATCH', `/v1/lists/${listId}`, {
      body: { form_origins: ['https://a.example', 'https://a.example/path', 'a.example'] },
    });
    const fields = wrong.json.error.details.fields as { path: string }[];
    expect(fields.map(({ path }) => path)).toEqual(['form_origins.1', 'form_origins.2']);
  });

  it("shares the client's limit with the hosted page", async () => {
    const limited = await startAudienceRig({ settings: { signUpRate: 2 } });
    try {
      const list = await limited.addList({ name: 'L' });
      const { json } = await limited.ask('POST', `/v1/lists/${list}/publishable-key`);
      const form = { list_key: json.publishable_key as string, email: 'a@example.com' };
      const send = () => limited.ask('POST', '/v1/subscribe', { key: '', form });
      const signUp = new URL(json.sign_up_url as string).pathname;
      expect((await send()).status).toBe(200);
      expect((await limited.ask('POST', signUp, { key: '', form: { email: 'b@example.com' } })).status).toBe(
        200,
      );
      const third = await send();
      expect([third.status, third.headers['access-control-allow-origin']]).toEqual([429, '*']);
      expect(Number(third.headers['retry-after'])).toBeGreaterThan(0);
    } finally {
      await limited.close();
    }
  });
});

describe('scripts of other websites', () => {
  const allowed = (headers: Record<string, unknown>) => headers['access-control-allow-origin'];

  it('can read the responses of a form, and send preflight requests', async () => {
    expect(allowed((await post({ email: 'x@example.com' })).headers)).toBe('*');
    expect(allowed((await post({ email: 'x' })).headers)).toBe('*');
    const before = await rig.ask('OPTIONS', '/v1/subscribe', {
      key: '',
      headers: { origin: 'https://a.example' },
    });
    expect([before.status, allowed(before.headers)]).toEqual([204, '*']);
    expect(before.headers['access-control-allow-methods']).toBe('POST');
    expect(before.headers['access-control-allow-headers']).toBe('Content-Type');
    expect(before.headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('cannot read anything that requires a key', async () => {
    for (const [method, url] of [
      ['GET', '/v1/lists'],
      ['OPTIONS', '/v1/lists'],
      ['POST', '/v1/subscribe'],
      ['GET', '/healthz'],
    ] as const) {
      const answer = await rig.ask(method, url, { headers: { origin: 'https://a.example' } });
      expect(allowed(answer.headers), `${method} ${url}`).toBeUndefined();
    }
  });
});
