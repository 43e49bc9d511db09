// Tests how people connect applications: which applications may ask, what the person decides, and what ends a grant.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OWNER, PASSWORD, startPeopleRig, type Browser, type PeopleRig } from '../support/people-rig.js';
import { Grants } from '../../src/accounts/oauth/grants.js';
import { forgettingOf } from '../support/forgetting.js';

const ISSUER = 'https://mail.example.test';
const REDIRECT = 'http://127.0.0.1:33418/callback';
const VERIFIER = 'v'.repeat(43);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let rig: PeopleRig;
let owner: Browser;
let clientId: string;
let workspaceId: string;

beforeAll(async () => {
  rig = await startPeopleRig();
  owner = await rig.signedIn();
  workspaceId = rig.workspaceId;
  clientId = await register();
});
afterAll(() => rig.close());

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

async function post(path: string, fields: Record<string, string>, from = '192.0.2.1') {
  const answer = await rig.app.inject({
    ...{ method: 'POST', url: path, remoteAddress: from },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    json: JSON.parse(answer.payload || '{}'),
  };
}

let networks = 0;

/** Each from its own address unless given, because registrations are limited. */
async function tryRegister(metadata: unknown, from = `198.51.100.${++networks}`) {
  const answer = await rig.app.inject({
    ...{ method: 'POST', url: '/oauth/register', remoteAddress: from },
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(metadata),
  });
  return { status: answer.statusCode, json: JSON.parse(answer.payload) };
}

async function register(uris = [REDIRECT], name = 'Agent', from?: string): Promise<string> {
  const { json } = await tryRegister({ redirect_uris: uris, client_name: name }, from);
  return json.client_id as string;
}

const queryOf = (more: Record<string, string> = {}): string =>
  new URLSearchParams({
    ...{ response_type: 'code', client_id: clientId, redirect_uri: REDIRECT, state: 'st&te' },
    ...{ code_challenge: challengeOf(VERIFIER), code_challenge_method: 'S256', resource: `${ISSUER}/mcp` },
    ...more,
  }).toString();

const view = (query: string, who = owner) => who.ask('POST', '/oauth/authorization', { body: { query } });

const READ = { decision: 'approve', mode: 'live', permission: 'read' };

async function decide(query: string, decision: Record<string, unknown> = READ, who = owner) {
  return who.ask('POST', '/oauth/authorization/decision', {
    body: { query, ...decision },
    headers: { 'x-workspace-id': workspaceId },
  });
}

async function approvedCode(query = queryOf(), decision?: Record<string, unknown>): Promise<string> {
  // Keys are sorted by time.
  rig.clock.advance(1);
  const { json } = await decide(query, decision);
  return new URL(json.redirect_to as string).searchParams.get('code') ?? '';
}

const exchange = (code: string, more: Record<string, string> = {}) =>
  post('/oauth/token', {
    ...{ grant_type: 'authorization_code', code, client_id: clientId },
    ...{ redirect_uri: REDIRECT, code_verifier: VERIFIER, resource: `${ISSUER}/mcp` },
    ...more,
  });

const refresh = (token: string, more: Record<string, string> = {}) =>
  post('/oauth/token', { grant_type: 'refresh_token', refresh_token: token, client_id: clientId, ...more });

interface Tokens {
  access_token: string;
  refresh_token: string;
}

async function connect(decision?: Record<string, unknown>): Promise<Tokens> {
  return (await exchange(await approvedCode(queryOf(), decision))).json as Tokens;
}

/** The status of a call of the MCP server. */
async function call(token: string): Promise<number> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const headers = { accept: 'application/json, text/event-stream' };
  return (await rig.ask('POST', '/mcp', { key: token, body, headers })).status;
}

async function connectedKeys(): Promise<Record<string, unknown>[]> {
  const { json } = await owner.ask('GET', '/v1/api-keys?limit=100');
  return (json.data as Record<string, unknown>[]).filter((key) => key['oauth_client_id'] !== null);
}

