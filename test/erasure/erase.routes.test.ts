// Tests the erasure of a person through the API: what is deleted, what remains, and that the trail and earlier proofs stay valid.
import { addressKey } from '../../src/lib/mime/index.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/runtime/index.js';
import { checkChains } from '../../src/events/chain-check.store.js';
import { startMessageRig, type MessageRig } from '../support/message-rig.js';
import { dropWordsOfRemoved, indexThreads } from '../../src/messages/threads/search-index.js';
import { receiveMail } from '../support/received-mail.js';
import { CONSENT } from '../support/consent.js';
import {
  type CampaignRecipientTable,
  campaigns,
  campaignRecipients,
  campaignOverrides,
} from '../../src/campaigns/campaigns.tables.js';
import { contactLists } from '../../src/contacts/lists/lists.tables.js';
import { insert } from '../../src/database/rows.js';
import { sourceLinks } from '../../src/analytics/analytics.tables.js';
import { joinList, leaveList } from '../../src/contacts/contact-changes.store.js';
import { recordAttempt, amendMessage } from '../../src/messages/message-changes.store.js';
import { makeReportDue } from '../../src/messages/accept/accept.store.js';
import { spoolMail } from '../../src/inbound/spool.store.js';
import { appendEvent } from '../../src/events/append.store.js';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TABLES } from '../../src/app/tables.js';
import { PERSON_SECTIONS, type PersonSection } from '../../src/erasure/contact-data.schema.js';
import { inboxForwards } from '../../src/messages/inboxes/forwards.tables.js';
import { PERSON_TABLES, SCOPES, WITHOUT_PERSONS } from '../support/person-tables.js';

const ANN = 'ann@example.com';

let rig: MessageRig;
let shared: MessageRig;
beforeAll(async () => {
  shared = await startMessageRig();
});
afterAll(() => shared.close());
beforeEach(async () => {
  rig = await startMessageRig({ beside: shared });
});
afterEach(() => rig.close());

/** A separate program, for a test that reads all data. */
async function startAlone(): Promise<void> {
  await rig.close();
  rig = await startMessageRig();
}

/** Rows of the rig's organization. */
async function ownRows(columns: string, table: 'contacts' | 'messages' | 'account_import_reports') {
  const scopes = await Promise.all((['live', 'test'] as const).map((mode) => rig.scopeOf(mode)));
  const ids = scopes.map(({ environmentId }) => environmentId);
  return rig.raw(`SELECT ${columns} FROM ${table} WHERE environment_id IN (?, ?)`, ids);
}

interface Counted {
  complete: boolean;
  erased: Record<string, number>;
  kept: Record<string, number>;
}

async function erase(id = ANN, options: { key?: string; headers?: Record<string, string> } = {}) {
  const url = `/v1/contacts/${encodeURIComponent(id)}/erase`;
  const { status, json } = await rig.ask('POST', url, { key: rig.keys.live, ...options });
  return { status, ...(json as unknown as Counted) };
}

const sendLive = (fields: Record<string, unknown>, headers: Record<string, string> = {}) =>
  rig.send(fields, headers, rig.keys.live);

/** Returns every column of every row that contains the text, in any case, as table.column. */
async function placesOf(text: string): Promise<string[]> {
  const places: string[] = [];
  const tables = await rig.raw("SELECT name FROM sqlite_master WHERE type = 'table'");
  for (const { name } of tables as { name: string }[]) {
    for (const row of await rig.raw(`SELECT * FROM "${name}"`)) {
      for (const [column, value] of Object.entries(row)) {
        const octets =
          value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : JSON.stringify(value);
        if (octets.toLowerCase().includes(text)) places.push(`${name}.${column}`);
      }
    }
  }
  return [...new Set(places)].toSorted();
}

