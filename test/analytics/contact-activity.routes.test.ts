// Tests the activity of a contact through the API: mail to and from it, and lists that it joined and left.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/runtime/index.js';
import { startMessageRig, type MessageRig } from '../support/message-rig.js';
import { receiveMail } from '../support/received-mail.js';
import { CONSENT } from '../support/consent.js';
import { contactLists } from '../../src/contacts/lists/lists.tables.js';
import { insert } from '../../src/database/rows.js';
import { appendEvent } from '../../src/events/append.store.js';
import { joinList, leaveList } from '../../src/contacts/contact-changes.store.js';

const ANN = 'ann@example.com';

interface Entry {
  event: string;
  occurred_at: string;
  message: { id: string; subject: string; direction: string } | null;
  list: { id: string; name: string } | null;
  actor: string | null;
  metadata: Record<string, unknown>;
  ip?: string;
}

let rig: MessageRig;
let shared: MessageRig;
beforeAll(async () => {
  shared = await startMessageRig();
});
afterAll(() => shared.close());
beforeEach(async () => {
  rig = await startMessageRig({ beside: shared });
  await rig.addContact(ANN, { name: 'Ann' }, 'test');
});
afterEach(() => rig.close());

async function activity(query = '', options: { key?: string; headers?: Record<string, string> } = {}) {
  const { status, json } = await rig.ask('GET', `/v1/contacts/${ANN}/activity${query}`, options);
  return {
    status,
    entries: json.data as unknown as Entry[],
    next: json.next_cursor,
  };
}

async function addList(name: string): Promise<number> {
  const now = rig.clock.now();
  await rig.commit(
    insert(contactLists, {
      row: {
        ...{
          id: newId('lst', now),
          environment_id: (await rig.scopeOf('test')).environmentId,
          sub_tenant_id: null,
          name,
          description: null,
        },
        ...{ double_opt_in: 0, confirmation_template_id: null, filter: null, contacts: 0, counted_at: null },
        ...{ created_at: now, updated_at: now, deleted_at: null },
      },
    }),
  );
  return Number((await rig.raw('SELECT MAX(number) AS n FROM contact_lists'))[0]?.['n']);
}

/** Creates a message, a reply to it, a list that was joined and another that was left, one second apart. */
async function live(): Promise<{ sentId: string; receivedId: string }> {
  const { workspaceNumber, environmentId } = await rig.scopeOf('test');
  const sentId = (await rig.send({ to: 'Ann@Example.com', subject: 'Offer' })).json.id;
  const at = rig.clock.advance(1000);
  const [message] = await rig.raw('SELECT id FROM messages ORDER BY id DESC');
  await rig.commit(
    appendEvent({
      event: {
        ...{ environmentId, workspaceNumber, messageId: Number(message?.['id']), subjectId: sentId },
        ...{ event: 'opened', actor: 'recipient', occurredAt: at },
        detail: { ip: '192.0.2.1', metadata: { machine: true } },
      },
    }),
  );
  const received = await receiveMail(rig.store, { target: sentId, at: rig.clock.advance(1000) });
  const [contact] = await rig.raw('SELECT id FROM contacts ORDER BY number DESC');
  const contactId = String(contact?.['id']);
  const joined = await addList('Joined');
  const left = await addList('Left');
  const place = { contactId, state: 'subscribed', returned: false, consent: CONSENT } as const;
  await rig.commit(joinList({ ...place, listNumber: joined, at: rig.clock.advance(1000) }));
  const leftAt = rig.clock.advance(1000);
  await rig.commit(leaveList({ listNumber: left, emailKey: ANN, contactId, unsubscribed: true, at: leftAt }));
  return { sentId, receivedId: received.publicId };
}

describe('GET /v1/contacts/:id/activity', () => {
  it("lists the trail of the contact's mail, and its lists, newest first", async () => {
    const { sentId, receivedId } = await live();
    const { entries } = await activity();
    expect(entries.map(({ event }) => event)).toEqual([
      'list_left',
      'list_joined',
      'received',
      'opened',
      'queued',
    ]);
    expect(entries.map(({ list }) => list?.name)).toEqual([
      'Left',
      'Joined',
      undefined,
      undefined,
      undefined,
    ]);
    expect(entries[2]?.message).toMatchObject({ id: receivedId, direction: 'inbound' });
    expect(entries[3]).toMatchObject({
      object: 'contact_activity',
      message: { id: sentId, subject: 'Offer', type: 'transactional', direction: 'outbound' },
      actor: 'recipient',
      ip: '192.0.2.1',
      metadata: { machine: true },
    });
  });

  it('is paged without gaps or duplicates', async () => {
    await live();
    await Promise.all(Array.from({ length: 5 }, () => rig.send({ to: ANN })));
    const all = (await activity()).entries;
    const paged: Entry[] = [];
    let query = '?limit=3';
    for (let pages = 0; pages < 10; pages++) {
      const { entries, next } = await activity(query);
      paged.push(...entries);
      if (next === null) break;
      query = `?limit=3&cursor=${next}`;
    }
    expect(all.length).toBe(10);
    expect(paged).toEqual(all);
  });

  it('shows only mail of the caller’s environment and sub-tenant, and nothing for an unknown contact', async () => {
    await live();
    const names = async (options: Parameters<typeof activity>[1]) =>
      (await activity('', options)).entries.map(({ event }) => event);
    const other = { key: rig.keys.live };
    expect((await rig.ask('GET', `/v1/contacts/${ANN}/activity`, other)).status).toBe(404);
    await rig.addContact(ANN);
    expect(await names(other)).toEqual([]);
    const tenant = await rig.addTenant();
    const headers = { 'x-sub-tenant-id': tenant };
    expect((await rig.ask('GET', `/v1/contacts/${ANN}/activity`, { headers })).status).toBe(404);
    await rig.addContact(ANN, { sub_tenant_id: tenant }, 'test');
    expect(await names({ headers })).toEqual([]);
    expect((await rig.ask('GET', '/v1/contacts/bob@example.com/activity')).status).toBe(404);
    expect((await activity('?cursor=bm9uc2Vuc2U')).status).toBe(400);
  });
});
