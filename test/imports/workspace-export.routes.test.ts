// Tests exports of a whole workspace: which objects are in the file, in which order, and for whom.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { leaveList } from '../../src/contacts/contact-changes.store.js';
import { startAudienceRig, type AudienceRig } from '../support/audience-rig.js';

let rig: AudienceRig;
let shared: AudienceRig;
beforeAll(async () => {
  shared = await startAudienceRig({ runsTransfers: true });
});
afterAll(() => shared.close());
beforeEach(async () => {
  rig = await startAudienceRig({ beside: shared });
});
afterEach(() => rig.close());

type Line = Record<string, unknown> & { object: string };

async function make(path: string, body: object, key?: string): Promise<string> {
  const answer = await rig.program.ask('POST', path, { body, ...(key === undefined ? {} : { key }) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json.id as string;
}

async function exported(body: object = {}, key?: string): Promise<{ lines: Line[]; done: object }> {
  const as = key === undefined ? {} : { key };
  const id = await make('/v1/exports', { kind: 'workspace', ...body }, key);
  const done = await rig.ended('exports', id);
  const file = await rig.download(`/v1/exports/${id}/file`, as);
  const lines = file.text.split('\n');
  expect(lines.pop()).toBe('');
  return { lines: lines.map((line) => JSON.parse(line) as Line), done };
}

const of = (lines: readonly Line[], object: string) => lines.filter((line) => line.object === object);

describe('an export of a workspace', () => {
  it('contains every object of the environment between a header and a trailer with their counts', async () => {
    const tenant = await rig.program.addTenant('acme');
    const segment = await make('/v1/lists', {
      name: 'Vips',
      filter: { all: [{ field: 'tag', op: 'has', value: 'vip' }] },
    });
    const news = await make('/v1/lists', { name: 'News', double_opt_in: true });
    const ann = await make('/v1/contacts', { email: 'ann@x.example', tags: ['vip'], metadata: { a: 1 } });
    const bob = await make('/v1/contacts', { email: 'bob@x.example', sub_tenant_id: tenant });
    await make(`/v1/lists/${news}/contacts`, { contact_ids: [ann] });
    await make('/v1/suppressions', { email: 'gone@x.example', reason: 'manual' });
    const template = await make('/v1/templates', { name: 'Order', subject: 'One', text: 'One' });
    await rig.program.ask('PATCH', `/v1/templates/${template}`, { body: { subject: 'Two' } });
    await make('/v1/saved-blocks', { name: 'Footer', block: { type: 'footer' } });
    const sequence = await make('/v1/sequences', {
      ...{ name: 'Welcome', type: 'transactional', trigger: { type: 'manual' }, status: 'paused' },
      steps: [{ type: 'send', template: 'order' }],
    });
    const draft = await make('/v1/campaigns', { name: 'Spring', list_id: news });
    const canceled = await make('/v1/campaigns', { name: 'Old' });
    await rig.program.raw(`UPDATE campaigns SET status = 'canceled' WHERE id = '${canceled}'`);

    const { lines, done } = await exported();
    expect(done).toMatchObject({ kind: 'workspace', format: 'ndjson', status: 'completed', error: null });
    expect(lines[0]).toMatchObject({
      object: 'workspace_export',
      format: 1,
      environment: 'live',
      sub_tenant_id: null,
    });
    const objects = lines.slice(1, -1);
    const counts: Record<string, number> = {};
    for (const { object } of objects) counts[object] = (counts[object] ?? 0) + 1;
    expect(lines.at(-1)).toEqual({ object: 'workspace_export_end', counts });
    expect((done as { processed: number }).processed).toBe(objects.length);
    expect([...new Set(objects.map(({ object }) => object))]).toEqual([
      'sub_tenant',
      'sender',
      'template',
      'template_version',
      'saved_block',
      'suppression',
      'contact_list',
      'contact',
      'sequence',
      'campaign',
    ]);
    const shownSequence = await rig.program.ask('GET', `/v1/sequences/${sequence}`);
    expect(of(lines, 'sequence')).toEqual([{ ...shownSequence.json, template_ids: { order: template } }]);
    const shownDraft = await rig.program.ask('GET', `/v1/campaigns/${draft}`);
    expect(of(lines, 'campaign')).toEqual([shownDraft.json]);
    expect(of(lines, 'contact_list').map(({ id }) => id)).toEqual([news, segment]);
    expect(of(lines, 'contact')).toMatchObject([
      {
        id: ann,
        metadata: { a: 1 },
        sub_tenant_id: null,
        memberships: [{ list_id: news, list_state: 'subscribed' }],
        consents: [{ list_id: news, event: 'joined', actor: 'api' }],
      },
      { id: bob, sub_tenant_id: tenant, memberships: [], consents: [] },
    ]);
    expect(of(lines, 'template').find(({ id }) => id === template)).toMatchObject({
      subject: 'Two',
      version: 2,
    });
    expect(of(lines, 'template_version')).toMatchObject([
      { template_id: template, version: 1, subject: 'One' },
    ]);
    const shown = await rig.program.ask('GET', `/v1/lists/${news}`);
    expect(of(lines, 'contact_list')[0]).toEqual(shown.json);
  });

  it('remembers who left a list, also without a contact', async () => {
    await make('/v1/lists', { name: 'One' });
    const left = await make('/v1/lists', { name: 'Two' });
    const scope = await rig.program.scopeOf('live');
    const list = await rig.program.store.lists.list(scope, left);
    const leave = {
      listNumber: list?.number ?? 0,
      contactId: null,
      unsubscribed: true,
      at: Date.UTC(2026, 0, 1),
    };
    const emails = Array.from({ length: 501 }, (_, i) => `p${String(i).padStart(3, '0')}@x.example`);
    await rig.program.store.commit(emails.map((emailKey) => leaveList({ ...leave, emailKey })));
    const { lines } = await exported();
    expect(of(lines, 'list_unsubscribe').map(({ email }) => email)).toEqual(emails);
    expect(of(lines, 'list_unsubscribe')[0]).toEqual({
      object: 'list_unsubscribe',
      list_id: left,
      email: 'p000@x.example',
      unsubscribed_at: '2026-01-01T00:00:00.000Z',
    });
  });

  it("contains only a sub-tenant's objects with its key, and no secrets", async () => {
    const tenant = await rig.program.addTenant('acme');
    const key = await rig.program.addKey({ subTenantId: tenant });
    await make('/v1/contacts', { email: 'ann@x.example' });
    await make('/v1/suppressions', { email: 'gone@x.example', reason: 'manual' });
    await make('/v1/saved-blocks', { name: 'Footer', block: { type: 'footer' } });
    await make('/v1/campaigns', { name: 'Spring' });
    const theirs = await make('/v1/contacts', { email: 'theirs@x.example', sub_tenant_id: tenant });
    const block = await make('/v1/saved-blocks', { name: 'Footer', block: { a: 1 }, sub_tenant_id: tenant });
    const draft = await make('/v1/campaigns', { name: 'Spring', sub_tenant_id: tenant });
    const { lines } = await exported({}, key);
    expect(lines[0]).toMatchObject({ sub_tenant_id: tenant });
    expect(lines.slice(1, -1).map(({ object, id }) => [object, id])).toEqual([
      ['sub_tenant', tenant],
      ['saved_block', block],
      ['contact', theirs],
      ['campaign', draft],
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/PRIVATE KEY|secret|sealed/);
    const named = await exported({ sub_tenant_id: tenant });
    expect(named.lines.slice(1)).toEqual(lines.slice(1));
  });

  it('refuses other formats and filters', async () => {
    for (const body of [{ format: 'csv' }, { format: 'json' }, { q: 'ann' }]) {
      const answer = await rig.program.ask('POST', '/v1/exports', { body: { kind: 'workspace', ...body } });
      expect(answer.status, JSON.stringify(body)).toBe(422);
    }
  });
});
