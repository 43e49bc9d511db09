// Tests threads through the API: lists, reading, replying, closing, and permissions.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type {
  ThreadReplyRequest,
  ThreadInFullWire,
  ThreadWire,
} from '../../src/messages/threads/thread.schema.js';
import type { RelayedMail } from '../../src/messages/relayed/relayed.js';
import { updateThread } from '../../src/messages/threads/threads.js';
import { startMessageRig, type Answer, type MessageRig } from '../support/message-rig.js';
import { indexThreads } from '../../src/messages/threads/search-index.js';
import { receiveMail, type ReceivedWish } from '../support/received-mail.js';
import { senders } from '../../src/domains/domains.tables.js';
import { update } from '../../src/database/rows.js';

let rig: MessageRig;
let shared: MessageRig;
beforeAll(async () => {
  shared = await startMessageRig();
});
afterAll(() => shared.close());
const start = async (): Promise<void> => {
  rig = await startMessageRig({ beside: shared });
};
const close = (): Promise<void> => rig.close();
function withOneRig(): void {
  beforeAll(start);
  afterAll(close);
}
function withFreshRigs(): void {
  beforeEach(start);
  afterEach(close);
}

const receive = async (wish: Omit<ReceivedWish, 'at'>) => {
  const plan = await receiveMail(rig.store, { at: rig.clock.advance(1000), ...wish });
  return { id: plan.publicId, threadId: plan.threadId ?? '' };
};

/** Sends a message and receives its reply; returns the id of their thread. */
async function conversation(
  fields: Record<string, unknown> = {},
  wish: Partial<ReceivedWish> = {},
  key = rig.keys.test,
): Promise<string> {
  const sent = await rig.send(fields, {}, key);
  if (sent.status !== 202) throw new Error(sent.text);
  return (await receive({ target: sent.json.id, ...wish })).threadId;
}

async function list(query = '', request: Parameters<MessageRig['ask']>[2] = {}): Promise<ThreadWire[]> {
  const answer = await rig.ask('GET', `/v1/threads${query}`, request);
  expect(answer.status).toBe(200);
  return answer.json.data as unknown as ThreadWire[];
}
const listed = async (...args: Parameters<typeof list>) => (await list(...args)).map(({ id }) => id);

async function read(id: string, key = rig.keys.test): Promise<ThreadInFullWire> {
  const answer = await rig.ask('GET', `/v1/threads/${id}`, { key });
  expect(answer.status).toBe(200);
  return answer.json as unknown as ThreadInFullWire;
}

const reply = (
  id: string,
  body: ThreadReplyRequest | Record<string, unknown>,
  { key = rig.keys.test, headers = {} }: { key?: string; headers?: Record<string, string> } = {},
): Promise<Answer> => {
  rig.clock.advance(1000);
  return rig.ask('POST', `/v1/threads/${id}/reply`, { key, body, headers });
};

