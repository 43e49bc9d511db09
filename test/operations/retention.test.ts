// Tests retention through the API and in the rows: what is deleted, what remains, what is postponed, and where it resumes.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkChains } from '../../src/events/chain-check.store.js';
import { createConsumer, CONSUMER_NAMES } from '../../src/events/consumers.store.js';
import { forgetOldMessages } from '../../src/operations/retention/old-messages.js';
import type { ForgetRequest } from '../../src/operations/retention/retention.store.js';
import { startMessageRig, type MessageRig } from '../support/message-rig.js';
import { dropWordsOfRemoved, indexThreads } from '../../src/messages/threads/search-index.js';
import { receiveMail } from '../support/received-mail.js';
import { keepRows } from '../support/rewind.js';
import { workspaces } from '../../src/accounts/accounts.tables.js';
import { update, insert } from '../../src/database/rows.js';
import { recordAttempt, amendMessage } from '../../src/messages/message-changes.store.js';
import { appendEvent } from '../../src/events/append.store.js';
import { engagement } from '../../src/analytics/analytics.tables.js';

const DAY = 86_400_000;
const WORD = 'marzipan';
/** Number of messages; 40 are deleted at a time. */
const MORE_THAN_A_BATCH = 60;

let rig: MessageRig;
let kept: Awaited<ReturnType<typeof keepRows>>;
let began: number;
beforeAll(async () => {
  rig = await startMessageRig();
  kept = await keepRows(rig.program);
  began = rig.clock.now();
});
afterEach(async () => {
  await kept.rewind();
  rig.clock.advance(began - rig.clock.now());
});
afterAll(async () => {
  await rig.close();
  kept.forget();
});

const forget = async (
  config: { retentionDays?: number; unsubscribeKeepMs?: number } = {},
): Promise<number> => {
  const forgotten = await forgetOldMessages({
    store: rig.store,
    clock: rig.clock.now,
    config: { retentionDays: 0, retentionMode: 'redact', unsubscribeKeepMs: 60 * DAY, ...config },
  });
  await dropWordsOfRemoved(rig.store, new AbortController().signal);
  return forgotten;
};

async function keep(days: number | null, mode: 'redact' | 'delete' | null): Promise<void> {
  const set = { retention_days: days, retention_mode: mode };
  await rig.commit(update(workspaces, { set, where: { id: rig.workspaceId } }));
}

/** Advances all followers of the chains to their ends. */
async function follow(): Promise<void> {
  for (const name of CONSUMER_NAMES) {
    const round = createConsumer({
      ...{ name, consumers: rig.store.consumers, batch: 1_000 },
      take: () => Promise.resolve({ plan: [] }),
    });
    while (await round());
  }
  await rig.raw('UPDATE chains SET fanned_out_seq = head_seq');
}

/** The mail has been sent. */
const leave = (): Promise<unknown> => rig.raw('DELETE FROM queue');

async function rowId(publicId: string): Promise<number> {
  const [row] = await rig.raw('SELECT id FROM messages WHERE public_id = ?', [publicId]);
  return Number(row?.['id']);
}

/** Every column of every row of the file that has the text in it, as table.column. */
async function placesOf(text: string): Promise<string[]> {
  const places = new Set<string>();
  const tables = await rig.raw("SELECT name FROM sqlite_master WHERE type = 'table'");
  for (const { name } of tables as { name: string }[]) {
    for (const row of await rig.raw(`SELECT * FROM "${name}"`)) {
      for (const [column, value] of Object.entries(row)) {
        const shown = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
        if (shown.includes(text)) places.add(`${name}.${column}`);
      }
    }
  }
  return [...places].toSorted();
}

const numberOf = async (table: string): Promise<number> =>
  Number((await rig.raw(`SELECT COUNT(*) AS n FROM ${table}`))[0]?.['n']);

const file = { filename: `${WORD}.txt`, content: Buffer.from(`about ${WORD}`).toString('base64') };

