// Tests exports of messages, events and suppressions: options, the content of the file, and who may download it.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/runtime/index.js';
import type { Scope } from '../../src/database/scope.js';
import { eventOf, newMessage, onlyId } from '../database/contract/builders.js';
import { isFullSize } from '../support/run-size.js';
import { startAudienceRig, type AudienceRig } from '../support/audience-rig.js';
import { acceptMessage } from '../../src/messages/accept/accept.store.js';
import { suppress } from '../../src/suppressions/suppression-changes.store.js';
import { transfers } from '../../src/imports/transfers.tables.js';
import { insert } from '../../src/database/rows.js';
import { appendEvent } from '../../src/events/append.store.js';

let rig: AudienceRig;
let scope: Scope;
let shared: AudienceRig;
beforeAll(async () => {
  shared = await startAudienceRig({ runsTransfers: true });
});
afterAll(() => shared.close());
beforeEach(async () => {
  rig = await startAudienceRig({ beside: shared });
  scope = await rig.program.scopeOf('live');
});
afterEach(() => rig.close());

interface Asked {
  key?: string;
}

async function exported(body: Record<string, unknown>, { key }: Asked = {}) {
  const as = key === undefined ? {} : { key };
  const made = await rig.program.ask('POST', '/v1/exports', { body, ...as });
  expect(made.status, made.text).toBe(202);
  const id = made.json.id as string;
  const done = await rig.ended('exports', id);
  const file = await rig.download(`/v1/exports/${id}/file`, as);
  return { done, text: file.text, type: String(file.headers['content-type']) };
}

const linesOf = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

async function addMessage(fields: Parameters<typeof newMessage>[1], at: Scope = scope): Promise<string> {
  const message = newMessage(at, fields);
  await rig.program.store.commit([acceptMessage({ message })]);
  return message.row.public_id;
}

/** In order, regardless of the clock. */
let suppressedAt = Date.UTC(2026, 0, 1);

async function addSuppression(email: string, reason: 'bounce' | 'manual', tenant = ''): Promise<void> {
  const now = ++suppressedAt;
  await rig.program.store.commit([
    suppress({
      row: {
        id: newId('sup', now),
        environment_id: scope.environmentId,
        sub_tenant_key: tenant,
        email,
        email_key: email,
        reason,
        message_public_id: null,
        reply: null,
        created_at: now,
      },
    }),
  ]);
}

describe('an export of messages', () => {
  it('contains the messages that match the filters, oldest first, as in the list', async () => {
    const first = await addMessage({ row: { subject: '=cmd()', status: 'bounced' }, tags: ['a', 'b'] });
    await addMessage({ row: { subject: 'Two' } });
    const third = await addMessage({ row: { subject: 'Three', status: 'bounced' } });
    const { done, text, type } = await exported({
      kind: 'messages',
      format: 'ndjson',
      status: ['bounced', 'failed'],
    });
    expect(done).toMatchObject({
      object: 'export',
      kind: 'messages',
      status: 'completed',
      processed: 2,
      total: 2,
      list_id: null,
      filters: { status: ['bounced', 'failed'] },
    });
    expect(type).toContain('application/x-ndjson');
    expect(linesOf(text)).toMatchObject([
      { id: first, object: 'message', subject: '=cmd()', status: 'bounced' },
      { id: third, object: 'message', subject: 'Three' },
    ]);
    const csv = (await exported({ kind: 'messages', subject: 'cmd' })).text.split('\r\n');
    expect(csv[0]).toMatch(/^id,created_at,updated_at,direction,type,status,to,/);
    expect(csv).toHaveLength(3);
    expect(csv[1]).toContain(`,'=cmd(),`);
  });

  it("contains one sub-tenant's messages with its key, up to the time of the request", async () => {
    const tenant = await rig.program.addTenant('acme');
    const key = await rig.program.addKey({ subTenantId: tenant });
    await addMessage({});
    const theirs = await addMessage({}, { ...scope, subTenantId: tenant });
    await addMessage({ row: { created_at: Date.now() + 3_600_000 } });
    const own = await exported({ kind: 'messages', format: 'ndjson' }, { key });
    expect(linesOf(own.text).map(({ id }) => id)).toEqual([theirs]);
    const named = await exported({ kind: 'messages', format: 'ndjson', sub_tenant_id: tenant });
    expect(named.text).toBe(own.text);
    expect((await exported({ kind: 'messages' })).done.processed).toBe(2);
  });

  it.runIf(isFullSize)('continues after the last commit over many batches', async () => {
    const count = 4_500;
    const plan = Array.from({ length: count }, () => acceptMessage({ message: newMessage(scope, {}) }));
    await rig.program.store.commit(plan);
    const { done, text } = await exported({ kind: 'messages', format: 'json' });
    const all = JSON.parse(text) as { id: string }[];
    expect(done.processed).toBe(count);
    expect(new Set(all.map(({ id }) => id)).size).toBe(count);
    expect(done.size_bytes).toBe(Buffer.byteLength(text));
  });
});