describe('the metadata', () => {
  it('names the endpoints and their capabilities', async () => {
    const { json } = await rig.ask('GET', '/.well-known/oauth-authorization-server', { key: '' });
    expect(json).toMatchObject({
      issuer: ISSUER,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
    for (const path of ['', '/mcp']) {
      const { json: resource } = await rig.ask('GET', `/.well-known/oauth-protected-resource${path}`, {
        key: '',
      });
      expect(resource).toMatchObject({ resource: `${ISSUER}/mcp`, authorization_servers: [ISSUER] });
    }
  });

  it('is named by a refused call', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const { status, headers } = await rig.ask('POST', '/mcp', { key: '', body });
    expect([status, headers['www-authenticate']]).toEqual([
      401,
      `Bearer resource_metadata="${ISSUER}/.well-known/oauth-protected-resource/mcp", scope="read"`,
    ]);
  });
});

describe('registration', () => {
  it.each([
    'javascript://%0aalert(1)',
    'data://text/html,x',
    'http://agent.example/callback',
    'https://agent.example/callback#fragment',
    'https://user@agent.example/callback',
    'callback',
    'javascript:/alert(1)',
    'data:/text',
    'app:/cb',
    'com.example.app:cb',
    'com.example.app:/cb#x',
    '.example:/cb',
    'file:///etc/passwd',
  ])('refuses the redirect URI %s', async (uri) => {
    const { status, json } = await tryRegister({ redirect_uris: [uri] });
    expect([status, json.error]).toEqual([400, 'invalid_redirect_uri']);
  });

  it('accepts https, this computer, and schemes of applications', async () => {
    const redirect_uris = [
      'https://agent.example/callback',
      'http://localhost/cb',
      'cursor://agent/callback',
      'com.example.app:/oauth2redirect',
    ];
    const { status, json } = await tryRegister({ redirect_uris, scope: 'x', unknown: 1 });
    expect([status, json.token_endpoint_auth_method]).toEqual([201, 'none']);
    expect(json.client_id).toMatch(/^ocl_[0-9a-z]{26}$/);
  });

  it('is limited per network, and unused clients end after a day', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 12; i++) {
      statuses.push((await tryRegister({ redirect_uris: [REDIRECT] }, '203.0.113.9')).status);
    }
    expect(statuses.filter((status) => status === 201)).toHaveLength(10);
    expect(statuses.at(-1)).toBe(429);
    const registered = () => rig.raw('SELECT id FROM oauth_clients WHERE network LIKE ?', ['203.0.113%']);
    expect((await registered()).length).toBe(10);
    const client = await register([REDIRECT], 'Unused', '203.0.113.77');
    expect((await view(queryOf({ client_id: client }))).status).toBe(200);
    rig.clock.advance(DAY);
    await forgettingOf(rig.store, 'ended sessions', { sessionIdleMs: DAY * 9, clock: rig.clock.now })();
    expect((await registered()).length).toBe(0);
    owner = await rig.signedIn();
    clientId = await register();
  });
});