/** A message with the word in every field that allows it, its reply, a draft, and the records of their delivery. */
async function correspond(): Promise<{ sent: string; received: string; thread: string }> {
  const at = rig.clock.now();
  const { json } = await rig.send({
    to: `Ann ${WORD} <${WORD}@example.com>`,
    subject: `About ${WORD}`,
    html: `<p>${WORD}</p>`,
    text: WORD,
    tags: [WORD],
    metadata: { word: WORD },
    headers: { 'X-Word': WORD },
    attachments: [file],
    idempotency_key: 'once',
  });
  const { environmentId, workspaceNumber } = await rig.scopeOf('test');
  const id = await rowId(json.id);
  const detail = { ip: '192.0.2.1', user_agent: WORD, metadata: { url: `https://${WORD}.example/` } };
  await rig.commit(
    recordAttempt({
      ...{ messageId: id, number: 1, at, sessionId: null },
      ...{ detail: `{"reply":"${WORD}"}`, conversation: `RCPT TO:<${WORD}@example.com>` },
    }),
    appendEvent({
      event: {
        ...{ environmentId, workspaceNumber, messageId: id, subjectId: json.id, event: 'clicked', detail },
        ...{ actor: 'recipient', occurredAt: at },
      },
    }),
    amendMessage({ messageId: id, set: { error: JSON.stringify({ type: 'soft', message: WORD }) } }),
    insert(engagement, { row: { ...NOT_ENGAGED, message_id: id, clicks: 1 } }),
  );
  const from = `Ann <${WORD}@example.com>`;
  const plan = await receiveMail(rig.store, {
    target: json.id,
    at,
    from,
    text: WORD,
    subject: `Re: ${WORD}`,
  });
  const thread = plan.threadId ?? '';
  await indexThreads(rig.store, new AbortController().signal);
  expect(await searched()).toEqual([thread]);
  await rig.ask('POST', `/v1/threads/${thread}/drafts`, { body: { text: WORD } });
  return { sent: json.id, received: plan.publicId, thread };
}

const searched = async () => (await rig.ask('GET', `/v1/threads?q=${WORD}`)).json.data.map(({ id }) => id);

const NOT_ENGAGED = { opens: 0, machine_opens: 0, clicks: 0, machine_clicks: 0 };

/** A message that is younger than the others by so much. */
async function sendLater(milliseconds: number): Promise<string> {
  rig.clock.advance(milliseconds);
  return (await rig.send({ to: 'later@example.com' })).json.id;
}