async function addList(name: string): Promise<number> {
  const now = rig.clock.now();
  const times = { created_at: now, updated_at: now, deleted_at: null };
  const state = { double_opt_in: 0, filter: null, contacts: 0, counted_at: null } as const;
  const row = {
    id: newId('lst', now),
    environment_id: (await rig.scopeOf('live')).environmentId,
    sub_tenant_id: null,
    name,
  };
  const more = { description: null, confirmation_template_id: null };
  await rig.commit(insert(contactLists, { row: { ...row, ...more, ...state, ...times } }));
  const rows = await rig.raw('SELECT number FROM contact_lists WHERE id = ?', [row.id]);
  return Number(rows[0]?.['number']);
}

async function addCampaign(state: CampaignRecipientTable['state'], contactNumber: number): Promise<string> {
  const { environmentId } = await rig.scopeOf('live');
  const now = rig.clock.now();
  const id = newId('cmp', now);
  const nothing = {
    ...{ subject: null, from_email: null, from_name: null, reply_to_email: null, reply_to_name: null },
    ...{ segment_tag: null, split: null, track_opens: null, track_clicks: null, versions: null },
    ...{ scheduled_at: null, started_at: null, sent_at: null, paused_at: null, problem: null },
    ...{ frozen_at: null, fanned_out_at: null, winner: null, deleted_at: null, sub_tenant_id: null },
  };
  await rig.commit(
    insert(campaigns, {
      row: {
        ...nothing,
        ...{ id, environment_id: environmentId, name: 'C', type: 'marketing', list_number: 1 },
        ...{ template_id: 'tpl_1', variants: '[]', status: 'sending', frozen_up_to: 9 },
        ...{ total: 1, created: 0, skipped: 0, suppressed: 0, failed: 0, created_at: now, updated_at: now },
      },
    }),
    insert(campaignRecipients, {
      row: {
        ...{ campaign_id: id, contact_number: contactNumber, email: 'Ann@Example.com', email_key: ANN },
        ...{ state, variant: null, reason: null, message_id: null },
      },
    }),
    insert(campaignOverrides, {
      row: {
        ...{ campaign_id: id, email_key: ANN, email: ANN, subject: 'For ann@example.com', html: null },
        ...{ created_at: now, updated_at: now },
      },
    }),
    insert(sourceLinks, {
      row: {
        source_id: id,
        url: 'https://shop.example/?who=ann%40example.com',
        clicks: 1,
        people: 1,
        machine_clicks: 0,
      },
    }),
  );
  return id;
}

