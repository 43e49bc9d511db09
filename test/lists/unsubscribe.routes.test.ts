// Tests the unsubscribe link as a person and as a mail provider use it (RFC 8058).
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { unsubscribeToken } from '../../src/contacts/unsubscribe.rules.js';
import { readDetail } from '../../src/events/events.store.js';
import { startMessageRig, TOKEN_KEY, type MessageRig } from '../support/message-rig.js';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const ONE_CLICK = 'List-Unsubscribe=One-Click';

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

async function sent(fields: Record<string, unknown> = {}, key = rig.keys.live) {
  const answer = await rig.send(fields, {}, key);
  const id = answer.json.id;
  return { id, link: `/u/${unsubscribeToken(id, TOKEN_KEY)}` };
}

const click = (link: string, raw = ONE_CLICK, headers: Record<string, string> = FORM) =>
  rig.ask('POST', link, { key: '', raw, headers });

async function state(id: string, key = rig.keys.live) {
  const { data } = (await rig.ask('GET', '/v1/suppressions', { key })).json as { data: object[] };
  const { trail } = (await rig.ask('GET', `/v1/messages/${id}/audit`, { key })).json as {
    trail: { event: string; actor: string }[];
  };
  return { suppressions: data, left: trail.filter(({ event }) => event === 'unsubscribed') };
}

it('shows a page on GET and changes nothing', async () => {
  const { id, link } = await sent();
  const page = await rig.ask('GET', link, { key: '' });
  expect(page.status).toBe(200);
  expect(page.headers['content-type']).toContain('text/html');
  expect(page.text).toContain('an…@example.com');
  expect(page.text).not.toContain('<script');
  await rig.ask('HEAD', link, { key: '' });
  expect(await state(id)).toEqual({ suppressions: [], left: [] });
});

describe('one click', () => {
  it('suppresses the recipient, marks the contact and writes the trail, with address and user agent', async () => {
    await rig.addContact('ann@example.com');
    const { id, link } = await sent();
    const answer = await click(link, ONE_CLICK, { ...FORM, 'user-agent': 'Provider/1' });
    expect(answer.status).toBe(200);
    expect(answer.headers['set-cookie']).toBeUndefined();
    const after = await state(id);
    expect(after.suppressions).toMatchObject([
      { email: 'ann@example.com', reason: 'unsubscribe', sub_tenant_id: null, message_id: id },
    ]);
    expect(after.left).toMatchObject([{ actor: 'recipient' }]);
    expect((await rig.ask('GET', '/v1/contacts/ann@example.com', { key: rig.keys.live })).json.status).toBe(
      'unsubscribed',
    );
    const scope = await rig.scopeOf('live');
    const message = await rig.store.messages.message(scope, id);
    const trail = await rig.store.events.auditTrailOfMessage(message?.id ?? 0);
    const entry = trail.find(({ event }) => event === 'unsubscribed');
    expect(entry && readDetail(entry)).toEqual({ ip: '127.0.0.1', user_agent: 'Provider/1' });
  });

  it('can be repeated without effect', async () => {
    const { id, link } = await sent();
    await click(link);
    const before = await state(id);
    expect((await click(link)).status).toBe(200);
    expect(await state(id)).toEqual(before);
  });

  it.each([
    [
      'multipart',
      '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
      { 'content-type': 'multipart/form-data; boundary=b' },
    ],
    ['in another letter case', 'List-Unsubscribe=one-click', FORM],
    ['with other fields', `a=b&${ONE_CLICK}`, FORM],
  ])('works %s', async (_name, body, headers) => {
    const { id, link } = await sent();
    expect((await click(link, body, headers)).status).toBe(200);
    expect((await state(id)).left).toHaveLength(1);
  });

  it('accepts a token in capitals, which some mail systems produce', async () => {
    const { id, link } = await sent();
    expect((await click(`/u/${link.slice(3).toUpperCase()}`)).status).toBe(200);
    expect((await state(id)).left).toHaveLength(1);
  });

  it.each(['', 'List-Unsubscribe=Maybe', 'x=y'])('does nothing for the body %j', async (body) => {
    const { id, link } = await sent();
    const answer = await click(link, body);
    expect(answer.status).toBe(400);
    expect(answer.headers['content-type']).toContain('text/html');
    expect(await state(id)).toEqual({ suppressions: [], left: [] });
  });
});

it("suppresses only for the message's sub-tenant", async () => {
  const tenant = await rig.addTenant();
  const { id, link } = await sent({ sub_tenant_id: tenant, from: 'news@tenant.example' });
  await click(link);
  expect((await state(id)).suppressions).toMatchObject([{ sub_tenant_id: tenant }]);
});

it('in the sandbox does not change live suppressions or the shared contact', async () => {
  await rig.addContact('ann@example.com');
  const { id, link } = await sent({}, rig.keys.test);
  expect((await click(link)).status).toBe(200);
  expect((await state(id, rig.keys.test)).suppressions).toHaveLength(1);
  expect((await rig.ask('GET', '/v1/suppressions', { key: rig.keys.live })).json.data).toEqual([]);
  expect((await rig.ask('GET', '/v1/contacts/ann@example.com', { key: rig.keys.live })).json.status).toBe(
    'active',
  );
});

it.each([
  ['another key', (id: string) => unsubscribeToken(id, { id: 1, secret: Buffer.alloc(32, 8) })],
  ['a message that does not exist', () => unsubscribeToken(`msg_${'0'.repeat(26)}`, TOKEN_KEY)],
  ['nonsense', () => '<script>alert(1)</script>'],
])('returns a 404 page for the token of %s', async (_name, tokenOf) => {
  const { id } = await sent();
  const link = `/u/${encodeURIComponent(tokenOf(id))}`;
  for (const answer of [await rig.ask('GET', link, { key: '' }), await click(link)]) {
    expect(answer.status).toBe(404);
    expect(answer.text).toContain('invalid');
    expect(answer.text).not.toContain('<script');
  }
  expect(await state(id)).toEqual({ suppressions: [], left: [] });
});