describe('a workspace that redacts', () => {
  it('keeps the events without content and recipients', async () => {
    const { sent, received, thread } = await correspond();
    await keep(30, null);
    await leave();
    await sendLater(30 * DAY);
    await follow();
    expect((await placesOf(WORD)).length).toBeGreaterThan(20);
    expect(await forget()).toBe(2);
    expect(await placesOf(WORD)).toEqual([]);
    expect(await searched()).toEqual([]);
    expect(await numberOf('message_search')).toBe(0);
    const { json } = await rig.ask('GET', `/v1/messages/${sent}`);
    expect(json).toMatchObject({
      id: sent,
      to: 'erased@erased.invalid',
      subject: '',
      tags: [],
      metadata: {},
    });
    expect(json.from).toEqual({ email: 'news@sender.example', name: null });
    const { trail } = (await rig.ask('GET', `/v1/messages/${sent}/audit`)).json;
    expect(trail.map(({ event }) => event)).toEqual(['queued', 'clicked']);
    for (const path of ['/content', '/raw', '/proof', '/explain', '/attempts']) {
      expect((await rig.ask('GET', `/v1/messages/${sent}${path}`)).status, path).toBeOneOf([200, 404]);
    }
    expect((await rig.ask('GET', `/v1/messages/${received}`)).json.status).toBe('received');
    expect((await rig.ask('GET', `/v1/threads/${thread}`)).status).toBe(200);
    expect(await rig.raw('SELECT clicks FROM engagement')).toEqual([{ clicks: 1 }]);
    for (const table of ['raws', 'blobs', 'inbound_messages', 'attempts', 'message_tags']) {
      expect(await numberOf(table), table).toBe(0);
    }
    for (const report of await checkChains(rig.store, 100)) expect(report.broken).toBeNull();
  });

  it('honors an idempotency key as long as the message exists, without sending again', async () => {
    const { sent } = await correspond();
    await keep(1, 'redact');
    await leave();
    await sendLater(2 * DAY);
    await follow();
    await forget();
    const again = await rig.send({
      ...{ to: `Ann ${WORD} <${WORD}@example.com>`, subject: `About ${WORD}`, html: `<p>${WORD}</p>` },
      ...{ text: WORD, tags: [WORD], metadata: { word: WORD }, headers: { 'X-Word': WORD } },
      ...{ attachments: [file], idempotency_key: 'once' },
    });
    expect([again.status, again.json.id, again.headers['idempotent-replayed']]).toEqual([202, sent, 'true']);
    expect((await rig.ask('POST', `/v1/messages/${sent}/resend`)).status).toBe(409);
  });

  it('continues a conversation when a reply arrives', async () => {
    const { sent, thread } = await correspond();
    await keep(1, 'redact');
    await leave();
    await sendLater(2 * DAY);
    await follow();
    await forget();
    const reply = { body: { text: 'Are you there?' } };
    expect((await rig.ask('POST', `/v1/threads/${thread}/reply`, reply)).status).toBe(422);
    await receiveMail(rig.store, { target: sent, at: rig.clock.now(), from: 'Ann <ann@new.example>' });
    const { json } = await rig.ask('GET', `/v1/threads/${thread}`);
    expect(json).toMatchObject({ subject: 'Re: Hello', correspondent: { email: 'ann@new.example' } });
  });

  it('keeps the recipient of marketing mail until its unsubscribe link expires', async () => {
    await rig.setOrganization({ postal_address: '1 High Street' });
    await rig.addContact('ann@example.com', { name: WORD }, 'test');
    const body = { type: 'marketing', subject: WORD, html: `<p>${WORD}</p>`, text: WORD };
    const { json } = await rig.send({ ...body, to: 'ann@example.com' });
    await keep(30, 'delete');
    await leave();
    await sendLater(30 * DAY);
    await follow();
    expect(await forget()).toBe(1);
    expect(await placesOf(WORD)).toEqual(['contacts.name']);
    const shown = await rig.ask('GET', `/v1/messages/${json.id}`);
    expect(shown.json).toMatchObject({ to: 'ann@example.com', subject: '' });
    expect((await rig.ask('POST', `/v1/messages/${json.id}/resend`)).status).toBe(409);
    await leave();
    await sendLater(30 * DAY);
    await follow();
    await forget();
    expect((await rig.ask('GET', `/v1/messages/${json.id}`)).status).toBe(404);
    expect(await numberOf('retention_left')).toBe(0);
  });

  it('keeps content that other messages share', async () => {
    const cc = ['bob@example.com', 'carl@example.com'];
    const { json } = await rig.send({ to: 'ann@example.com', cc, text: WORD, html: `<p>${WORD}</p>` });
    const [, bob] = json.copies;
    await keep(1, 'redact');
    await rig.raw('DELETE FROM queue WHERE message_id <> ?', [await rowId(bob?.id ?? '')]);
    await sendLater(2 * DAY);
    await follow();
    expect(await forget()).toBe(2);
    expect(await placesOf(WORD)).toEqual(['contents.html', 'contents.text']);
    await leave();
    rig.clock.advance(3_600_000);
    expect(await forget()).toBe(1);
    expect(await placesOf(WORD)).toEqual([]);
    expect(await numberOf('retention_left')).toBe(0);
  });

  it('keeps nothing of the author of a message that was forwarded', async () => {
    const { json } = await rig.send({ to: 'ann@example.com', text: 'Hello' });
    const at = rig.clock.now();
    const { environmentId } = await rig.scopeOf('test');
    const forward = {
      ...{ id: 'fwd_1', inbox_id: 'ibx_1', environment_id: environmentId, sub_tenant_id: null },
      ...{ address: 'bob@example.com', address_key: 'bob@example.com' },
      ...{ confirmation_hash: Buffer.from('1'), confirmation_expires_at: at, confirmed_at: at },
      ...{ stopped_at: null, created_at: at, updated_at: at },
    };
    const from = `${WORD} <${WORD}@author.example>`;
    await receiveMail(rig.store, { target: json.id, from, text: WORD, forwards: [forward], at });
    expect(await numberOf('messages')).toBe(3);
    await keep(1, 'redact');
    await leave();
    await sendLater(2 * DAY);
    await follow();
    expect(await forget()).toBe(3);
    expect(await placesOf(WORD)).toEqual([]);
  });
});

