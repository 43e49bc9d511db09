// Tests that invalid arguments of untyped callers are refused before a request is sent.
import { describe, expect, it } from 'vitest';
import { InputError, Mailkeel } from '../src/index.js';

const mailkeel = new Mailkeel({
  apiKey: `svc_test_${'a'.repeat(43)}`,
  baseUrl: 'http://localhost:8080',
  fetch: () => Promise.reject(new Error('Nothing may be sent.')),
  maxRetries: 0,
});
const message = { to: 'ann@example.com', subject: 'Hello', text: 'It works.' };
const cycle: Record<string, unknown> = {};
cycle['itself'] = cycle;
const untyped = (value: unknown): never => value as never;

describe('invalid input', () => {
  it.each<[string, () => PromiseLike<unknown>]>([
    ['no message in a batch', () => mailkeel.messages.createBatch({ messages: [untyped(null)] })],
    ['no attachment', () => mailkeel.messages.create({ ...message, attachments: [untyped(null)] })],
    ['metadata that holds itself', () => mailkeel.messages.create({ ...message, metadata: cycle })],
    ['a BigInt', () => mailkeel.messages.create({ ...message, metadata: { n: untyped(1n) } })],
    ['no date', () => mailkeel.messages.list({ created_after: untyped(new Date('never')) })],
  ])('is refused: %s', async (_what, call) => {
    await expect(Promise.resolve().then(call)).rejects.toThrow(InputError);
  });
});
