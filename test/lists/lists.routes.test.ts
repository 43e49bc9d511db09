// Tests lists and segments through the API.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startAudienceRig, type AudienceRig } from '../support/audience-rig.js';
import { leaveList } from '../../src/contacts/contact-changes.store.js';

let rig: AudienceRig;
let shared: AudienceRig;
beforeAll(async () => {
  shared = await startAudienceRig();
});
afterAll(() => shared.close());
beforeEach(async () => {
  rig = await startAudienceRig({ beside: shared });
});
afterEach(() => rig.close());

const emails = (answer: { json: { data: { email: string }[] } }): string[] =>
  answer.json.data.map(({ email }) => email);

describe('a list', () => {
  it('is created, read, changed, found by name and deleted', async () => {
    const made = await rig.ask('POST', '/v1/lists', {
      body: { name: 'News', description: 'Monthly', double_opt_in: true },
    });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({
      object: 'contact_list',
      name: 'News',
      description: 'Monthly',
      contacts: 0,
      double_opt_in: true,
      filter: null,
      sub_tenant_id: null,
    });
    expect(made.json.sign_up_url).toMatch(/^https:\/\/mail\.example\.test\/s\/[0-9a-z]{54}$/);
    const url = `/v1/lists/${String(made.json.id)}`;
    const changed = await rig.ask('PATCH', url, { body: { name: 'Notes', description: null } });
    expect(changed.json).toMatchObject({ name: 'Notes', description: null, double_opt_in: true });
    expect((await rig.ask('GET', '/v1/lists?q=not')).json.data).toHaveLength(1);
    expect((await rig.ask('GET', '/v1/lists?q=news')).json.data).toEqual([]);
    expect((await rig.ask('DELETE', url)).json).toEqual({
      id: made.json.id,
      object: 'contact_list',
      deleted: true,
    });
    expect((await rig.ask('GET', url)).status).toBe(404);
    expect((await rig.ask('GET', '/v1/lists')).json.data).toEqual([]);
  });

  it('is visible only to its sub-tenant and the workspace', async () => {
    const tenant = await rig.addTenant({ sending_domain: 'one.example' });
    const other = await rig.addTenant({ sending_domain: 'two.example' });
    const id = await rig.addList({ sub_tenant_id: tenant });
    const ofWorkspace = await rig.addList();
    const headers = { 'x-sub-tenant-id': other };
    for (const listId of [id, ofWorkspace]) {
      expect((await rig.ask('GET', `/v1/lists/${listId}`, { headers })).status).toBe(404);
    }
    await rig.addContact('ann@example.com');
    const contact = (await rig.ask('GET', '/v1/contacts/ann@example.com')).json as { id: string };
    const answer = await rig.ask('POST', `/v1/lists/${id}/contacts`, { body: { contact_id: contact.id } });
    expect(answer.status).toBe(422);
    expect(
      (await rig.ask('POST', `/v1/lists/${id}/contacts`, { body: { email: 'ann@example.com' } })).json,
    ).toMatchObject({
      sub_tenant_id: tenant,
    });
  });

  it('pages newest first', async () => {
    for (const name of ['a', 'b', 'c']) await rig.addList({ name });
    const first = await rig.ask('GET', '/v1/lists?limit=2');
    expect(first.json.data.map((one: { name: string }) => one.name)).toEqual(['c', 'b']);
    const cursor = String(first.json.next_cursor);
    const next = await rig.ask('GET', `/v1/lists?limit=2&cursor=${cursor}`);
    expect(next.json).toMatchObject({ data: [{ name: 'a' }], has_more: false });
  });
});

