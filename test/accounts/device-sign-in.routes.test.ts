// Tests that a person authorizes a program without a browser: what each of them is shown, and that the key is fetched once.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OWNER, PASSWORD, startPeopleRig, type Browser, type PeopleRig } from '../support/people-rig.js';
import { members } from '../../src/accounts/people/people.tables.js';
import { insert, update } from '../../src/database/rows.js';
import { deviceSignIns } from '../../src/accounts/sign-in/sign-in.tables.js';

const CLIENT = 'mailkeel CLI';
const MINUTE = 60_000;

describe('signing in a program', () => {
  let rig: PeopleRig;
  let owner: Browser;

  beforeAll(async () => {
    rig = await startPeopleRig();
    owner = await rig.signedIn();
  });
  afterAll(() => rig.close());

  const program = () => rig.browser();

  async function start(more: Record<string, unknown> = {}): Promise<{ device: string; code: string }> {
    const answer = await program().ask('POST', '/v1/auth/device', { body: { client_name: CLIENT, ...more } });
    expect(answer.status).toBe(201);
    return { device: answer.json.device_code as string, code: answer.json.user_code as string };
  }

  async function poll(device: string) {
    const answer = await program().ask('POST', '/v1/auth/device/token', { body: { device_code: device } });
    return { status: answer.status, json: answer.json, text: answer.text };
  }

  const decide = (who: Browser, code: string, what: 'approve' | 'deny', body?: unknown) =>
    who.ask('POST', `/v1/auth/device/${code}/${what}`, body === undefined ? {} : { body });

  it('gives the program a key of the chosen workspace and environment once', async () => {
    const { device, code } = await start({ mode: 'live' });
    expect((await poll(device)).json).toMatchObject({ status: 'pending', api_key: null });
    expect((await owner.ask('GET', `/v1/auth/device/${code}`)).json).toMatchObject({
      ...{ client_name: CLIENT, user_code: code, mode: 'live' },
    });
    const typed = code.replace('-', ' ').toLowerCase();
    const choice = { mode: 'test', permission: 'send' };
    const approved = await decide(owner, encodeURIComponent(typed), 'approve', choice);
    expect(approved.json).toEqual({ object: 'device_sign_in', user_code: code, status: 'approved' });
    const { json } = await poll(device);
    expect(json).toMatchObject({
      status: 'approved',
      api_key: { name: CLIENT, mode: 'test', permission: 'send', sub_tenant_id: null },
    });
    const { secret, id } = json.api_key as { secret: string; id: string };
    expect((await rig.ask('GET', '/v1/me', { key: secret })).status).toBe(200);
    expect(await poll(device)).toMatchObject({ status: 404 });
    const entries = await rig.audit('auth.pollDevice');
    expect(entries.map(({ target_id: target }) => target)).toContain(id);
    expect(JSON.stringify(entries)).not.toContain(secret);
  });

  it('creates one key for simultaneous requests', async () => {
    const { device, code } = await start();
    await decide(owner, code, 'approve', {});
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => poll(device)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
  });

  it('stores neither the key nor the device code', async () => {
    const { device, code } = await start();
    await decide(owner, code, 'approve');
    const rows = await rig.store.people.deviceSignInByCode(code.replace('-', ''));
    expect(JSON.stringify(rows)).not.toContain(device);
    expect((await poll(device)).json.status).toBe('approved');
    expect(await rig.store.people.deviceSignInByCode(code.replace('-', ''))).toBeNull();
  });

  it('reports to the program that the person refused or that the code expired', async () => {
    const refused = await start();
    expect((await decide(owner, refused.code, 'deny')).json.status).toBe('denied');
    expect((await poll(refused.device)).json).toMatchObject({ status: 'denied', api_key: null });
    expect((await decide(owner, refused.code, 'approve')).status).toBe(404);
    const late = await start();
    rig.clock.advance(10 * MINUTE);
    expect((await poll(late.device)).json.status).toBe('expired');
    expect((await decide(owner, late.code, 'approve')).status).toBe(404);
    await rig.sweep();
    expect((await poll(late.device)).status).toBe(404);
  });

  it('requires permission to create keys on approval and when the key is fetched', async () => {
    const { device, code } = await start();
    await rig.addPerson('mel@example.com', 'member');
    const member = await rig.signedIn('mel@example.com', PASSWORD);
    expect((await member.ask('GET', `/v1/auth/device/${code}`)).status).toBe(403);
    expect((await decide(member, code, 'approve')).status).toBe(403);
    expect((await decide(program(), code, 'approve')).status).toBe(401);
    const key = await rig.addKey({});
    expect((await rig.ask('POST', `/v1/auth/device/${code}/approve`, { key, body: {} })).status).toBe(403);
    const adminId = await rig.addPerson('ada@example.com', 'admin');
    const admin = await rig.signedIn('ada@example.com', PASSWORD);
    expect((await decide(admin, code, 'approve')).status).toBe(200);
    const set = { role: 'member' as const };
    await rig.store.commit([update(members, { set, where: { user_id: adminId } })]);
    expect((await poll(device)).json).toMatchObject({ status: 'denied', api_key: null });
  });

  it('ignores forms of other sites', async () => {
    const { code } = await start();
    const outsider = rig.browser();
    await outsider.signIn(OWNER.email, OWNER.password);
    const answer = await outsider.ask('POST', `/v1/auth/device/${code}/approve`, {
      body: {},
      headers: { 'x-csrf-token': 'another' },
    });
    expect([answer.status, answer.json.error.code]).toEqual([403, 'csrf_token_invalid']);
  });

  const startFrom = (from: string) =>
    rig.app.inject({
      ...{ method: 'POST', url: '/v1/auth/device', remoteAddress: from },
      payload: { client_name: CLIENT },
    });
  const statusesFrom = async (addresses: readonly string[]): Promise<number[]> => {
    const statuses: number[] = [];
    for (const address of addresses) statuses.push((await startFrom(address)).statusCode);
    return statuses;
  };
  const taken = (count: number) => Array<number>(count).fill(201);

  it('limits one address to twenty at a time without affecting others', async () => {
    expect(await statusesFrom(Array(20).fill('192.0.2.7') as string[])).toEqual(taken(20));
    expect((await startFrom('192.0.2.7')).statusCode).toBe(429);
    expect((await startFrom('192.0.2.8')).statusCode).toBe(201);
  });

  it('counts the addresses of an IPv6 network as one, and allows a site five times as many', async () => {
    const within = (network: number, host: number) =>
      `2001:db8:1:${network.toString(16)}::${host.toString(16)}`;
    const ofOne = Array.from({ length: 21 }, (_, host) => within(1, host + 1));
    expect(await statusesFrom(ofOne)).toEqual([...taken(20), 429]);
    const ofSite = Array.from({ length: 81 }, (_, network) => within(network + 2, 1));
    expect(await statusesFrom(ofSite)).toEqual([...taken(80), 429]);
    expect((await startFrom('2001:db8:2::1')).statusCode).toBe(201);
  });

  it('drops the oldest pending sign-in when too many are pending', async () => {
    rig.clock.advance(11 * MINUTE);
    await rig.sweep();
    const { device: first } = await start();
    const waiting = (at: number) =>
      insert(deviceSignIns, {
        row: {
          ...{ device_hash: Buffer.from(`hash ${at}`), user_code: `CODE${at}`, client_name: CLIENT },
          ...{ mode: 'test', ip: null, network: null, status: 'pending', user_id: null, workspace_id: null },
          ...{ permission: null, key_name: null },
          ...{ expires_at: rig.clock.now() + 10 * MINUTE + 1, created_at: rig.clock.now() },
        },
      });
    for (let at = 0; at < 9_999; at += 500) {
      await rig.store.commit(Array.from({ length: Math.min(500, 9_999 - at) }, (_, i) => waiting(at + i)));
    }
    expect((await poll(first)).json).toMatchObject({ status: 'pending' });
    const { device: second } = await start();
    expect((await poll(second)).json).toMatchObject({ status: 'pending' });
    expect((await poll(first)).status).toBe(404);
  });

  it('reports every invalid field', async () => {
    const ask = (body: unknown) => program().ask('POST', '/v1/auth/device', { body });
    expect((await ask({ client_name: 'a\nb' })).json.error).toMatchObject({ param: 'client_name' });
    const two = await ask({ client_name: '', mode: 'production' });
    const { fields } = two.json.error.details as { fields: { path: string }[] };
    expect(fields.map(({ path }) => path).sort()).toEqual(['client_name', 'mode']);
    expect((await poll('nonsense')).status).toBe(404);
    expect((await owner.ask('GET', '/v1/auth/device/ZZZZ')).status).toBe(404);
  });
});
