// Tests the API over TLS: the same responses and limits as over plain HTTP, and certificates that change during sessions.
import { Agent, request, type RequestOptions } from 'node:https';
import { request as requestPlain } from 'node:http';
import { connect as connectPlain, type AddressInfo, type Socket } from 'node:net';
import { connect, TLSSocket, type ConnectionOptions } from 'node:tls';
import { Type } from 'typebox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closed } from '../../src/contract/schema.js';
import type { Api } from '../../src/http/api.js';
import { createHttpsListener, type HttpsListener } from '../../src/http/server/https.js';
import { chainOf, issueCertificate } from '../support/certificate-chain.js';
import { startApi, type StartedApi } from '../support/start-api.js';
import { waitFor } from '../support/wait.js';

const HOST = 'mail.mailkeel.example';
const root = issueCertificate({ commonName: 'Root', isAuthority: true });
const first = issueCertificate({ names: [HOST], issuer: root });
const second = issueCertificate({ names: [HOST], issuer: root });

type Pair = ReturnType<typeof chainOf>;
function certificatesOf(pair: Pair) {
  let current = pair;
  const listeners = new Set<(pair: Pair) => void>();
  return {
    current: () => current,
    subscribe(listener: (pair: Pair) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    change(next: Pair) {
      current = next;
      for (const listener of listeners) listener(next);
    },
    listeners,
  };
}

let release: (() => void) | null = null;
let isWaiting = false;
function probeRoutes(app: Api): void {
  const config = { public: true };
  app.get('/v1/who', { config }, (request) => ({
    ip: request.ip,
    protocol: request.protocol,
    host: request.host,
  }));
  const body = closed({ text: Type.String() });
  app.post('/v1/echo', { config, schema: { body } }, (request) => request.body);
  app.get('/v1/slow', { config }, async () => {
    isWaiting = true;
    await new Promise<void>((resolve) => (release = resolve));
    return { slow: true };
  });
}

let api: StartedApi;
let certificates: ReturnType<typeof certificatesOf>;
let door: HttpsListener;
let port: number;
const agents: Agent[] = [];
const sockets: Socket[] = [];

beforeEach(async () => {
  isWaiting = false;
  api = await startApi({
    routes: () => [probeRoutes],
    settings: { trustedProxies: ['127.0.0.9'] },
  });
  certificates = certificatesOf(chainOf(first));
  door = await createHttpsListener({ app: api.app, certificates });
  const listening = await door.listen({ host: '127.0.0.1', port: 0 });
  if (!listening.ok) throw new Error(listening.reason);
  port = listening.address.port;
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const agent of agents.splice(0)) agent.destroy();
  release?.();
  await door.close();
  await api.close();
});

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  json: Record<string, unknown>;
  serial: string;
  localPort: number | undefined;
}

function ask(path: string, options: RequestOptions & { body?: string } = {}): Promise<Answer> {
  const { body, ...rest } = options;
  return new Promise((resolve, reject) => {
    const where = { host: '127.0.0.1', servername: HOST, port, path, ca: root.cert };
    const asked = request({ ...where, ...rest }, (answer) => {
      const { socket } = answer;
      if (!(socket instanceof TLSSocket)) throw new Error('not over TLS');
      const serial = socket.getPeerX509Certificate()?.fingerprint256 ?? '';
      const { localPort } = socket;
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece: string) => (text += piece));
      answer.on('end', () => {
        const json = JSON.parse(text) as Record<string, unknown>;
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, json, serial, localPort });
      });
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

function keepAlive(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agents.push(agent);
  return agent;
}

function tlsSocket(options: ConnectionOptions = {}): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, servername: HOST, ca: root.cert, ...options }, () =>
      resolve(socket),
    );
    sockets.push(socket);
    socket.on('error', reject);
  });
}