/** A person with traces everywhere. */
async function addTraces() {
  const { workspaceNumber, environmentId } = await rig.scopeOf('live');
  await rig.addContact('Ann@Example.com', {
    name: 'Ann Smith',
    tags: ['vip'],
    metadata: { alias: ANN },
  });
  const [contact] = await ownRows('id, number', 'contacts');
  const contactId = String(contact?.['id']);
  const stayed = await addList('Stayed');
  const left = await addList('Left');
  const at = rig.clock.now();
  await rig.commit(
    joinList({
      ...{ listNumber: stayed, contactId, state: 'subscribed', returned: false, consent: CONSENT, at },
    }),
    leaveList({ listNumber: left, emailKey: ANN, contactId, unsubscribed: true, at }),
  );
  const fileOf = (filename: string, content: string) => ({
    filename,
    content: Buffer.from(content).toString('base64'),
  });
  const file = fileOf('ann.txt', 'for ann@example.com');
  const shared = { filename: 'all.txt', content: Buffer.from('for all').toString('base64') };
  const sent = await sendLive({
    to: 'Ann Smith <Ann@Example.com>',
    subject: 'Hello ann@example.com',
    html: '<p>Dear ANN@example.com</p>',
    text: 'Dear ann@example.com',
    tags: ['to-ann@example.com'],
    metadata: { who: ANN },
    headers: { 'X-Who': ANN },
    attachments: [file, shared],
    idempotency_key: `welcome-${ANN}`,
  });
  const later = await sendLive({ to: ANN, send_at: new Date(at + 3_600_000).toISOString() });
  const together = await sendLive({
    ...{ to: 'Bob <bob@example.com>', cc: [ANN], subject: 'Both', text: 'Bob and Ann@Example.com' },
    ...{ html: '<p>Bob and Ann@Example.com</p>', attachments: [shared] },
  });
  const sandbox = await rig.send({ to: ANN });
  const received = await receiveMail(rig.store, { target: sent.json.id, at, mailFrom: ANN });
  const elsewhere = await receiveMail(rig.store, {
    ...{ target: together.json.id, at, from: 'Bob <bob@example.com>', mailFrom: 'bob@example.com' },
  });
  for (const [threadId, body] of [
    [received.threadId, { text: 'Dear Ann Smith', attachments: [file] }],
    [elsewhere.threadId, { text: 'I wrote to ANN@example.com.' }],
    [
      elsewhere.threadId,
      { text: 'See the file', attachments: [fileOf('log.txt', 'Wrote to Ann@Example.com')] },
    ],
    [elsewhere.threadId, { text: 'Dear Bob', attachments: [fileOf('bob.txt', 'bob@example.com')] }],
  ] as const) {
    const url = `/v1/threads/${threadId}/drafts`;
    const { status } = await rig.ask('POST', url, { key: rig.keys.live, body });
    expect(status).toBe(201);
  }
  const { id } = (await rig.raw('SELECT id FROM messages WHERE public_id = ?', [sent.json.id]))[0] as {
    id: number;
  };
  await rig.commit(
    recordAttempt({
      ...{ messageId: id, number: 1, at, sessionId: null },
      ...{ detail: `{"reply":"no ${ANN}"}`, conversation: `RCPT TO:<${ANN}>` },
    }),
    makeReportDue({ messageId: id, action: 'failed', at, detail: JSON.stringify({ to: ANN }) }),
    spoolMail({
      raw: Buffer.from(`Final-Recipient: rfc822; ${ANN}\r\n`),
      mails: [
        {
          ...{ received_at: at, client: '{}', mail_from: '', rcpt_to: 'b+x@bounce.example.test' },
          ...{ kind: 'return_path', target: sent.json.id, state: 'done', attempts: 1, due_at: at },
          ...{ outcome: 'report', detail: JSON.stringify({ for: ANN }) },
        },
      ],
    }),
    appendEvent({
      event: {
        ...{ environmentId, workspaceNumber, messageId: id, subjectId: sent.json.id, event: 'opened' },
        ...{ actor: 'recipient', occurredAt: at, detail: { ip: '192.0.2.1', user_agent: `mail of ${ANN}` } },
      },
    }),
  );
  const waiting = await addCampaign('waiting', Number(contact?.['number']));
  await rig.commit(amendMessage({ messageId: id, set: { campaign_id: waiting } }));
  await rig.suppress('live', ANN, 'unsubscribe');
  return { contactId, sent, later, together, sandbox, received, waiting, stayed };
}

