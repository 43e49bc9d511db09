// Connects an MCP client by OAuth, from the first refused request to the explanation of a bounce, with the official client, which
// discovers the authorization server itself. A person consents through the requests of the page.
import { createServer, type Server } from 'node:https';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../support/appliance.js';
import { freePort } from '../support/free-port.js';
import { QUICK } from '../support/mail-rig.js';
import { callTool, newMcpClient } from '../support/mcp-client.js';
import { selfSignedCertificate } from '../support/test-certificate.js';
import { waitFor } from '../support/wait.js';

const OWNER = { email: 'olga@example.com', password: 'the lamp is on the left side' };
const REDIRECT = 'http://127.0.0.1:33418/callback';

let appliance: Appliance;
let clientServer: Server;
let folder: string;
/** The documents of the client's own server, by path. */
const documents = new Map<string, { status?: number; type?: string; body: string }>();
const asked: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mailkeel-oauth-'));
  const { key, cert } = selfSignedCertificate('localhost');
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, cert);
  clientServer = createServer({ key, cert }, (request, response) => {
    asked.push(request.url ?? '');
    const {
      status = 200,
      type = 'application/json',
      body,
    } = documents.get(request.url ?? '') ?? { status: 404, body: '' };
    response.writeHead(status, { 'content-type': type, location: 'https://localhost/' }).end(body);
  });
  await new Promise<void>((resolve) => clientServer.listen(0, '127.0.0.1', resolve));
  const port = await freePort();
  appliance = await createAppliance({
    ...{ process: 'shared', port },
    env: {
      ...QUICK,
      MAILKEEL_PUBLIC_URL: `http://127.0.0.1:${port}`,
      MAILKEEL_OWNER_EMAIL: OWNER.email,
      MAILKEEL_OWNER_PASSWORD: OWNER.password,
      MAILKEEL_EXTRA_CA_FILE: caFile,
    },
  });
  await appliance.start();
});
afterAll(async () => {
  await appliance.close();
  await new Promise((resolve) => clientServer.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

interface Person {
  headers: Record<string, string>;
}

async function signIn(): Promise<Person> {
  const answer = await appliance.api('POST', '/v1/auth/sign-in', { key: '', body: OWNER });
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ');
  const { csrf_token: csrf } = answer.json as { csrf_token: string };
  return { headers: { cookie, 'x-csrf-token': csrf } };
}

/** Shows the request and posts the decision, as the page does. */
async function consent(url: URL, decision: Record<string, unknown>) {
  const { headers } = await signIn();
  const query = url.search.slice(1);
  const seen = await appliance.api('POST', '/oauth/authorization', { key: '', headers, body: { query } });
  const decided = await appliance.api('POST', '/oauth/authorization/decision', {
    ...{ key: '', headers, body: { query, ...decision } },
  });
  return {
    seen: seen.json as Record<string, unknown>,
    status: seen.status,
    to: decided.json as { redirect_to: string },
  };
}

/** The client's memory, and the page that it would open in a browser. */
interface Memory {
  client?: unknown;
  tokens?: { access_token: string };
  discovered?: unknown;
  verifier?: string;
  page?: URL;
}

function providerOf(memory: Memory, clientMetadataUrl?: string): OAuthClientProvider {
  return {
    redirectUrl: REDIRECT,
    ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
    clientMetadata: {
      client_name: 'Agent',
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
    },
    state: () => 'state-1',
    clientInformation: () => memory.client as never,
    saveClientInformation: (client) => void (memory.client = client),
    tokens: () => memory.tokens as never,
    saveTokens: (tokens) => void (memory.tokens = tokens),
    discoveryState: () => memory.discovered as never,
    saveDiscoveryState: (state) => void (memory.discovered = state),
    redirectToAuthorization: (page) => void (memory.page = page),
    saveCodeVerifier: (verifier) => void (memory.verifier = verifier),
    codeVerifier: () => memory.verifier ?? '',
  };
}

const transportOf = (authProvider: OAuthClientProvider) =>
  new StreamableHTTPClientTransport(new URL('/mcp', appliance.url), { authProvider });

async function connect(decision: Record<string, unknown>, clientMetadataUrl?: string) {
  const memory: Memory = {};
  const provider = providerOf(memory, clientMetadataUrl);
  const first = transportOf(provider);
  await expect(newMcpClient().connect(first)).rejects.toThrow(UnauthorizedError);
  const { seen, to } = await consent(memory.page ?? new URL('about:blank'), decision);
  await first.finishAuth(new URL(to.redirect_to).searchParams);
  const client = newMcpClient();
  await client.connect(transportOf(provider));
  return { client, memory, seen };
}

const READ = { decision: 'approve', mode: 'test', permission: 'read' };

describe('a client that is added by its URL', () => {
  it('learns why a message bounced, and cannot send', async () => {
    const { client, seen } = await connect(READ);
    expect(seen).toMatchObject({ name: 'Agent', verified_host: null, is_loopback: true });
    const mail = { to: 'bounced@example.com', from: 'me@example.com', subject: 'Hi', text: 'Hi' };
    const sent = await appliance.api('POST', '/v1/messages', { key: appliance.keys.test_key, body: mail });
    const { id } = sent.json as { id: string };
    await waitFor(
      'the bounce',
      async () => (await callTool(client, 'list_bounces')).json.items as { message_id: string }[],
      (items) => items.some((item) => item.message_id === id),
    );
    const { json } = await callTool(client, 'explain_message', { message_id: id });
    expect(json.code).toMatch(/^bounced_/);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).not.toContain('send_message');
    await client.close();
  });

  it('sends within the policy that the person set', async () => {
    const policy = { allowed_recipients: ['example.com'], max_per_day: 10 };
    const { client } = await connect({ ...READ, permission: 'send', policy });
    const mail = { from: 'me@example.com', subject: 'Hi', text: 'Hi' };
    const inside = { ...mail, to: ['delivered@example.com'], idempotency_key: 'in' };
    expect((await callTool(client, 'send_message', inside)).json).toMatchObject({ sandbox: true });
    const outside = { ...mail, to: ['delivered@evil.example'], idempotency_key: 'out' };
    const refused = await callTool(client, 'send_message', outside);
    expect(refused.json.error).toMatchObject({ code: 'policy_violation' });
    await client.close();
  });

  it('gets new tokens when they have expired, also after a restart', async () => {
    const { client, memory } = await connect(READ);
    await client.close();
    const before = memory.tokens?.access_token;
    await appliance.end();
    await appliance.query('UPDATE oauth_tokens SET expires_at = 1 WHERE kind = ?', 'access');
    await appliance.start();
    const again = newMcpClient();
    await again.connect(transportOf(providerOf(memory)));
    expect((await callTool(again, 'get_access')).json).toMatchObject({
      ...{ permission: 'read', environment: 'test' },
    });
    expect(memory.tokens?.access_token).not.toBe(before);
    await again.close();
  });
});

describe('a client with a metadata document', () => {
  const address = () => `https://localhost:${(clientServer.address() as AddressInfo).port}`;
  const serve = (path: string, document: Record<string, unknown>, more: object = {}): string => {
    const id = `${address()}${path}`;
    const body = JSON.stringify({
      client_id: id,
      client_name: 'Agent',
      redirect_uris: [REDIRECT],
      ...document,
    });
    documents.set(path, { body, ...more });
    return id;
  };

  it('is shown by its host, and connects without a registration', async () => {
    const id = serve('/client.json', { token_endpoint_auth_method: 'none' });
    const { client, seen, memory } = await connect(READ, id);
    expect(seen).toMatchObject({ name: 'Agent', verified_host: new URL(id).host });
    expect(memory.client).toMatchObject({ client_id: id });
    await client.close();
    // The document is cached.
    expect(asked.filter((path) => path === '/client.json')).toHaveLength(1);
  });

  const view = async (clientId: string): Promise<number> => {
    const url = new URL('/oauth/authorize', appliance.url);
    const parameters = { client_id: clientId, redirect_uri: REDIRECT, response_type: 'code' };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return (await consent(url, { decision: 'deny' })).status;
  };

  it.each<[what: string, make: () => string]>([
    ['another client_id', () => serve('/other.json', { client_id: 'https://localhost/x' })],
    ['a client secret', () => serve('/secret.json', { token_endpoint_auth_method: 'client_secret_post' })],
    ['no redirect URI', () => serve('/none.json', { redirect_uris: [] })],
    ['a redirect URI that runs a script', () => serve('/script.json', { redirect_uris: ['javascript://x'] })],
    ['an answer that is too large', () => serve('/large.json', { client_uri: 'x'.repeat(20_000) })],
    ['another type', () => serve('/type.json', {}, { type: 'text/html' })],
    ['a redirect', () => serve('/redirect.json', {}, { status: 302 })],
    ['no document', () => `${address()}/missing.json`],
  ])('is refused with %s', async (_what, make) => {
    expect(await view(make())).toBe(400);
  });

  it.each([
    'http://localhost/client.json',
    'https://localhost',
    'https://user@localhost/client.json',
    'https://localhost/../client.json',
    'https://localhost/client.json#x',
    'https://LOCALHOST/client.json',
  ])('is not fetched from %s', async (id) => {
    const before = asked.length;
    expect(await view(id)).toBe(400);
    expect(asked).toHaveLength(before);
  });

  it('is not fetched from a private network', async () => {
    const id = serve('/private.json', {});
    await appliance.end();
    await appliance.start({ MAILKEEL_WEBHOOK_ALLOW_PRIVATE: 'false' });
    expect(await view(id)).toBe(400);
    expect(await view('https://127.0.0.1/client.json')).toBe(400);
    expect(await view('https://169.254.169.254/latest/meta-data')).toBe(400);
    expect(asked).not.toContain('/private.json');
  });
});

describe('MAILKEEL_MCP=false', () => {
  it('disables the server and the sign-in of its clients', async () => {
    await appliance.end();
    await appliance.start({ MAILKEEL_MCP: 'false' });
    for (const [method, path] of [
      ['POST', '/mcp'],
      ['POST', '/oauth/token'],
      ['GET', '/oauth/authorize'],
      ['GET', '/.well-known/oauth-protected-resource/mcp'],
    ] as const) {
      const request = method === 'POST' ? { body: {} } : {};
      expect([path, (await appliance.api(method, path, request)).status]).toEqual([path, 404]);
    }
  });
});
