// Tests unknown addresses: people get a page with links, programs get JSON.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type StartedApi } from '../support/start-api.js';

let api: StartedApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const HTML = { accept: 'text/html,application/xhtml+xml' };
const ask = (url: string, headers: Record<string, string> = HTML) => api.app.inject({ url, headers });

it.each(['/campaigns', '/messages/msg_1', '/docs/nothing'])(
  '%s is a page with links to the dashboard and the docs',
  async (url) => {
    const answer = await ask(url);
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(answer.body).toContain('<a href="/">Dashboard</a>');
    expect(answer.body).toContain('<a href="/docs">Documentation</a>');
  },
);

it('programs, and all requests below /v1, get the common error body', async () => {
  for (const answer of [await ask('/campaigns', { accept: '*/*' }), await ask('/v1/nothing')]) {
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ error: { code: 'not_found' } });
  }
});
