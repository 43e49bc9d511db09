// Tests inboxes through the API: created once, listed, changed and deleted; their messages, and waiting for the next one.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, type MessageRig, startMessageRig } from '../support/message-rig.js';
import { receiveMail, type ReceivedWish } from '../support/received-mail.js';
import { waitFor } from '../support/wait.js';

let shared: MessageRig;
let rig: MessageRig;
let tenant: string;
beforeAll(async () => {
  shared = await startMessageRig();
});
afterAll(() => shared.close());
let count = 0;
let domain: string;
beforeEach(async () => {
  rig = await startMessageRig({ beside: shared });
  domain = `reply.shop${++count}.example`;
  tenant = await addDomain(`shop${count}.example`, 1);
});

const addDomain = (name: string, receives: 0 | 1): Promise<string> =>
  rig.addTenant({ sending_domain: name, inbound_ok: receives, verified_at: rig.clock.now() });
const live = () => ({ key: rig.keys.live });
const create = (body: Record<string, unknown>, key = rig.keys.live): Promise<Answer> =>
  rig.ask('POST', '/v1/inboxes', { key, body: { domain, client_id: 'agent', ...body } });
const created = async (body: Record<string, unknown> = {}): Promise<{ id: string; address: string }> => {
  const { status, json, text } = await create(body);
  expect([status, text]).toEqual([201, text]);
  return json as unknown as { id: string; address: string };
};
const receive = (rcptTo: string, wish: Partial<ReceivedWish> = {}) =>
  receiveMail(rig.store, {
    target: tenant,
    rcptTo,
    subject: 'A question',
    at: rig.clock.advance(1000),
    ...wish,
  });
const messages = (id: string, query = '', key = rig.keys.live) =>
  rig.ask('GET', `/v1/inboxes/${id}/messages${query}`, { key });
const subjects = ({ json }: Answer): string[] => json.data.map(({ subject }) => subject);
const errorOf = ({ status, json }: Answer) => [status, json.error.code];

async function addKey(fields: Record<string, unknown> = {}): Promise<{ id: string; secret: string }> {
  const body = { name: 'Agent', permission: 'send', policy: { max_recipients: 1 }, ...fields };
  const { json, text } = await rig.ask('POST', '/v1/api-keys', { ...live(), body });
  expect(text).toContain('"secret"');
  return json as unknown as { id: string; secret: string };
}

describe('POST /v1/inboxes', () => {
  it('makes an address that can be read out, on a domain of the workspace', async () => {
    const { status, json } = await create({ name: 'Support' });
    expect(status).toBe(201);
    expect(json).toEqual({
      id: expect.stringMatching(/^ibx_/) as string,
      object: 'inbox',
      address: expect.stringMatching(new RegExp(`^[a-z]+-[a-z]+-\\d{4}@${domain}$`)) as string,
      name: 'Support',
      client_id: 'agent',
      policy_key: null,
      sub_tenant_id: tenant,
      created_at: expect.any(String) as string,
      updated_at: expect.any(String) as string,
    });
  });

  it('returns the same inbox for the same client_id and parameters, and refuses others', async () => {
    const first = await created({ name: 'Support' });
    const again = await create({ name: 'Support' });
    expect([again.status, again.json.id]).toEqual([200, first.id]);
    expect(errorOf(await create({ name: 'Sales' }))).toEqual([409, 'conflict']);
  });

  it('makes one of simultaneous requests', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => create({})));
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  it('refuses an address that has an inbox, in any spelling', async () => {
    await created({ domain: undefined, address: `help@${domain}` });
    const taken = await create({ domain: undefined, address: `HELP@${domain}`, client_id: 'other' });
    expect(errorOf(taken)).toEqual([409, 'conflict']);
  });

  it.each([
    ['neither an address nor a domain', { domain: undefined }],
    ['both', { address: 'help@reply.shop.example' }],
    ['a domain of nobody', { domain: 'reply.nobody.example' }],
    ['an invalid address', { domain: undefined, address: 'help' }],
    ['an address that Mailkeel signs', { domain: undefined, address: 'reply+x@reply.shop.example' }],
    ['a name with a line break', { name: 'a\nb' }],
  ])('refuses %s', async (_what, body) => {
    expect(errorOf(await create(body))).toEqual([422, 'validation_error']);
  });

  it("refuses a domain without MX record, another workspace's, and the sandbox", async () => {
    await addDomain(`dry${count}.example`, 0);
    const dry = await create({ domain: `reply.dry${count}.example` });
    expect(dry.text).toContain('does not receive mail yet');
    const other = await startMessageRig({ beside: shared });
    const foreign = await other.ask('POST', '/v1/inboxes', {
      ...{ key: other.keys.live, body: { domain, client_id: 'agent' } },
    });
    expect(errorOf(foreign)).toEqual([422, 'validation_error']);
    expect(errorOf(await create({}, rig.keys.test))).toEqual([409, 'conflict']);
  });
});

