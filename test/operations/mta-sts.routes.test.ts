// Tests the MTA-STS policy file as a sending server requests it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { policyFileRoutes } from '../../src/operations/tls-reports/mta-sts.pages.js';
import { buildStsPolicy, parseStsPolicy } from '../../src/lib/tls-policy/index.js';
import { startApi, type StartedApi } from '../support/start-api.js';

const policy = { mode: 'testing' as const, mx: ['mail.mailkeel.example'], maxAgeS: 604_800 };

let api: StartedApi;
beforeAll(async () => {
  const policyText = buildStsPolicy(policy);
  const domains = ['bounce.mailkeel.example', 'Mailkeel.Example'];
  api = await startApi({
    routes: () => [(app) => policyFileRoutes(app, { domains, policyText, zone: 'zone.example' })],
  });
});
afterAll(() => api.close());

const ask = (host: string, method = 'GET') =>
  api.ask(method, '/.well-known/mta-sts.txt', { key: '', headers: { host } });

describe('the policy file', () => {
  it.each([
    'mta-sts.bounce.mailkeel.example',
    'mta-sts.mailkeel.example',
    'MTA-STS.Mailkeel.example:443',
    'mta-sts.reply.acme.zone.example',
  ])('is served on %s without a key', async (host) => {
    const answer = await ask(host);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(parseStsPolicy(answer.text)).toMatchObject({ kind: 'policy', policy });
  });

  it.each([
    'mailkeel.example',
    'reply.acme.zone.example',
    'mta-sts.other.example',
    'mta-sts.mta-sts.mailkeel.example',
    'mta-sts.',
    '',
  ])('does not exist on %j', async (host) => {
    const answer = await ask(host);
    expect(answer.status).toBe(404);
    expect(answer.json.error.code).toBe('not_found');
  });

  it('is not part of the API description', async () => {
    const { json } = await api.ask('GET', '/openapi.json', { key: '' });
    expect(Object.keys(json.paths as object).filter((path) => path.includes('mta-sts'))).toEqual([]);
  });
});