describe('an export of events', () => {
  it('contains the requested events after a given event, up to its own start', async () => {
    const one = await addMessage({});
    const feed = (await rig.program.ask('GET', '/v1/events?limit=1')).json;
    const two = await addMessage({});
    await addMessage({}, await rig.program.scopeOf('test'));
    const all = await exported({ kind: 'events', format: 'ndjson' });
    expect(linesOf(all.text)).toMatchObject([
      { object: 'event', event: 'message.queued', data: { id: one } },
      { event: 'message.queued', data: { id: two } },
    ]);
    expect(linesOf(all.text)[0]).toEqual(feed.data[0]);
    const later = await exported({ kind: 'events', format: 'ndjson', after: feed.data[0].id as string });
    expect(linesOf(later.text)).toMatchObject([{ data: { id: two } }]);
    const none = await exported({ kind: 'events', events: ['message.bounced'] });
    expect(none.text).toMatch(/^id,event,occurred_at,[^\n]*\r\n$/);
  });
});

describe('an export with several commits', () => {
  it('continues after the last one', async () => {
    // A commit has two thousand events.
    const count = 2_050;
    const message = newMessage(scope, {});
    const messageId = onlyId(await rig.program.store.commit([acceptMessage({ message })]));
    const opened = { ...eventOf(scope, message.row.public_id, 'opened', {}), messageId };
    await rig.program.store.commit(Array.from({ length: count - 1 }, () => appendEvent({ event: opened })));
    const { done, text } = await exported({ kind: 'events', format: 'json' });
    const all = JSON.parse(text) as { id: string }[];
    expect(done.processed).toBe(count);
    expect(new Set(all.map(({ id }) => id)).size).toBe(count);
    expect(done.size_bytes).toBe(Buffer.byteLength(text));
  });
});

describe('an export of suppressions', () => {
  it('contains the rows that match the filters and the key', async () => {
    const tenant = await rig.program.addTenant('acme');
    const key = await rig.program.addKey({ subTenantId: tenant });
    await addSuppression('+a@x.example', 'bounce');
    await addSuppression('b@x.example', 'manual');
    await addSuppression('c@x.example', 'bounce', tenant);
    const emails = async (body: object, as: Asked = {}) =>
      linesOf((await exported({ kind: 'suppressions', format: 'ndjson', ...body }, as)).text).map(
        ({ email }) => email,
      );
    expect(await emails({})).toEqual(['+a@x.example', 'b@x.example', 'c@x.example']);
    expect(await emails({ reason: ['bounce'] })).toEqual(['+a@x.example', 'c@x.example']);
    expect(await emails({ q: 'b@' })).toEqual(['b@x.example']);
    expect(await emails({}, { key })).toEqual(['c@x.example']);
    expect((await exported({ kind: 'suppressions', q: '+a' })).text).toContain("\r\n'+a@x.example,bounce,");
  });
});

