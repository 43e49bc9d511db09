// What callers without types may give, refused before anything is sent.
import { describe, expect, it } from 'vitest';
import { InputError, Posthorn } from '../src/index.js';

const posthorn = new Posthorn({
  apiKey: `svc_test_${'a'.repeat(43)}`,
  baseUrl: 'http://localhost:8080',
  fetch: () => Promise.reject(new Error('Nothing may be sent.')),
  maxRetries: 0,
});
const message = { to: 'ann@example.com', subject: 'Hello', text: 'It works.' };
const cycle: Record<string, unknown> = {};
cycle['itself'] = cycle;
const untyped = (value: unknown): never => value as never;

describe('odd input', () => {
  it.each<[string, () => PromiseLike<unknown>]>([
    ['no message in a batch', () => posthorn.messages.createBatch({ messages: [untyped(null)] })],
    ['no attachment', () => posthorn.messages.create({ ...message, attachments: [untyped(null)] })],
    ['metadata that holds itself', () => posthorn.messages.create({ ...message, metadata: cycle })],
    ['a BigInt', () => posthorn.messages.create({ ...message, metadata: { n: untyped(1n) } })],
    ['no date', () => posthorn.messages.list({ created_after: untyped(new Date('never')) })],
  ])('is refused: %s', async (_what, call) => {
    await expect(Promise.resolve().then(call)).rejects.toThrow(InputError);
  });
});