describe('HTTPS', () => {
  it('serves the API with authentication, ids and the client address', async () => {
    const who = await ask('/v1/who', { headers: { 'x-forwarded-for': '192.0.2.7', host: HOST } });
    expect(who.json).toEqual({ ip: '127.0.0.1', protocol: 'https', host: HOST });
    expect(who.headers['x-request-id']).toMatch(/^req_/);
    expect((await ask('/v1/contacts')).status).toBe(401);
    const headers = { authorization: `Bearer ${api.liveKey}` };
    expect((await ask('/v1/contacts', { headers })).status).toBe(200);
    expect((await ask('/v1/nowhere')).json['error']).toMatchObject({ code: 'not_found' });
  });

  it('uses the client address of a trusted proxy, like the plain server', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.7' };
    expect((await ask('/v1/who', { headers, localAddress: '127.0.0.9' })).json['ip']).toBe('192.0.2.7');
  });

  it('accepts a body, and refuses one that is too large', async () => {
    const headers = { 'content-type': 'application/json' };
    const fits = JSON.stringify({ text: 'x'.repeat(500_000) });
    const echo = await ask('/v1/echo', { method: 'POST', headers, body: fits });
    expect((echo.json['text'] as string).length).toBe(500_000);
    const large = JSON.stringify({ text: 'x'.repeat(1024 * 1024) });
    expect((await ask('/v1/echo', { method: 'POST', headers, body: large })).status).toBe(413);
  });

  it('has the time limits of the plain server', async () => {
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    const plain = await new Promise<string>((resolve, reject) => {
      const { port: plainPort } = api.app.server.address() as AddressInfo;
      const headers = { connection: 'keep-alive' };
      requestPlain({ port: plainPort, path: '/healthz', agent: false, headers }, (answer) => {
        sockets.push(answer.socket);
        answer.resume();
        resolve(String(answer.headers['keep-alive']));
      })
        .on('error', reject)
        .end();
    });
    const { headers } = await ask('/healthz', { agent: keepAlive() });
    expect(headers['keep-alive']).toBe('timeout=72');
    expect(headers['keep-alive']).toBe(plain);
  });

  it('uses a new certificate for new sessions, without affecting open ones', async () => {
    const agent = keepAlive();
    const before = await ask('/v1/who', { agent });
    const slow = ask('/v1/slow', { agent: keepAlive() });
    await waitFor('the slow request is there', () => isWaiting);
    certificates.change(chainOf(second));
    const kept = await ask('/v1/who', { agent });
    const anew = await ask('/v1/who', { agent: keepAlive() });
    release?.();
    expect((await slow).json).toEqual({ slow: true });
    expect(kept.localPort).toBe(before.localPort);
    expect(anew.serial).not.toBe(before.serial);
  });

  it('does not resume a session of the old certificate with the new one', async () => {
    const socket = await tlsSocket({ maxVersion: 'TLSv1.2' });
    const session = socket.getSession();
    expect(session).toBeDefined();
    socket.end();
    const again = await tlsSocket({ maxVersion: 'TLSv1.2', ...(session ? { session } : {}) });
    expect(again.isSessionReused()).toBe(true);
    certificates.change(chainOf(second));
    const changed = await tlsSocket({ maxVersion: 'TLSv1.2', ...(session ? { session } : {}) });
    expect(changed.isSessionReused()).toBe(false);
  });

  it.each([
    ['TLSv1.3', {}],
    ['TLSv1.2', { maxVersion: 'TLSv1.2' }],
  ] as const)('supports %s', async (version, options) => {
    expect((await tlsSocket(options)).getProtocol()).toBe(version);
  });

  it('does not support TLS 1.1', async () => {
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' } as const;
    await expect(tlsSocket(old)).rejects.toThrow(/alert protocol version|unsupported protocol/i);
    expect((await ask('/v1/who')).status).toBe(200);
  });

  it('responds to malformed HTTP like the plain server', async () => {
    const socket = await tlsSocket();
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => (received += text));
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.write('NOT HTTP AT ALL\r\n\r\n');
    await ended;
    expect(received).toMatch(/^HTTP\/1\.1 400 .*"code":"bad_request"/s);
  });

  it('closes a connection that does not speak TLS', async () => {
    const socket = connectPlain(port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => socket.destroy());
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    socket.resume();
    await ended;
    expect((await ask('/v1/who')).status).toBe(200);
  });

  it('explains why it cannot listen, and closes anyway', async () => {
    const another = await createHttpsListener({ app: api.app, certificates });
    const answer = await another.listen({ host: '127.0.0.1', port });
    expect(answer).toEqual({
      ok: false,
      reason: `Another program is already listening on 127.0.0.1, port ${port} (MAILKEEL_HTTPS_PORT).`,
    });
    await another.close();
    expect(certificates.listeners.size).toBe(1);
  });
});

describe('the shutdown', () => {
  it('completes a request in progress, and closes its and idle connections', async () => {
    const idle = keepAlive();
    await ask('/v1/who', { agent: idle });
    const agent = keepAlive();
    const slow = ask('/v1/slow', { agent });
    await waitFor('the slow request is there', () => isWaiting);
    let isClosed = false;
    const closing = door.close().then(() => (isClosed = true));
    await expect(ask('/v1/who', { agent: keepAlive() })).rejects.toThrow('ECONNREFUSED');
    expect(isClosed).toBe(false);
    release?.();
    expect((await slow).json).toEqual({ slow: true });
    await closing;
    expect(certificates.listeners.size).toBe(0);
  });

  it('does not wait for idle clients', async () => {
    const silent = connectPlain(port, '127.0.0.1');
    sockets.push(silent);
    silent.on('error', () => silent.destroy());
    await tlsSocket();
    await door.close();
    expect(certificates.listeners.size).toBe(0);
  });

  it('ends a session with continuous requests', async () => {
    const socket = await tlsSocket();
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => (received += text));
    const ended = new Promise((resolve) => socket.once('close', resolve));
    socket.write('GET /v1/slow HTTP/1.1\r\nHost: x\r\n\r\nGET /v1/who HTTP/1.1\r\nHost: x\r\n\r\n');
    await waitFor('the slow request is there', () => isWaiting);
    const closing = door.close();
    release?.();
    await closing;
    await ended;
    expect(received).toMatch(/"slow":true/);
  });
});
