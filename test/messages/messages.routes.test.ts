import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatDate } from '../../src/lib/mime/index.js';
import { Preparer } from '../../src/outbound/deliver/prepare.js';
import { SigningKeys } from '../../src/outbound/deliver/signing-keys.js';
import { proofRoutes } from '../../src/messages/proof/proof.routes.js';
import { startApi } from '../support/start-api.js';
import { sized } from '../support/run-size.js';
import { MASTER_KEY, startMessageRig, TOKEN_KEY, type MessageRig } from '../support/message-rig.js';
import { senders } from '../../src/domains/domains.tables.js';
import { remove, update } from '../../src/database/rows.js';
import { advanceMessage, amendMessage } from '../../src/messages/message-changes.store.js';
import { templates } from '../../src/templates/templates.tables.js';
import { subTenants } from '../../src/tenants/tenants.tables.js';

let rig: MessageRig;
beforeAll(async () => {
  rig = await startMessageRig();
});
afterAll(() => rig.close());

/** When trying to deliver it ends. */
async function endOf(id: string): Promise<unknown> {
  const [row] = await rig.raw(
    'SELECT q.expires_at FROM queue q JOIN messages m ON m.id = q.message_id WHERE m.public_id = ?',
    [id],
  );
  return row?.['expires_at'];
}