describe('POST /v1/contacts/:id/erase', () => {
  it('deletes the address everywhere except in suppressions, and reports the result', async () => {
    await startAlone();
    const { contactId } = await addTraces();
    expect((await placesOf(ANN)).length).toBeGreaterThan(25);
    const { status, complete, erased, kept } = await erase(contactId);
    expect(status).toBe(200);
    expect(complete).toBe(true);
    expect(erased).toEqual({
      ...{ contacts: 1, messages_sent: 4, messages_received: 1, messages_canceled: 4, attachments: 1 },
      ...{
        threads: 1,
        drafts: 3,
        events: expect.any(Number) as number,
        campaign_recipients: 1,
        list_unsubscribes: 1,
      },
      inbound_messages: 2,
    });
    expect(kept).toEqual({ suppressions: 1 });
    expect(await placesOf(ANN)).toEqual(['suppressions.email', 'suppressions.email_key']);
    expect(await placesOf('ann smith')).toEqual([]);
    expect(await rig.raw('SELECT fields FROM drafts')).toEqual([
      { fields: expect.stringContaining('Dear Bob') as string },
    ]);
    const search = 'SELECT COUNT(*) AS n FROM contact_search WHERE contact_search MATCH ?';
    expect(await rig.raw(search, ['"smi"'])).toEqual([{ n: 0 }]);
  });

  it('removes received and sent mail from the search of threads, and their words from the file', async () => {
    const never = new AbortController().signal;
    const { json: sent } = await sendLive({ to: ANN, text: 'A word like quicksilver' });
    const wish = { target: sent.id, from: `Ann <${ANN}>`, text: 'Or like gillyflower', at: rig.clock.now() };
    await receiveMail(rig.store, wish);
    await indexThreads(rig.store, never);
    const found = async (q: string) =>
      (await rig.ask('GET', `/v1/threads?q=${q}`, { key: rig.keys.live })).json.data.length;
    const blocksWith = async (word: string) => {
      const count = 'SELECT COUNT(*) AS n FROM message_search_data WHERE INSTR(block, CAST(? AS BLOB)) > 0';
      return (await rig.raw(count, [word]))[0]?.['n'];
    };
    expect([await found('quicksilver'), await found('gillyflower')]).toEqual([1, 1]);
    expect(await blocksWith('illyflower')).toBe(1);
    await erase(ANN);
    await indexThreads(rig.store, never);
    expect([await found('quicksilver'), await found('gillyflower')]).toEqual([0, 0]);
    await dropWordsOfRemoved(rig.store, never);
    expect([await blocksWith('illyflower'), await blocksWith('uicksilver')]).toEqual([0, 0]);
    expect(await rig.store.accounts.mark('removed_words')).toBeNull();
  });

  it('keeps the trail and its chain, and issued proofs', async () => {
    const { sent } = await addTraces();
    const key = rig.keys.live;
    const before = (await rig.ask('GET', `/v1/messages/${sent.json.id}/proof`, { key })).json;
    await erase();
    for (const report of await checkChains(rig.store, 100)) expect(report.broken).toBeNull();
    const { bundle, signature } = before;
    const verified = await rig.ask('POST', '/v1/proof/verify', { key: '', body: { bundle, signature } });
    expect(verified.json.valid).toBe(true);
    const { json } = await rig.ask('GET', `/v1/messages/${sent.json.id}/audit`, { key });
    expect(json.trail.map((entry) => entry.event)).toEqual(['queued', 'opened', 'canceled']);
    for (const path of ['', '/content', '/raw', '/proof']) {
      expect((await rig.ask('GET', `/v1/messages/${sent.json.id}${path}`, { key })).status).toBe(200);
    }
  });

  it('cancels waiting messages, and skips pending copies', async () => {
    const { later, sandbox, waiting, stayed } = await addTraces();
    await erase();
    for (const [{ json }, key] of [
      [later, rig.keys.live],
      [sandbox, rig.keys.test],
    ] as const) {
      expect((await rig.ask('GET', `/v1/messages/${json.id}`, { key })).json.status).toBe('canceled');
    }
    expect(
      await rig.raw('SELECT state, reason FROM campaign_recipients WHERE campaign_id = ?', [waiting]),
    ).toEqual([{ state: 'skipped', reason: 'erased' }]);
    expect(await rig.raw('SELECT skipped FROM campaigns WHERE id = ?', [waiting])).toEqual([{ skipped: 1 }]);
    expect(await rig.raw('SELECT contacts FROM contact_lists WHERE number = ?', [stayed])).toEqual([
      { contacts: 0 },
    ]);
  });

  it('keeps content that others received too, without the address', async () => {
    await startAlone();
    const { together } = await addTraces();
    await erase();
    const key = rig.keys.live;
    expect((await rig.ask('GET', `/v1/messages/${together.json.id}`, { key })).json).toMatchObject({
      ...{ to: 'bob@example.com', subject: 'Both', status: 'queued' },
      attachments: [{ filename: 'all.txt' }],
    });
    const content = (await rig.ask('GET', `/v1/messages/${together.json.id}/content`, { key })).json;
    expect(content).toMatchObject({ text: 'Bob and erased@erased.invalid' });
    expect(await rig.raw('SELECT COUNT(*) AS n FROM blobs')).toEqual([{ n: 1 }]);
  });

  it('can be repeated, and works for an address that only mail has', async () => {
    await addTraces();
    await sendLive({ to: 'carl@example.com' });
    await erase();
    const again = await erase();
    expect([again.status, again.erased['messages_sent'], again.complete]).toEqual([200, 0, true]);
    const carl = await erase('carl@example.com');
    expect(carl.erased).toMatchObject({ contacts: 0, messages_sent: 1, messages_canceled: 1 });
    expect((await erase('cnt_00000000000000000000000000')).status).toBe(404);
  });

  it('keeps and reports messages that a worker holds, and erases them later', async () => {
    await sendLive({ to: ANN });
    await rig.raw('UPDATE queue SET lease_until = 9e15, lease_owner = ?', ['w1']);
    expect(await erase()).toMatchObject({ complete: false, erased: { messages_sent: 0 } });
    await rig.raw('UPDATE queue SET lease_until = NULL');
    expect(await erase()).toMatchObject({ complete: true, erased: { messages_sent: 1 } });
  });

  it("is limited to the key's sub-tenant, and from test to test", async () => {
    const tenant = await rig.addTenant();
    await rig.addContact(ANN);
    await rig.addContact(ANN, { sub_tenant_id: tenant });
    await sendLive({ to: ANN });
    const headers = { 'x-sub-tenant-id': tenant };
    expect((await erase(ANN, { headers })).erased).toMatchObject({ contacts: 1, messages_sent: 0 });
    expect(await ownRows('sub_tenant_id', 'contacts')).toEqual([{ sub_tenant_id: null }]);
    await rig.addContact(ANN, {}, 'test');
    const fromTest = await erase(ANN, { key: rig.keys.test });
    expect(fromTest.erased).toMatchObject({ contacts: 1, messages_sent: 0 });
    expect(await ownRows('to_email', 'messages')).toEqual([{ to_email: ANN }]);
    await rig.addContact(ANN, {}, 'test');
    expect((await erase(ANN)).erased).toMatchObject({ contacts: 2, messages_sent: 1 });
    expect(await ownRows('id', 'contacts')).toEqual([]);
  });

  it("deletes report lines of account imports in the key's scope only", async () => {
    const tenant = await rig.addTenant();
    const importOf = async (headers: Record<string, string>): Promise<string> => {
      const body = { source: 'resend', connection: { api_key: 're_1' }, dry_run: true };
      const { json } = await rig.ask('POST', '/v1/account-imports', { key: rig.keys.live, body, headers });
      return json.id;
    };
    const headers = { 'x-sub-tenant-id': tenant };
    const own = await importOf({});
    const theirs = await importOf(headers);
    for (const id of [own, theirs]) {
      await rig.raw(
        `INSERT INTO account_import_reports (import_id, number, environment_id, kind, external_id, name, email_key, problem)
          SELECT id, 1, environment_id, 'contacts', '1', ?, ?, 'p' FROM account_imports WHERE id = ?`,
        [ANN, addressKey(ANN), id],
      );
    }
    await erase(ANN, { headers });
    expect(await ownRows('import_id', 'account_import_reports')).toEqual([{ import_id: own }]);
    await erase(ANN);
    expect(await ownRows('import_id', 'account_import_reports')).toEqual([]);
  });
});

