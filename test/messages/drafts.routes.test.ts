// Tests drafts through the API: created, changed by one caller at a time, sent once, and refused without side effects.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DraftWire } from '../../src/messages/drafts/draft.schema.js';
import { type Answer, type MessageRig, startMessageRig } from '../support/message-rig.js';
import { receiveMail } from '../support/received-mail.js';

const FILE = { filename: 'a.txt', content: Buffer.from('Hello').toString('base64') };

let shared: MessageRig;
let rig: MessageRig;
let threadId: string;
beforeAll(async () => {
  shared = await startMessageRig();
});
afterAll(() => shared.close());
beforeEach(async () => {
  rig = await startMessageRig({ beside: shared });
  threadId = await conversation();
});

async function conversation(fields: Record<string, unknown> = {}, key = rig.keys.live): Promise<string> {
  const sent = await rig.send(fields, {}, key);
  expect([sent.status, sent.text]).toEqual([202, sent.text]);
  const plan = await receiveMail(rig.store, { target: sent.json.id, at: rig.clock.advance(1000) });
  return plan.threadId ?? '';
}
const ask = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: object, key = rig.keys.live) =>
  rig.ask(method, url, { key, ...(body === undefined ? {} : { body }) });
const create = (body: object, key?: string) => ask('POST', `/v1/threads/${threadId}/drafts`, body, key);
const draftOf = ({ json }: Answer): DraftWire => json as unknown as DraftWire;
async function created(body: object = { text: 'Yes, we do.' }, key?: string): Promise<DraftWire> {
  rig.clock.advance(1000);
  const answer = await create(body, key);
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
  return draftOf(answer);
}
const read = async (id: string): Promise<DraftWire> => draftOf(await ask('GET', `/v1/drafts/${id}`));
const send = (id: string, body: object = {}, key?: string) => ask('POST', `/v1/drafts/${id}/send`, body, key);
const errorOf = ({ status, json }: Answer) => [status, json.error.code];
const sentCount = async () =>
  (await ask('GET', `/v1/messages?thread_id=${threadId}`)).json.data.filter(
    ({ direction }) => direction === 'outbound',
  ).length;

async function addKey(fields: Record<string, unknown> = {}): Promise<{ id: string; secret: string }> {
  const { json, text } = await ask('POST', '/v1/api-keys', { name: 'Agent', permission: 'send', ...fields });
  expect(text).toContain('"secret"');
  return json as unknown as { id: string; secret: string };
}

