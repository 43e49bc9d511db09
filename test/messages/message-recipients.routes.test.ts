// Tests several recipients and several Reply-To addresses in one request.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startMessageRig, type MessageRig } from '../support/message-rig.js';

let rig: MessageRig;
beforeAll(async () => {
  rig = await startMessageRig();
});
afterAll(() => rig.close());

interface Reference {
  id: string;
  object: string;
  to: string;
  recipient_role: string;
}

async function rawOf(id: string): Promise<string> {
  return (await rig.ask('GET', `/v1/messages/${id}/raw`)).text;
}

it('a list in `to` makes one To field and a message for each, and a repeated key returns the same', async () => {
  const before = await rig.counts();
  const body = {
    to: [
      'One <one@example.com>',
      { email: 'two@example.com', name: 'Two' },
      'ONE@example.com',
      'three@example.com',
    ],
    cc: 'four@example.com',
    bcc: { email: 'five@example.com' },
    idempotency_key: 'several',
  };
  const first = await rig.send(body);
  expect(first.status).toBe(202);
  expect(first.json).toMatchObject({ to: 'one@example.com', recipient_role: 'to', status: 'queued' });
  const { recipients, copies } = first.json as unknown as { recipients: Reference[]; copies: Reference[] };
  const id = expect.stringMatching(/^msg_/) as string;
  expect(recipients).toEqual([
    { id, object: 'message', to: 'two@example.com', recipient_role: 'to' },
    { id, object: 'message', to: 'three@example.com', recipient_role: 'to' },
    { id, object: 'message', to: 'four@example.com', recipient_role: 'cc' },
    { id, object: 'message', to: 'five@example.com', recipient_role: 'bcc' },
  ]);
  expect(copies).toEqual(recipients.slice(2));
  const after = await rig.counts();
  expect(after['messages']).toBe((before['messages'] ?? 0) + 5);
  expect(after['contents']).toBe((before['contents'] ?? 0) + 1);
  for (const one of [first.json.id, ...recipients.map((recipient) => recipient.id)]) {
    const raw = await rawOf(one);
    const shown = 'To: One <one@example.com>, Two <two@example.com>, three@example.com\r\n';
    expect(raw.replaceAll('\r\n ', ' ')).toContain(shown);
    expect(raw).toContain('Cc: four@example.com\r\n');
    expect(raw).not.toContain('five@example.com');
    expect((await rig.ask('GET', `/v1/messages/${one}/audit`)).json).toMatchObject({ message_id: one });
  }
  const again = await rig.send(body);
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect(again.json).toEqual(first.json);
  const other = await rig.ask('GET', `/v1/messages/${recipients[0]?.id ?? ''}`);
  expect(other.json).toMatchObject({ to: 'two@example.com', recipient_role: 'to' });
  expect(other.json).not.toHaveProperty('recipients');
});

it('a list of one equals a single recipient, and the response has no list', async () => {
  const { json } = await rig.send({ to: [{ email: 'ann@example.com', name: 'Ann' }] });
  expect(json).toMatchObject({ to: 'ann@example.com', reply_to: null });
  for (const field of ['recipients', 'copies', 'reply_to_list']) expect(json).not.toHaveProperty(field);
});

it('a resent message of one recipient keeps the original header', async () => {
  const { json } = await rig.send({ to: ['a@example.com', 'b@example.com'] });
  const second = (json as unknown as { recipients: Reference[] }).recipients[0]?.id ?? '';
  const again = await rig.ask('POST', `/v1/messages/${second}/resend`);
  expect(again.json).toMatchObject({ to: 'b@example.com', recipient_role: 'to' });
  expect(await rawOf(again.json.id)).toContain('To: a@example.com, b@example.com\r\n');
});

it('several reply-to addresses are shown as a list, and the first one as a single field', async () => {
  const replyTo = ['help@sender.example', 'Sales <sales@sender.example>', 'HELP@sender.example'];
  const { status, json } = await rig.send({ reply_to: replyTo, cc: ['cc@example.com'] });
  expect(status).toBe(202);
  const list = [
    { email: 'help@sender.example', name: null },
    { email: 'sales@sender.example', name: 'Sales' },
  ];
  expect(json).toMatchObject({ reply_to: list[0], reply_to_list: list });
  const raw = await rawOf(json.id);
  expect(raw.replaceAll('\r\n ', ' ')).toContain(
    'Reply-To: help@sender.example, Sales <sales@sender.example>\r\n',
  );
  const again = await rig.ask('POST', `/v1/messages/${json.id}/resend`);
  expect(again.json).toMatchObject({ reply_to_list: list });
  const foreign = await rig.send(
    { reply_to: ['help@sender.example', 'a@stranger.example'] },
    {},
    rig.keys.live,
  );
  expect([foreign.status, foreign.json.error.code]).toEqual([422, 'sender_not_verified']);
});

it('too many, empty and invalid lists are refused with their paths, and nothing is stored', async () => {
  const before = await rig.counts();
  const many = (count: number, at: string) => Array.from({ length: count }, (_, n) => `p${n}@${at}`);
  const cases: [Record<string, unknown>, string[]][] = [
    [{ to: many(51, 'x.example') }, ['to']],
    [{ to: many(20, 'x.example'), cc: many(31, 'y.example') }, ['cc']],
    [{ to: [] }, ['to']],
    [{ to: ['ann@example.com', 'nobody', { email: 'x' }] }, ['to.1', 'to.2.email']],
    [{ to: ['ann@example.com', 7] }, ['to.1']],
    [{ to: 7 }, ['to']],
    [{ to: [['ann@example.com']] }, ['to.0']],
    [{ to: { email: 'a@example.com', nam: 'A' } }, ['to.nam']],
    [{ reply_to: many(26, 'sender.example') }, ['reply_to']],
    [{ cc: 'nobody', bcc: ['nobody'] }, ['cc', 'bcc.0']],
  ];
  for (const [body, paths] of cases) {
    const { status, json } = await rig.send(body);
    expect([status, json.error.code]).toEqual([422, 'validation_error']);
    const { fields } = json.error.details as unknown as { fields: { path: string }[] };
    expect(fields.map(({ path }) => path)).toEqual(paths);
  }
  expect(await rig.counts()).toEqual(before);
  expect((await rig.send({ to: many(50, 'x.example') })).status).toBe(202);
});

it('a mail with an unsubscribe link has one recipient', async () => {
  const { status, json } = await rig.send({
    to: ['a@example.com', 'b@example.com'],
    html: '<a href="{{unsubscribe_url}}">x</a>',
    variables: {},
  });
  expect([status, json.error.param]).toEqual([422, 'to']);
});

it('a batch accepts lists as well', async () => {
  const messages = [
    { to: ['a@example.com', 'b@example.com'], from: 'n@sender.example', subject: 'S', text: 'T' },
  ];
  const { json } = await rig.ask('POST', '/v1/messages/batch', { body: { messages } });
  expect(json.data).toMatchObject([{ to: 'a@example.com', recipients: [{ to: 'b@example.com' }] }]);
});