describe('POST /v1/messages', () => {
  it('returns 202 with the whole message object', async () => {
    const answer = await rig.send({
      reply_to: { email: 'help@sender.example', name: 'Help' },
      tags: ['welcome', 'a'],
      metadata: { order: 7 },
      priority: 'high',
      headers: { 'X-Campaign': 'one' },
      attachments: [{ filename: 'a.txt', content: 'aGk=', content_id: 'part1' }],
    });
    expect(answer.status).toBe(202);
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
    const at = '2026-01-02T03:04:05.678Z';
    expect(answer.json).toEqual({
      id: expect.stringMatching(/^msg_[0-9a-z]{26}$/) as string,
      object: 'message',
      type: 'transactional',
      status: 'queued',
      to: 'ann@example.com',
      from: { email: 'news@sender.example', name: 'News' },
      reply_to: { email: 'help@sender.example', name: 'Help' },
      subject: 'Hello',
      sub_tenant_id: null,
      template_id: null,
      template_version: null,
      priority: 'high',
      tags: ['welcome', 'a'],
      metadata: { order: 7 },
      attachments: [
        {
          filename: 'a.txt',
          content_type: 'text/plain',
          size: 2,
          content_id: 'part1',
          sha256: '8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4',
        },
      ],
      opened_at: null,
      clicked_at: null,
      idempotency_key: null,
      provider: null,
      provider_message_id: null,
      internet_message_id: expect.stringMatching(/^<[0-9a-z]{26}@sender\.example>$/) as string,
      content_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string,
      sandbox: true,
      error: null,
      last_attempt: null,
      scheduled_at: null,
      created_at: at,
      updated_at: at,
      recipient_role: 'to',
      track_opens: true,
      track_clicks: true,
      direction: 'outbound',
      thread_id: null,
      campaign_id: null,
      sequence_id: null,
      topic_id: null,
      variant: null,
    });
    const read = await rig.ask('GET', `/v1/messages/${answer.json.id}`);
    expect(read.status).toBe(200);
    expect(read.json).toEqual(answer.json);
  });

  it('expires the message at expires_at, or with the queue lifetime if that is earlier', async () => {
    const lifetimeMs = rig.config.queueLifetimeMs;
    const soon = await rig.send({ expires_at: '2026-01-02T03:15:00Z', cc: ['two@example.com'] });
    expect(await endOf(soon.json.id)).toBe(Date.UTC(2026, 0, 2, 3, 15));
    expect(await endOf(soon.json.copies[0]?.id ?? '')).toBe(Date.UTC(2026, 0, 2, 3, 15));
    const late = await rig.send({ expires_at: '2026-02-02T00:00:00+01:00' });
    expect(await endOf(late.json.id)).toBe(rig.clock.now() + lifetimeMs);
    const scheduled = await rig.send({ send_at: '2026-03-01T00:00:00Z', expires_at: '2026-03-01T00:10:00Z' });
    expect(await endOf(scheduled.json.id)).toBe(Date.UTC(2026, 2, 1, 0, 10));
  });

  it.each([
    ['a time that has passed', { expires_at: '2026-01-02T03:04:00Z' }],
    ['now', { expires_at: '2026-01-02T03:04:05.678Z' }],
    ['a time without an offset', { expires_at: '2026-01-03T03:04:05' }],
    ['the time of send_at', { send_at: '2026-03-01T00:00:00Z', expires_at: '2026-03-01T00:00:00Z' }],
  ])('refuses %s as expires_at', async (_, fields) => {
    const answer = await rig.send(fields);
    expect([answer.status, answer.json.error.param]).toEqual([422, 'expires_at']);
  });

  it('stores require_tls for the message, its cc copies and resent ones', async () => {
    const termsOf = async (id: string): Promise<unknown> =>
      (await rig.raw('SELECT require_tls FROM messages WHERE public_id = ?', [id]))[0]?.['require_tls'];
    const { json } = await rig.send({ require_tls: true, cc: ['two@example.com'] });
    expect(json).not.toHaveProperty('require_tls');
    const again = await rig.ask('POST', `/v1/messages/${json.id}/resend`);
    const ids = [json.id, json.copies[0]?.id ?? '', again.json.id];
    expect(await Promise.all(ids.map(termsOf))).toEqual([1, 1, 1]);
    expect(await termsOf((await rig.send({ require_tls: false })).json.id)).toBe(0);
    expect((await rig.send({ require_tls: 'yes' })).status).toBe(422);
  });

  it('creates a separate message for each cc and bcc recipient without duplicates', async () => {
    const before = await rig.counts();
    const answer = await rig.send({
      to: 'One <one@example.com>',
      cc: ['two@example.com', 'ONE@example.com', { email: 'three@example.com', name: 'Three' }],
      bcc: ['four@example.com', 'two@EXAMPLE.com'],
    });
    expect(answer.json.copies).toEqual([
      { id: expect.any(String) as string, object: 'message', to: 'two@example.com', recipient_role: 'cc' },
      { id: expect.any(String) as string, object: 'message', to: 'three@example.com', recipient_role: 'cc' },
      { id: expect.any(String) as string, object: 'message', to: 'four@example.com', recipient_role: 'bcc' },
    ]);
    const after = await rig.counts();
    expect(after['messages']).toBe((before['messages'] ?? 0) + 4);
    expect(after['contents']).toBe((before['contents'] ?? 0) + 1);
    const bcc = answer.json.copies[2]?.id ?? '';
    const raw = await rig.ask('GET', `/v1/messages/${bcc}/raw`);
    expect(raw.headers['content-type']).toContain('message/rfc822');
    expect(raw.text).toContain('To: One <one@example.com>\r\n');
    expect(raw.text).toContain('Cc: two@example.com, Three <three@example.com>\r\n');
    expect(raw.text).not.toContain('four@example.com');
  });

  it("uses a default sender, or the sandbox's, and requires one for live mail", async () => {
    const sandbox = await rig.send({ from: undefined });
    expect(sandbox.json.from.email).toBe('sandbox@service.test');
    const live = await rig.send({ from: undefined }, {}, rig.keys.live);
    expect([live.status, live.json.error.code]).toEqual([422, 'sender_required']);
    const id = await rig.addSender({ identity: 'default@other.example', name: 'Default', is_default: 1 });
    const given = await rig.send({ from: undefined }, {}, rig.keys.live);
    expect(given.json.from).toEqual({ email: 'default@other.example', name: 'Default' });
    await rig.commit(remove(senders, { where: { id } }));
  });

  it('refuses live mail with unverified senders or reply addresses', async () => {
    const from = await rig.send({ from: 'a@outsider.example' }, {}, rig.keys.live);
    expect([from.status, from.json.error.code, from.json.error.param]).toEqual([
      422,
      'sender_not_verified',
      'from',
    ]);
    const reply = await rig.send({ reply_to: 'a@outsider.example' }, {}, rig.keys.live);
    expect([reply.status, reply.json.error.code, reply.json.error.param]).toEqual([
      422,
      'sender_not_verified',
      'reply_to',
    ]);
    expect((await rig.send({}, {}, rig.keys.live)).json.sandbox).toBe(false);
  });

  it('schedules with send_at', async () => {
    const answer = await rig.send({ send_at: '2026-01-03T04:00:00+01:00' });
    expect(answer.json).toMatchObject({ status: 'queued', scheduled_at: '2026-01-03T03:00:00.000Z' });
    const [row] = await rig.raw(
      'SELECT q.due_at, q.expires_at FROM queue q JOIN messages m ON m.id = q.message_id WHERE m.public_id = ?',
      [answer.json.id],
    );
    const dueAt = Date.UTC(2026, 0, 3, 3);
    expect(row).toEqual({ due_at: dueAt, expires_at: dueAt + 172_800_000 });
  });
});

