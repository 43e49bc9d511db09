// Tests request bodies in memory: how much is allowed at a time, and that none stays counted.
import { once } from 'node:events';
import { request, type ClientRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Type } from 'typebox';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { closed } from '../../src/contract/schema.js';
import type { Api } from '../../src/http/api.js';
import { createBodiesInFlight } from '../../src/http/body/bodies-in-flight.js';
import { startApi, type StartedApi } from '../support/start-api.js';
import { waitFor } from '../support/wait.js';

const KIB = 1024;

describe('the count of buffered bytes', () => {
  it('allows one caller half and all callers the whole, and returns to zero', () => {
    const bodies = createBodiesInFlight(100);
    const first = bodies.open('a');
    const second = bodies.open('a');
    expect([first.take(30), second.take(20), second.take(1)]).toEqual([true, true, false]);
    const others = ['b', 'c'].map((caller) => bodies.open(caller));
    expect(others.map((one) => one.take(30))).toEqual([true, false]);
    first.release();
    first.release();
    expect([bodies.held(), first.take(1), second.take(30)]).toEqual([50, false, true]);
    for (const one of [second, ...others]) one.release();
    expect(bodies.held()).toBe(0);
  });

  it('always has room for a single body', () => {
    const bodies = createBodiesInFlight(100);
    const large = bodies.open('a');
    expect([large.fits(500), large.take(300), large.take(200), bodies.open('b').fits(1)]).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

describe('simultaneous bodies', () => {
  let api: StartedApi;
  let port: number;
  let otherKey: string;
  const open: ClientRequest[] = [];

  const routes = (app: Api): void => {
    app.post('/v1/echo', { schema: { body: closed({ text: Type.String() }) } }, ({ body }) => ({
      size: body.text.length,
    }));
  };
  beforeAll(async () => {
    api = await startApi({ routes: () => [routes], settings: { bodiesInFlightBytes: 400 * KIB } });
    otherKey = await api.addKey({});
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    ({ port } = api.app.server.address() as AddressInfo);
  });
  afterEach(() => {
    for (const one of open.splice(0)) one.destroy();
  });
  afterAll(() => api.close());

  /** Sends the head and the beginning of a body, and waits. */
  function begin(key: string, headers: Record<string, string | number>, octets: number): ClientRequest {
    const asked = request({
      port,
      method: 'POST',
      path: '/v1/echo',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    });
    asked.on('error', () => undefined);
    asked.write(`{"text":"${'x'.repeat(octets)}`);
    open.push(asked);
    return asked;
  }

  async function send(
    key: string,
    octets: number,
  ): Promise<{ status: number; retryAfter: string | null; code: string }> {
    const response = await fetch(`http://127.0.0.1:${port}/v1/echo`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'x'.repeat(octets) }),
    });
    const { error } = (await response.json()) as { error?: { code: string } };
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      code: error?.code ?? '',
    };
  }

  it.each([
    ['with a length', { 'content-length': 190 * KIB }],
    ['in chunks', { 'transfer-encoding': 'chunked' }],
  ])('are refused temporarily, and accepted when others have ended (%s)', async (_name, headers) => {
    // If the other request arrived first, this one would be refused.
    const arrived = once(api.app.server, 'request');
    const slow = begin(api.liveKey, headers, 150 * KIB);
    await arrived;
    await waitFor('the beginning has come', async () => (await send(api.liveKey, 100 * KIB)).status === 503);
    expect(await send(api.liveKey, 100 * KIB)).toEqual({
      status: 503,
      retryAfter: '5',
      code: 'unavailable',
    });
    expect((await send(otherKey, 100 * KIB)).status).toBe(200);
    expect((await send(api.liveKey, 10 * KIB)).status).toBe(200);
    slow.destroy();
    await waitFor(
      'its octets are given back',
      async () => (await send(api.liveKey, 100 * KIB)).status === 200,
    );
  });

  it('are released whatever happens to the request', async () => {
    for (const body of ['{"text":5}', '{"text":', `{"text":"${'x'.repeat(190 * KIB)}"}`]) {
      for (let i = 0; i < 4; i++)
        await api.ask('POST', '/v1/echo', { body, headers: { 'content-type': 'application/json' } });
    }
    expect((await send(api.liveKey, 190 * KIB)).status).toBe(200);
  });
});
