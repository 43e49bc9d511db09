// Tests bulk actions through the running program: a dry run lists its objects, and then each action is performed in the
// background.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAppliance, type Answer, type Appliance } from '../../support/appliance.js';
import { waitFor } from '../../support/wait.js';

let appliance: Appliance;

const api = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  appliance.api(method, path, {
    key: appliance.keys.test_key,
    headers,
    ...(body === undefined ? {} : { body }),
  });

async function ask(method: string, path: string, body?: unknown): Promise<Answer['json']> {
  const answer = await api(method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.json;
}

const ended = (id: string): Promise<Record<string, unknown>> =>
  waitFor(
    `${id} to end`,
    () => ask('GET', `/v1/bulk-actions/${id}`) as Promise<Record<string, unknown>>,
    (found) => found['finished_at'] !== null,
  );

const run = async (target: 'messages' | 'contacts', body: unknown) =>
  ended(String((await ask('POST', `/v1/bulk-actions/${target}`, body)).id));

const total = async (query: string): Promise<number> => (await ask('GET', `/v1/contacts?${query}`)).total;

const send = (to: string, more: Record<string, unknown> = {}) =>
  ask('POST', '/v1/messages', { from: 'me@example.com', to, subject: 'Hello', text: 'Hello', ...more });

beforeAll(async () => {
  appliance = await createAppliance({
    process: 'shared',
    env: { MAILKEEL_RATE_LIMIT_TEST: '0', MAILKEEL_LOG_LEVEL: 'warn' },
  });
  await appliance.start();
  for (let i = 0; i < 30; i++) {
    await ask('POST', '/v1/contacts', { email: `p${i}@example.com`, tags: i < 12 ? ['vip'] : ['other'] });
  }
}, 60_000);

afterAll(() => appliance.close());

it('a dry run counts and shows a sample, and changes nothing', async () => {
  const body = { action: 'delete', filter: { tag: 'vip' }, dry_run: true };
  const answer = await api('POST', '/v1/bulk-actions/contacts', body);
  expect([answer.status, answer.json]).toEqual([
    200,
    expect.objectContaining({
      object: 'bulk_action_preview',
      target: 'contacts',
      count: 12,
      count_exact: true,
    }),
  ]);
  expect(answer.json.sample).toHaveLength(10);
  expect(answer.json.sample[0]).toMatchObject({
    object: 'contact',
    email: 'p11@example.com',
    status: 'active',
  });
  expect(await total('tag=vip')).toBe(12);
  expect((await ask('GET', '/v1/bulk-actions')).data).toEqual([]);
});

it('adds and removes tags, skips contacts that have the tag, and audits the filter once', async () => {
  await ask('PATCH', '/v1/contacts/p3@example.com', { tags: ['vip', 'spring'] });
  const tagged = await run('contacts', { action: 'tag', filter: { tag: 'vip' }, tags: ['spring', 'spring'] });
  expect(tagged).toMatchObject({
    object: 'bulk_action',
    status: 'completed',
    filter: { tag: 'vip' },
    tags: ['spring'],
    ...{ total: 12, processed: 12, done: 11, skipped: 1, failed: 0, failures: [] },
  });
  expect(await total('tag=spring')).toBe(12);
  await run('contacts', { action: 'untag', filter: { q: 'p1' }, tags: ['spring'] });
  expect(await total('tag=spring')).toBe(9);
  const { data } = await ask('GET', '/v1/audit-log?action=bulkActions.createForContacts');
  expect(data).toHaveLength(2);
  expect(data[1]).toMatchObject({
    target_id: tagged['id'],
    detail: { values: { action: 'tag', 'filter.tag': 'vip', tags: ['spring', 'spring'] } },
  });
});

it('suppresses contacts and recipients, and does not change existing suppressions', async () => {
  await ask('POST', '/v1/suppressions', { email: 'p0@example.com', reason: 'complaint' });
  const done = await run('contacts', { action: 'suppress', filter: { tag: 'vip' }, reason: 'bounce' });
  expect(done).toMatchObject({ done: 11, skipped: 1, failed: 0, reason: 'bounce' });
  expect((await ask('GET', '/v1/suppressions/check?email=p0@example.com')).reason).toBe('complaint');
  expect((await ask('GET', '/v1/suppressions/check?email=p5@example.com')).reason).toBe('bounce');
  await send('someone@example.com', { tags: ['leak'] });
  expect(await run('messages', { action: 'suppress', filter: { tag: ['leak'] } })).toMatchObject({ done: 1 });
  expect((await ask('GET', '/v1/suppressions/check?email=someone@example.com')).reason).toBe('manual');
});

it('cancels waiting messages, and explains why others could not be canceled', async () => {
  const later = { send_at: new Date(Date.now() + 3_600_000).toISOString(), tags: ['launch'] };
  for (let i = 0; i < 25; i++) await send(`c${i}@example.com`, later);
  const gone = await send('delivered@example.com', { tags: ['launch'] });
  await waitFor(
    'delivery',
    () => ask('GET', `/v1/messages/${String(gone.id)}`),
    ({ status }) => status === 'delivered',
  );
  const done = await run('messages', { action: 'cancel', filter: { tag: ['launch'] } });
  expect(done).toMatchObject({ total: 26, processed: 26, done: 25, failed: 1, status: 'completed' });
  expect(done['failures']).toEqual([
    { code: 'message_not_cancelable', count: 1, message: expect.any(String) as unknown },
  ]);
  const { data } = await ask('GET', '/v1/messages?tag=launch&status=canceled&limit=100');
  expect(data).toHaveLength(25);
});

it('resends messages from before its start once each, despite a restart', async () => {
  for (let i = 0; i < 20; i++) await send(`delivered+${i}@example.com`, { tags: ['again'] });
  const header = { 'idempotency-key': 'again-1' };
  const body = { action: 'resend', filter: { tag: ['again'] } };
  const first = await api('POST', '/v1/bulk-actions/messages', body, header);
  expect(first.status).toBe(202);
  await appliance.end();
  await appliance.start();
  const repeated = await api('POST', '/v1/bulk-actions/messages', body, header);
  expect(repeated.json.id).toBe(first.json.id);
  expect(await ended(String(first.json.id))).toMatchObject({ total: 20, done: 20, failed: 0 });
  const { data } = await ask('GET', '/v1/messages?tag=again&limit=100');
  expect(data).toHaveLength(40);
});

it('adds contacts to a list and removes them, except those who unsubscribed from it', async () => {
  for (let i = 0; i < 6; i++)
    await ask('POST', '/v1/contacts', { email: `l${i}@example.com`, tags: ['walk'] });
  const list = await ask('POST', '/v1/lists', { name: 'Walks' });
  const segment = await ask('POST', '/v1/lists', {
    name: 'Segment',
    filter: { all: [{ field: 'tag', op: 'has', value: 'walk' }] },
  });
  await ask('POST', `/v1/lists/${String(list.id)}/contacts`, { email: 'l0@example.com' });
  await appliance.query(
    `INSERT INTO list_unsubscribes (list_number, email_key, unsubscribed_at)
      SELECT number, 'l1@example.com', 1 FROM contact_lists WHERE id = ?`,
    String(list.id),
  );
  const filter = { tag: 'walk' };
  const added = await run('contacts', { action: 'add_to_list', filter, list_id: list.id });
  expect(added).toMatchObject({
    ...{ list_id: list.id, total: 6, done: 4, skipped: 1, failed: 1 },
    failures: [{ code: 'contact_left_list', count: 1 }],
  });
  expect(await total(`list_id=${String(list.id)}`)).toBe(5);
  const consents = await appliance.query(
    `SELECT s.source FROM consents s JOIN contacts c ON c.number = s.contact_number WHERE c.email_key = ?`,
    'l2@example.com',
  );
  expect(consents).toEqual([{ source: 'POST /v1/bulk-actions/contacts' }]);
  const removed = await run('contacts', { action: 'remove_from_list', filter, list_id: list.id });
  expect(removed).toMatchObject({ done: 5, skipped: 1, failed: 0 });
  expect(await total(`list_id=${String(list.id)}`)).toBe(0);
  const refused = async (body: object) => {
    const { json } = await api('POST', '/v1/bulk-actions/contacts', { filter, ...body });
    return [json.error.code, json.error.param];
  };
  expect(await refused({ action: 'add_to_list' })).toEqual(['validation_error', 'list_id']);
  expect(await refused({ action: 'delete', list_id: list.id })).toEqual(['validation_error', 'list_id']);
  expect(await refused({ action: 'add_to_list', list_id: segment.id })).toEqual([
    'list_is_segment',
    'list_id',
  ]);
  expect(await refused({ action: 'add_to_list', list_id: 'lst_01j9z3k8q6v5w4x2y1r0n7m6a5' })).toEqual([
    'list_not_found',
    'list_id',
  ]);
});

it('deletes the contacts of a list, and can be canceled only while it runs', async () => {
  const done = await run('contacts', {
    action: 'delete',
    filter: { tag: 'vip', status: ['bounced', 'complained'] },
  });
  expect(done).toMatchObject({ done: 12, failed: 0 });
  expect(await total('tag=vip')).toBe(0);
  const late = await api('POST', `/v1/bulk-actions/${String(done['id'])}/cancel`);
  expect([late.status, late.json.error.message]).toEqual([409, 'The bulk action is already finished.']);
});

it('reports every invalid field, and stores nothing', async () => {
  const refused = async (target: string, body: unknown) => {
    const { status, json } = await api('POST', `/v1/bulk-actions/${target}`, body);
    const fields = (json.error.details?.fields ?? []) as { path: string }[];
    return [status, json.error.code, ...fields.map(({ path }) => path)];
  };
  const before = (await ask('GET', '/v1/bulk-actions?limit=100')).data.length;
  expect(await refused('contacts', { action: 'tag', filter: {} })).toEqual([422, 'validation_error', 'tags']);
  expect(await refused('contacts', { action: 'delete' })).toEqual([422, 'validation_error', 'filter']);
  expect(await refused('messages', { action: 'delete', filter: { stat: 'x' } })).toEqual([
    422,
    'validation_error',
    'action',
    'filter.stat',
  ]);
  expect(await refused('messages', { action: 'cancel', filter: { created_after: 'soon' } })).toEqual([
    422,
    'validation_error',
    'filter.created_after',
  ]);
  const unknown = { action: 'delete', filter: { list_id: 'lst_01j9z3k8q6v5w4x2y1r0n7m6a5' } };
  expect(await refused('contacts', unknown)).toEqual([422, 'list_not_found']);
  expect((await ask('GET', '/v1/bulk-actions?limit=100')).data).toHaveLength(before);
});
