// Tests a batch that is sent as a whole or not at all.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFullSize } from '../support/run-size.js';
import { startMessageRig, type MessageRig } from '../support/message-rig.js';

let rig: MessageRig;
beforeAll(async () => {
  rig = await startMessageRig();
});
afterAll(() => rig.close());

const good = { to: 'b@example.com', subject: 'S', text: 'T' };

function send(messages: readonly unknown[], headers: Record<string, string> = {}) {
  return rig.ask('POST', '/v1/messages/batch', { body: { messages, atomic: true }, headers });
}

interface Refused {
  error: {
    code: string;
    message: string;
    param: string;
    details: { items: { index: number; code: string; param?: string }[] };
  };
}

describe('an atomic batch', () => {
  it('sends all messages, with one result each', async () => {
    const answer = await send([good, { ...good, to: ['c@example.com', 'd@example.com'] }]);
    expect(answer.status).toBe(202);
    const { data } = answer.json as { data: { status: string; to: string; recipients?: object[] }[] };
    expect(data.map(({ status, to }) => [status, to])).toEqual([
      ['queued', 'b@example.com'],
      ['queued', 'c@example.com'],
    ]);
    expect(data[1]?.recipients).toHaveLength(1);
  });

  it('sends none if one is invalid, and reports the problems of each', async () => {
    const { messages: before } = await rig.counts();
    const answer = await send([good, { ...good, to: 'nonsense' }, good, { ...good, sendat: 'x', html: 7 }]);
    expect(answer.status).toBe(422);
    const { error } = answer.json as unknown as Refused;
    expect(error).toMatchObject({ code: 'validation_error', param: 'messages.1.to' });
    expect(error.message).toMatch(/^Nothing was sent\. messages\.1: to: /);
    expect(error.details.items.map(({ index, param }) => [index, param])).toEqual([
      [1, 'to'],
      [3, expect.any(String)],
    ]);
    expect((await rig.counts())['messages']).toBe(before);
    const unsupported = await send([good, { to: good.to, template: 'none' }]);
    expect(unsupported.json.error.code).toBe('template_not_found');
    expect((await send([good, 7])).json.error.param).toBe('messages.1');
    expect((await rig.counts())['messages']).toBe(before);
  });

  it('requires the variables of each message that requests it', async () => {
    const { messages: before = 0 } = await rig.counts();
    const asking = { ...good, html: '<p>{{code}}</p>', require_variables: true };
    const refused = await send([
      { ...asking, variables: { code: 7 } },
      asking,
      { ...asking, require_variables: false },
    ]);
    expect([refused.status, refused.json.error.param]).toEqual([422, 'messages.1.variables.code']);
    expect((await rig.counts())['messages']).toBe(before);
  });

  it('with a repeated key creates nothing, and completes after a crash', async () => {
    const headers = { 'idempotency-key': 'together' };
    const first = await send([good, { ...good, idempotency_key: 'own' }], headers);
    const { messages: before } = await rig.counts();
    expect((await send([good, { ...good, idempotency_key: 'own' }], headers)).json).toEqual(first.json);
    await rig.raw("UPDATE idempotent_requests SET status = NULL, answer = NULL WHERE key = 'together'");
    const resumed = await send([good, { ...good, idempotency_key: 'own' }], headers);
    expect(resumed.json).toEqual(first.json);
    expect((await rig.counts())['messages']).toBe(before);
    const reused = await send([good, { ...good, subject: 'Other', idempotency_key: 'own' }]);
    expect([reused.status, reused.json.error.code]).toEqual([409, 'idempotency_key_reused']);
    expect((await rig.counts())['messages']).toBe(before);
  });

  it('refuses one key for two of its messages, and one of two batches with the same key wins', async () => {
    const twin = { ...good, idempotency_key: 'twin' };
    const refused = await send([twin, twin]);
    expect([refused.status, refused.json.error.param]).toEqual([422, 'messages.1.idempotency_key']);
    const { messages: before = 0 } = await rig.counts();
    const answers = await Promise.all([1, 2, 3].map(() => send([twin, good])));
    const ids = answers.map(({ json }) => (json as unknown as { data: { id: string }[] }).data[0]?.id);
    expect(new Set(ids).size).toBe(1);
    expect((await rig.counts())['messages']).toBe(before + 4);
  });

  it.runIf(isFullSize)('accepts at most a thousand messages', async () => {
    const { messages: before = 0 } = await rig.counts();
    const answer = await send(Array.from({ length: 1000 }, () => good));
    expect(answer.status).toBe(202);
    expect((await rig.counts())['messages']).toBe(before + 1000);
    expect((await send(Array.from({ length: 1001 }, () => good))).status).toBe(422);
  });
});