describe('a draft', () => {
  it('has the given fields and who wrote it', async () => {
    const agent = await addKey();
    const draft = await created({ text: 'Yes', cc: 'bob@example.com', attachments: [FILE] }, agent.secret);
    expect(draft).toEqual({
      id: expect.stringMatching(/^drf_/) as string,
      object: 'draft',
      state: 'open',
      thread_id: threadId,
      sub_tenant_id: null,
      version: 1,
      created_by: agent.id,
      updated_by: agent.id,
      message_id: null,
      created_at: expect.any(String) as string,
      updated_at: expect.any(String) as string,
      text: 'Yes',
      cc: 'bob@example.com',
      attachments: [
        {
          filename: 'a.txt',
          content_type: 'text/plain',
          size: 5,
          content_id: null,
          sha256: '185f8db32271fe25f561a6fc938b2e264306ec304eda518007d1764826381969',
        },
      ],
    });
    expect(await read(draft.id)).toEqual(draft);
    expect(await sentCount()).toBe(1);
  });

  it('may be empty, but refuses content that could not be sent', async () => {
    await created({});
    for (const body of [
      { attachments: [{ filename: 'a.txt', content: '%' }] },
      { text: 'a', template: 'welcome' },
      { to: 'nobody' },
      { type: 'marketing' },
      { idempotency_key: 'a' },
    ]) {
      expect(errorOf(await create(body))).toEqual([422, 'validation_error']);
    }
    expect((await ask('POST', '/v1/threads/thr_01kdyak3se4w5amvgkazjzkvb7/drafts', {})).status).toBe(404);
  });

  it('is changed field by field, with a new version', async () => {
    const { id } = await created({ text: 'Yes', subject: 'Hello', attachments: [FILE] });
    const person = await addKey();
    const changed = await ask('PATCH', `/v1/drafts/${id}`, { text: 'No', subject: null }, person.secret);
    expect(draftOf(changed)).toMatchObject({ version: 2, text: 'No', updated_by: person.id });
    expect(changed.json).not.toHaveProperty('subject');
    expect(draftOf(changed).attachments).toHaveLength(1);
    const emptied = await ask('PATCH', `/v1/drafts/${id}`, { text: '', attachments: [] });
    expect(draftOf(emptied)).not.toHaveProperty('text');
    expect(draftOf(emptied)).not.toHaveProperty('attachments');
  });

  it('refuses a change of another version than the one that was read', async () => {
    const { id } = await created();
    expect((await ask('PATCH', `/v1/drafts/${id}`, { text: 'A', version: 1 })).status).toBe(200);
    const stale = await ask('PATCH', `/v1/drafts/${id}`, { text: 'B', version: 1 });
    expect([...errorOf(stale), stale.json.error.param]).toEqual([409, 'conflict', 'version']);
    expect(await read(id)).toMatchObject({ text: 'A', version: 2 });
  });

  it('keeps one of simultaneous changes of the same version', async () => {
    const { id } = await created();
    const texts = ['A', 'B', 'C', 'D'];
    const answers = await Promise.all(
      texts.map((text) => ask('PATCH', `/v1/drafts/${id}`, { text, version: 1 })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    expect((await read(id)).version).toBe(2);
  });

  it('has files that can be downloaded until it is sent', async () => {
    const second = { filename: '../résumé.html', content: Buffer.from('<b>Hi</b>').toString('base64') };
    const { id } = await created({ text: 'See', attachments: [FILE, second] });
    const fileAt = (index: number | string, key?: string) =>
      ask('GET', `/v1/drafts/${id}/attachments/${index}`, undefined, key);
    const { status, text, headers } = await fileAt(1);
    expect([status, text]).toEqual([200, '<b>Hi</b>']);
    expect(headers['content-type']).toBe('application/octet-stream');
    expect(headers['content-disposition']).toMatch(/^attachment; filename=".*r_sum_.html"/);
    expect((await fileAt(0)).text).toBe('Hello');
    expect((await fileAt(2)).status).toBe(404);
    expect((await fileAt(-1)).status).toBe(422);
    expect((await fileAt(0, rig.keys.test)).status).toBe(404);
    await send(id);
    expect((await fileAt(0)).status).toBe(404);
  });

  it('is listed by thread and state, and deleted', async () => {
    const [first, second] = [await created(), await created()];
    await send(first.id);
    const listed = async (query: string) =>
      (await ask('GET', `/v1/drafts${query}`)).json.data.map(({ id }) => id);
    expect(await listed('')).toEqual([second.id, first.id]);
    expect(await listed(`?thread_id=${threadId}&state=open`)).toEqual([second.id]);
    expect(await listed('?state=sent')).toEqual([first.id]);
    const page = await ask('GET', '/v1/drafts?limit=1');
    expect(await listed(`?limit=1&cursor=${page.json.next_cursor}`)).toEqual([first.id]);
    expect((await ask('DELETE', `/v1/drafts/${second.id}`)).status).toBe(200);
    expect((await ask('GET', `/v1/drafts/${second.id}`)).status).toBe(404);
  });

  it('is listed in shorter pages if texts are long', async () => {
    const text = 'x'.repeat(3 * 1024 * 1024);
    const ids = [(await created({ text })).id, (await created({ text })).id];
    const { json } = await ask('GET', '/v1/drafts');
    expect([json.data.map(({ id }) => id), json.has_more]).toEqual([[ids[1]], true]);
  });

  it('is refused at the limits of number and size, until another is sent', async () => {
    const { id, ...shown } = await created();
    const { environmentId } = await rig.scopeOf('live');
    const full = `INSERT INTO drafts SELECT 'drf_' || i || thread_id, environment_id, sub_tenant_id, thread_id, version, created_by,
      updated_by, message_id, size_bytes, created_at, updated_at, fields, files FROM drafts, n WHERE id = '${id}'`;
    await rig.program.raw(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9999) ${full}`,
    );
    const refused = await create({ text: 'One more' });
    expect(errorOf(refused)).toEqual([409, 'conflict']);
    expect(refused.json.error.message).toContain('limit of 10000 open drafts or 1024 MiB');
    expect((await ask('PATCH', `/v1/drafts/${id}`, { text: 'Longer than before, but no more' })).status).toBe(
      200,
    );
    expect((await send(id)).status).toBe(202);
    expect((await create({ text: 'One more' })).status).toBe(201);
    await rig.program.raw(
      `UPDATE drafts SET size_bytes = 107374 WHERE environment_id = ${environmentId} AND message_id IS NULL`,
    );
    await ask('DELETE', `/v1/drafts/drf_1${shown.thread_id}`);
    const tooLarge = await create({ text: 'x'.repeat(200_000) });
    expect(errorOf(tooLarge)).toEqual([409, 'conflict']);
  });

  it('needs a key that can send', async () => {
    const reader = await addKey({ permission: 'read' });
    expect((await create({ text: 'a' }, reader.secret)).status).toBe(403);
  });

  it('is hidden from the keys of sub-tenants', async () => {
    const tenant = await rig.addTenant({ verified_at: rig.clock.now() });
    const secret = await rig.addKey('live', tenant);
    expect((await ask('GET', `/v1/drafts/${(await created()).id}`, undefined, secret)).status).toBe(404);
    expect((await create({ text: 'a' }, secret)).status).toBe(404);
  });
});

describe('POST /v1/drafts/:id/send', () => {
  it('sends the same mail as a reply with the same fields, and empties the draft', async () => {
    const { id } = await created({ text: 'Yes', attachments: [FILE], tags: ['a'] });
    const sent = await send(id);
    expect([sent.status, sent.text]).toEqual([202, sent.text]);
    expect(sent.json).toMatchObject({ to: 'ann@example.com', subject: 'Re: Hello', thread_id: threadId });
    expect(sent.json).toMatchObject({ tags: ['a'], attachments: [{ filename: 'a.txt', size: 5 }] });
    const draft = await read(id);
    expect(draft).toMatchObject({ state: 'sent', message_id: sent.json.id, version: 1 });
    expect(draft).not.toHaveProperty('text');
    const { text } = await ask('GET', `/v1/messages/${sent.json.id}/raw`);
    expect(text).toContain('SGVsbG8=');
  });

  it('returns the same message when it is repeated, and to simultaneous requests', async () => {
    const { id } = await created();
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(id, { version: 1 })));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(202));
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(5);
    expect(await sentCount()).toBe(2);
    expect((await send(id)).json.id).toBe(answers[0]?.json.id);
  });

  it('sends to several recipients once, and repeats all of them', async () => {
    const { id } = await created({ text: 'a', cc: ['bob@example.com', 'eve@example.com'] });
    const [first, second] = [await send(id), await send(id)];
    expect(second.json.copies).toEqual(first.json.copies);
    expect(second.json.copies).toHaveLength(2);
  });

  it('refuses another version than the one that was read, also after it was sent', async () => {
    const { id } = await created();
    await ask('PATCH', `/v1/drafts/${id}`, { text: 'B' });
    expect(errorOf(await send(id, { version: 1 }))).toEqual([409, 'conflict']);
    expect((await send(id, { version: 2 })).status).toBe(202);
    expect(errorOf(await send(id, { version: 1 }))).toEqual([409, 'conflict']);
    expect(errorOf(await ask('PATCH', `/v1/drafts/${id}`, { text: 'C' }))).toEqual([409, 'conflict']);
  });

  it('sends one version whole if it is changed at the same time', async () => {
    const { id } = await created({ text: 'first' });
    const [sent, changed] = await Promise.all([
      send(id),
      ask('PATCH', `/v1/drafts/${id}`, { text: 'second' }),
    ]);
    expect(sent.status).toBe(202);
    const { text } = (await ask('GET', `/v1/messages/${sent.json.id}/content`)).json as unknown as {
      text: string;
    };
    expect(text).toBe(changed.status === 200 ? 'second' : 'first');
    expect(await sentCount()).toBe(2);
  });

  it('uses the policy of the caller, and a refused draft stays open', async () => {
    const policy = { content: { no_attachments: true } };
    const narrow = await addKey({ policy });
    const { id } = await created({ text: 'a', attachments: [FILE] }, narrow.secret);
    expect(errorOf(await send(id, {}, narrow.secret))).toEqual([403, 'policy_violation']);
    expect(await read(id)).toMatchObject({ state: 'open', version: 1 });
    expect((await send(id)).status).toBe(202);
  });

  it('leaves a draft open that could not be completed', async () => {
    const { id } = await created({ template: 'missing' });
    expect((await send(id)).status).toBe(422);
    expect((await read(id)).state).toBe('open');
  });

  it('waits for approval if the policy says so', async () => {
    const agent = await addKey({ policy: { approval: 'always' } });
    const { id } = await created(undefined, agent.secret);
    const sent = await send(id, {}, agent.secret);
    expect(sent.status).toBe(202);
    const { json } = await ask('GET', '/v1/approvals');
    expect(json.data).toMatchObject([{ message_id: sent.json.id }]);
  });

  it('is in the audit log, like each change, and a refused one is not', async () => {
    const narrow = await addKey({ policy: { content: { templates_only: true } } });
    const { id } = await created({ text: 'A' }, narrow.secret);
    await send(id, {}, narrow.secret);
    await ask('PATCH', `/v1/drafts/${id}`, { text: 'B' });
    await send(id);
    await send(id);
    await ask('DELETE', `/v1/drafts/${id}`);
    const { json } = await ask('GET', `/v1/audit-log?target_id=${id}`);
    const actions = json.data.map((entry) => (entry as unknown as { action: string }).action);
    expect(actions.toSorted()).toEqual(['drafts.delete', 'drafts.send', 'drafts.update']);
    // A creation is about the thread.
    const creations = await ask('GET', `/v1/audit-log?target_id=${threadId}&action=drafts.create`);
    expect(creations.json.data).toHaveLength(1);
  });

  it('refuses a key that another draft was sent with', async () => {
    const [first, second] = [await created(), await created()];
    const sendWith = (id: string) =>
      rig.ask('POST', `/v1/drafts/${id}/send`, {
        ...{ key: rig.keys.live, body: {}, headers: { 'idempotency-key': 'k' } },
      });
    expect((await sendWith(first.id)).status).toBe(202);
    expect((await sendWith(first.id)).headers['idempotent-replayed']).toBe('true');
    await ask('PATCH', `/v1/drafts/${second.id}`, { text: 'B' });
    expect(errorOf(await sendWith(second.id))).toEqual([409, 'idempotency_key_reused']);
  });
});

it('ends with its sub-tenant', async () => {
  const domain = 'shop.example';
  const at = rig.clock.now();
  const tenant = await rig.addTenant({ sending_domain: domain, inbound_ok: 1, verified_at: at });
  const plan = await receiveMail(rig.store, { target: tenant, rcptTo: `help@reply.${domain}`, at });
  threadId = plan.threadId ?? '';
  const { id, sub_tenant_id: owner } = await created();
  expect(owner).toBe(tenant);
  expect((await ask('DELETE', `/v1/sub-tenants/${tenant}`)).status).toBe(200);
  expect((await ask('GET', `/v1/drafts/${id}`)).status).toBe(404);
});

it('reports each change of a draft, without its text', async () => {
  const first = await created();
  await ask('PATCH', `/v1/drafts/${first.id}`, { text: 'No, we do not.' });
  await send(first.id);
  const second = await created();
  await ask('DELETE', `/v1/drafts/${second.id}`);
  const third = await created();
  await rig.program.raw(`UPDATE drafts SET updated_at = 1 WHERE id = '${third.id}'`);
  expect(await rig.store.oldRecords.forgetDrafts(2, 10, rig.clock.now())).toBe(1);
  const events = ['created', 'updated', 'sent', 'deleted'].map((name) => `draft.${name}`);
  const { json, text } = await ask('GET', `/v1/events?order=asc&events=${events.join()}`);
  const told = json.data as unknown as { event: string; actor: string; data: { id: string } }[];
  expect(told.map(({ event, data }) => [event.slice('draft.'.length), data.id])).toEqual([
    ...[
      ['created', first.id],
      ['updated', first.id],
      ['sent', first.id],
    ],
    ...[
      ['created', second.id],
      ['deleted', second.id],
    ],
    ...[
      ['created', third.id],
      ['deleted', third.id],
    ],
  ]);
  expect(told.map(({ actor }) => actor)).toEqual([...Array<string>(6).fill('api'), 'system']);
  expect(text).not.toContain('we do');
});

describe('an API key with a send policy', () => {
  const change = (id: string, key: string) => ask('PATCH', `/v1/drafts/${id}`, { text: 'Mine' }, key);
  const remove = (id: string, key: string) => ask('DELETE', `/v1/drafts/${id}`, undefined, key);

  it('reads drafts of others, but does not change, send or delete them', async () => {
    const agent = await addKey({ policy: { max_recipients: 5 } });
    const { id } = await created();
    const refused = await Promise.all([
      change(id, agent.secret),
      send(id, {}, agent.secret),
      remove(id, agent.secret),
    ]);
    expect(refused.map(errorOf)).toEqual(Array(3).fill([403, 'forbidden']));
    expect(refused[0].text).toContain('only drafts that it created');
    expect((await ask('GET', `/v1/drafts/${id}`, undefined, agent.secret)).status).toBe(200);
    expect(await read(id)).toMatchObject({ state: 'open', version: 1 });
  });

  it('changes, sends and deletes its own drafts, also after a rotation', async () => {
    const agent = await addKey({ policy: { max_recipients: 5 } });
    const [first, second] = [await created({}, agent.secret), await created({}, agent.secret)];
    expect((await change(first.id, agent.secret)).status).toBe(200);
    const rotated = await ask('POST', `/v1/api-keys/${agent.id}/rotate`, {});
    const { secret } = rotated.json as unknown as { secret: string };
    expect((await change(first.id, secret)).status).toBe(200);
    expect((await send(first.id, {}, secret)).status).toBe(202);
    expect((await remove(second.id, agent.secret)).status).toBe(200);
  });

  it('changes the drafts of the inbox whose policy key it is', async () => {
    const agent = await addKey({ policy: { max_recipients: 5 } });
    const domain = 'agents.example';
    const at = rig.clock.now();
    const tenant = await rig.addTenant({ sending_domain: domain, inbound_ok: 1, verified_at: at });
    const address = `help@reply.${domain}`;
    const inbox = (await ask('POST', '/v1/inboxes', { address, client_id: 'x', policy_key: agent.id })).json;
    threadId = (await receiveMail(rig.store, { target: tenant, rcptTo: address, at })).threadId ?? '';
    await rig.program.raw(`UPDATE threads SET inbox_id = '${inbox.id}' WHERE id = '${threadId}'`);
    const { id } = await created();
    expect((await change(id, agent.secret)).status).toBe(200);
    expect((await remove(id, agent.secret)).status).toBe(200);
  });
});