describe('a person in forwarded mail', () => {
  const address = 'owner@forwards.example';

  /** Ann's mail to a mailbox, which is forwarded to the address. */
  async function forwardMail() {
    await startAlone();
    const tenant = await rig.addTenant({ sending_domain: 'erase.example', inbound_ok: 1, verified_at: 1 });
    const { environmentId } = await rig.scopeOf('live');
    const now = rig.clock.now();
    const forward = {
      ...{ id: newId('fwd', now), inbox_id: 'ibx_1', environment_id: environmentId, sub_tenant_id: tenant },
      ...{ address, address_key: address, confirmation_hash: Buffer.from('1'), confirmation_expires_at: now },
      ...{ confirmed_at: now, stopped_at: null, created_at: now, updated_at: now },
    };
    await rig.commit(insert(inboxForwards, { row: forward }));
    await receiveMail(rig.store, {
      ...{ target: tenant, rcptTo: 'help@reply.erase.example', from: `Ann <${ANN}>`, mailFrom: ANN, at: now },
      ...{ text: `I am ${ANN}.`, forwards: [forward] },
    });
  }

  it('is erased as its author, with the message that forwards it', async () => {
    await forwardMail();
    expect(await placesOf(ANN)).toContain('messages.from_email');
    const { erased } = await erase(ANN);
    expect(erased).toMatchObject({ messages_canceled: 1 });
    expect(await placesOf(ANN)).toEqual([]);
  });

  it('stays while a worker forwards the mail, so that it is never sent without its content', async () => {
    await forwardMail();
    await rig.raw('UPDATE queue SET lease_until = ?', [rig.clock.now() + 60_000]);
    const before = await placesOf(ANN);
    expect(await erase(ANN)).toMatchObject({ complete: false, erased: { messages_received: 0 } });
    expect(await placesOf(ANN)).toEqual(expect.arrayContaining(['messages.from_email', 'contents.text']));
    expect(before).toEqual(expect.arrayContaining(['messages.from_email', 'contents.text']));
    await rig.raw('UPDATE queue SET lease_until = NULL');
    const again = await erase(ANN);
    expect(again).toMatchObject({ complete: true, erased: { messages_received: 2, messages_canceled: 1 } });
    expect(await placesOf(ANN)).toEqual([]);
  });

  it('is erased as the owner of the address, and the message stays for its recipient', async () => {
    await forwardMail();
    const { json } = await rig.ask('GET', `/v1/contacts/${address}/export`, { key: rig.keys.live });
    expect(json).toMatchObject({ inbox_forwards: [{ inbox_id: 'ibx_1', address }] });
    await erase(address);
    expect(await placesOf(address)).toEqual([]);
    expect(await placesOf(ANN)).toContain('messages.from_email');
  });
});

