// Tests that an ID in a vendor's request remains an ID and cannot change which operation of /v1 is called.
import { request } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createV1 } from '../../src/compat/v1.js';
import { createAppliance, type Appliance } from '../support/appliance.js';
import { QUICK } from '../support/mail-rig.js';

let appliance: Appliance;

beforeAll(async () => {
  appliance = await createAppliance({ process: 'shared', env: QUICK });
  await appliance.start();
});
afterAll(() => appliance.close());

/** With the unmodified path, because fetch would resolve its dots. */
function remove(path: string): Promise<number> {
  const { hostname, port } = new URL(appliance.url);
  const headers = { authorization: `Bearer ${appliance.keys.test_key}` };
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, method: 'DELETE', path, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asked.on('error', reject);
    asked.end();
  });
}

describe('an id of dots', () => {
  it('does not delete a contact that is removed from a list', async () => {
    const { test_key: key } = appliance.keys;
    const made = await appliance.api('POST', '/v1/contacts', { key, body: { email: 'ann@example.com' } });
    const { id } = made.json as { id: string };
    expect(await remove(`/compat/resend/contacts/${id}/segments/%2e%2e`)).toBe(404);
    expect(await appliance.api('GET', `/v1/contacts/${id}`, { key })).toMatchObject({ status: 200 });
  });

  it.each(['..', '.', ''])('%j is refused by every operation with an id', async (id) => {
    const asked: string[] = [];
    const v1 = createV1({
      request: {
        ...{ headers: {}, id: 'req_1', ip: '192.0.2.1' },
        caller: { actor: { kind: 'api_key', id: 'key_1' } },
      } as FastifyRequest,
      reply: { getHeader: () => undefined } as unknown as FastifyReply,
      tracked: (message) => message,
      handOver: ({ url }) => {
        asked.push(url);
        return Promise.resolve({
          status: 200,
          headers: {},
          octets: Buffer.from('{}'),
          suppressed: new Set(),
        });
      },
    });
    const operations = Object.entries(v1).flatMap(([noun, methods]) =>
      typeof methods === 'function'
        ? []
        : Object.entries(methods as unknown as Record<string, (id: string, more: unknown) => unknown>)
            .filter(
              ([name]) =>
                !['create', 'createBatch', 'createRaw', 'list', 'upsert', 'renderContent'].includes(name),
            )
            .map(([name, method]) => ({ name: `${noun}.${name}`, method })),
    );
    expect(operations.length).toBeGreaterThan(20);
    for (const { name, method } of operations) {
      // Some throw immediately, and some reject.
      const answer = new Promise((resolve) => {
        resolve(method(id, 'ctc_1'));
      });
      await expect(answer, name).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(asked).toEqual([]);
  });
});
