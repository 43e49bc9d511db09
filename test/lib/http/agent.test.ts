// Tests an agent that is created with its first request.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createAgent } from '../../../src/lib/http/agent.js';
import { startHttpReceiver, type HttpReceiver } from '../../support/http-receiver.js';

let receiver: HttpReceiver;
beforeEach(async () => {
  receiver = await startHttpReceiver();
});
afterEach(() => receiver.close());

it('sends requests with one dispatcher', async () => {
  const agent = createAgent({ connections: 1 });
  const answers = await Promise.all([1, 2].map(() => agent.request(receiver.url, { method: 'GET' })));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  for (const { body } of answers) await body.dump();
  expect(await agent.dispatcher()).toBe(await agent.dispatcher());
  await agent.close();
});

it.each(['close', 'destroy'] as const)('sends nothing after %s, used before or not', async (end) => {
  const used = createAgent({});
  await (await used.request(receiver.url, { method: 'GET' })).body.dump();
  for (const agent of [used, createAgent({})]) {
    await agent[end]();
    await expect(agent.request(receiver.url, { method: 'GET' })).rejects.toThrow('closed');
  }
  expect(receiver.requests).toHaveLength(1);
});