describe('the consent', () => {
  it('shows the client, its unverified name, and where the browser returns to', async () => {
    const { json } = await view(queryOf({ scope: 'read send' }));
    expect(json).toEqual({
      ...{ name: 'Agent', verified_host: null, target: '127.0.0.1:33418' },
      ...{ is_loopback: true, is_app: false, wants_send: true },
    });
  });

  it('says that the scheme of an application leads to this device', async () => {
    const uri = 'com.example.app:/cb';
    const client = await register([uri], 'Agent');
    const query = queryOf({ client_id: client, redirect_uri: uri });
    expect((await view(query)).json).toMatchObject({
      target: 'com.example.app:',
      is_app: true,
      is_loopback: false,
    });
    const denied = (await decide(query, { decision: 'deny' })).json.redirect_to as string;
    expect(denied).toMatch(/^com\.example\.app:\/cb\?error=access_denied&/);
  });

  it('cuts a long name between characters', async () => {
    const client = await register([REDIRECT], `${'x'.repeat(79)}😀y`);
    const { json } = await view(queryOf({ client_id: client }));
    expect(json.name).toBe(`${'x'.repeat(79)}😀`);
  });

  it('needs an admin, and the CSRF token of the session', async () => {
    await rig.addPerson('mel@example.com', 'member');
    const member = await rig.signedIn('mel@example.com', PASSWORD);
    expect((await view(queryOf(), member)).status).toBe(403);
    expect((await decide(queryOf(), READ, member)).status).toBe(403);
    expect((await view(queryOf(), rig.browser())).status).toBe(401);
    const headers = { 'x-csrf-token': 'another', 'x-workspace-id': workspaceId };
    const forged = await owner.ask('POST', '/oauth/authorization/decision', {
      ...{ body: { query: queryOf(), ...READ }, headers },
    });
    expect([forged.status, forged.json.error.code]).toEqual([403, 'csrf_token_invalid']);
    const key = await rig.addKey({});
    expect((await rig.ask('POST', '/oauth/authorization', { key, body: { query: queryOf() } })).status).toBe(
      403,
    );
  });

  it('is a page that no other site can frame', async () => {
    const { status, headers, text } = await rig.ask('GET', `/oauth/authorize?${queryOf()}`, { key: '' });
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-frame-options']).toBe('DENY');
    expect(text).not.toContain('st&te');
    const german = await rig.ask('GET', '/oauth/authorize', {
      key: '',
      headers: { 'accept-language': 'de' },
    });
    expect(german.text).toContain('Anwendung verbinden');
  });

  it.each<[what: string, more: Record<string, string>]>([
    ['a redirect URI that is not registered', { redirect_uri: 'http://127.0.0.1:33418/other' }],
    ['a redirect URI of another host', { redirect_uri: 'https://evil.example/callback' }],
    ['a loopback URI of another host name', { redirect_uri: 'http://localhost:33418/callback' }],
    ['an unknown client', { client_id: 'ocl_00000000000000000000000000' }],
    ['no redirect URI', { redirect_uri: '' }],
    ['another response type', { response_type: 'token' }],
    ['a challenge that is the verifier itself', { code_challenge_method: 'plain' }],
    ['no challenge', { code_challenge: '' }],
    ['another resource', { resource: 'https://other.example/mcp' }],
  ])('refuses %s, and does not redirect', async (_what, more) => {
    const { status, json } = await view(queryOf(more));
    expect([status, json.redirect_to]).toEqual([400, undefined]);
    expect((await decide(queryOf(more))).status).toBe(400);
  });

  it('allows another port of this computer', async () => {
    const redirect = 'http://127.0.0.1:50123/callback';
    const code = await approvedCode(queryOf({ redirect_uri: redirect }));
    expect((await exchange(code)).json.error).toBe('invalid_grant');
    expect((await exchange(code, { redirect_uri: redirect })).status).toBe(200);
  });

  it('returns the code with state and issuer, or the refusal', async () => {
    const approved = new URL((await decide(queryOf())).json.redirect_to as string).searchParams;
    expect(Object.fromEntries(approved)).toEqual({
      ...{ code: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) as string, state: 'st&te', iss: ISSUER },
    });
    const denied = new URL((await decide(queryOf(), { decision: 'deny' })).json.redirect_to as string);
    expect(Object.fromEntries(denied.searchParams)).toEqual({
      error: 'access_denied',
      state: 'st&te',
      iss: ISSUER,
    });
  });

  it('grants a key with the send policy that the person sets', async () => {
    const policy = { allowed_recipients: ['Customer.example'], max_per_day: 5 };
    const wrong = await decide(queryOf(), {
      ...READ,
      permission: 'send',
      policy: { allowed_senders: ['a b'] },
    });
    expect(wrong.status).toBe(422);
    const answer = await exchange(await approvedCode(queryOf(), { ...READ, permission: 'send', policy }));
    expect(answer.json).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'send' });
    expect(answer.headers['cache-control']).toBe('no-store');
    const [key] = await connectedKeys();
    expect(key).toMatchObject({
      ...{
        name: 'Agent',
        permission: 'send',
        mode: 'live',
        oauth_client_id: clientId,
        key_prefix: 'svc_access_',
      },
      ...{ made_by_email: OWNER.email, policy: { allowed_recipients: ['customer.example'], max_per_day: 5 } },
    });
    const [entry] = await rig.audit('oauth.connect');
    expect(entry).toMatchObject({ target_id: key?.['id'], actor_kind: 'user' });
  });
});