describe('a workspace that deletes', () => {
  it('keeps the hashes of events, so the chain and proofs are valid, and the message is not found', async () => {
    const { sent, received, thread } = await correspond();
    const { bundle, signature } = (await rig.ask('GET', `/v1/messages/${sent}/proof`)).json;
    await keep(30, 'delete');
    await leave();
    const later = await sendLater(30 * DAY);
    await follow();
    const events = await numberOf('events');
    expect(await forget()).toBe(2);
    expect(await placesOf(WORD)).toEqual([]);
    expect(await numberOf('message_search')).toBe(0);
    for (const id of [sent, received]) {
      for (const path of ['', '/content', '/audit', '/proof', '/raw']) {
        expect((await rig.ask('GET', `/v1/messages/${id}${path}`)).status, path).toBe(404);
      }
      const left = (await placesOf(id)).filter((place) => place !== 'suppressions.message_public_id');
      expect(left).toEqual(['events.subject_id']);
    }
    expect((await rig.ask('GET', `/v1/threads/${thread}`)).status).toBe(404);
    const scope = await rig.scopeOf('test');
    const feed = await rig.store.feed.page(scope, { limit: 50, after: null, order: 'asc' });
    expect(feed.rows.map((event) => event.subject_id)).toEqual([later]);
    // One for the deleted draft.
    expect(await numberOf('events')).toBe(events + 1);
    expect(await numberOf('messages')).toBe(1);
    expect(await numberOf('contents')).toBe(1);
    for (const report of await checkChains(rig.store, 100)) expect(report.broken).toBeNull();
    const verified = await rig.ask('POST', '/v1/proof/verify', { key: '', body: { bundle, signature } });
    expect(verified.json.valid).toBe(true);
  });

  it('deletes a sent draft with its message', async () => {
    const { thread } = await correspond();
    const [draft] = (await rig.ask('GET', '/v1/drafts')).json.data;
    expect((await rig.ask('POST', `/v1/drafts/${draft?.id}/send`, { body: {} })).status).toBe(202);
    await keep(1, 'delete');
    await leave();
    await sendLater(2 * DAY);
    await follow();
    expect((await rig.ask('GET', `/v1/drafts?thread_id=${thread}`)).json.data).toHaveLength(1);
    await forget();
    expect(await numberOf('drafts')).toBe(0);
  });

  it('releases an idempotency key with its message', async () => {
    const { sent } = await correspond();
    await keep(1, 'delete');
    await leave();
    await sendLater(2 * DAY);
    await follow();
    await forget();
    const again = await rig.send({ idempotency_key: 'once' });
    expect(again.status).toBe(202);
    expect(again.json.id).not.toBe(sent);
    expect(again.headers['idempotent-replayed']).toBeUndefined();
  });

  it('also releases a key that was kept longer than its message', async () => {
    await rig.send({ idempotency_key: 'once' });
    await rig.send();
    await rig.raw('DELETE FROM messages WHERE idempotency_key IS NOT NULL');
    const again = await rig.send({ idempotency_key: 'once' });
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([202, undefined]);
    const replay = await rig.send({ idempotency_key: 'once' });
    expect([replay.status, replay.headers['idempotent-replayed']]).toEqual([202, 'true']);
    expect(replay.json.id).toBe(again.json.id);
  });

  it('never reuses the number of a deleted message', async () => {
    const { json: first } = await rig.send();
    await keep(1, 'delete');
    await leave();
    rig.clock.advance(2 * DAY);
    await follow();
    await forget();
    expect((await rig.ask('GET', `/v1/messages/${first.id}`)).json).toMatchObject({ subject: '' });
    const { json: second } = await rig.send();
    rig.clock.advance(3_600_000);
    await follow();
    await forget();
    expect((await rig.ask('GET', `/v1/messages/${first.id}`)).status).toBe(404);
    const { trail } = (await rig.ask('GET', `/v1/messages/${second.id}/audit`)).json;
    expect(trail.map(({ event }) => event)).toEqual(['queued']);
  });

  it('also deletes messages that were only redacted before', async () => {
    await correspond();
    await keep(1, 'redact');
    await leave();
    await sendLater(2 * DAY);
    await follow();
    expect(await forget()).toBe(2);
    await keep(1, 'delete');
    expect(await forget()).toBe(2);
    expect(await numberOf('messages')).toBe(1);
  });

  it('keeps the counts of a campaign', async () => {
    const { environmentId } = await rig.scopeOf('test');
    for (let n = 0; n < 3; n += 1) {
      const { json } = await rig.send();
      await rig.raw('UPDATE messages SET campaign_id = ?, status = ? WHERE public_id = ?', [
        ...['cmp_1', n === 0 ? 'bounced' : 'delivered', json.id],
      ]);
    }
    const before = await rig.store.campaigns.statistics.statuses('cmp_1');
    await keep(1, 'delete');
    await leave();
    await sendLater(2 * DAY);
    await follow();
    expect(await forget()).toBe(3);
    expect(await numberOf('messages')).toBe(1);
    expect(await rig.store.campaigns.statistics.statuses('cmp_1')).toEqual(before);
    expect(environmentId).toBeGreaterThan(0);
  });
});

