// Tests forwarding addresses of inboxes through the API: added, listed, confirmed by a mailed link, removed, and limited in
// number.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOpenTokens } from '../../src/lib/secrets/index.js';
import { type Answer, MASTER_KEY, type MessageRig, startMessageRig } from '../support/message-rig.js';
import { PLATFORM_DOMAIN, readyToMail } from '../support/people-rig.js';

let shared: MessageRig;
let rig: MessageRig;
let inbox: { id: string; address: string };
let count = 0;
beforeAll(async () => {
  shared = await startMessageRig({ settings: { platformDomain: PLATFORM_DOMAIN } });
  await readyToMail(shared.store, shared.clock.now);
});
afterAll(() => shared.close());
beforeEach(async () => {
  rig = await startMessageRig({ beside: shared });
  const domain = `shop${++count}.example`;
  await rig.addTenant({ sending_domain: domain, inbound_ok: 1, verified_at: rig.clock.now() });
  inbox = (await ask('POST', '/v1/inboxes', { address: `help@reply.${domain}`, client_id: 'x' })).json;
});

type Shown = Answer['json'] & { state: string; address: string };
async function ask(method: string, path: string, body?: object, key = rig.keys.live) {
  const { status, json, text } = await rig.ask(method, path, {
    key,
    ...(body === undefined ? {} : { body }),
  });
  return { status, text, json: json as Shown };
}
const add = (address: string, key?: string) =>
  ask('POST', `/v1/inboxes/${inbox.id}/forwards`, { address }, key);
const list = async () =>
  (await ask('GET', `/v1/inboxes/${inbox.id}/forwards`)).json.data as unknown as Shown[];
/** The link in the latest mail to the address. */
async function linkTo(address: string): Promise<string> {
  const [row] = await rig.raw(
    'SELECT c.text FROM messages m JOIN contents c ON c.id = m.content_id WHERE m.to_email = ? ORDER BY m.id DESC LIMIT 1',
    [address],
  );
  const text = createOpenTokens(MASTER_KEY)(String(row?.['text']), address.toLowerCase());
  return /\/forward\/[\w-]+/.exec(text)?.[0] ?? text;
}
const open = (method: 'GET' | 'POST', path: string) => rig.ask(method, path, { key: '' });

describe('a forwarding address', () => {
  it('is pending until its owner presses the button, and the link does not confirm twice', async () => {
    const { status, json } = await add(' Ann@owner.example ');
    expect([status, json]).toMatchObject([
      201,
      { object: 'inbox_forward', address: 'Ann@owner.example', state: 'pending' },
    ]);
    const link = await linkTo('Ann@owner.example');
    expect((await open('GET', link)).text).toContain('Ann@owner.example');
    expect(await list()).toMatchObject([
      { state: 'pending', confirmation_expires_at: expect.any(String) as string },
    ]);
    expect((await open('POST', link)).status).toBe(200);
    expect(await list()).toMatchObject([{ state: 'active', reason: null, confirmation_expires_at: null }]);
    expect((await open('POST', `${link}/stop`)).status).toBe(200);
    expect(await list()).toMatchObject([{ state: 'stopped' }]);
    expect((await open('POST', link)).status).toBe(404);
  });

  it('is not confirmed by an old link, or one that was replaced', async () => {
    const { id } = (await add('old@owner.example')).json;
    const first = await linkTo('old@owner.example');
    const again = `/v1/inboxes/${inbox.id}/forwards/${id}/confirm-mail`;
    expect((await ask('POST', again)).status).toBe(429);
    rig.clock.advance(60_000);
    expect((await ask('POST', again)).status).toBe(200);
    expect((await open('POST', first)).status).toBe(404);
    const second = await linkTo('old@owner.example');
    rig.clock.advance(48 * 3_600_000);
    expect((await open('GET', second)).status).toBe(404);
    expect((await open('POST', second)).status).toBe(404);
    expect(await list()).toMatchObject([{ state: 'pending' }]);
  });

  it('is refused twice, as the address of the inbox, and to a key with a send policy', async () => {
    const added = await add('twice@owner.example');
    expect(added.status).toBe(201);
    expect((await add('TWICE@owner.example')).status).toBe(409);
    expect((await add(inbox.address)).status).toBe(422);
    expect((await add('nobody')).status).toBe(422);
    const body = { name: 'Agent', permission: 'send', policy: { max_recipients: 1 } };
    const { secret } = (await ask('POST', '/v1/api-keys', body)).json as unknown as { secret: string };
    expect((await add('agent@owner.example', secret)).status).toBe(403);
    const again = `/v1/inboxes/${inbox.id}/forwards/${added.json.id}/confirm-mail`;
    expect((await ask('POST', again, undefined, secret)).status).toBe(403);
    expect((await ask('DELETE', again.replace('/confirm-mail', ''), undefined, secret)).status).toBe(403);
    const { api_key: key } = (await ask('GET', '/v1/me', undefined, secret)).json as unknown as {
      api_key: { id: string };
    };
    await ask('PATCH', `/v1/inboxes/${inbox.id}`, { policy_key: key.id });
    expect((await ask('DELETE', `/v1/inboxes/${inbox.id}`, undefined, secret)).status).toBe(403);
  });

  it('gets few mails, however often it is removed and added, and an inbox has at most ten', async () => {
    const statuses: number[] = [];
    for (let times = 0; times < 6; times++) {
      const { status, json } = await add('victim@owner.example');
      statuses.push(status);
      if (status === 201) await ask('DELETE', `/v1/inboxes/${inbox.id}/forwards/${json.id}`);
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
    for (let at = 0; at < 10; at++) expect((await add(`a${at}@owner.example`)).status).toBe(201);
    expect((await add('eleventh@owner.example')).status).toBe(409);
    expect(await list()).toHaveLength(10);
  });

  it('is removed with its inbox', async () => {
    await add('gone@owner.example');
    const link = await linkTo('gone@owner.example');
    await ask('DELETE', `/v1/inboxes/${inbox.id}`);
    expect((await open('GET', link)).status).toBe(404);
    expect((await ask('GET', `/v1/inboxes/${inbox.id}/forwards`)).status).toBe(404);
  });
});