describe('a code', () => {
  it('works with the right verifier, client and redirect URI only', async () => {
    const code = await approvedCode();
    const other = await register();
    for (const more of [
      { code_verifier: 'w'.repeat(43) },
      { code_verifier: '' },
      { client_id: other },
      { redirect_uri: `${REDIRECT}/` },
    ]) {
      const { status, json } = await exchange(code, more);
      expect([status, json.error]).toEqual([400, 'invalid_grant']);
    }
    expect((await exchange(code, { resource: 'https://other.example/' })).json.error).toBe('invalid_target');
    expect((await exchange(code)).status).toBe(200);
  });

  it('ends after a minute', async () => {
    const code = await approvedCode();
    rig.clock.advance(MINUTE);
    expect((await exchange(code)).json).toMatchObject({
      error: 'invalid_grant',
      error_description: 'The code has expired.',
    });
  });

  it('revokes its grant if it is used again', async () => {
    const code = await approvedCode();
    const { access_token: token } = (await exchange(code)).json as Tokens;
    expect(await call(token)).toBe(200);
    expect((await exchange(code)).json.error).toBe('invalid_grant');
    expect(await call(token)).toBe(401);
  });

  it('gives tokens to one of several simultaneous requests, which the others revoke', async () => {
    const code = await approvedCode();
    const answers = await Promise.all([1, 2, 3].map(() => exchange(code)));
    const granted = answers.flatMap(({ status, json }) => (status === 200 ? [json as Tokens] : []));
    expect(granted).toHaveLength(1);
    expect(await call(granted[0]?.access_token ?? '')).toBe(401);
  });

  it('needs the role of the person still', async () => {
    const id = await rig.addPerson('ada@example.com', 'admin');
    const admin = await rig.signedIn('ada@example.com', PASSWORD);
    const { json } = await decide(queryOf(), READ, admin);
    const code = new URL(json.redirect_to as string).searchParams.get('code') ?? '';
    await rig.raw("UPDATE members SET role = 'member' WHERE user_id = ?", [id]);
    expect((await exchange(code)).json.error).toBe('invalid_grant');
  });
});