describe('GET /v1/contacts/:id/export', () => {
  type Sections = Record<PersonSection, Record<string, unknown>[]>;

  async function download(id = ANN, options: { key?: string; headers?: Record<string, string> } = {}) {
    const url = `/v1/contacts/${encodeURIComponent(id)}/export`;
    const { status, json } = await rig.ask('GET', url, { key: rig.keys.live, ...options });
    return { status, json: json as unknown as Sections & { email: string; sandbox: boolean } };
  }

  it('has everything about a person from every table with their address', async () => {
    await startAlone();
    const { contactId, sent, later, together, received, waiting } = await addTraces();
    const tables = new Set((await placesOf(ANN)).map((place) => place.split('.')[0] ?? ''));
    const shadows = /^(?:contact_search|message_search|sqlite_)/;
    expect([...tables].filter((name) => !shadows.test(name) && !(name in PERSON_TABLES))).toEqual([]);
    const { status, json } = await download(contactId);
    expect(status).toBe(200);
    expect(json).toMatchObject({ object: 'contact_data', email: 'Ann@Example.com', sandbox: false });
    expect(json.contacts).toMatchObject([
      {
        ...{ id: contactId, name: 'Ann Smith', tags: ['vip'], segments: [] },
        ...{ lists: [{ name: 'Stayed', state: 'subscribed' }], consents: [{ event: 'joined' }] },
      },
    ]);
    expect(json.list_unsubscribes).toMatchObject([{ name: 'Left' }]);
    expect(json.suppressions).toMatchObject([{ email: ANN, reason: 'unsubscribe' }]);
    expect(json.threads).toMatchObject([{ correspondent: { email: ANN } }]);
    expect(json.drafts.toSorted((a, b) => (String(a['text']) < String(b['text']) ? -1 : 1))).toMatchObject([
      { text: 'Dear Ann Smith', attachments: [{ filename: 'ann.txt' }] },
      { text: 'I wrote to ANN@example.com.' },
      { text: 'See the file', attachments: [{ filename: 'log.txt' }] },
    ]);
    const messages = new Map(json.messages.map((one) => [one['id'], one]));
    expect(messages.get(sent.json.id)).toMatchObject({
      ...{ subject: 'Hello ann@example.com', content: { text: 'Dear ann@example.com' } },
      trail: [{ event: 'queued' }, { event: 'opened', ip: '192.0.2.1' }],
      attempts: [{ object: 'attempt', number: 1, reply: `no ${ANN}` }],
      attachments: [{ filename: 'ann.txt' }, { filename: 'all.txt' }],
    });
    expect(messages.has(later.json.id)).toBe(true);
    expect(messages.get(received.publicId)).toMatchObject({ direction: 'inbound' });
    // The copy to Bob is not about Ann.
    expect(messages.has(together.json.id)).toBe(false);
    expect(json.campaign_recipients).toMatchObject([{ campaign_id: waiting, state: 'waiting' }]);
    expect(json.campaign_overrides).toMatchObject([{ campaign_id: waiting, subject: 'For ann@example.com' }]);
    expect(json.inbound_messages.length).toBeGreaterThan(0);
    expect(Object.keys(json)).toEqual(['object', 'email', 'sandbox', 'created_at', ...PERSON_SECTIONS]);
  });

  it('works by address after the contact is deleted, and is empty for an unknown address', async () => {
    await sendLive({ to: 'carl@example.com' });
    expect((await download('carl@example.com')).json.messages).toHaveLength(1);
    const { status, json } = await download('nobody@example.com');
    expect([status, PERSON_SECTIONS.flatMap((name) => json[name])]).toEqual([200, []]);
    expect((await download('cnt_00000000000000000000000000')).status).toBe(404);
    expect((await download('not @ address')).status).toBe(422);
  });

  it('shows only the environment and the sub-tenant of the caller', async () => {
    const tenant = await rig.addTenant();
    await rig.addContact(ANN);
    await rig.addContact(ANN, { sub_tenant_id: tenant });
    await rig.addContact(ANN, {}, 'test');
    await rig.suppress('live', ANN, 'unsubscribe');
    const seen = async (options: { key?: string; headers?: Record<string, string> }) => {
      const { json } = await download(ANN, options);
      return [json.contacts.map((one) => one['sub_tenant_id']), json.suppressions.length];
    };
    expect(await seen({})).toEqual([[null, tenant], 1]);
    expect(await seen({ headers: { 'x-sub-tenant-id': tenant } })).toEqual([[tenant], 0]);
    expect(await seen({ key: rig.keys.test })).toEqual([[null], 0]);
  });

  it('is recorded in the audit log, also for an address', async () => {
    await rig.addContact(ANN);
    await download();
    await download('nobody@example.com');
    const { json } = await rig.ask('GET', '/v1/audit-log?action=contacts.exportData', {
      key: rig.keys.live,
    });
    expect(json.data).toHaveLength(2);
    expect(JSON.stringify(json.data)).not.toContain('@');
  });
});

describe('PERSON_TABLES', () => {
  it('and the tables without personal data are all tables', () => {
    const listed = [...Object.keys(PERSON_TABLES), ...WITHOUT_PERSONS];
    expect(listed.toSorted()).toEqual(TABLES.map(({ name }) => name).toSorted());
  });

  it('has every table that the erasure reads or changes', () => {
    const folder = join(import.meta.dirname, '../../src/erasure');
    const used = ['erasure.store.ts', 'erase.ts', 'erase-plan.ts', 'forget-plan.store.ts'].flatMap((file) =>
      [
        ...readFileSync(join(folder, file), 'utf8').matchAll(/(?:insert|update|remove)\((\w+)|typeof (\w+)/g),
      ].map(([, changed, read]) => changed ?? read ?? ''),
    );
    const names = used.map((name) =>
      name.replace(/Table$/, '').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    );
    const known = new Set([...Object.keys(PERSON_TABLES), ...WITHOUT_PERSONS]);
    const tables = names.filter((name) => known.has(name));
    expect(tables.length).toBeGreaterThan(25);
    expect(tables.filter((name) => !(name in PERSON_TABLES) && !SCOPES.includes(name))).toEqual([]);
  });
});