describe('members', () => {
  it('are added by address, which creates or updates the contact, and by id', async () => {
    const id = await rig.addList();
    const url = `/v1/lists/${id}/contacts`;
    const body = { email: 'Ann@example.com', name: 'Ann', tags: ['a'], metadata: { city: 'Bremen' } };
    const made = await rig.ask('POST', url, { body });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({ ...body, list_state: 'subscribed', status: 'active' });
    const again = await rig.ask('POST', url, {
      body: { email: 'ann@EXAMPLE.com', tags: ['b'], metadata: { zip: '28' } },
    });
    expect(again.status).toBe(200);
    expect(again.json).toMatchObject({
      name: 'Ann',
      tags: ['a', 'b'],
      metadata: { city: 'Bremen', zip: '28' },
    });
    await rig.addContact('bob@example.com');
    const bob = (await rig.ask('GET', '/v1/contacts/bob@example.com')).json as { id: string };
    expect((await rig.ask('POST', url, { body: { contact_id: bob.id } })).status).toBe(201);
    expect(emails(await rig.ask('GET', url))).toEqual(['bob@example.com', 'Ann@example.com']);
    expect(emails(await rig.ask('GET', `${url}?tag=b`))).toEqual(['Ann@example.com']);
    expect(emails(await rig.ask('GET', `${url}?q=BOB`))).toEqual(['bob@example.com']);
    expect(emails(await rig.ask('GET', `${url}?status=bounced`))).toEqual([]);
    const page = await rig.ask('GET', `${url}?limit=1`);
    expect(emails(await rig.ask('GET', `${url}?limit=1&cursor=${String(page.json.next_cursor)}`))).toEqual([
      'Ann@example.com',
    ]);
    expect((await rig.ask('GET', `/v1/lists/${id}`)).json.contacts).toBe(2);
    expect((await rig.ask('GET', `/v1/lists/${id}/tags`)).json).toMatchObject({
      object: 'list',
      data: [
        { tag: 'a', contacts: 1 },
        { tag: 'b', contacts: 1 },
      ],
    });
    expect((await rig.ask('DELETE', `${url}/bob@example.com`)).json).toMatchObject({
      id: bob.id,
      deleted: true,
    });
    expect((await rig.ask('DELETE', `${url}/${bob.id}`)).status).toBe(404);
    expect((await rig.ask('GET', `/v1/lists/${id}`)).json.contacts).toBe(1);
  });

  it('are added in bulk by id, with a result for each', async () => {
    const id = await rig.addList();
    const list = await rig.store.lists.listOf(id);
    for (const name of ['a', 'b', 'c']) await rig.addContact(`${name}@example.com`);
    const ids = ((await rig.ask('GET', '/v1/contacts')).json.data as { id: string }[]).map((one) => one.id);
    await rig.commit(
      leaveList({
        listNumber: list?.number ?? 0,
        emailKey: 'a@example.com',
        contactId: null,
        unsubscribed: true,
        at: 1,
      }),
    );
    const url = `/v1/lists/${id}/contacts`;
    const answer = await rig.ask('POST', url, { body: { contact_ids: [...ids, 'cnt_none'] } });
    expect(answer.json).toMatchObject({
      object: 'list_addition',
      added: 2,
      already: 0,
      missing: ['cnt_none'],
    });
    expect(answer.json.unsubscribed).toEqual([ids[2]]);
    expect((await rig.ask('POST', url, { body: { contact_ids: ids } })).json).toMatchObject({
      added: 0,
      already: 2,
    });
    const refused = await rig.ask('POST', url, { body: { email: 'a@example.com' } });
    expect(refused).toMatchObject({ status: 409, json: { error: { code: 'contact_left_list' } } });
    const back = await rig.ask('POST', url, { body: { email: 'a@example.com', resubscribe: true } });
    expect(back.status).toBe(201);
  });

  it('are added with `resubscribe` after unsubscribing from all mail, individually and in bulk', async () => {
    const id = await rig.addList();
    const url = `/v1/lists/${id}/contacts`;
    const suppressed = async () =>
      ((await rig.ask('GET', '/v1/suppressions')).json.data as { email: string }[]).map((one) => one.email);
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      const email = `${name}@example.com`;
      ids.push((await rig.ask('POST', url, { body: { email } })).json.id as string);
      const reason = name === 'c' ? 'complaint' : 'unsubscribe';
      await rig.ask('POST', '/v1/suppressions', { body: { email, reason } });
    }
    await rig.ask('POST', url, { body: { email: 'a@example.com' } });
    expect(await suppressed()).toHaveLength(3);
    const back = await rig.ask('POST', url, { body: { email: 'a@example.com', resubscribe: true } });
    expect(back.json.status).toBe('active');
    expect((await suppressed()).sort()).toEqual(['b@example.com', 'c@example.com']);
    await rig.ask('POST', url, { body: { contact_ids: ids, resubscribe: true } });
    expect(await suppressed()).toEqual(['c@example.com']);
    expect((await rig.ask('GET', '/v1/contacts/c@example.com')).json.status).toBe('complained');
  });

  it.each([
    [{}, ''],
    [{ email: 'a@example.com', contact_id: 'cnt_1' }, ''],
    [{ contact_id: 'cnt_1', name: 'x' }, 'name'],
    [{ contact_id: 'cnt_1' }, 'contact_id'],
    [{ email: 'nobody' }, 'email'],
    [{ email: 'a@example.com', metadata: { x: 'y'.repeat(20_000) } }, 'metadata'],
  ])('refuse body number %# at its field', async (body, path) => {
    const id = await rig.addList();
    const answer = await rig.ask('POST', `/v1/lists/${id}/contacts`, { body });
    expect(answer.status).toBe(422);
    expect(answer.json.error.details.fields[0].path).toBe(path);
  });

  it('are counted day by day when they join and leave', async () => {
    const id = await rig.addList();
    await rig.ask('POST', `/v1/lists/${id}/contacts`, { body: { email: 'a@example.com' } });
    rig.clock.advance(86_400_000);
    await rig.ask('POST', `/v1/lists/${id}/contacts`, { body: { email: 'b@example.com' } });
    await rig.ask('DELETE', `/v1/lists/${id}/contacts/a@example.com`);
    expect((await rig.ask('GET', `/v1/lists/${id}/growth?window_days=3`)).json).toEqual({
      object: 'list_growth',
      list_id: id,
      window_days: 3,
      joined: 2,
      unsubscribed: 1,
      contacts: 1,
      series: [
        { date: '2026-01-01', joined: 0, unsubscribed: 0, contacts: 0 },
        { date: '2026-01-02', joined: 1, unsubscribed: 0, contacts: 1 },
        { date: '2026-01-03', joined: 1, unsubscribed: 1, contacts: 1 },
      ],
    });
  });
});

