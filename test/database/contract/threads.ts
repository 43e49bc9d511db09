// Contract of threads: pages by activity, their messages, and search, never across sub-tenants or environments.
import { describe, expect, it } from 'vitest';
import { newId } from '../../../src/lib/runtime/index.js';
import type { Scope } from '../../../src/database/scope.js';
import type { Store } from '../../../src/app/store.js';
import {
  type Bench,
  type MessageWish,
  NOW,
  accept,
  allPages,
  newMessage,
  newWorld,
  onlyId,
} from './builders.js';
import { type NewMessage, acceptMessage } from '../../../src/messages/accept/accept.store.js';
import { insert } from '../../../src/database/rows.js';
import { createThreadIndexer, indexThreads } from '../../../src/messages/threads/search-index.js';
import { removeFromSearch, searchAgain } from '../../../src/messages/threads/search-index.store.js';
import { readSearch } from '../../../src/database/engine/search-words.rules.js';
import { threadMoves } from '../../../src/messages/threads/thread-part.js';
import { type Thread, threads } from '../../../src/messages/threads/threads.tables.js';

export function newThread(scope: Scope, wish: Partial<Thread> = {}): Thread {
  return {
    id: newId('thr', NOW),
    environment_id: scope.environmentId,
    sub_tenant_id: scope.subTenantId,
    subject: 'Your order',
    subject_key: 'your order',
    correspondent_email: 'Ann@x.example',
    correspondent_name: 'Ann',
    correspondent_key: 'ann@x.example',
    status: 'open',
    inbox_id: null,
    unread: 0,
    labels: '[]',
    assigned_to: null,
    last_message_at: NOW,
    search_due: 1,
    created_at: NOW,
    updated_at: NOW,
    ...wish,
  };
}

const addThreads = (store: Store, rows: readonly Thread[]) =>
  store.commit(rows.map((row) => insert(threads, { row })));

interface ReceivedWish {
  threadId?: string;
  foreignMessageId?: string;
  inReplyTo?: number;
  auto?: string;
  text?: string;
  /** Default: `Yes.` */
  visible?: string;
  authentication?: string | null;
  row?: MessageWish['row'];
}

function received(scope: Scope, wish: ReceivedWish = {}): NewMessage {
  const message = newMessage(scope, {
    queued: false,
    ...(wish.text === undefined ? {} : { text: wish.text }),
    row: {
      status: 'received',
      ...(wish.threadId === undefined ? {} : { thread_id: wish.threadId }),
      ...wish.row,
    },
  });
  return {
    ...message,
    usageDay: null,
    ...(wish.foreignMessageId === undefined ? {} : { foreignMessageId: wish.foreignMessageId }),
    received: {
      in_reply_to_id: wish.inReplyTo ?? null,
      auto_reply: wish.auto ?? null,
      visible_text: wish.visible ?? 'Yes.',
      visible_html: null,
      quoted_text: null,
      signature: null,
      authentication: wish.authentication ?? null,
      envelope: '{}',
      references_list: '[]',
      problems: '[]',
    },
  };
}

const receive = async (store: Store, scope: Scope, wish: ReceivedWish = {}): Promise<number> =>
  onlyId(await store.commit([acceptMessage({ message: received(scope, wish) })]));