describe('idempotency', () => {
  it('replays the first response, by field or header, even after a restart or a deleted template', async () => {
    const template = await rig.addTemplate('idem', { subject: 'S', html: '<p>{{x}}</p>' });
    const body = { to: 'i@example.com', from: 'n@sender.example', template: 'idem', cc: ['j@example.com'] };
    const key = { 'idempotency-key': 'once-1' };
    const first = await rig.ask('POST', '/v1/messages', { body, headers: key });
    expect(first.status).toBe(202);
    const [row] = await rig.raw('SELECT id FROM messages WHERE public_id = ?', [first.json.id]);
    await rig.commit(
      advanceMessage({ messageId: Number(row?.['id']), to: 'opened', from: ['queued'] }),
      amendMessage({ messageId: Number(row?.['id']), set: { provider: 'mta', opened_at: 5, updated_at: 6 } }),
      update(templates, { set: { deleted_at: 1 }, where: { id: template } }),
    );
    await rig.restart();
    const replay = await rig.ask('POST', '/v1/messages', { body: { ...body, idempotency_key: 'once-1' } });
    expect(replay.status).toBe(202);
    expect(replay.headers['idempotent-replayed']).toBe('true');
    expect(replay.json).toEqual(first.json);
  });

  it('returns the first response after the message was rescheduled', async () => {
    const fields = { idempotency_key: 'sched', send_at: '2026-02-01T00:00:00Z' };
    const first = await rig.send(fields);
    await rig.ask('PATCH', `/v1/messages/${first.json.id}`, {
      body: { send_at: '2026-03-01T00:00:00Z' },
    });
    expect((await rig.send(fields)).json).toEqual(first.json);
  });

  it('includes expires_at and require_tls in the comparison of requests', async () => {
    const fields = { idempotency_key: 'ends', expires_at: '2026-01-03T00:00:00Z', require_tls: true };
    await rig.send(fields);
    expect((await rig.send(fields)).headers['idempotent-replayed']).toBe('true');
    expect((await rig.send({ ...fields, require_tls: false })).status).toBe(409);
    expect((await rig.send({ ...fields, expires_at: '2026-01-03T00:00:01Z' })).status).toBe(409);
  });

  it('refuses a different request with the key, and a header that contradicts the field', async () => {
    await rig.send({ idempotency_key: 'k2' });
    const other = await rig.send({ idempotency_key: 'k2', subject: 'Other' });
    expect([other.status, other.json.error.code]).toEqual([409, 'idempotency_key_reused']);
    const both = await rig.send({ idempotency_key: 'k2' }, { 'idempotency-key': 'k3' });
    expect([both.status, both.json.error.code]).toEqual([400, 'idempotency_key_mismatch']);
  });

  it('separates keys by environment and sub-tenant', async () => {
    const tenant = await rig.addTenant();
    const ids = new Set<string>();
    for (const answer of [
      await rig.send({ idempotency_key: 'shared' }),
      await rig.send({ idempotency_key: 'shared' }, {}, rig.keys.live),
      await rig.send({ idempotency_key: 'shared', sub_tenant_id: tenant }),
    ]) {
      expect(answer.status).toBe(202);
      ids.add(answer.json.id);
    }
    expect(ids.size).toBe(3);
    const header = await rig.send({ idempotency_key: 'shared' }, { 'x-sub-tenant-id': tenant });
    expect([header.status, header.headers['idempotent-replayed']]).toEqual([202, 'true']);
  });

  const storm = sized({ small: 20, full: 200 });
  it(`creates one message for ${storm} simultaneous equal requests over HTTP`, async () => {
    const before = await rig.counts();
    await rig.app.listen({ host: '127.0.0.1', port: 0 });
    const address = rig.app.server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const requests = Array.from({ length: storm }, async () => {
      const response = await fetch(`http://127.0.0.1:${port}/v1/messages`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${rig.keys.test}`,
          'content-type': 'application/json',
          'idempotency-key': 'storm',
        },
        body: JSON.stringify({ to: 'storm@example.com', subject: 'S', text: 'T', tags: ['storm'] }),
      });
      const { id } = (await response.json()) as { id: string };
      return { status: response.status, id, replayed: response.headers.get('idempotent-replayed') };
    });
    const answers = await Promise.all(requests);
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([202]));
    expect(new Set(answers.map((answer) => answer.id)).size).toBe(1);
    expect(answers.filter((answer) => answer.replayed === null)).toHaveLength(1);
    const after = await rig.counts();
    for (const table of ['messages', 'contents', 'queue', 'events', 'idempotency_keys', 'message_tags']) {
      expect(after[table], table).toBe((before[table] ?? 0) + 1);
    }
  });
});

describe('sub-tenants', () => {
  it('are given by pin, header or field, which must agree and exist', async () => {
    const tenant = await rig.addTenant({ sending_domain: 'a.example' });
    const sibling = await rig.addTenant({ sending_domain: 'b.example' });
    const pinned = await rig.addKey('live', tenant);
    const from = 'x@a.example';
    const sent = await rig.send({ from }, {}, pinned);
    expect(sent.json.sub_tenant_id).toBe(tenant);
    expect((await rig.send({ from, sub_tenant_id: tenant }, {}, pinned)).status).toBe(202);
    // Without a name, From identifies the sub-tenant by the nearest domain; an external id counts as a name.
    const byFrom = await rig.send({ from });
    expect([byFrom.status, byFrom.json.sub_tenant_id]).toEqual([202, tenant]);
    await rig.commit(update(subTenants, { set: { external_id: 'crm 7' }, where: { id: tenant } }));
    const named = await rig.send({ from, sub_tenant_id: 'external:crm 7' });
    expect([named.status, named.json.sub_tenant_id]).toEqual([202, tenant]);
    const byHeader = await rig.send({ from }, { 'x-sub-tenant-id': 'external:crm 7' });
    expect([byHeader.status, byHeader.json.sub_tenant_id]).toEqual([202, tenant]);
    const outsider = await rig.send({ from, sub_tenant_id: 'external:nobody' });
    expect([outsider.status, outsider.json.error.code]).toEqual([422, 'sub_tenant_not_found']);
    const mismatch = await rig.send({ from, sub_tenant_id: sibling }, {}, pinned);
    expect([mismatch.status, mismatch.json.error.code]).toEqual([400, 'sub_tenant_mismatch']);
    const unknown = await rig.send({ sub_tenant_id: 'tnt_00000000000000000000000000' });
    expect([unknown.status, unknown.json.error.code]).toEqual([422, 'sub_tenant_not_found']);
    const foreign = await rig.send({ from: 'x@b.example' }, {}, pinned);
    expect(foreign.json.error.code).toBe('sender_not_verified');
    const platforms = await rig.send({ from: 'x@sender.example' }, {}, pinned);
    expect(platforms.json.error.code).toBe('sender_not_verified');
    const id = sent.json.id;
    const other = await rig.addKey('live', sibling);
    for (const path of ['', '/audit', '/content', '/raw', '/proof']) {
      expect((await rig.ask('GET', `/v1/messages/${id}${path}`, { key: other })).status, path).toBe(404);
    }
    for (const path of ['/cancel', '/resend']) {
      expect((await rig.ask('POST', `/v1/messages/${id}${path}`, { key: other })).status, path).toBe(404);
    }
  });

  it('that are suspended send no live mail', async () => {
    const tenant = await rig.addTenant({ sending_domain: 'suspended.example', status: 'suspended' });
    const mail = { from: 'x@suspended.example', sub_tenant_id: tenant };
    const live = await rig.send(mail, {}, rig.keys.live);
    expect([live.status, live.json.error.code]).toEqual([403, 'tenant_suspended']);
    expect((await rig.send(mail)).status).toBe(202);
  });

  it.each(['live', 'test'] as const)('that are paused in %s send no mail there', async (mode) => {
    const domain = `paused-${mode}.example`;
    const tenant = await rig.addTenant({ sending_domain: domain });
    await rig.pauseTenant(tenant, mode);
    const mail = { from: `x@${domain}`, sub_tenant_id: tenant };
    for (const [asked, key] of Object.entries(rig.keys)) {
      // Both in one turn, to check that one's reads are not used for the other.
      const [answer, again] = await Promise.all([rig.send(mail, {}, key), rig.send(mail, {}, key)]);
      const expected = asked === mode ? [403, 'tenant_suspended'] : [202, undefined];
      expect([answer.status, answer.status === 403 ? answer.json.error.code : undefined]).toEqual(expected);
      expect(again.status).toBe(answer.status);
    }
    const together = await Promise.all(Object.values(rig.keys).map((key) => rig.send(mail, {}, key)));
    expect(together.map(({ status }) => status).sort()).toEqual([202, 403]);
  });
});

describe('POST /v1/messages/batch', () => {
  it('returns a result for each item', async () => {
    const good = { to: 'b@example.com', subject: 'S', text: 'T' };
    const answer = await rig.ask('POST', '/v1/messages/batch', {
      body: {
        messages: [
          good,
          { ...good, to: 'nonsense' },
          { ...good, sendat: 'x' },
          7,
          { ...good, idempotency_key: 'b1' },
          { ...good, idempotency_key: 'b1' },
        ],
      },
    });
    expect(answer.status).toBe(202);
    const { data } = answer.json as { data: { id?: string; error?: { code: string; param: string } }[] };
    expect(data.map((item) => item.error?.param ?? 'ok')).toEqual(['ok', 'to', 'sendat', 'ok', 'ok', 'ok']);
    expect(data[4]?.id).toBe(data[5]?.id);
    expect(data[3]).toMatchObject({ error: { details: { fields: [{ message: 'must be an object' }] } } });
    expect(data[1]).toMatchObject({ error: { type: 'validation_error', code: 'validation_error' } });
  });

  it('accepts at most a thousand messages', async () => {
    const good = { to: 'b@example.com', subject: 'S', text: 'T' };
    const full = await rig.ask('POST', '/v1/messages/batch', {
      body: { messages: Array.from({ length: 1000 }, () => good) },
    });
    const { data } = full.json as { data: { id: string }[] };
    expect(new Set(data.map((item) => item.id)).size).toBe(1000);
    const over = await rig.ask('POST', '/v1/messages/batch', {
      body: { messages: Array.from({ length: 1001 }, () => good) },
    });
    expect(over.status).toBe(422);
  });

  it('with a repeated key responds equally, even after a crash, and refuses another body', async () => {
    const good = { to: 'b@example.com', subject: 'S', text: 'T' };
    const messages = [good, { ...good, to: 'nonsense' }, { ...good, idempotency_key: 'own-key' }];
    const headers = { 'idempotency-key': 'whole' };
    const send = (list: object[], more = headers) =>
      rig.ask('POST', '/v1/messages/batch', { body: { messages: list }, headers: more });
    const first = await send(messages);
    const { data } = first.json as { data: { idempotency_key?: string; error?: { param: string } }[] };
    expect(data.map((item) => item.idempotency_key ?? item.error?.param)).toEqual([
      'whole/0',
      'to',
      'own-key',
    ]);
    const { messages: before } = await rig.counts();
    const again = await send(messages);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([202, 'true']);
    expect(again.json).toEqual(first.json);
    const other = await send([good]);
    expect([other.status, other.json.error.code]).toEqual([409, 'idempotency_key_reused']);
    // As after a crash in the middle: one message exists, and nothing of the response.
    await rig.raw("UPDATE idempotent_requests SET status = NULL, answer = NULL WHERE key = 'whole'");
    const resumed = await send(messages);
    expect((resumed.json as { data: object[] }).data[0]).toEqual(data[0]);
    expect((await rig.counts())['messages']).toBe(before);
    expect((await send(messages)).json).toEqual(resumed.json);
    const long = await send([good], { 'idempotency-key': 'k'.repeat(246) });
    expect([long.status, long.json.error.param]).toEqual([422, 'Idempotency-Key']);
  });
});

describe('GET /v1/messages', () => {
  it('filters and pages messages', async () => {
    const tenant = await rig.addTenant({ sending_domain: 'list.example' });
    rig.clock.advance(1000);
    const start = new Date(rig.clock.now()).toISOString();
    const ids: string[] = [];
    for (const fields of [
      { to: 'Lister@example.com', tags: ['lists'], subject: 'Needle one' },
      { to: 'other@example.com', tags: ['lists'], sub_tenant_id: tenant },
      { to: 'third@example.com' },
    ]) {
      ids.push((await rig.send(fields)).json.id);
    }
    rig.clock.advance(1000);
    const find = async (query: string): Promise<string[]> => {
      const answer = await rig.ask('GET', `/v1/messages?${query}`);
      expect(answer.status, query).toBe(200);
      return (answer.json.data as { id: string }[]).map((item) => item.id);
    };
    const [one = '', two = '', three = ''] = ids;
    expect(await find('tag=lists')).toEqual([two, one]);
    expect(await find('to=LISTER@example.com')).toEqual([one]);
    expect(await find(`sub_tenant_id=${tenant}`)).toEqual([two]);
    expect(await find('q=needle')).toEqual([one]);
    expect(await find(`created_after=${start}&status=queued&type=transactional&sandbox=true`)).toEqual([
      three,
      two,
      one,
    ]);
    expect(await find(`created_after=${start}&created_before=${start}`)).toEqual([]);
    expect(await find('sandbox=false')).toEqual([]);
    const page = await rig.ask('GET', `/v1/messages?limit=2&created_after=${start}`);
    expect(page.json.has_more).toBe(true);
    const rest = await find(`limit=2&created_after=${start}&cursor=${page.json.next_cursor}`);
    expect(rest).toEqual([one]);
    for (const bad of ['created_after=soon', 'statsu=queued', 'status=lost', 'q=%00', 'limit=1000']) {
      expect((await rig.ask('GET', `/v1/messages?${bad}`)).status, bad).toBe(422);
    }
  });
});

describe('one message', () => {
  it('is not found by a foreign or invalid id', async () => {
    const sent = await rig.send();
    for (const id of ['msg_0', 'msg_00000000000000000000000000', '%00', 'x'.repeat(400)]) {
      expect((await rig.ask('GET', `/v1/messages/${id}`)).status, id).toBe(404);
    }
    const live = await rig.ask('GET', `/v1/messages/${sent.json.id}`, { key: rig.keys.live });
    expect([live.status, live.json.error.code]).toEqual([404, 'not_found']);
  });

  it('has its content, and a trail that begins with queued by the API', async () => {
    const sent = await rig.send({ headers: { 'X-One': '1' }, cc: ['cc@example.com'] });
    const id = sent.json.id;
    expect((await rig.ask('GET', `/v1/messages/${id}/content`)).json).toEqual({
      object: 'message_content',
      message_id: id,
      subject: 'Hello',
      html: '<p>Hello</p>',
      text: 'Hello',
      to: [{ email: 'ann@example.com', name: null }],
      cc: [{ email: 'cc@example.com', name: null }],
      headers: { 'X-One': '1' },
    });
    expect((await rig.ask('GET', `/v1/messages/${id}/audit`)).json).toEqual({
      message_id: id,
      status: 'queued',
      trail: [
        {
          event: 'queued',
          actor: 'api',
          timestamp: new Date(rig.clock.now()).toISOString(),
          metadata: {},
        },
      ],
    });
  });

  it('can be canceled once while it waits', async () => {
    const { json } = await rig.send({ send_at: '2026-05-01T00:00:00Z' });
    const id = json.id;
    const canceled = await rig.ask('POST', `/v1/messages/${id}/cancel`);
    expect([canceled.status, canceled.json.status]).toEqual([200, 'canceled']);
    const [row] = await rig.raw(
      'SELECT COUNT(*) AS n FROM queue q JOIN messages m ON m.id = q.message_id WHERE m.public_id = ?',
      [id],
    );
    expect(row?.['n']).toBe(0);
    const again = await rig.ask('POST', `/v1/messages/${id}/cancel`);
    expect([again.status, again.json.error.code]).toEqual([409, 'message_not_cancelable']);
    const trail = (await rig.ask('GET', `/v1/messages/${id}/audit`)).json.trail as { event: string }[];
    expect(trail.map((entry) => entry.event)).toEqual(['queued', 'canceled']);
  });

  it('cannot be canceled or rescheduled when a worker holds it', async () => {
    const { json } = await rig.send();
    const id = json.id;
    await rig.raw(
      'UPDATE queue SET lease_until = 9, lease_owner = ? WHERE message_id = (SELECT id FROM messages WHERE public_id = ?)',
      ['w', id],
    );
    const before = await rig.counts();
    for (const [method, path, body] of [
      ['POST', `/v1/messages/${id}/cancel`, undefined],
      ['PATCH', `/v1/messages/${id}`, { send_at: '2026-05-01T00:00:00Z' }],
    ] as const) {
      const answer = await rig.ask(method, path, body === undefined ? {} : { body });
      expect([answer.status, answer.json.error.code]).toEqual([409, 'message_not_cancelable']);
    }
    expect(await rig.counts()).toEqual(before);
    expect((await rig.ask('GET', `/v1/messages/${id}`)).json.status).toBe('queued');
  });

  it('can be rescheduled, which wakes the scheduler', async () => {
    const { json } = await rig.send({ send_at: '2026-05-01T00:00:00Z' });
    const id = json.id;
    rig.woken.queueIds.length = 0;
    const moved = await rig.ask('PATCH', `/v1/messages/${id}`, { body: { send_at: '2026-04-01T00:00:00Z' } });
    expect([moved.status, moved.json.scheduled_at]).toEqual([200, '2026-04-01T00:00:00.000Z']);
    expect(rig.woken.queueIds).toHaveLength(1);
    const [row] = await rig.raw(
      'SELECT q.due_at FROM queue q JOIN messages m ON m.id = q.message_id WHERE m.public_id = ?',
      [id],
    );
    expect(row?.['due_at']).toBe(Date.UTC(2026, 3, 1));
    const { trail } = (await rig.ask('GET', `/v1/messages/${id}/audit`)).json;
    expect(trail[1]).toMatchObject({
      event: 'rescheduled',
      metadata: { scheduled_at: '2026-04-01T00:00:00.000Z', previous: '2026-05-01T00:00:00.000Z' },
    });
    const past = await rig.ask('PATCH', `/v1/messages/${id}`, { body: { send_at: '2020-01-01T00:00:00Z' } });
    expect([past.status, past.json.error.param]).toEqual([422, 'send_at']);
  });

  it('cannot be rescheduled beyond its expiry, which does not change', async () => {
    const { json } = await rig.send({ expires_at: '2026-01-04T00:00:00Z' });
    const move = (send_at: string) => rig.ask('PATCH', `/v1/messages/${json.id}`, { body: { send_at } });
    const late = await move('2026-01-04T00:00:00Z');
    expect([late.status, late.json.error.param]).toEqual([422, 'send_at']);
    expect((await move('2026-01-03T12:00:00Z')).status).toBe(200);
    expect(await endOf(json.id)).toBe(Date.UTC(2026, 0, 4));
  });

  it('can be resent with the same content under a new id', async () => {
    const attachments = [{ filename: 'a.txt', content: 'aGk=' }];
    const first = await rig.send({
      attachments,
      tags: ['again'],
      metadata: { a: 1 },
      headers: { 'X-A': 'b' },
    });
    const path = `/v1/messages/${first.json.id}/resend`;
    const headers = { 'idempotency-key': 'resend-1' };
    const misplaced = await rig.ask('POST', path, { headers, body: { send_at: '2026-02-01T00:00:00Z' } });
    expect([misplaced.status, misplaced.json.error.param]).toEqual([422, 'send_at']);
    const second = await rig.ask('POST', path, { headers });
    expect(second.status).toBe(202);
    const { id, created_at, updated_at, idempotency_key, internet_message_id, ...same } =
      second.json as Record<string, unknown>;
    expect(first.json).toMatchObject(same);
    expect(id).not.toBe(first.json.id);
    expect(internet_message_id).not.toBe(first.json.internet_message_id);
    expect([created_at, updated_at, idempotency_key]).toContain('resend-1');
    const replay = await rig.ask('POST', path, { headers });
    expect([replay.json.id, replay.headers['idempotent-replayed']]).toEqual([id, 'true']);
  });
});

describe('GET /v1/messages/:id/raw', () => {
  it('returns the sent octets with the signature, or the unsigned message before that', async () => {
    await rig.addSigningDomain('signed.example');
    const sent = await rig.send({ from: 'a@signed.example' }, {}, rig.keys.live);
    const id = sent.json.id;
    const unsigned = await rig.ask('GET', `/v1/messages/${id}/raw`, { key: rig.keys.live });
    expect(unsigned.text).not.toContain('DKIM-Signature');
    const [row] = await rig.raw('SELECT id FROM messages WHERE public_id = ?', [id]);
    const messageId = Number(row?.['id']);
    rig.clock.advance(7_200_000);
    const { stoppedCopies: ofCampaigns, leftSequences: ofSequences } = rig.store;
    const VENDOR = { headers: [['X-Vendor-Stream', 'news']] as const, mailFrom: 'box@vendor.example' };
    const preparer = new Preparer(
      { ...rig.store, copyStops: { ofCampaigns, ofSequences } },
      new SigningKeys(rig.store, MASTER_KEY, rig.clock.now),
      {
        ...rig.config,
        tokenKey: TOKEN_KEY,
        smarthosts: new Map([['vendor', VENDOR]]),
      },
      rig.clock.now,
    );
    const startedAt = rig.clock.now();
    const prepared = await preparer.prepare(messageId, { via: 'mta', source: 'default', startedAt });
    if (prepared.kind !== 'ready') throw new Error('The message could not be prepared.');
    await rig.commit(
      amendMessage({ messageId, set: { signed_at: prepared.signedAt, dated_at: prepared.datedAt } }),
    );
    expect(prepared.bytes.toString()).toContain(`\r\nDate: ${formatDate(startedAt)}\r\n`);
    rig.clock.advance(3_600_000);
    const signed = await rig.ask('GET', `/v1/messages/${id}/raw`, { key: rig.keys.live });
    expect(signed.text).toContain('DKIM-Signature: ');
    expect(signed.text).toBe(prepared.bytes.toString('latin1'));
    const throughVendor = await preparer.prepare(messageId, {
      via: 'smarthost',
      source: 'vendor',
      startedAt,
    });
    if (throughVendor.kind !== 'ready') throw new Error('The message could not be prepared.');
    expect(throughVendor.mailFrom).toBe('box@vendor.example');
    // The vendor removes its field, so the signature does not cover it.
    expect(throughVendor.bytes.toString()).toMatch(
      /^X-Vendor-Stream: news\r\nDKIM-Signature: (?![^]*h=[^;]*vendor)/i,
    );
    // The Date is that of the first attempt, and signed; a later attempt keeps it.
    expect(signed.text).toMatch(/DKIM-Signature: [^]*?h=[^;]*\bDate\b/i);
    const later = await preparer.prepare(messageId, {
      via: 'mta',
      source: 'default',
      startedAt: rig.clock.now(),
    });
    expect(later).toMatchObject({ datedAt: startedAt });
    // An attempt of an earlier release recorded no time, and had that of the acceptance.
    await rig.commit(amendMessage({ messageId, set: { dated_at: null, provider: 'mta' } }));
    const old = await preparer.prepare(messageId, {
      via: 'mta',
      source: 'default',
      startedAt: rig.clock.now(),
    });
    expect(old).toMatchObject({ datedAt: startedAt - 7_200_000 });
  });
});

describe('proof', () => {
  it('verifies for anyone, and a changed one does not', async () => {
    const { json } = await rig.send();
    const proof = await rig.ask('GET', `/v1/messages/${json.id}/proof`);
    expect(proof.status).toBe(200);
    expect(proof.json.bundle).toMatchObject({
      message_id: json.id,
      content_hash: json.content_hash,
      subject: 'Hello',
      to: 'ann@example.com',
      from: 'news@sender.example',
      status: 'queued',
      workspace_id: rig.workspaceId,
      audit: [{ event: 'queued', actor: 'api' }],
    });
    expect(proof.json.attestation).toMatchObject({ sandbox: true });
    const verify = async (body: unknown) => {
      const answer = await rig.ask('POST', '/v1/proof/verify', { key: '', body });
      return [answer.status, answer.json.object, answer.json.valid] as unknown[];
    };
    const { bundle, signature } = proof.json;
    const no = [200, 'proof_verification', false];
    expect(await verify(proof.json)).toEqual([200, 'proof_verification', true]);
    expect(await verify({ bundle, signature })).toEqual([200, 'proof_verification', true]);
    expect(await verify({ bundle: { ...bundle, to: 'x@example.com' }, signature })).toEqual(no);
    expect(await verify({ bundle: { ...bundle, more: 1 }, signature })).toEqual(no);
    expect(await verify({ bundle, signature: 7 })).toEqual(no);
    expect(await verify({ bundle: null, signature: null })).toEqual(no);
    const big = { bundle: 'x'.repeat(1024 * 1024), signature };
    expect((await rig.ask('POST', '/v1/proof/verify', { key: '', body: big })).status).toBe(413);
    const keys = await rig.ask('GET', '/.well-known/proof-keys.json', { key: '' });
    expect(keys.json.keys).toHaveLength(2);
  });

  it('can be checked by anyone with a rate limit that applies before the body is read', async () => {
    const context = {
      verificationsPerMinute: 60,
      store: rig.store,
      keys: rig.program.keys,
      clock: rig.clock.now,
    };
    const limited = await startApi({ routes: () => [(api) => proofRoutes(api, context)] });
    const ask = () => limited.ask('POST', '/v1/proof/verify', { key: '', body: { no: 'bundle' } });
    let over = await ask();
    let taken = 0;
    for (; over.status !== 429 && taken < 60; taken++) {
      expect(over.status).toBe(422);
      over = await ask();
    }
    expect(taken).toBeGreaterThan(50);
    expect([over.status, over.json.error.code]).toEqual([429, 'rate_limited']);
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0);
    await limited.close();
  });
});