describe('an inbox', () => {
  it('is listed, read, renamed and deleted, and its messages stay', async () => {
    const { id, address } = await created();
    await receive(address);
    const listed = await rig.ask('GET', `/v1/inboxes?address=${address}`, live());
    expect(listed.json.data.map((one) => one.id)).toEqual([id]);
    const renamed = await rig.ask('PATCH', `/v1/inboxes/${id}`, { ...live(), body: { name: 'Sales' } });
    expect(renamed.json).toMatchObject({ id, name: 'Sales' });
    expect((await rig.ask('DELETE', `/v1/inboxes/${id}`, live())).status).toBe(200);
    expect((await rig.ask('GET', `/v1/inboxes/${id}`, live())).status).toBe(404);
    expect((await rig.ask('GET', '/v1/threads', live())).json.data).toHaveLength(1);
  });

  it('names the threads of mail to its address', async () => {
    const { id, address } = await created();
    await receive(address);
    await receive(`other@${domain}`, { from: 'bob@example.com' });
    const { json } = await rig.ask('GET', `/v1/threads?inbox_id=${id}`, live());
    expect(json.data).toMatchObject([{ inbox_id: id, correspondent: { email: 'ann@example.com' } }]);
  });

  it('ends with its sub-tenant', async () => {
    const { id } = await created();
    expect((await rig.ask('DELETE', `/v1/sub-tenants/${tenant}`, live())).status).toBe(200);
    expect((await rig.ask('GET', `/v1/inboxes/${id}`, live())).status).toBe(404);
  });
});