export function threadContract(given: () => Bench): void {
  describe('threads', () => {
    it('page by their latest message, also where times are equal, and filter', async () => {
      const { store } = given();
      const { live, test } = await newWorld(store);
      const tenant = { ...live, subTenantId: 'tnt_a' };
      const rows = Array.from({ length: 9 }, (_, i) =>
        newThread(i % 3 ? live : tenant, {
          last_message_at: NOW + (i % 4),
          status: i % 2 ? 'open' : 'closed',
          correspondent_key: i < 2 ? 'bob@x.example' : 'ann@x.example',
        }),
      );
      await addThreads(store, rows);
      const order = (keep: (row: Thread) => boolean) =>
        rows
          .filter(keep)
          .sort((a, b) => b.last_message_at - a.last_message_at || (a.id < b.id ? 1 : -1))
          .map((row) => row.id);
      const seen = async (scope: Scope, filter: Parameters<Store['threads']['threads']>[2] = {}) =>
        (await allPages((page) => store.threads.threads(scope, page, filter), 2)).map((row) => row.id);
      expect(await seen(live)).toEqual(order(() => true));
      expect(await seen(tenant)).toEqual(order((row) => row.sub_tenant_id === 'tnt_a'));
      expect(await seen(live, { status: ['open'] })).toEqual(order((row) => row.status === 'open'));
      expect(await seen(live, { correspondentKey: 'bob@x.example' })).toEqual(
        order((row) => row.correspondent_key === 'bob@x.example'),
      );
      expect(await seen(test)).toEqual([]);
      const [own = ''] = order((row) => row.sub_tenant_id === null);
      expect((await store.threads.thread(live, own))?.id).toBe(own);
      expect(await store.threads.thread(tenant, own)).toBeNull();
      expect(await store.threads.thread(test, own)).toBeNull();
    });

    it('are found by the words of their messages, in exactly the scope', async () => {
      const { store } = given();
      const { live, test } = await newWorld(store);
      const tenant = { ...live, subTenantId: 'tnt_a' };
      const about = async (scope: Scope, subject: string, text: string) => {
        const thread = newThread(scope, { last_message_at: NOW + text.length });
        await addThreads(store, [thread]);
        await receive(store, scope, { threadId: thread.id, visible: text, row: { subject } });
        return thread.id;
      };
      const invoice = await about(live, 'Rechnung Nr. 4711', 'Die Überweisung über 12,50 Euro fehlt noch');
      const parcel = await about(live, 'Your parcel', 'It left Zürich, invoice follows. 東京都に送ります');
      const theirs = await about(tenant, 'Parcel', 'Invoice of the sub-tenant');
      const sandbox = await about(test, 'Parcel', 'Invoice of the sandbox');
      await indexThreads(store, new AbortController().signal);
      const found = async (q: string, scope = live) => {
        const filter = { phrases: readSearch(q) };
        return (await allPages((page) => store.threads.threads(scope, page, filter), 2)).map(({ id }) => id);
      };
      expect(await found('rechnung')).toEqual([invoice]);
      expect(await found('UBERWEISUNG eur')).toEqual([invoice]);
      expect(await found('eur überweisung')).toEqual([]);
      expect(await found('"euro fehlt" 4711')).toEqual([invoice]);
      expect(await found('"fehlt euro"')).toEqual([]);
      expect(await found('zurich')).toEqual([parcel]);
      expect(await found('京都')).toEqual([parcel]);
      expect(await found('東')).toEqual([parcel]);
      expect(await found('京東')).toEqual([]);
      expect(await found('parcel invoice')).toEqual([parcel, theirs]);
      expect(await found('parcel invoice', tenant)).toEqual([theirs]);
      expect(await found('parcel invoice', test)).toEqual([sandbox]);
      expect(await found('invoice tnt_a')).toEqual([]);
      for (const q of ['"', '*', '***', '""', "'", '\\', '(', ':', '-', '_', '%'])
        expect(await found(q)).toEqual([]);
      for (const q of ['parcel OR zurich', 'NEAR(parcel zurich)', 'words:parcel', "parcel' | 'x"])
        expect(await found(q)).toEqual([]);
      expect(await found('parcel* ^zurich')).toEqual([parcel]);
      for (const q of ['-parcel +zurich', 'parcel & !zurich']) expect(await found(q)).toEqual([parcel]);
    });

    it('are searched again after a message was added, and not by a message that was removed', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const thread = newThread(live);
      await addThreads(store, [thread]);
      const index = () => indexThreads(store, new AbortController().signal);
      const isFound = async (q: string) => {
        const page = { limit: 5, after: null };
        return (await store.threads.threads(live, page, { phrases: readSearch(q) })).rows.length === 1;
      };
      const first = await receive(store, live, { threadId: thread.id, visible: 'The lamp is broken' });
      await index();
      await store.commit([threadMoves(thread.id, NOW)]);
      const [sent = 0] = await accept(store, live, [
        { html: '<p>A <b>new&nbsp;one</b> is sent<script>evil()</script>', row: { thread_id: thread.id } },
      ]);
      await index();
      expect([await isFound('lamp'), await isFound('new one'), await isFound('evil')]).toEqual([
        true,
        true,
        false,
      ]);
      await store.commit(removeFromSearch([{ id: first, thread_id: thread.id }]));
      expect([await isFound('lamp'), await isFound('new one')]).toEqual([false, true]);
      await store.commit(searchAgain([{ id: sent, thread_id: thread.id }]));
      expect(await isFound('new one')).toBe(false);
      await index();
      expect([await isFound('lamp'), await isFound('new one')]).toEqual([true, true]);
      const { opened } = given();
      for (const statement of opened.engine.spelling.messageSearch.clear) await opened.raw(statement);
      expect(await isFound('lamp')).toBe(false);
      await createThreadIndexer(store, new AbortController().signal)();
      expect(await isFound('lamp')).toBe(true);
    });

    it('have those as participants who were written to, or whose mail proves its From', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const thread = newThread(live);
      await addThreads(store, [thread]);
      const proof = (dmarc: string, dkim: object[] = []) =>
        JSON.stringify({ dmarc: { result: dmarc }, dkim });
      const from = (name: string, authentication: string | null) =>
        receive(store, live, {
          ...{ threadId: thread.id, authentication },
          row: { from_email: `${name}@x.example` },
        });
      await from('Passed', proof('pass'));
      await from('signed', proof('none', [{ result: 'pass', aligned: true }]));
      await from(
        'stranger',
        proof('none', [
          { result: 'pass', aligned: false },
          { result: 'fail', aligned: true },
        ]),
      );
      await from('partner', proof('fail'));
      await from('unchecked', null);
      await from('written', proof('fail'));
      await accept(store, live, [
        { to: 'written@x.example', row: { thread_id: thread.id, status: 'delivered' } },
      ]);
      const names = ['passed', 'signed', 'stranger', 'partner', 'unchecked', 'written', 'nobody'];
      const keys = names.map((name) => `${name}@x.example`);
      expect(await store.threads.participantsAmong(thread.id, keys)).toEqual(
        new Set(['passed@x.example', 'signed@x.example', 'written@x.example']),
      );
    });

    it('have messages in order, a size, and a last one of each direction', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const [busy, other, empty] = [newThread(live), newThread(live), newThread(live)];
      await addThreads(store, [busy, other, empty]);
      const threadId = busy.id;
      const [sent = 0] = await accept(store, live, [{ row: { thread_id: threadId } }]);
      const first = await receive(store, live, { threadId, inReplyTo: sent });
      expect(await store.threads.summaries([threadId])).toEqual(
        new Map([[threadId, { messages: 2, lastDirection: 'inbound' }]]),
      );
      const [answer = 0] = await accept(store, live, [{ row: { thread_id: threadId } }]);
      await receive(store, live, { threadId: other.id });
      const recent = async (limit: number, maxBytes = 1000) =>
        (await store.threads.recentOf(threadId, { limit, maxBytes })).map((row) => row.id);
      expect(await recent(50)).toEqual([sent, first, answer]);
      expect(await recent(2)).toEqual([first, answer]);
      expect(await store.threads.recentOf(empty.id, { limit: 5, maxBytes: 5 })).toEqual([]);
      expect(await store.threads.summaries([threadId, empty.id, other.id])).toEqual(
        new Map([
          [threadId, { messages: 3, lastDirection: 'outbound' }],
          [other.id, { messages: 1, lastDirection: 'inbound' }],
        ]),
      );
      expect(await store.threads.summaries([])).toEqual(new Map());
      const latest = await store.threads.latestOf(threadId);
      expect([latest.sent?.id, latest.received?.id]).toEqual([answer, first]);
      expect(await store.threads.latestOf(empty.id)).toEqual({ sent: null, received: null });
    });

    it('return received messages in full, with the message that they answer', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const [sent = 0] = await accept(store, live, [{}]);
      const [first, second] = [
        await receive(store, live, { inReplyTo: sent }),
        await receive(store, live, { auto: 'vacation' }),
      ];
      const [answered] = await store.messages.messagesByRowId(live, [sent]);
      const kept = await store.threads.receivedInFull([sent, first, second]);
      expect([...kept.keys()]).toEqual([first, second]);
      expect(kept.get(first)).toMatchObject({
        in_reply_to_id: sent,
        in_reply_to: answered?.public_id,
        visible_text: 'Yes.',
        text: 'Hello',
        html: null,
      });
      expect(kept.get(second)).toMatchObject({ in_reply_to: null, auto_reply: 'vacation' });
      expect(await store.threads.receivedInFull([])).toEqual(new Map());
      expect(await store.threads.originOf(first)).toEqual({
        in_reply_to_id: sent,
        references_list: '[]',
        authentication: null,
      });
      expect(await store.threads.originOf(sent)).toBeNull();
    });

    it('give their last messages as far as the texts of received ones fit, by octets, and always the last', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const row = newThread(live);
      await addThreads(store, [row]);
      const threadId = row.id;
      const long = await receive(store, live, { threadId, text: 'ä'.repeat(50) });
      const short = await receive(store, live, { threadId, text: 'ä'.repeat(10) });
      const [sent = 0] = await accept(store, live, [{ row: { thread_id: threadId }, text: 'x'.repeat(500) }]);
      const recent = async (maxBytes: number) =>
        (await store.threads.recentOf(threadId, { limit: 9, maxBytes })).map((row) => row.id);
      // Each also has "Yes.".
      expect(await recent(128)).toEqual([long, short, sent]);
      expect(await recent(127)).toEqual([short, sent]);
      expect(await recent(0)).toEqual([sent]);
      const alone = newThread(live);
      await addThreads(store, [alone]);
      const only = await receive(store, live, { threadId: alone.id, text: 'long' });
      expect(
        (await store.threads.recentOf(alone.id, { limit: 9, maxBytes: 1 })).map((row) => row.id),
      ).toEqual([only]);
    });

    it('prefer a person’s message as the last received one to an automatic reply', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const row = newThread(live);
      await addThreads(store, [row]);
      const threadId = row.id;
      const latest = async () => (await store.threads.latestOf(threadId)).received?.id;
      const away = await receive(store, live, { threadId, auto: 'vacation' });
      expect(await latest()).toBe(away);
      const written = await receive(store, live, { threadId });
      await receive(store, live, { threadId, auto: 'vacation' });
      expect(await latest()).toBe(written);
    });

    it('are found by message ids of this server and of others, the first known one, in exactly one scope', async () => {
      const { store } = given();
      const { live, test } = await newWorld(store);
      const tenant = { ...live, subTenantId: 'tnt_a' };
      const [own = 0] = await accept(store, live, [{}]);
      const [tenants = 0] = await accept(store, tenant, [{}]);
      const foreign = `${newId('msg', NOW)}@mail.example`;
      const theirs = await receive(store, live, { foreignMessageId: foreign });
      await receive(store, test, { foreignMessageId: foreign });
      const [message] = await store.messages.messagesByRowId(live, [own]);
      const [tenantMessage] = await store.messages.messagesByRowId(tenant, [tenants]);
      const ourId = `${message?.public_id.slice(4) ?? ''}@example.org`;
      const tenantId = `${tenantMessage?.public_id.slice(4) ?? ''}@example.org`;
      const found = async (scope: Scope, ids: string[]) =>
        (await store.threads.byRfcMessageIds(scope, ids))?.id ?? null;
      expect(await found(live, [ourId])).toBe(own);
      expect(await found(live, ['nobody@x.example', foreign, ourId])).toBe(theirs);
      expect(await found(live, [ourId, foreign])).toBe(own);
      expect(await found(live, [tenantId])).toBeNull();
      expect(await found(tenant, [ourId, foreign])).toBeNull();
      expect(await found(tenant, [tenantId])).toBe(tenants);
      expect(await found(test, [ourId])).toBeNull();
      expect(await found(test, [foreign])).not.toBe(theirs);
      expect(await found(live, [])).toBeNull();
    });

    it('are found by correspondent and subject, the latest first, not too old', async () => {
      const { store } = given();
      const { live, test } = await newWorld(store);
      const tenant = { ...live, subTenantId: 'tnt_a' };
      const rows = [
        newThread(live, { last_message_at: NOW }),
        newThread(live, { last_message_at: NOW + 5 }),
        newThread(tenant, { last_message_at: NOW + 9 }),
        newThread(live, { subject_key: 'other', last_message_at: NOW + 7 }),
      ];
      await addThreads(store, rows);
      const about = { correspondentKey: 'ann@x.example', subjectKey: 'your order', since: NOW };
      const found = async (scope: Scope, change: Partial<typeof about> = {}) => {
        const one = await store.threads.byCorrespondent(scope, { ...about, ...change });
        return one === null ? null : rows.findIndex((row) => row.id === one.id);
      };
      expect(await found(live)).toBe(1);
      expect(await found(tenant)).toBe(2);
      expect(await found(live, { subjectKey: 'other' })).toBe(3);
      expect(await found(live, { since: NOW + 6 })).toBeNull();
      expect(await found(live, { correspondentKey: 'bob@x.example' })).toBeNull();
      expect(await found(test)).toBeNull();
    });

    it('get a mail once that a peer sends again', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const mail = { rfcMessageId: 'again@x.example', contentHash: 'sha256:01' };
      const known = (scope: Scope, change: Partial<typeof mail> = {}) =>
        store.threads.isKnown(scope, { ...mail, ...change });
      expect(await known(live)).toBe(false);
      await receive(store, live, {
        foreignMessageId: mail.rfcMessageId,
        row: { content_hash: mail.contentHash },
      });
      expect(await known(live)).toBe(true);
      expect(await known(live, { contentHash: 'sha256:02' })).toBe(false);
      expect(await known(live, { rfcMessageId: 'other@x.example' })).toBe(false);
      expect(await known({ ...live, subTenantId: 'tnt_a' })).toBe(false);
    });

    it('can begin with a message sent to the address recently', async () => {
      const { store } = given();
      const { live } = await newWorld(store);
      const [old = 0, young = 0] = await accept(store, live, [
        { to: 'ann@x.example' },
        { to: 'ann@x.example', row: { created_at: NOW + 10 } },
        { to: 'bob@x.example' },
      ]);
      await receive(store, live, { row: { to_key: 'ann@x.example' } });
      const sent = async (scope: Scope, since: number) =>
        (await store.threads.sentTo(scope, 'ann@x.example', since)).map((row) => row.id);
      expect(await sent(live, NOW)).toEqual([young, old]);
      expect(await sent(live, NOW + 1)).toEqual([young]);
      expect(await sent({ ...live, subTenantId: 'tnt_a' }, NOW)).toEqual([]);
    });
  });
}