describe('an access token', () => {
  it('is for the MCP server only, and ends after an hour', async () => {
    const { access_token: token } = await connect();
    expect(await call(token)).toBe(200);
    expect((await rig.ask('GET', '/v1/me', { key: token })).status).toBe(401);
    rig.clock.advance(HOUR);
    expect(await call(token)).toBe(401);
  });

  it('reads the workspace of its grant only', async () => {
    const made = await owner.ask('POST', '/v1/workspaces', { body: { name: 'Other', api_keys: true } });
    const otherKey = (made.json.api_keys as { mode: string; secret: string }[]).find(
      ({ mode }) => mode === 'test',
    );
    const { json } = await rig.ask('POST', '/v1/messages', {
      key: otherKey?.secret ?? '',
      body: { to: 'delivered@example.com', from: 'me@example.com', subject: 'Hi', text: 'Hi' },
    });
    const { access_token: token } = await connect({ ...READ, mode: 'test' });
    const params = { name: 'get_message', arguments: { message_id: json.id as string } };
    const answer = await rig.ask('POST', '/mcp', {
      key: token,
      headers: { accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    });
    expect(answer.text).toContain('not_found');
  });

  it('stops when the key is revoked', async () => {
    const { access_token: token, refresh_token: next } = await connect();
    const [key] = await connectedKeys();
    expect((await owner.ask('DELETE', `/v1/api-keys/${String(key?.['id'])}`)).status).toBe(200);
    expect(await call(token)).toBe(401);
    expect((await refresh(next)).json.error).toBe('invalid_grant');
  });

  it('belongs to a key without a secret, which is not rotated', async () => {
    await connect();
    const [key] = await connectedKeys();
    const path = `/v1/api-keys/${String(key?.['id'])}`;
    expect((await owner.ask('POST', `${path}/rotate`, { body: {} })).status).toBe(409);
    expect((await owner.ask('POST', `${path}/ses-credentials`)).status).toBe(409);
    expect((await owner.ask('PATCH', path, { body: { name: 'Renamed' } })).json.name).toBe('Renamed');
  });

  it('is not stored', async () => {
    const { access_token: token, refresh_token: next } = await connect();
    const rows = JSON.stringify(await rig.raw('SELECT * FROM oauth_tokens'));
    expect(rows).not.toContain(token.slice(12));
    expect(rows).not.toContain(next.slice(13));
  });
});

describe('a refresh token', () => {
  it('is replaced by each use, and revokes the grant if it is used again', async () => {
    const first = await connect();
    const second = (await refresh(first.refresh_token)).json as Tokens;
    expect(await call(second.access_token)).toBe(200);
    expect(await call(first.access_token)).toBe(200);
    const reused = await refresh(first.refresh_token);
    expect([reused.status, reused.json.error]).toEqual([400, 'invalid_grant']);
    expect(await call(second.access_token)).toBe(401);
    expect((await refresh(second.refresh_token)).json.error).toBe('invalid_grant');
    const [entry] = await rig.audit('oauth.disconnect');
    expect(entry?.detail).toContain('reuse');
  });

  it('belongs to its client', async () => {
    const { refresh_token: token } = await connect();
    expect((await refresh(token, { client_id: 'ocl_other' })).json.error).toBe('invalid_grant');
    expect((await refresh(token)).status).toBe(200);
  });

  it('is not an access token, nor the reverse', async () => {
    const tokens = await connect();
    expect(await call(tokens.refresh_token)).toBe(401);
    expect((await refresh(tokens.access_token)).json.error).toBe('invalid_grant');
  });

  it('ends after 90 days without a use, and with it the grant', async () => {
    const { refresh_token: token } = await connect();
    const before = (await connectedKeys()).length;
    rig.clock.advance(90 * DAY);
    expect((await refresh(token)).json.error).toBe('invalid_grant');
    const credentials = { forget: () => undefined };
    await new Grants({ store: rig.store, clock: rig.clock.now, credentials, resource: '' }).endUnused();
    owner = await rig.signedIn();
    expect(before).toBeGreaterThan(0);
    expect(await connectedKeys()).toEqual([]);
    clientId = await register();
  });
});

describe('revocation by the client', () => {
  it.each(['access_token', 'refresh_token'] as const)('of its %s ends the grant', async (kind) => {
    const tokens = await connect();
    expect((await post('/oauth/revoke', { token: tokens[kind], client_id: 'ocl_other' })).status).toBe(200);
    expect(await call(tokens.access_token)).toBe(200);
    expect((await post('/oauth/revoke', { token: tokens[kind], client_id: clientId })).status).toBe(200);
    expect(await call(tokens.access_token)).toBe(401);
    expect((await post('/oauth/revoke', { token: 'unknown', client_id: clientId })).status).toBe(200);
  });
});

describe('a malformed request', () => {
  it('is refused as OAuth says', async () => {
    expect((await post('/oauth/token', { grant_type: 'password' })).json.error).toBe(
      'unsupported_grant_type',
    );
    const json = await rig.app.inject({
      ...{ method: 'POST', url: '/oauth/token', headers: { 'content-type': 'text/plain' }, payload: 'x' },
    });
    expect(json.statusCode).toBe(415);
    expect(JSON.parse(json.payload)).toMatchObject({ error: 'invalid_request' });
  });
});