describe('a segment', () => {
  it('contains matching contacts, cannot be joined or left, and has no sign-up page', async () => {
    await rig.addContact('a@example.com', { tags: ['vip'] });
    await rig.addContact('b@example.com');
    const filter = { all: [{ field: 'tag', op: 'has', value: 'vip' }] };
    const made = await rig.ask('POST', '/v1/lists', { body: { name: 'VIPs', filter } });
    expect(made.json).toMatchObject({ filter, contacts: 1, sign_up_url: null });
    const url = `/v1/lists/${String(made.json.id)}`;
    expect(emails(await rig.ask('GET', `${url}/contacts`))).toEqual(['a@example.com']);
    const joined = await rig.ask('POST', `${url}/contacts`, { body: { email: 'c@example.com' } });
    expect(joined).toMatchObject({ status: 409, json: { error: { code: 'list_is_segment' } } });
    expect((await rig.ask('DELETE', `${url}/contacts/a@example.com`)).status).toBe(409);
    const signUp = await rig.ask('POST', '/v1/subscribe', {
      body: { list_id: made.json.id, email: 'c@example.com' },
    });
    expect(signUp.status).toBe(409);
  });

  it('is counted again if the count is a minute old or the filter has changed', async () => {
    const filter = { all: [{ field: 'email', op: 'ends_with', value: '@example.com' }] };
    const id = await rig.addList({ filter });
    await rig.addContact('a@example.com');
    expect((await rig.ask('GET', `/v1/lists/${id}`)).json.contacts).toBe(0);
    const total = await rig.store.contacts.countContacts(await rig.scopeOf('live'), { listId: id });
    expect(total).toEqual({ total: 1, isExact: true });
    rig.clock.advance(61_000);
    expect((await rig.ask('GET', `/v1/lists/${id}`)).json.contacts).toBe(1);
    await rig.addContact('b@other.com');
    const other = { any: [...filter.all, { field: 'email', op: 'eq', value: 'b@OTHER.com' }] };
    expect((await rig.ask('PATCH', `/v1/lists/${id}`, { body: { filter: other } })).json.contacts).toBe(2);
    expect((await rig.ask('PATCH', `/v1/lists/${id}`, { body: { filter: null } })).status).toBe(422);
  });

  it('cannot contain segments or foreign lists', async () => {
    const segment = await rig.addList({ filter: { all: [{ field: 'tag', op: 'exists' }] } });
    const tenant = await rig.addTenant();
    const theirs = await rig.addList({ sub_tenant_id: tenant });
    const of = (value: string) => ({
      body: { name: 'x', filter: { all: [{ field: 'list', op: 'has', value }] } },
    });
    expect((await rig.ask('POST', '/v1/lists', of(segment))).json.error.code).toBe('validation_error');
    for (const id of [theirs, 'lst_none']) {
      expect((await rig.ask('POST', '/v1/lists', of(id))).json.error.code).toBe('list_not_found');
    }
  });
});
