// Tests approvals with the assembled program: which messages are held, who decides, and what happens to the message.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SendPolicyInput } from '../../src/contract/send-policy.js';
import { update } from '../../src/database/rows.js';
import { organizations } from '../../src/accounts/accounts.tables.js';
import type { SubTenantSettings } from '../../src/domains/sub-tenants/sub-tenant.view.js';
import { createRecordReader } from '../../src/webhooks/records.view.js';
import { Approvals } from '../../src/messages/approvals/approvals.js';
import { type Browser, createPeopleRigs, PASSWORD, type PeopleRig } from '../support/people-rig.js';

const rigs = createPeopleRigs();
let rig: PeopleRig;
let olga: Browser;
afterAll(() => rigs.close());
beforeAll(async () => {
  rig = await rigs.start();
  olga = await rig.signedIn();
});

interface Approval {
  id: string;
  status: string;
  message_id: string;
  content_hash: string;
  version: number;
  differences: { field: string; value: string }[];
  recipients: number;
  to: string;
  problem: string | null;
  messages: { message_id: string; to: string; status: string }[];
  content: { html: string | null; text: string | null; headers: Record<string, string> };
  decided_by: { id: string; email: string } | null;
}

const TEST = { 'x-environment': 'test' };
const MAIL = { from: 'robot@shop.example', to: 'eve@evil.example', subject: 'Hello', text: 'Hi' };

async function makeKey(policy: SendPolicyInput, by: Browser = olga): Promise<{ id: string; secret: string }> {
  const { json, text, status } = await by.ask('POST', '/v1/api-keys', {
    headers: TEST,
    body: { name: 'Agent', permission: 'send', policy },
  });
  if (status !== 201) throw new Error(text);
  return json as { id: string; secret: string };
}

const ask = (secret: string, method: string, url: string, body?: unknown, headers = {}) =>
  rig.program.ask(method, url, { key: secret, headers, ...(body === undefined ? {} : { body }) });

/** Sends, and returns the approval that the message waits for. */
async function hold(
  fields: object = {},
  policy: SendPolicyInput = { approval: 'always' },
  by: Browser = olga,
) {
  const { id: keyId, secret } = await makeKey(policy, by);
  const sent = await ask(secret, 'POST', '/v1/messages', { ...MAIL, ...fields });
  if (sent.status !== 202) throw new Error(sent.text);
  const { id } = sent.json as { id: string };
  return { keyId, secret, id, approval: await approvalOf(keyId) };
}

async function approvalOf(keyId: string): Promise<Approval> {
  const { json } = await olga.ask('GET', `/v1/approvals?api_key_id=${keyId}`, { headers: TEST });
  const [found] = (json as { data: Approval[] }).data;
  if (found === undefined) throw new Error('no approval');
  return found;
}

const read = async (id: string): Promise<Approval> =>
  (await olga.ask('GET', `/v1/approvals/${id}`, { headers: TEST })).json as Approval;
const decide = (by: Browser, id: string, action: 'approve' | 'reject', body: object = {}, headers = {}) =>
  by.ask('POST', `/v1/approvals/${id}/${action}`, { headers: { ...TEST, ...headers }, body });
const approve = (by: Browser, { id, content_hash }: Approval, headers = {}) =>
  decide(by, id, 'approve', { content_hash }, headers);
const edit = (by: Browser, id: string, body: object) =>
  by.ask('PATCH', `/v1/approvals/${id}`, { headers: TEST, body });
const statusOf = async (id: string): Promise<string> =>
  ((await olga.ask('GET', `/v1/messages/${id}`, { headers: TEST })).json as { status: string }).status;
const trailOf = async (id: string): Promise<{ event: string; actor: string; metadata: object }[]> =>
  ((await olga.ask('GET', `/v1/messages/${id}/audit`, { headers: TEST })).json as { trail: [] }).trail;
const queued = async (id: string): Promise<number> =>
  (
    await rig.program.raw(
      `SELECT 1 AS one FROM queue WHERE message_id = (SELECT id FROM messages WHERE public_id = '${id}')`,
    )
  ).length;