describe('mail that is not finished yet', () => {
  const remain = async (): Promise<string[]> => {
    const { json } = await rig.ask('GET', '/v1/messages?limit=100');
    return json.data.filter(({ subject }) => subject !== '').map(({ id }) => id);
  };

  it('is skipped, and found later, while the cursor continues', async () => {
    const ids: string[] = [];
    for (let n = 0; n < MORE_THAN_A_BATCH; n += 1) ids.push((await rig.send()).json.id);
    const waiting = ids.filter((_, n) => n % 10 === 3);
    const rows = await Promise.all(waiting.map(rowId));
    await rig.raw(`DELETE FROM queue WHERE message_id NOT IN (${rows.join(', ')})`);
    await keep(1, 'redact');
    rig.clock.advance(2 * DAY);
    await follow();
    expect(await forget()).toBe(ids.length - waiting.length);
    expect(await remain()).toEqual(waiting.toReversed());
    await leave();
    // A second run within the hour does not read them.
    expect(await forget()).toBe(0);
    rig.clock.advance(3_600_000);
    expect(await forget()).toBe(waiting.length);
    expect(await remain()).toEqual([]);
  });

  it.each<[string, string]>([
    [
      'with a report that the mail server has not received',
      `INSERT INTO delivery_reports VALUES (?, 'failed', 0, '{}', 0, 5)`,
    ],
    ['with a pending domain re-check', "INSERT INTO address_rechecks VALUES (?, 1, 'example.com', 5)"],
    [
      'of a running sequence',
      `INSERT INTO enrollments (number, id, sequence_number, contact_number, email_key, status, step, step_since, due_at,
        steps_taken, variables, created_at, updated_at) VALUES (1, 'enr_1', 1, 1, 'a@b', 'active', 's', 0, 0, 1, '{}', 0, 0);
       INSERT INTO enrollment_messages VALUES (1, ?)`,
    ],
  ])('includes a message %s', async (_, statements) => {
    const { json } = await rig.send();
    const id = await rowId(json.id);
    for (const statement of statements.split(';\n')) {
      await rig.raw(statement, statement.includes('?') ? [id] : []);
    }
    await keep(1, 'delete');
    await leave();
    await sendLater(2 * DAY);
    await follow();
    expect(await forget()).toBe(0);
    for (const table of ['delivery_reports', 'address_rechecks']) await rig.raw(`DELETE FROM ${table}`);
    await rig.raw("UPDATE enrollments SET status = 'completed'");
    rig.clock.advance(3_600_000);
    expect(await forget()).toBe(1);
  });

  it('includes a message with an event that a consumer has not read', async () => {
    await rig.send();
    await keep(1, 'delete');
    await leave();
    rig.clock.advance(2 * DAY);
    await rig.send({ to: 'later@example.com' });
    expect(await forget()).toBe(0);
    await follow();
    rig.clock.advance(3_600_000);
    expect(await forget()).toBe(1);
  });

  it("includes messages of a workspace with unlimited retention, whatever the server's setting", async () => {
    const { json } = await rig.send();
    await leave();
    await sendLater(400 * DAY);
    await follow();
    await keep(0, null);
    expect(await forget({ retentionDays: 30 })).toBe(0);
    await keep(null, null);
    expect(await forget()).toBe(0);
    expect(await forget({ retentionDays: 30 })).toBe(1);
    expect((await rig.ask('GET', `/v1/messages/${json.id}`)).json.subject).toBe('');
  });
});