describe('GET /v1/inboxes/:id/messages', () => {
  it('has the received messages in full, newest first, in pages', async () => {
    const { id, address } = await created();
    for (const subject of ['One', 'Two', 'Three']) await receive(address, { subject, text: `${subject}!` });
    await receive(`other@${domain}`);
    const first = await messages(id, '?limit=2');
    expect(subjects(first)).toEqual(['Three', 'Two']);
    expect(first.json.data[0]).toMatchObject({ direction: 'inbound', received: { visible_text: 'Three!' } });
    expect(subjects(await messages(id, `?limit=2&cursor=${first.json.next_cursor}`))).toEqual(['One']);
  });

  it('filters by sender and time', async () => {
    const { id, address } = await created();
    await receive(address, { from: 'Bob <bob@example.com>', subject: 'Bob' });
    const since = new Date(rig.clock.advance(1000)).toISOString();
    await receive(address, { subject: 'Ann' });
    expect(subjects(await messages(id, '?from=BOB@example.com'))).toEqual(['Bob']);
    expect(subjects(await messages(id, `?since=${since}`))).toEqual(['Ann']);
  });

  it('filters by the state and the labels of the thread', async () => {
    const { id, address } = await created();
    await receive(address, { from: 'Bob <bob@example.com>', subject: 'Bob' });
    const { threadId, publicId } = await receive(address, { subject: 'Ann' });
    const change = { unread: false, labels: ['billing', 'to_do'] };
    await rig.ask('PATCH', `/v1/threads/${threadId}`, { ...live(), body: change });
    expect(subjects(await messages(id, '?unread=true'))).toEqual(['Bob']);
    expect(subjects(await messages(id, '?unread=false'))).toEqual(['Ann']);
    expect(subjects(await messages(id, '?label=to_do'))).toEqual(['Ann']);
    expect(subjects(await messages(id, '?label=do'))).toEqual([]);
    const waiting = messages(id, `?wait=60&unread=true&after=${publicId}`);
    await receive(address, { from: 'Eve <eve@example.com>', subject: 'Eve' });
    expect(subjects(await waiting)).toEqual(['Eve']);
  });

  it('continues after a message, oldest first', async () => {
    const { id, address } = await created();
    const { publicId } = await receive(address, { subject: 'One' });
    for (const subject of ['Two', 'Three']) await receive(address, { subject });
    expect(subjects(await messages(id, `?after=${publicId}`))).toEqual(['Two', 'Three']);
    expect((await messages(id, '?after=msg_01kdyak3se4w5amvgkazjzkvb7')).status).toBe(404);
  });

  it('waits for the next message', async () => {
    const { id, address } = await created();
    const { publicId } = await receive(address, { subject: 'Earlier' });
    const waiting = messages(id, `?wait=60&after=${publicId}`);
    await receive(address, { subject: 'Next' });
    expect(subjects(await waiting)).toEqual(['Next']);
  }, 40_000);

  it('immediately returns mail after a message, and an empty list after the timeout', async () => {
    const { id, address } = await created();
    const { publicId } = await receive(address, { subject: 'One' });
    const second = await receive(address, { subject: 'Two' });
    expect(subjects(await messages(id, `?wait=60&after=${publicId}`))).toEqual(['Two']);
    const over = await messages(id, `?wait=1&after=${second.publicId}`);
    expect([over.status, over.json.data, over.json.has_more]).toEqual([200, [], false]);
  });

  it('ends the wait of a key that was revoked, and for an inbox that was deleted', async () => {
    const { id, address } = await created();
    const key = await addKey({ policy: undefined });
    const waiting = messages(id, '?wait=60', key.secret);
    expect((await rig.ask('DELETE', `/v1/api-keys/${key.id}`, live())).status).toBe(200);
    await receive(address);
    expect(errorOf(await waiting)).toEqual([401, 'unauthorized']);

    const { publicId } = await receive(address);
    const other = messages(id, `?wait=60&after=${publicId}`);
    expect((await rig.ask('DELETE', `/v1/inboxes/${id}`, live())).status).toBe(200);
    await receive(address);
    expect(errorOf(await other)).toEqual([404, 'not_found']);
  }, 40_000);

  it('lets a key wait in ten requests, and frees their places', async () => {
    const { id } = await created();
    const waiting = Array.from({ length: 10 }, () => messages(id, '?wait=3'));
    const refused = await waitFor('a refusal', async () => {
      const answer = await messages(id, '?wait=1');
      return answer.status === 429 ? answer : null;
    });
    expect(refused?.headers['retry-after']).toBe('5');
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect((await messages(id, '?wait=1')).status).toBe(200);
  }, 20_000);
});