describe('a policy with approval', () => {
  it('holds a message outside its lists, with each difference', async () => {
    const policy: SendPolicyInput = {
      approval: 'outside_allowlist',
      allowed_senders: ['help@shop.example'],
      allowed_recipients: ['example.com'],
      content: { allowed_link_domains: ['shop.example'] },
    };
    const { id, approval } = await hold(
      { cc: ['ann@example.com'], text: 'https://evil.example/a https://evil.example/b' },
      policy,
    );
    expect(approval).toMatchObject({
      status: 'pending',
      message_id: id,
      recipients: 2,
      differences: [
        { field: 'allowed_senders', value: 'robot@shop.example' },
        { field: 'allowed_recipients', value: 'eve@evil.example' },
        { field: 'content.allowed_link_domains', value: 'evil.example' },
      ],
    });
    expect(await statusOf(id)).toBe('queued');
    expect(await queued(id)).toBe(0);
    expect((await trailOf(id)).map(({ event }) => event)).toEqual(['queued', 'approval_requested']);
  });

  it('passes a message within its lists, and refuses by every other field', async () => {
    const { secret } = await makeKey({
      approval: 'outside_allowlist',
      allowed_recipients: ['evil.example'],
      max_recipients: 1,
      content: { no_attachments: true },
    });
    const sent = await ask(secret, 'POST', '/v1/messages', MAIL);
    expect(await queued((sent.json as { id: string }).id)).toBe(1);
    const refused = await ask(secret, 'POST', '/v1/messages', { ...MAIL, cc: ['ann@example.com'] });
    expect(refused.json).toMatchObject({ error: { details: { policy_field: 'max_recipients' } } });
    const file = { filename: 'a.txt', content: 'YQ==' };
    const other = await ask(secret, 'POST', '/v1/messages', {
      ...{ ...MAIL, to: 'ann@example.com', attachments: [file] },
    });
    expect(other.json).toMatchObject({ error: { details: { policy_field: 'content.no_attachments' } } });
  });

  it('counts held messages against its limits, and repeats a request only once', async () => {
    const { secret, id: keyId } = await makeKey({ approval: 'always', max_per_hour: 1 });
    const body = { ...MAIL, idempotency_key: keyId };
    const first = await ask(secret, 'POST', '/v1/messages', body);
    const again = await ask(secret, 'POST', '/v1/messages', body);
    expect(again.json).toMatchObject({ id: (first.json as { id: string }).id, status: 'queued' });
    expect((await ask(secret, 'POST', '/v1/messages', MAIL)).status).toBe(403);
    const { json } = await olga.ask('GET', `/v1/approvals?api_key_id=${keyId}`, { headers: TEST });
    expect((json as { data: unknown[] }).data).toHaveLength(1);
  });

  it('holds nothing that is suppressed anyway', async () => {
    const to = 'gone@suppressed.example';
    await ask(rig.program.testKey, 'POST', '/v1/suppressions', { email: to, reason: 'manual' });
    const { secret, id: keyId } = await makeKey({ approval: 'always' });
    const sent = await ask(secret, 'POST', '/v1/messages', { ...MAIL, to });
    expect(await statusOf((sent.json as { id: string }).id)).toBe('suppressed');
    await ask(secret, 'POST', '/v1/messages', { ...MAIL, cc: to });
    const approval = await approvalOf(keyId);
    expect(approval).toMatchObject({ recipients: 1, to: 'eve@evil.example' });
    expect((await approve(olga, approval)).status).toBe(200);
  });

  it('appears in the feed with each step', async () => {
    const { id, approval } = await hold();
    await approve(olga, approval);
    const names = 'approval.requested,approval.approved,message.approval_requested,message.approved';
    const { json } = await olga.ask('GET', `/v1/events?events=${names}&limit=100`, { headers: TEST });
    const about = (json as { data: { event: string; data: { id: string } }[] }).data
      .filter(({ data }) => data.id === id || data.id === approval.id)
      .map(({ event, data }) => [event, data.id]);
    expect(about.toReversed()).toEqual([
      ['message.approval_requested', id],
      ['approval.requested', approval.id],
      ['approval.approved', approval.id],
      ['message.approved', id],
    ]);
    // Approvals have no DNS records.
    const records = createRecordReader(rig, {} as SubTenantSettings);
    const { environmentId } = await rig.program.scopeOf('test');
    expect((await records(environmentId, [approval.id])).get(approval.id)).toMatchObject({
      object: 'approval',
      status: 'approved',
      message_id: id,
    });
  });

  it('explains that the message waits, and until when', async () => {
    const { id } = await hold();
    const { json } = await olga.ask('GET', `/v1/messages/${id}/explain`, { headers: TEST });
    expect(json).toMatchObject({
      code: 'approval_pending',
      next: { what: 'Expiry of the approval request' },
    });
  });

  it('holds a resent message, and does not let a waiting one be resent or retried', async () => {
    const { id, secret } = await hold();
    expect((await ask(secret, 'POST', `/v1/messages/${id}/resend`)).status).toBe(409);
    const retried = await olga.ask('POST', `/v1/messages/${id}/retry`, { headers: TEST, body: {} });
    expect(retried.json).toMatchObject({ error: { message: 'The message is waiting for approval.' } });
    const plain = await ask(rig.program.testKey, 'POST', '/v1/messages', MAIL);
    const sent = (plain.json as { id: string }).id;
    const again = await ask(secret, 'POST', `/v1/messages/${sent}/resend`);
    expect(await queued((again.json as { id: string }).id)).toBe(0);
  });
});

