// Tests access tokens for smarthosts, from a token endpoint on a real socket.
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createGuardedClient, type GuardedClient, guardedLookup } from '../../src/lib/http/index.js';
import { OAuthToken } from '../../src/outbound/deliver/oauth-token.js';

let folder: string;
let server: Server;
let client: GuardedClient;
let asked: URLSearchParams[];
let answer: { status: number; body: unknown };
let now: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mailkeel-oauth-'));
  await writeFile(join(folder, 'refresh'), 'first\n', { mode: 0o600 });
  asked = [];
  now = 1_000_000;
  answer = { status: 200, body: { access_token: 'token-1', expires_in: 3600 } };
  server = createServer((request, response) => {
    void text(request).then((body) => {
      asked.push(new URLSearchParams(body));
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = createGuardedClient({
    allowPrivate: true,
    timeoutMs: 5_000,
    lookup: guardedLookup({ allowPrivate: true }),
  });
});
afterEach(async () => {
  await client.close();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

function open(change: object = {}): OAuthToken {
  const { port } = server.address() as AddressInfo;
  const application = {
    tokenUrl: `http://127.0.0.1:${port}/token`,
    clientId: 'client',
    clientSecret: 's3cret',
    refreshTokenFile: join(folder, 'refresh'),
    scope: null,
    ...change,
  };
  return new OAuthToken(application, { client, clock: () => now });
}

it('exchanges the refresh token once for all sessions, and again shortly before the end', async () => {
  const tokens = open();
  expect(await Promise.all([tokens.get(), tokens.get()])).toEqual(['token-1', 'token-1']);
  now += 3_500_000;
  expect(await tokens.get()).toBe('token-1');
  expect(asked.map((form) => Object.fromEntries(form))).toEqual([
    { grant_type: 'refresh_token', refresh_token: 'first', client_id: 'client', client_secret: 's3cret' },
  ]);
  now += 50_000;
  answer.body = { access_token: 'token-2', expires_in: 3600 };
  expect(await tokens.get()).toBe('token-2');
});

it('asks again after the smarthost has refused the token', async () => {
  const tokens = open();
  await tokens.get();
  tokens.refused();
  answer.body = { access_token: 'token-2', expires_in: 3600 };
  expect(await tokens.get()).toBe('token-2');
  expect(asked).toHaveLength(2);
});

it('keeps a refresh token that replaces the former one', async () => {
  const tokens = open();
  answer.body = { access_token: 'token-1', expires_in: 3600, refresh_token: 'second' };
  await tokens.get();
  expect(await readFile(join(folder, 'refresh'), 'utf8')).toBe('second\n');
  expect((await stat(join(folder, 'refresh'))).mode & 0o777).toBe(0o600);
  tokens.refused();
  await tokens.get();
  expect(asked.at(-1)?.get('refresh_token')).toBe('second');
});

it('reads the file again after its refresh token was refused', async () => {
  const tokens = open();
  answer.body = { access_token: 'token-1', expires_in: 3600, refresh_token: 'second' };
  await tokens.get();
  tokens.refused();
  answer = { status: 400, body: { error: 'invalid_grant' } };
  await expect(tokens.get()).rejects.toThrow('invalid_grant');
  await writeFile(join(folder, 'refresh'), 'from the operator\n');
  answer = { status: 200, body: { access_token: 'token-2', expires_in: 3600 } };
  expect(await tokens.get()).toBe('token-2');
  expect(asked.at(-1)?.get('refresh_token')).toBe('from the operator');
});

it('signs in as the application without a refresh token', async () => {
  await open({ refreshTokenFile: null, scope: 'https://outlook.office365.com/.default' }).get();
  expect(Object.fromEntries(asked[0] ?? [])).toMatchObject({
    grant_type: 'client_credentials',
    scope: 'https://outlook.office365.com/.default',
  });
});

it.each([
  [
    { status: 400, body: { error: 'invalid_grant', error_description: 'revoked' } },
    '400 invalid_grant: revoked',
  ],
  [{ status: 500, body: 'oops' }, '500'],
  [{ status: 200, body: { token_type: 'Bearer' } }, '200'],
])('rejects with the words of the server, and not with a secret: %j', async (given, words) => {
  answer = given;
  const refusal = await open()
    .get()
    .catch((error: unknown) => String(error));
  expect(refusal).toContain(`no OAuth access token: ${words}`);
  expect(refusal).not.toMatch(/first|s3cret/);
});

it('rejects when the file with the refresh token is missing', async () => {
  await expect(open({ refreshTokenFile: join(folder, 'none') }).get()).rejects.toThrow(
    'the refresh token file is empty or missing',
  );
});