/** A field of the sent message, unfolded; null if it is missing. */
async function field(id: string, name: string, key = rig.keys.test): Promise<string | null> {
  const { text } = await rig.ask('GET', `/v1/messages/${id}/raw`, { key });
  const [header = ''] = text.replace(/\r\n[ \t]+/g, ' ').split('\r\n\r\n', 1);
  const line = header.split('\r\n').find((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}: `));
  return line?.slice(name.length + 2) ?? null;
}

describe('GET /v1/threads', () => {
  withFreshRigs();

  it('shows each conversation with its correspondent, its size and the last author', async () => {
    const id = await conversation();
    const at = '2026-01-02T03:04:06.678Z';
    expect(await list()).toEqual([
      {
        id,
        object: 'thread',
        subject: 'Hello',
        status: 'open',
        correspondent: { email: 'ann@example.com', name: 'Ann' },
        sub_tenant_id: null,
        inbox_id: null,
        unread: true,
        labels: [],
        assigned_to: null,
        messages: 2,
        last_message_at: at,
        last_direction: 'inbound',
        created_at: at,
        updated_at: at,
      },
    ]);
    await reply(id, { text: 'On its way.', bcc: ['boss@sender.example'] });
    expect(await list()).toMatchObject([
      { messages: 4, last_direction: 'outbound', last_message_at: '2026-01-02T03:04:07.678Z' },
    ]);
  });

  it('sorts by latest activity, and shows none twice if one moves up between pages', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift(await conversation({ to: `p${i}@example.com` }));
    expect(await listed()).toEqual(ids);
    const first = await rig.ask('GET', '/v1/threads?limit=2');
    expect(first.json.data.map((row) => row.id)).toEqual(ids.slice(0, 2));
    const [, , third = '', fourth = '', fifth = ''] = ids;
    await reply(third, { text: 'Moving up.' });
    const second = await rig.ask('GET', `/v1/threads?limit=2&cursor=${first.json.next_cursor ?? ''}`);
    expect(second.json.data.map((row) => row.id)).toEqual([fourth, fifth]);
    expect([second.json.has_more, second.json.next_cursor]).toEqual([false, null]);
    expect((await listed())[0]).toBe(third);
  });

  it('filters by status, correspondent in any notation, and sub-tenant', async () => {
    const tenant = await rig.addTenant();
    const own = await conversation();
    const tenants = await conversation({ sub_tenant_id: tenant }, { from: 'Bob@BÜCHER.example' });
    await rig.ask('PATCH', `/v1/threads/${own}`, { body: { status: 'closed' } });
    expect(await listed('?status=closed')).toEqual([own]);
    expect(await listed('?status=open')).toEqual([tenants]);
    expect(await listed('?correspondent=bob@xn--bcher-kva.example')).toEqual([tenants]);
    expect(await listed('?correspondent=ANN@example.COM')).toEqual([own]);
    expect(await listed('?correspondent=nobody')).toEqual([]);
    expect(await listed(`?sub_tenant_id=${tenant}`)).toEqual([tenants]);
    expect(await listed('', { headers: { 'x-sub-tenant-id': tenant } })).toEqual([tenants]);
    expect(await listed('?sub_tenant_id=tnt_other', { headers: { 'x-sub-tenant-id': tenant } })).toEqual([]);
    expect(await listed()).toEqual([tenants, own]);
  });

  it('searches the text, whatever characters the search has', async () => {
    const id = await conversation({}, { text: 'The café closes at noon' });
    await conversation({ to: 'bob@example.com' }, { from: 'bob@example.com', text: 'Another topic' });
    await indexThreads(rig.store, new AbortController().signal);
    expect(await listed('?q=CAFE%20clos')).toEqual([id]);
    expect(await listed('?q=ann%40example.com&status=open')).toEqual([id]);
    expect(await listed('?q=cafe&status=closed')).toEqual([]);
    expect((await listed('?q=example')).length).toBe(2);
    for (const q of [
      '"',
      '*',
      'cafe OR topic',
      'NEAR(cafe, 2)',
      "';--",
      '\\',
      '{',
      '\u{1F600}',
      '"caf\uD83D',
    ])
      expect(await listed(`?q=${encodeURIComponent(q.toWellFormed())}`)).toEqual([]);
    expect((await rig.ask('GET', `/v1/threads?q=${'a'.repeat(201)}`)).status).toBe(422);
  });

  it.each([
    ['?status=new', 422, 'status'],
    ['?correspondent=%00', 422, 'correspondent'],
    ['?sort=subject', 422, 'sort'],
    ['?cursor=bm9uZQ', 400, 'cursor'],
    [`?cursor=${Buffer.from('1 thr_x').toString('base64url')}`, 400, 'cursor'],
  ])('refuses %s', async (query, status, param) => {
    const answer = await rig.ask('GET', `/v1/threads${query}`);
    expect([answer.status, answer.json.error.param]).toEqual([status, param]);
  });
});

describe('GET /v1/threads/:id', () => {
  withOneRig();

  it('returns the messages, oldest first, with the full received ones', async () => {
    const sent = await rig.send();
    const { id: answerId, threadId } = await receive({
      target: sent.json.id,
      text: 'Yes, please.\r\n\r\nOn Fri, Jan 2, 2026 at 3:04 AM News <news@sender.example> wrote:\r\n> Hello\r\n',
    });
    const { recent, ...thread } = await read(threadId);
    expect(thread).toEqual((await list())[0]);
    expect(recent.map(({ id, direction }) => [id, direction])).toEqual([
      [sent.json.id, 'outbound'],
      [answerId, 'inbound'],
    ]);
    const alone = await rig.ask('GET', `/v1/messages/${answerId}`);
    expect(recent[1]).toEqual(alone.json);
    expect(recent[1]?.received).toMatchObject({ in_reply_to: sent.json.id, visible_text: 'Yes, please.' });
    expect(recent[0]?.received).toBeUndefined();
    const all = await rig.ask('GET', `/v1/messages?thread_id=${threadId}`);
    expect(all.json.data.map(({ id }) => id)).toEqual([answerId, sent.json.id]);
  });

  it('returns the last 25 messages, or fewer if they are very long', async () => {
    const sent = await rig.send();
    let threadId = '';
    for (let i = 0; i < 30; i++)
      ({ threadId } = await receive({ target: sent.json.id, text: `Number ${i}` }));
    const texts = (await read(threadId)).recent.map(({ received }) => received?.visible_text);
    expect(texts).toEqual(Array.from({ length: 25 }, (_, i) => `Number ${i + 5}`));
    const long = `${'word '.repeat(15)}\r\n`.repeat(12_000);
    for (let i = 0; i < 4; i++) await receive({ target: sent.json.id, text: long });
    const thread = await read(threadId);
    expect([thread.recent.length, thread.messages]).toEqual([2, 35]);
  });
});

describe('POST /v1/threads/:id/reply', () => {
  withOneRig();

  it('sends to the correspondent from the address that they wrote to, with the subject of the thread', async () => {
    const id = await conversation({ from: 'Shop <shop@sender.example>', subject: 'AW: Your order' });
    const answer = await reply(id, { text: 'On its way.', tags: ['answer'] });
    expect(answer.status).toBe(202);
    expect(answer.json).toMatchObject({
      object: 'message',
      status: 'queued',
      type: 'transactional',
      to: 'ann@example.com',
      from: { email: 'shop@sender.example', name: 'Shop' },
      subject: 'Re: Your order',
      thread_id: id,
      direction: 'outbound',
      tags: ['answer'],
      sandbox: true,
    });
    expect(await field(answer.json.id, 'To')).toBe('Ann <ann@example.com>');
    expect((await read(id)).recent.map((message) => message.id).at(-1)).toBe(answer.json.id);
  });

  it('uses the given fields and takes the others from the message', async () => {
    const id = await conversation();
    await rig.addTemplate('answer', { subject: 'Of the template', text: 'Dear {{name}}, yes.' });
    const answer = await reply(id, {
      template: 'answer',
      variables: { name: 'Bob' },
      to: 'Bob <bob@example.com>',
      cc: ['cc@example.com'],
      from: 'Help <help@sender.example>',
      reply_to: 'other@sender.example',
      headers: { 'X-One': '1', References: '<mine@x.example>' },
      attachments: [{ filename: 'a.txt', content: 'aGk=' }],
      metadata: { order: 7 },
      priority: 'high',
      send_at: '2026-01-03T00:00:00Z',
      track_opens: false,
    });
    expect(answer.json).toMatchObject({
      to: 'bob@example.com',
      from: { email: 'help@sender.example', name: 'Help' },
      reply_to: { email: 'other@sender.example', name: null },
      subject: 'Re: Hello',
      metadata: { order: 7 },
      priority: 'high',
      scheduled_at: '2026-01-03T00:00:00.000Z',
      copies: [{ to: 'cc@example.com' }],
      attachments: [{ filename: 'a.txt' }],
    });
    const content = await rig.ask('GET', `/v1/messages/${answer.json.id}/content`);
    expect(content.json).toMatchObject({ text: 'Dear Bob, yes.' });
    expect(await field(answer.json.id, 'References')).toBe('<mine@x.example>');
    const other = await reply(id, { text: 'Hi', subject: 'Something else' });
    expect(other.json.subject).toBe('Something else');
  });

  it.each([
    ['nothing to say', {}, 'content_required', 'html'],
    ['a type', { text: 'Hi', type: 'marketing' }, 'validation_error', 'type'],
    ['another thread', { text: 'Hi', thread_id: 'thr_x' }, 'validation_error', 'thread_id'],
    ['a sub-tenant', { text: 'Hi', sub_tenant_id: 'tnt_x' }, 'validation_error', 'sub_tenant_id'],
    ['a broken address', { text: 'Hi', to: 'nobody' }, 'validation_error', 'to'],
  ])('refuses %s', async (_, body, code, param) => {
    const answer = await reply(await conversation(), body);
    expect([answer.status, answer.json.error.code, answer.json.error.param]).toEqual([422, code, param]);
  });

  it('opens a closed thread', async () => {
    const id = await conversation();
    await rig.ask('PATCH', `/v1/threads/${id}`, { body: { status: 'closed' } });
    await reply(id, { text: 'One more thing.' });
    expect((await read(id)).status).toBe('open');
  });

  it('is suppressed if the correspondent is suppressed', async () => {
    const id = await conversation({}, { from: 'gone@example.com' });
    await rig.suppress('test', 'gone@example.com', 'bounce');
    const { json } = await reply(id, { text: 'Hi' });
    expect(json.status).toBe('queued');
    expect((await rig.ask('GET', `/v1/messages/${json.id}`)).json.status).toBe('suppressed');
  });

  it('is refused if the correspondent gave no address', async () => {
    const id = await conversation({}, { from: 'nobody', mailFrom: '' });
    const refused = await reply(id, { text: 'Hi' });
    expect([refused.status, refused.json.error.param]).toEqual([422, 'to']);
    expect((await reply(id, { text: 'Hi', to: 'ann@example.com' })).status).toBe(202);
  });

  it('is sent whatever display names outsiders use', async () => {
    const name = '=?utf-8?B?'.concat(Buffer.from(`A\u0085nn ${'😀'.repeat(300)}`).toString('base64'), '?=');
    const id = await conversation({ subject: '😀'.repeat(499) }, { from: `${name} <ann@example.com>` });
    const { status, json } = await reply(id, { text: 'Hi' });
    expect(status, JSON.stringify(json)).toBe(202);
    expect(json.subject.length).toBeLessThanOrEqual(998);
    expect(json.subject.isWellFormed()).toBe(true);
  });
});

describe('the recipient of a reply', () => {
  withOneRig();

  const to = async (wish: Partial<ReceivedWish>): Promise<string> =>
    (await reply(await conversation({}, wish), { text: 'Hi' })).json.to;
  const replyTo = ['Reply-To: Desk <desk@elsewhere.example>'];

  it('is the Reply-To of a mail that passed DMARC', async () => {
    const id = await conversation({}, { headers: replyTo, dmarc: 'pass' });
    const { json } = await reply(id, { text: 'Hi' });
    expect([json.to, await field(json.id, 'To')]).toEqual([
      'desk@elsewhere.example',
      'Desk <desk@elsewhere.example>',
    ]);
  });

  it.each(['fail', 'none', 'temperror', undefined] as const)(
    'is not the Reply-To of a mail with DMARC %s, which anyone may have written',
    async (dmarc) => {
      const wish = dmarc === undefined ? {} : { dmarc };
      expect(await to({ headers: replyTo, ...wish })).toBe('ann@example.com');
    },
  );

  it('is not the Reply-To of another person who has the signed address', async () => {
    const sent = await rig.send();
    const { threadId } = await receive({ target: sent.json.id });
    await receive({ target: sent.json.id, from: 'mal@example.com', headers: replyTo, dmarc: 'pass' });
    expect((await reply(threadId, { text: 'Hi' })).json.to).toBe('ann@example.com');
  });

  it('is not an invalid Reply-To', async () => {
    expect(await to({ headers: ['Reply-To: desk@localhost'], dmarc: 'pass' })).toBe('ann@example.com');
  });
});

describe('the sender of a reply', () => {
  withFreshRigs();

  /** Receives a mail to a mailbox of the sub-tenant that is not a reply. */
  async function mailbox(tenant: string, rcptTo = 'help@reply.tenant.example'): Promise<string> {
    const subject = 'A question';
    return (await receive({ target: tenant, rcptTo, subject })).threadId;
  }
  const from = async (id: string): Promise<string> =>
    (await reply(id, { text: 'Hi' }, { key: rig.keys.live })).json.from.email;

  it('is the address that was written to', async () => {
    const id = await mailbox(await rig.addTenant());
    expect(await from(id)).toBe('help@reply.tenant.example');
  });

  it("is that of Mailkeel's last message if it is verified, or else the next best one", async () => {
    const tenant = await rig.addTenant();
    const sender = await rig.addSender({ sub_tenant_id: tenant, identity: 'desk@other.example' });
    const id = await mailbox(tenant);
    const first = await reply(id, { text: 'Hi', from: 'Desk <desk@other.example>' }, { key: rig.keys.live });
    expect(first.status).toBe(202);
    await receive({ target: tenant, rcptTo: 'help@reply.tenant.example', subject: 'Re: A question' });
    expect(await from(id)).toBe('desk@other.example');
    const set = { deleted_at: rig.clock.now() };
    await rig.commit(update(senders, { set, where: { id: sender } }));
    expect(await from(id)).toBe('help@reply.tenant.example');
  });

  it('is never a signed address, but the default sender, and without one the reply is refused', async () => {
    const id = await conversation({ from: 'a@sender.example' }, {}, rig.keys.live);
    const gone = { deleted_at: rig.clock.now() };
    await rig.commit(update(senders, { set: gone, where: { identity: 'sender.example' } }));
    const refused = await reply(id, { text: 'Hi' }, { key: rig.keys.live });
    expect([refused.status, refused.json.error.code]).toEqual([422, 'sender_required']);
    await rig.addSender({ identity: 'me@default.example', is_default: 1 });
    expect(await from(id)).toBe('me@default.example');
  });

  it("is the sandbox's as a last resort", async () => {
    const id = await conversation({ from: undefined });
    expect((await reply(id, { text: 'Hi' })).json.from.email).toBe('sandbox@service.test');
  });
});

describe('In-Reply-To and References', () => {
  withOneRig();

  const ids = async (id: string, key = rig.keys.test) => [
    await field(id, 'In-Reply-To', key),
    await field(id, 'References', key),
  ];
  const messageId = async (id: string) => (await field(id, 'Message-ID')) ?? '';

  it('connect several rounds', async () => {
    const sent = await rig.send();
    const [m1, r1, r2] = [await messageId(sent.json.id), '<r1@example.com>', '<r2@example.com>'];
    const { threadId } = await receive({
      target: sent.json.id,
      messageId: r1,
      headers: [`In-Reply-To: ${m1}`, `References: ${m1}`],
    });
    const first = await reply(threadId, { text: 'One' });
    const m2 = await messageId(first.json.id);
    expect(await ids(first.json.id)).toEqual([r1, `${m1} ${r1}`]);
    const follow = await reply(threadId, { text: 'One, and a half' });
    expect(await ids(follow.json.id)).toEqual([r1, `${m1} ${r1}`]);
    const again = await receive({
      target: first.json.id,
      messageId: r2,
      headers: [`In-Reply-To: ${m2}`, `References: ${m1} ${r1} ${m2}`],
    });
    expect(again.threadId).toBe(threadId);
    const second = await reply(threadId, { text: 'Two' });
    expect(await ids(second.json.id)).toEqual([r2, `${m1} ${r1} ${m2} ${r2}`]);
  });

  it("refer to the thread's message if the received mail has no references", async () => {
    const sent = await rig.send({ headers: { References: '<earlier@x.example>' } });
    const m1 = await messageId(sent.json.id);
    const { threadId } = await receive({ target: sent.json.id, messageId: '<r1@example.com>' });
    const { json } = await reply(threadId, { text: 'One' });
    expect(await ids(json.id)).toEqual(['<r1@example.com>', `<earlier@x.example> ${m1} <r1@example.com>`]);
    expect(await field(json.id, 'Auto-Submitted', rig.keys.test)).toBeNull();
  });

  it('continue from the In-Reply-To of a mail without References', async () => {
    const tenant = await rig.addTenant();
    const { threadId } = await receive({
      target: tenant,
      rcptTo: 'help@reply.tenant.example',
      messageId: '<r1@example.com>',
      headers: ['In-Reply-To: <theirs@x.example>'],
    });
    const { json } = await reply(threadId, { text: 'One' }, { key: rig.keys.live });
    expect(await ids(json.id, rig.keys.live)).toEqual([
      '<r1@example.com>',
      '<theirs@x.example> <r1@example.com>',
    ]);
  });

  it('remain in the thread if the received mail has no Message-ID', async () => {
    const sent = await rig.send();
    const m1 = await messageId(sent.json.id);
    const { threadId } = await receive({ target: sent.json.id, messageId: null });
    const { json } = await reply(threadId, { text: 'One' });
    expect(await ids(json.id)).toEqual([null, m1]);
  });

  it('include the references of a relayed message', async () => {
    const raw = Buffer.from(
      'From: a@sender.example\r\nTo: ann@example.com\r\nSubject: Hello\r\nMessage-ID: <own@client.example>\r\n' +
        'References: <old@client.example>\r\n <older@client.example>\r\n\r\nHello\r\n',
    );
    const scope = await rig.scopeOf('test');
    const context = { actor: 'api_key', keyId: null, policy: null, idempotencyHeader: null } as const;
    const { message } = await rig.submission.relay(scope, relayed(raw, '<own@client.example>'), context);
    const { threadId } = await receive({ target: message.public_id, messageId: '<r1@example.com>' });
    const { json } = await reply(threadId, { text: 'One' });
    const before = '<old@client.example> <older@client.example> <own@client.example>';
    expect(await ids(json.id)).toEqual(['<r1@example.com>', `${before} <r1@example.com>`]);
  });

  it("refer to the person's mail and not to a later automatic reply", async () => {
    const sent = await rig.send();
    const { threadId } = await receive({ target: sent.json.id, messageId: '<r1@example.com>' });
    await receive({ target: sent.json.id, messageId: '<away@example.com>', autoReply: 'vacation' });
    const { json } = await reply(threadId, { text: 'One' });
    expect((await ids(json.id))[0]).toBe('<r1@example.com>');
  });
});

describe('the idempotency key of a reply', () => {
  withOneRig();

  it('creates one message, even if new mail has arrived', async () => {
    const sent = await rig.send();
    const { threadId } = await receive({ target: sent.json.id });
    const body = { text: 'Hi', idempotency_key: 'one' };
    const first = await reply(threadId, body);
    await receive({
      target: sent.json.id,
      headers: ['Reply-To: desk@elsewhere.example'],
      dmarc: 'pass',
    });
    const again = await reply(threadId, body);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([202, 'true']);
    expect(again.json).toEqual(first.json);
    const byHeader = await reply(threadId, { text: 'Hi' }, { headers: { 'idempotency-key': 'one' } });
    expect(byHeader.json.id).toBe(first.json.id);
    expect((await read(threadId)).messages).toBe(4);
  });

  it('is bound to one text and one thread', async () => {
    const [a, b] = [await conversation(), await conversation({ to: 'bob@example.com' })];
    await reply(a, { text: 'Hi', idempotency_key: 'two' });
    for (const other of [
      await reply(a, { text: 'Ho', idempotency_key: 'two' }),
      await reply(b, { text: 'Hi', idempotency_key: 'two' }),
    ]) {
      expect([other.status, other.json.error.code]).toEqual([409, 'idempotency_key_reused']);
    }
    const differs = await reply(
      a,
      { text: 'Hi', idempotency_key: 'two' },
      { headers: { 'idempotency-key': 'x' } },
    );
    expect([differs.status, differs.json.error.code]).toEqual([400, 'idempotency_key_mismatch']);
  });

  it('creates one message for simultaneous requests', async () => {
    const id = await conversation();
    const body = { text: 'Hi', idempotency_key: 'race' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => reply(id, body)));
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
  });
});

describe('PATCH /v1/threads/:id', () => {
  withOneRig();

  it('closes and opens, and repeating it changes nothing', async () => {
    const id = await conversation();
    const patch = (body: unknown) => {
      rig.clock.advance(1000);
      return rig.ask('PATCH', `/v1/threads/${id}`, { body });
    };
    const closed = await patch({ status: 'closed' });
    expect([closed.status, closed.json]).toMatchObject([200, { id, status: 'closed', messages: 2 }]);
    const again = await patch({ status: 'closed' });
    expect([again.status, again.json]).toEqual([200, closed.json]);
    expect((await list())[0]).toEqual(closed.json);
    expect((await patch({ status: 'open' })).json.status).toBe('open');
    for (const body of [{}, { status: 'done' }, { status: 'open', subject: 'x' }])
      expect((await patch(body)).status).toBe(422);
  });

  it('marks it as read until the correspondent writes again, and a reply does so too', async () => {
    const sent = await rig.send();
    const { threadId } = await receive({ target: sent.json.id });
    const unread = async (): Promise<boolean> => (await listed('?unread=true')).includes(threadId);
    expect(await unread()).toBe(true);
    const patched = await rig.ask('PATCH', `/v1/threads/${threadId}`, { body: { unread: false } });
    expect(patched.json).toMatchObject({ unread: false, status: 'open' });
    expect([await unread(), await listed('?unread=false')]).toEqual([false, [threadId]]);
    await receive({ target: sent.json.id });
    expect(await unread()).toBe(true);
    await reply(threadId, { text: 'Done.' });
    expect(await unread()).toBe(false);
  });

  it('sets labels and an assignee, by which threads are found', async () => {
    const [id] = [await conversation(), await conversation({ to: 'bob@example.com' })];
    const key = await rig.ask('POST', '/v1/api-keys', {
      ...{ key: rig.keys.live, body: { name: 'Agent', permission: 'send', mode: 'test' } },
    });
    const body = { labels: ['to_do', 'billing', 'to_do'], assigned_to: key.json.id };
    const patched = await rig.ask('PATCH', `/v1/threads/${id}`, { body });
    expect(patched.json).toMatchObject({ labels: ['to_do', 'billing'], assigned_to: key.json.id });
    expect(await listed('?label=to_do')).toEqual([id]);
    expect(await listed('?label=to-do')).toEqual([]);
    expect(await listed(`?assigned_to=${key.json.id}`)).toEqual([id]);
    for (const wrong of [{ labels: ['Billing'] }, { assigned_to: 'usr_01kdyak3se4w5amvgkazjzkvb7' }]) {
      expect((await rig.ask('PATCH', `/v1/threads/${id}`, { body: wrong })).status).toBe(422);
    }
    const none = await rig.ask('PATCH', `/v1/threads/${id}`, { body: { labels: [], assigned_to: null } });
    expect(none.json).toMatchObject({ labels: [], assigned_to: null });
  });

  it('reports which fields have changed', async () => {
    const id = await conversation();
    await rig.ask('PATCH', `/v1/threads/${id}`, { body: { labels: ['billing'], status: 'closed' } });
    await rig.ask('PATCH', `/v1/threads/${id}`, { body: { labels: ['billing'] } });
    const { json } = await rig.ask('GET', '/v1/events?events=thread.updated');
    const told = json.data as unknown as { data: { id: string } }[];
    expect(told.filter(({ data }) => data.id === id)).toMatchObject([
      { event: 'thread.updated', actor: 'api', data: { id, metadata: { changed: ['status', 'labels'] } } },
    ]);
  });

  it('keeps changes made since the thread was read', async () => {
    const id = await conversation();
    const scope = await rig.scopeOf('test');
    const before = await rig.store.threads.thread(scope, id);
    if (before === null) throw new Error('no thread');
    await rig.ask('PATCH', `/v1/threads/${id}`, { body: { unread: false } });
    await updateThread({ store: rig.store, clock: rig.clock.now }, scope, before, { labels: ['billing'] });
    expect(await read(id)).toMatchObject({ unread: false, labels: ['billing'] });
  });

  it('closes a thread until the next reply opens it', async () => {
    const sent = await rig.send();
    const { threadId } = await receive({ target: sent.json.id });
    await rig.ask('PATCH', `/v1/threads/${threadId}`, { body: { status: 'closed' } });
    await receive({ target: sent.json.id, autoReply: 'vacation' });
    expect((await read(threadId)).status).toBe('closed');
    await receive({ target: sent.json.id });
    expect((await read(threadId)).status).toBe('open');
  });
});

describe('the visibility of a thread', () => {
  withFreshRigs();

  it('is limited to its environment, and for restricted keys to their sub-tenant', async () => {
    const [tenant, sibling] = [await rig.addTenant(), await rig.addTenant({ sending_domain: 'two.example' })];
    const pinned = await rig.addKey('test', tenant);
    const id = await conversation({ sub_tenant_id: tenant });
    const own = await conversation({ to: 'own@example.com' });
    expect(await listed('', { key: pinned })).toEqual([id]);
    expect((await read(id, pinned)).sub_tenant_id).toBe(tenant);
    expect(await listed()).toEqual([own, id]);
    expect(await listed('', { key: rig.keys.live })).toEqual([]);
    const outsiders = [
      { key: await rig.addKey('test', sibling), id },
      { key: pinned, id: own },
      { key: rig.keys.live, id },
      { key: rig.keys.test, id: `thr_${'0'.repeat(26)}` },
      { key: rig.keys.test, id: 'thr_x' },
    ];
    for (const { key, id: foreign } of outsiders) {
      const answers = [
        await rig.ask('GET', `/v1/threads/${foreign}`, { key }),
        await rig.ask('PATCH', `/v1/threads/${foreign}`, { key, body: { status: 'closed' } }),
        await reply(foreign, { text: 'Hi', from: 'a@tenant.example' }, { key }),
      ];
      expect(answers.map(({ status, json }) => [status, json.error.code])).toEqual(
        Array.from({ length: 3 }, () => [404, 'not_found']),
      );
    }
    expect((await read(id)).status).toBe('open');
  });

  it('makes replies use the thread’s sub-tenant, even with a key that is not pinned', async () => {
    const tenant = await rig.addTenant();
    const id = await conversation({ sub_tenant_id: tenant });
    const answer = await reply(id, { text: 'Hi' });
    expect(answer.json.sub_tenant_id).toBe(tenant);
    const narrowed = await reply(id, { text: 'Hi' }, { headers: { 'x-sub-tenant-id': tenant } });
    expect(narrowed.json.sub_tenant_id).toBe(tenant);
  });

  it('requires a sending key to reply and to close', async () => {
    const id = await conversation();
    const key = await addKey('read');
    expect((await rig.ask('GET', '/v1/threads', { key })).status).toBe(200);
    expect((await reply(id, { text: 'Hi' }, { key })).status).toBe(403);
    const closing = { key, body: { status: 'closed' } };
    expect((await rig.ask('PATCH', `/v1/threads/${id}`, closing)).status).toBe(403);
  });
});

async function addKey(permission: 'read'): Promise<string> {
  const { json } = await rig.ask('POST', '/v1/api-keys', {
    body: { name: 'reader', permission, mode: 'test' },
  });
  return (json as unknown as { secret: string }).secret;
}

function relayed(raw: Buffer, id: string): RelayedMail {
  const to = { email: 'ann@example.com', name: null };
  return {
    raw,
    recipients: [{ email: to.email, dsn: null }],
    from: { email: 'a@sender.example', name: null },
    otherOriginators: [],
    options: {},
    replyTo: [],
    to: [to],
    cc: [],
    subject: 'Hello',
    html: null,
    text: 'Hello\n',
    attachments: [],
    rfcMessageId: id.slice(1, -1),
    type: 'transactional',
    priority: 'normal',
    tags: [],
    metadata: '{}',
    subTenantId: null,
    idempotencyKey: null,
    sendAt: null,
    expiresAt: null,
    tlsTerms: 'policy',
    received: 'by mail.example with ESMTPSA id 1; Fri, 2 Jan 2026 03:04:05 +0000',
    trackOpens: false,
    trackClicks: false,
  };
}