describe('an interrupted run', () => {
  it('continues where it stopped, and handles every message once', async () => {
    for (let n = 0; n < MORE_THAN_A_BATCH; n += 1) await rig.send({ subject: WORD });
    await keep(1, 'redact');
    await leave();
    await sendLater(2 * DAY);
    await follow();
    const stop = new AbortController();
    const retention = {
      ...rig.store.retention,
      forget(request: ForgetRequest) {
        stop.abort();
        return rig.store.retention.forget(request);
      },
    };
    const config = { retentionDays: 0, retentionMode: 'redact', unsubscribeKeepMs: 0 } as const;
    const interrupted = { store: { retention }, clock: rig.clock.now, config };
    const first = await forgetOldMessages(interrupted, stop.signal);
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(MORE_THAN_A_BATCH);
    expect(first + (await forget())).toBe(MORE_THAN_A_BATCH);
    expect(await placesOf(WORD)).toEqual([]);
  });

  it('leaves no partial changes', async () => {
    await correspond();
    await keep(1, 'delete');
    await leave();
    await sendLater(2 * DAY);
    await follow();
    const before = await placesOf(WORD);
    await rig.raw(`CREATE TRIGGER broken BEFORE DELETE ON contents BEGIN SELECT RAISE(ABORT, 'broken'); END`);
    await expect(forget()).rejects.toThrow('broken');
    expect(await placesOf(WORD)).toEqual(before);
    await rig.raw('DROP TRIGGER broken');
    expect(await forget()).toBe(2);
    expect(await placesOf(WORD)).toEqual([]);
  });
});

describe('a finished campaign', () => {
  it('forgets the addresses of its recipients, including skipped ones, and edited copies', async () => {
    const at = rig.clock.now();
    const { environmentId } = await rig.scopeOf('test');
    const campaign = (id: string, status: string, updated: number): string =>
      `INSERT INTO campaigns (id, environment_id, name, type, list_number, template_id, variants, status, frozen_up_to,
        total, created, skipped, failed, created_at, updated_at) VALUES
        ('${id}', ${environmentId}, 'C', 'marketing', 1, 'tpl_1', '[]', '${status}', 0, 0, 0, 0, 0, ${at}, ${updated})`;
    await rig.raw(campaign('cmp_old', 'sent', at));
    await rig.raw(campaign('cmp_young', 'sent', at + DAY));
    await rig.raw(campaign('cmp_paused', 'paused', at));
    for (const id of ['cmp_old', 'cmp_young', 'cmp_paused']) {
      await rig.raw(
        `WITH RECURSIVE numbers (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < 450)
         INSERT INTO campaign_recipients SELECT ?, n, ? || n || '@example.com', ? || n || '@example.com',
           CASE WHEN n % 2 = 0 THEN 'created' ELSE 'skipped' END, NULL, NULL, NULL FROM numbers`,
        [id, WORD, WORD],
      );
      await rig.raw('INSERT INTO campaign_overrides VALUES (?, ?, ?, ?, NULL, 0, 0)', [id, WORD, WORD, WORD]);
    }
    await keep(1, 'redact');
    rig.clock.advance(DAY + 1);
    await forget();
    const named = `SELECT campaign_id, COUNT(*) AS n FROM campaign_recipients WHERE email LIKE '%${WORD}%' GROUP BY 1`;
    expect(await rig.raw(named)).toEqual([
      { campaign_id: 'cmp_paused', n: 450 },
      { campaign_id: 'cmp_young', n: 450 },
    ]);
    expect(await rig.raw('SELECT campaign_id FROM campaign_overrides ORDER BY 1')).toEqual([
      { campaign_id: 'cmp_paused' },
      { campaign_id: 'cmp_young' },
    ]);
    expect(await rig.store.campaigns.statistics.skippedReasons('cmp_old')).toEqual(
      new Map([['unknown', 225]]),
    );
  });
});