describe('an approver', () => {
  it('approves once, and the message goes into the queue', async () => {
    const { id, approval } = await hold({ cc: ['ann@example.com'] });
    const { messages } = await read(approval.id);
    expect(messages.map(({ to }) => to)).toEqual(['eve@evil.example', 'ann@example.com']);
    const answer = await approve(olga, approval);
    expect(answer.json).toMatchObject({ status: 'approved', decided_by: { email: 'Olga@Example.com' } });
    for (const { message_id: copy } of messages) expect(await queued(copy)).toBe(1);
    const trail = await trailOf(id);
    expect(trail.at(-1)).toMatchObject({
      event: 'approved',
      actor: 'user',
      metadata: { approval_id: approval.id, email: 'Olga@Example.com', content_hash: approval.content_hash },
    });
    const again = await approve(olga, approval);
    expect(again.json).toMatchObject({
      error: { code: 'conflict', message: 'The message was already approved.' },
    });
    expect((await decide(olga, approval.id, 'reject')).status).toBe(409);
  });

  it('gets the first answer for a repeated key', async () => {
    const { approval } = await hold();
    const key = { 'idempotency-key': approval.id };
    const first = await approve(olga, approval, key);
    const again = await approve(olga, approval, key);
    expect(again.json).toEqual(first.json);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });

  it('rejects with a note, and the message is canceled', async () => {
    const { id, approval } = await hold();
    const answer = await decide(olga, approval.id, 'reject', { note: 'Not our customer.' });
    expect(answer.json).toMatchObject({ status: 'rejected', note: 'Not our customer.' });
    expect(await statusOf(id)).toBe('canceled');
    expect((await trailOf(id)).map(({ event }) => event)).toEqual([
      'queued',
      'approval_requested',
      'rejected',
      'canceled',
    ]);
    const { json } = await olga.ask('GET', `/v1/messages/${id}/explain`, { headers: TEST });
    expect(json).toMatchObject({ code: 'approval_rejected' });
  });

  it('edits the message, which voids the hash that others have read', async () => {
    const { id, approval } = await hold({}, { approval: 'always', content: { allowed_link_domains: [] } });
    const edited = await edit(olga, approval.id, { subject: 'Better', text: 'See https://other.example/' });
    expect(edited.json).toMatchObject({
      version: 2,
      content: { text: 'See https://other.example/' },
      differences: [{ field: 'content.allowed_link_domains', value: 'other.example' }],
    });
    expect((await approve(olga, approval)).json).toMatchObject({
      error: { code: 'conflict', message: expect.stringContaining('has changed since') as string },
    });
    const now = await read(approval.id);
    expect((await approve(olga, now)).status).toBe(200);
    const { json } = await olga.ask('GET', `/v1/messages/${id}`, { headers: TEST });
    expect(json).toMatchObject({ subject: 'Better', content_hash: now.content_hash });
    expect((await trailOf(id)).find(({ event }) => event === 'approval_changed')?.metadata).toMatchObject({
      previous_content_hash: approval.content_hash,
      content_hash: now.content_hash,
    });
  });

  it('cannot edit submitted MIME', async () => {
    const { secret, id: keyId } = await makeKey({ approval: 'always' });
    const raw =
      'From: robot@shop.example\r\nTo: eve@evil.example\r\nSubject: x\r\nReply-To: =?utf-8?q?J=C3=BCrgen?= <desk@elsewhere.example>\r\nX-Trace: one\r\nX-Trace:\r\n two\r\nBcc: eve@evil.example\r\n\r\nHi\r\n';
    const sent = await ask(secret, 'POST', '/v1/messages/raw', {
      raw: Buffer.from(raw).toString('base64'),
      to: ['eve@evil.example'],
    });
    expect(sent.status).toBe(202);
    const { id } = await approvalOf(keyId);
    expect((await read(id)).content.headers).toMatchObject({
      From: 'robot@shop.example',
      'Reply-To': 'Jürgen <desk@elsewhere.example>',
      'X-Trace': 'one\ntwo',
    });
    expect(Object.keys((await read(id)).content.headers)).not.toContain('Bcc');
    const answer = await edit(olga, id, { subject: 'y' });
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('submitted as MIME');
  });

  it('is one of two who decide at the same time', async () => {
    const { id, approval } = await hold();
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => approve(olga, approval)))).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(7);
    expect(await queued(id)).toBe(1);
  });

  it('sends a scheduled message at its time, or now if that has passed', async () => {
    const later = new Date(rig.clock.now() + 3_600_000).toISOString();
    const { id, approval } = await hold({ send_at: later });
    await approve(olga, approval);
    const dueAt = async (message: string) =>
      (
        await rig.program.raw(
          `SELECT due_at FROM queue WHERE message_id = (SELECT id FROM messages WHERE public_id = '${message}')`,
        )
      )[0]?.['due_at'];
    expect(await dueAt(id)).toBe(Date.parse(later));
    const soon = await hold({ send_at: new Date(rig.clock.now() + 600_000).toISOString() });
    rig.clock.advance(3_600_000);
    await approve(olga, soon.approval);
    expect(await dueAt(soon.id)).toBe(rig.clock.now());
  });
});

