// Tests HTTP-01 challenges on the port of the API, as an authority behind a proxy requests them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acmeChallengeRoutes } from '../../src/operations/certificates/acme-challenge.pages.js';
import { createAcmeChallenges } from '../../src/lib/acme/index.js';
import { startApi, type StartedApi } from '../support/start-api.js';

const PATH = '/.well-known/acme-challenge/';
const challenges = createAcmeChallenges({ shared: null, clock: Date.now });

let api: StartedApi;
beforeAll(async () => {
  api = await startApi({ routes: () => [(app) => acmeChallengeRoutes(app, challenges)] });
  await challenges.open('open-token', 'open-token.thumb');
});
afterAll(() => api.close());

describe('the challenge route', () => {
  it('answers an open challenge without a key, under any name', async () => {
    const answer = await api.ask('GET', `${PATH}open-token`, { key: '', headers: { host: 'any.example' } });
    expect([answer.status, answer.text]).toEqual([200, 'open-token.thumb']);
    expect(answer.headers['content-type']).toBe('application/octet-stream');
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it.each(['other', 'open-token.', '__proto__', 'x'.repeat(400), 'a%2Fb'])('has no %s', async (token) => {
    const answer = await api.ask('GET', PATH + token, { key: '' });
    expect([answer.status, answer.json.error.code]).toEqual([404, 'not_found']);
  });

  it('is not part of the API description', async () => {
    const { json } = await api.ask('GET', '/openapi.json', { key: '' });
    expect(Object.keys(json.paths as object).filter((path) => path.includes('acme'))).toEqual([]);
  });
});