describe('the filters of an export', () => {
  it('of contacts include the filters of their list', async () => {
    for (const email of ['ann@x.example', 'bob@x.example', 'cy@x.example']) {
      await rig.importFile(`email,status\n${email},${email.startsWith('b') ? 'bounced' : 'active'}\n`);
    }
    const emails = async (body: object) =>
      linesOf((await exported({ format: 'ndjson', ...body })).text).map(({ email }) => email);
    expect(await emails({ q: 'bob' })).toEqual(['bob@x.example']);
    expect(await emails({ kind: 'contacts', status: ['active'] })).toEqual(['ann@x.example', 'cy@x.example']);
    expect(await emails({ created_before: '2020-01-01' })).toEqual([]);
    const { done } = await exported({ status: 'bounced' });
    expect(done).toMatchObject({ kind: 'contacts', contact_status: 'bounced', processed: 1 });
  });

  it.each([
    [{ kind: 'campaigns' }, 'kind'],
    [{ kind: 'messages', list_id: 'lst_1' }, 'list_id'],
    [{ kind: 'messages', status: ['gone'] }, 'status.0'],
    [{ kind: 'messages', created_after: 'soon' }, 'created_after'],
    [{ kind: 'events', events: ['nothing'] }, 'events.0'],
    [{ kind: 'suppressions', reason: 'bounce' }, 'reason'],
    [{ kind: 7 }, 'kind'],
    [{ tagg: 'vip' }, 'tagg'],
  ])('%j is refused for %s, and nothing starts', async (body, field) => {
    const { status, json } = await rig.program.ask('POST', '/v1/exports', { body });
    expect(status).toBe(422);
    expect(json.error.details.fields.map(({ path }: { path: string }) => path)).toEqual([field]);
    expect((await rig.program.ask('GET', '/v1/exports')).json.data).toEqual([]);
  });

  it('an unknown event or sub-tenant is refused', async () => {
    const event = await rig.program.ask('POST', '/v1/exports', { body: { kind: 'events', after: 'evt_1' } });
    expect([event.status, event.json.error.code]).toEqual([400, 'invalid_cursor']);
    const body = { kind: 'messages', sub_tenant_id: 'tnt_1' };
    expect((await rig.program.ask('POST', '/v1/exports', { body })).status).toBe(422);
  });

  it('requires the permission to read the rows', async () => {
    const [read, send] = [
      await rig.program.addKey({ permission: 'read' }),
      await rig.program.addKey({ permission: 'send' }),
    ];
    expect((await exported({ kind: 'suppressions' }, { key: read })).done.status).toBe('completed');
    const refused = await rig.program.ask('POST', '/v1/exports', { body: { kind: 'messages' }, key: send });
    expect([refused.status, refused.json.error.code]).toEqual([403, 'forbidden']);
    const { id } = (await rig.program.ask('POST', '/v1/exports', { body: {} })).json as { id: string };
    expect((await rig.program.ask('POST', `/v1/exports/${id}/cancel`, { key: read })).status).toBe(403);
  });
});

it('an export that an earlier release started completes as one of contacts', async () => {
  await rig.importFile('email,status\na@x.example,active\nb@x.example,bounced\n');
  const now = Date.now();
  const id = newId('exp', now);
  const options = JSON.stringify({ list: null, tag: null, status: 'bounced' });
  await rig.program.store.commit([
    insert(transfers, {
      row: {
        id,
        kind: 'export',
        workspace_id: scope.workspaceId,
        environment_id: scope.environmentId,
        sub_tenant_id: null,
        format: 'ndjson',
        options,
        status: 'queued',
        size_bytes: 0,
        done_bytes: 0,
        total: null,
        processed: 0,
        created: 0,
        updated: 0,
        failed: 0,
        position: '{"after":0}',
        error: null,
        stored_bytes: 0,
        paused_reason: null,
        created_at: now,
        updated_at: now,
        finished_at: null,
      },
    }),
  ]);
  // Wakes them.
  await exported({ kind: 'suppressions' });
  expect(await rig.ended('exports', id)).toMatchObject({
    kind: 'contacts',
    contact_status: 'bounced',
    filters: { status: 'bounced' },
    processed: 1,
  });
});

describe('DELETE /v1/exports/:id', () => {
  it('deletes a finished export with its file', async () => {
    const { done } = await exported({ kind: 'suppressions' });
    const id = done.id as string;
    const deleted = await rig.program.ask('DELETE', `/v1/exports/${id}`);
    expect([deleted.status, deleted.json]).toEqual([200, { id, object: 'export', deleted: true }]);
    for (const path of [`/v1/exports/${id}`, `/v1/exports/${id}/file`]) {
      expect((await rig.program.ask('GET', path)).status).toBe(404);
    }
    expect((await rig.program.ask('DELETE', `/v1/exports/${id}`)).status).toBe(404);
  });

  it('is refused to a read-only key and to other environments', async () => {
    const { done } = await exported({ kind: 'suppressions' });
    const path = `/v1/exports/${String(done.id)}`;
    const read = await rig.program.addKey({ permission: 'read' });
    expect((await rig.program.ask('DELETE', path, { key: read })).status).toBe(403);
    expect((await rig.program.ask('DELETE', path, { key: rig.program.testKey })).status).toBe(404);
    expect((await rig.program.ask('GET', path)).status).toBe(200);
  });
});