describe('a person without the permission', () => {
  it('cannot decide, until it is granted', async () => {
    const userId = await rig.addPerson('mia@example.com', 'member');
    await rig.addPerson('vic@example.com', 'viewer');
    const mia = await rig.signedIn('mia@example.com', PASSWORD);
    const vic = await rig.signedIn('vic@example.com', PASSWORD);
    const { approval } = await hold();
    expect((await approve(vic, approval)).status).toBe(403);
    expect((await approve(mia, approval)).status).toBe(403);
    const granted = await olga.ask('PATCH', `/v1/members/${userId}`, { body: { can_approve: true } });
    expect(granted.json).toMatchObject({ role: 'member', can_approve: true });
    expect((await approve(mia, approval)).status).toBe(200);
    for (const role of ['viewer', 'member']) {
      const changed = await olga.ask('PATCH', `/v1/members/${userId}`, { body: { role } });
      expect(changed.json).toMatchObject({ role, can_approve: false });
    }
  });

  it('is every API key', async () => {
    const { approval, secret } = await hold();
    for (const key of [secret, rig.program.testKey]) {
      const { status, json } = await ask(key, 'POST', `/v1/approvals/${approval.id}/approve`, {
        content_hash: approval.content_hash,
      });
      expect({ status, json }).toMatchObject({ status: 403, json: { error: { code: 'session_required' } } });
    }
    const { json } = await ask(secret, 'GET', `/v1/approvals/${approval.id}`);
    expect(json).toMatchObject({ problem: expect.stringContaining('API keys cannot') as string });
  });
});

describe('an organization that requires two-person approval', () => {
  beforeEach(async () => {
    await rig.store.commit([
      update(organizations, { set: { two_person: 1 }, where: { id: rig.program.organizationId } }),
    ]);
    return async () => {
      await rig.store.commit([
        update(organizations, { set: { two_person: 0 }, where: { id: rig.program.organizationId } }),
      ]);
    };
  });

  it('can be stopped from requiring them by an owner only', async () => {
    await rig.addPerson('amy@example.com', 'admin');
    const amy = await rig.signedIn('amy@example.com', PASSWORD);
    const stop = (by: Browser) => by.ask('PATCH', '/v1/organization', { body: { two_person: false } });
    expect((await stop(amy)).status).toBe(403);
    expect((await stop(olga)).status).toBe(200);
    expect((await stop(amy)).status).toBe(200);
  });

  it('lets no one approve or edit the mail of their own key, or approve their own version', async () => {
    await rig.addPerson('adam@example.com', 'admin');
    const adam = await rig.signedIn('adam@example.com', PASSWORD);
    const { approval } = await hold();
    expect((await approve(olga, approval)).status).toBe(403);
    expect((await edit(olga, approval.id, { subject: 'x' })).status).toBe(403);
    await edit(adam, approval.id, { subject: 'By Adam' });
    const changed = await read(approval.id);
    expect((await approve(adam, changed)).json).toMatchObject({
      error: { message: expect.stringContaining('you edited this version') as string },
    });
    expect((await decide(olga, approval.id, 'reject')).status).toBe(200);
  });
});