describe('the policy key of an inbox', () => {
  const reply = async (address: string, key = rig.keys.live) => {
    const { threadId } = await receive(address, { subject: `Question ${rig.clock.now()}` });
    const body = { text: 'Yes', to: ['a@example.com', 'b@example.com'] };
    return rig.ask('POST', `/v1/threads/${threadId}/reply`, { key, body });
  };
  it('applies its send policy to replies of others', async () => {
    const key = await addKey();
    const { id, address } = await created({ policy_key: key.id });
    const refused = await reply(address);
    expect([...errorOf(refused), refused.text]).toEqual([403, 'policy_violation', refused.text]);
    await rig.ask('PATCH', `/v1/inboxes/${id}`, { ...live(), body: { policy_key: null } });
    expect((await reply(address)).status).toBe(202);
  });

  it('refuses replies once it is revoked', async () => {
    const key = await addKey();
    const { address } = await created({ policy_key: key.id });
    expect((await rig.ask('DELETE', `/v1/api-keys/${key.id}`, live())).status).toBe(200);
    const refused = await reply(address);
    expect(errorOf(refused)).toEqual([409, 'conflict']);
    expect(refused.json.error.message).toContain('policy key was revoked');
  });

  it('is an active key of the environment that can only send', async () => {
    const reader = await addKey({ permission: 'read', policy: undefined });
    const sandbox = await addKey({ mode: 'test' });
    for (const policy_key of [reader.id, sandbox.id, 'key_01kdyak3se4w5amvgkazjzkvb7']) {
      expect(errorOf(await create({ policy_key }))).toEqual([422, 'validation_error']);
    }
  });

  it('does not bypass the policy of the key that replies', async () => {
    const [narrow, wide] = [await addKey(), await addKey({ policy: { max_recipients: 50 } })];
    expect(errorOf(await create({ policy_key: wide.id }, narrow.secret))).toEqual([403, 'forbidden']);
    const { id, address } = await created({ policy_key: wide.id });
    expect(errorOf(await reply(address, narrow.secret))).toEqual([403, 'forbidden']);
    const change = (policy_key: string | null, key: string) =>
      rig.ask('PATCH', `/v1/inboxes/${id}`, { key, body: { policy_key } });
    expect(errorOf(await change(narrow.id, narrow.secret))).toEqual([403, 'forbidden']);
    const remove = { key: narrow.secret };
    expect(errorOf(await rig.ask('DELETE', `/v1/inboxes/${id}`, remove))).toEqual([403, 'forbidden']);
    expect((await change(null, rig.keys.live)).status).toBe(200);
    // Others would reply with its policy, and it could change their drafts.
    expect(errorOf(await change(narrow.id, narrow.secret))).toEqual([403, 'forbidden']);
    expect(errorOf(await rig.ask('DELETE', `/v1/inboxes/${id}`, remove))).toEqual([403, 'forbidden']);
    expect((await change(narrow.id, rig.keys.live)).status).toBe(200);
    expect(errorOf(await change(null, narrow.secret))).toEqual([403, 'forbidden']);
    expect((await rig.ask('DELETE', `/v1/inboxes/${id}`, remove)).status).toBe(200);
  });

  it('is not a key with a send policy that takes over an address with mail', async () => {
    const key = await addKey();
    const address = `support@${domain}`;
    await receive(address);
    expect(errorOf(await take(address))).toEqual([403, 'forbidden']);
    expect((await take(`agent@${domain}`)).status).toBe(201);
    // Without a policy key, the inbox changes nothing for people.
    expect((await take(address, { client_id: 'other', policy_key: null })).status).toBe(201);

    function take(wanted: string, fields: Record<string, unknown> = {}): Promise<Answer> {
      const body = { domain: undefined, address: wanted, policy_key: key.id, ...fields };
      return create(body, key.secret);
    }
  });

  it('stays the same key when it is rotated, also once the old one is revoked', async () => {
    const key = await addKey();
    const { id, address } = await created({ policy_key: key.id });
    const rotated = await rig.ask('POST', `/v1/api-keys/${key.id}/rotate`, { ...live(), body: {} });
    const { secret } = rotated.json as unknown as { secret: string };
    expect(errorOf(await reply(address, secret))).toEqual([403, 'policy_violation']);
    expect(errorOf(await reply(address, key.secret))).toEqual([403, 'policy_violation']);
    rig.clock.advance(30 * 24 * 3_600_000);
    expect(errorOf(await reply(address))).toEqual([403, 'policy_violation']);
    expect((await rig.ask('DELETE', `/v1/api-keys/${key.id}`, live())).status).toBe(200);
    expect(errorOf(await reply(address))).toEqual([403, 'policy_violation']);
    const rename = { key: secret, body: { name: 'Agent' } };
    expect((await rig.ask('PATCH', `/v1/inboxes/${id}`, rename)).status).toBe(200);
  });
});
