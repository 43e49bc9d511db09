// Tests that one response lists all problems of a message.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startMessageRig, type MessageRig } from '../support/message-rig.js';

let rig: MessageRig;
beforeAll(async () => {
  rig = await startMessageRig();
});
afterAll(() => rig.close());

type Problems = Record<string, string>;

async function problemsOf(body: object, key?: string): Promise<{ code: string; fields: Problems }> {
  const { status, json } = await rig.ask('POST', '/v1/messages', { body, ...(key ? { key } : {}) });
  expect(status).toBe(422);
  const { code, details } = json.error as unknown as {
    code: string;
    details?: { fields: { path: string; message: string }[] };
  };
  return {
    code,
    fields: Object.fromEntries((details?.fields ?? []).map(({ path, message }) => [path, message])),
  };
}

it('lists problems of the schema, the fields and the stored rows', async () => {
  const body = {
    to: 'ann@example.com',
    from: 'a@stranger.example',
    reply_to: ['b@stranger.example'],
    send_at: 'tomorrow',
    tags: Array.from({ length: 51 }, (_, n) => `t${n}`),
    template: 'unknown',
    html: '<p>Hello</p>',
    scheduled_at: '2026-01-03T00:00:00Z',
  };
  const before = await rig.counts();
  const { code, fields } = await problemsOf(body, rig.keys.live);
  expect(code).toBe('validation_error');
  expect(Object.keys(fields).sort()).toEqual(
    ['from', 'html', 'reply_to', 'scheduled_at', 'send_at', 'tags', 'template'].sort(),
  );
  expect(fields['scheduled_at']).toBe('is not a known field. Did you mean send_at?');
  expect(fields['from']).toContain('verified');
  expect(await rig.counts()).toEqual(before);
  const batch = await rig.ask('POST', '/v1/messages/batch', {
    body: { messages: [body] },
    key: rig.keys.live,
  });
  const [item] = batch.json.data as unknown as { error: { details: { fields: { path: string }[] } } }[];
  expect(item?.error.details.fields.map(({ path }) => path).sort()).toEqual(Object.keys(fields).sort());
});

it('a single problem keeps its code, and an invalid field causes no further problems', async () => {
  const good = { to: 'ann@example.com', from: 'n@sender.example', subject: 'S', text: 'T' };
  expect((await problemsOf({ ...good, subject: undefined })).code).toBe('subject_required');
  expect((await problemsOf({ ...good, text: undefined })).code).toBe('content_required');
  expect((await problemsOf({ ...good, text: undefined, template: 'none' })).code).toBe('template_not_found');
  const cases: [object, string[]][] = [
    [{ ...good, subject: 'x'.repeat(999) }, ['subject']],
    [{ ...good, from: 'nobody' }, ['from']],
    [{ ...good, text: 7 }, ['text']],
    [{ ...good, to: 7 }, ['to']],
    [{ to: 7, from: 8, subject: 9, text: 10 }, ['from', 'subject', 'text', 'to']],
    [{}, ['html', 'subject', 'to']],
    [{ to: 'ann@example.com' }, ['html', 'subject']],
    [
      { ...good, send_at: '2026-01-04T00:00:00Z', expires_at: '2026-01-03T00:00:00Z', cc: ['x'] },
      ['cc.0', 'expires_at'],
    ],
    [{ ...good, send_at: 'x', expires_at: 'y' }, ['expires_at', 'send_at']],
  ];
  for (const [body, paths] of cases) {
    expect(Object.keys((await problemsOf(body, rig.keys.test)).fields).sort()).toEqual(paths);
  }
});

it('no list of items, key or lone surrogate causes an internal error', async () => {
  for (const body of [[], 'text', 7, null, { to: ['x'], tags: Array.from({ length: 9000 }, () => 7) }]) {
    const { status } = await rig.ask('POST', '/v1/messages', { body: body as object });
    expect([400, 415, 422]).toContain(status);
  }
  const surrogate = await problemsOf({
    to: 'ann@example.com',
    subject: '\ud800',
    text: 7,
    idempotency_key: 'k',
  });
  expect(Object.keys(surrogate.fields).sort()).toEqual(['subject', 'text']);
});