describe('a message that waits', () => {
  it('is canceled with its approval once no copy is left', async () => {
    const { id, approval, secret } = await hold({ cc: ['ann@example.com'] });
    const [, copy] = (await read(approval.id)).messages;
    expect((await ask(secret, 'POST', `/v1/messages/${id}/cancel`)).status).toBe(200);
    expect((await read(approval.id)).status).toBe('pending');
    expect((await ask(secret, 'POST', `/v1/messages/${copy?.message_id}/cancel`)).status).toBe(200);
    expect((await read(approval.id)).status).toBe('canceled');
  });

  it('can be rescheduled', async () => {
    const { id, secret, approval } = await hold();
    const later = new Date(rig.clock.now() + 7_200_000).toISOString();
    const moved = await ask(secret, 'PATCH', `/v1/messages/${id}`, { send_at: later });
    expect(moved.json).toMatchObject({ scheduled_at: later });
    expect(await queued(id)).toBe(0);
    expect((await approve(olga, approval)).status).toBe(200);
  });

  it('is canceled when its time is over', async () => {
    const { id, approval } = await hold();
    const early = await hold({ expires_at: new Date(rig.clock.now() + 3_600_000).toISOString() });
    const approvals = new Approvals({ ...rig.program, clock: rig.clock.now, wakeUps: WAKE_UPS });
    rig.clock.advance(3_600_000);
    expect((await approve(olga, early.approval)).json).toMatchObject({
      error: { message: 'The approval request has expired.' },
    });
    await approvals.expire();
    expect((await read(early.approval.id)).status).toBe('expired');
    expect((await read(approval.id)).status).toBe('pending');
    rig.clock.advance(72 * 3_600_000);
    olga = await rig.signedIn();
    await approvals.expire();
    expect((await read(approval.id)).status).toBe('expired');
    expect(await statusOf(id)).toBe('canceled');
    const { json } = await olga.ask('GET', `/v1/messages/${id}/explain`, { headers: TEST });
    expect(json).toMatchObject({ code: 'approval_expired' });
    expect((await approve(olga, approval)).json).toMatchObject({
      error: { message: 'The approval request has expired.' },
    });
  });

  it('is canceled when its time is over, although another one fails', async () => {
    const [broken, sound] = [await hold(), await hold()];
    await rig.program.raw(
      `UPDATE approvals SET expires_at = expires_at - 1, api_key_id = 'key_broken' WHERE id = '${broken.approval.id}'`,
    );
    const commit: typeof rig.program.store.commit = (plan, urgency) =>
      JSON.stringify(plan).includes(broken.approval.id)
        ? Promise.reject(new Error('A fault.'))
        : rig.program.store.commit(plan, urgency);
    const store = Object.assign(Object.create(rig.program.store) as typeof rig.program.store, { commit });
    const approvals = new Approvals({ ...rig.program, store, clock: rig.clock.now, wakeUps: WAKE_UPS });
    rig.clock.advance(73 * 3_600_000);
    await expect(approvals.expire()).rejects.toThrow('Approvals could not be expired');
    olga = await rig.signedIn();
    expect([(await read(broken.approval.id)).status, (await read(sound.approval.id)).status]).toEqual([
      'pending',
      'expired',
    ]);
  });

  it('is canceled when its recipient is erased, without a trace of the address', async () => {
    const { id, approval } = await hold(
      { to: 'gone@evil.example' },
      { approval: 'outside_allowlist', allowed_recipients: ['example.com'] },
    );
    const contact = await ask(rig.program.testKey, 'POST', '/v1/contacts', { email: 'gone@evil.example' });
    const erased = await ask(
      rig.program.testKey,
      'POST',
      `/v1/contacts/${(contact.json as { id: string }).id}/erase`,
      {},
    );
    expect(erased.json).toMatchObject({ erased: { messages_canceled: 1 } });
    expect(await statusOf(id)).toBe('canceled');
    expect(await read(approval.id)).toMatchObject({ status: 'canceled', differences: [] });
  });
});

it('keeps waiting for the other recipients when one of them is erased', async () => {
  const erased = 'left@evil.example';
  const { approval } = await hold(
    { cc: erased, text: `Hello ${erased}` },
    { approval: 'outside_allowlist', allowed_recipients: ['example.com'] },
  );
  const contact = await ask(rig.program.testKey, 'POST', '/v1/contacts', { email: erased });
  await ask(rig.program.testKey, 'POST', `/v1/contacts/${(contact.json as { id: string }).id}/erase`, {});
  const left = await read(approval.id);
  expect(JSON.stringify(left)).not.toContain(erased);
  expect(left).toMatchObject({ status: 'pending', content: { text: 'Hello erased@erased.invalid' } });
  expect((await approve(olga, left)).status).toBe(200);
  expect((await read(approval.id)).messages.map(({ status }) => status)).toEqual(['queued', 'canceled']);
});

const WAKE_UPS = { queue: () => undefined, events: () => undefined };
