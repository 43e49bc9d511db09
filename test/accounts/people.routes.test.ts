// Tests people: permissions of roles, invitations, removal, and password resets.
import { Script } from 'node:vm';
import { generateSync } from 'otplib';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createPeopleRigs,
  OWNER,
  PASSWORD,
  tokenOf,
  type Browser,
  type PeopleRig,
  type PeopleRigOptions,
} from '../support/people-rig.js';
import { organizations } from '../../src/accounts/accounts.tables.js';
import { insert, remove } from '../../src/database/rows.js';
import { users, members } from '../../src/accounts/people/people.tables.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let rig: PeopleRig;
const rigs = createPeopleRigs();
const start = async (options: PeopleRigOptions = {}): Promise<PeopleRig> => (rig = await rigs.start(options));
afterEach(() => rig.close());
afterAll(() => rigs.close());

type Answer = Awaited<ReturnType<Browser['ask']>>;
const outcome = (answer: Answer): [number, string | undefined] => [answer.status, answer.json?.error?.code];
const bare = (answer: Answer): string => answer.text.replace(/"request_id":"[^"]+"/, '');
const UNKNOWN_USER = 'usr_00000000000000000000000000';
const UNKNOWN_INVITATION = 'inv_00000000000000000000000000';

describe('a session', () => {
  beforeEach(() => start());

  it('calls the API like a live key of the first workspace', async () => {
    const browser = await rig.signedIn();
    const made = await browser.ask('POST', '/v1/contacts', { body: { email: 'c@example.com' } });
    expect(made.status).toBe(201);
    expect((await rig.ask('GET', '/v1/contacts/c@example.com')).status).toBe(200);
    expect(await rig.audit('contacts.upsert')).toMatchObject([{ actor_kind: 'user' }]);
  });

  it('cannot change anything without its CSRF token or with that of another session', async () => {
    const [browser, other] = [await rig.signedIn(), await rig.signedIn()];
    const put = (token: string) =>
      browser.ask('POST', '/v1/contacts', {
        body: { email: 'c@example.com' },
        headers: { 'x-csrf-token': token },
      });
    const own = browser.csrf() ?? '';
    for (const token of [
      '',
      'x',
      other.csrf() ?? '',
      `${own.slice(0, -1)}${own.endsWith('A') ? 'B' : 'A'}`,
      `${own}x`,
    ]) {
      expect(outcome(await put(token))).toEqual([403, 'csrf_token_invalid']);
    }
    expect((await rig.ask('GET', '/v1/contacts')).json.data).toEqual([]);
    expect((await put(own)).status).toBe(201);
  });

  it('yields to a key in the same request', async () => {
    const browser = await rig.signedIn();
    const good = await browser.ask('GET', '/v1/contacts', {
      headers: { authorization: `Bearer ${rig.testKey}` },
    });
    expect(good.status).toBe(200);
    const bad = await browser.ask('GET', '/v1/contacts', {
      headers: { authorization: 'Bearer svc_live_wrong' },
    });
    expect(outcome(bad)).toEqual([401, 'unauthorized']);
  });

  it.each([
    'mailkeel_session=',
    'mailkeel_session=nonsense',
    `mailkeel_session=${'a'.repeat(43)}`,
    'mailkeel_session=%',
  ])('is not opened by %s', async (cookie) => {
    const answer = await rig.ask('GET', '/v1/contacts', { key: '', headers: { cookie } });
    expect(outcome(answer)).toEqual([401, 'unauthorized']);
  });

  it('uses the live environment unless the request selects test', async () => {
    const browser = await rig.signedIn();
    const suppress = (email: string, environment: string) =>
      browser.ask('POST', '/v1/suppressions', { body: { email }, headers: { 'x-environment': environment } });
    expect((await suppress('t@example.com', 'test')).status).toBe(201);
    expect((await suppress('l@example.com', '')).status).toBe(201);
    const emails = async (key: string) =>
      ((await rig.ask('GET', '/v1/suppressions', { key })).json.data as { email: string }[]).map(
        ({ email }) => email,
      );
    expect([await emails(rig.liveKey), await emails(rig.testKey)]).toEqual([
      ['l@example.com'],
      ['t@example.com'],
    ]);
    expect(outcome(await suppress('x@example.com', 'both'))).toEqual([400, 'bad_request']);
  });

  it('reaches only the workspaces of its organization, and can be restricted to a sub-tenant', async () => {
    const browser = await rig.signedIn();
    const made = await browser.ask('POST', '/v1/workspaces', { body: { name: 'Second' } });
    expect(made.status).toBe(201);
    const second = { 'x-workspace-id': String(made.json.id) };
    await browser.ask('POST', '/v1/contacts', { body: { email: 'c@example.com' }, headers: second });
    expect((await browser.ask('GET', '/v1/contacts')).json.data).toEqual([]);
    expect((await browser.ask('GET', '/v1/contacts', { headers: second })).json.data).toHaveLength(1);
    const session = await browser.ask('GET', '/v1/auth/session');
    expect(session.json.workspaces.map(({ name }: { name: string }) => name)).toEqual([
      'My organization',
      'Second',
    ]);
    for (const id of ['ws_system', 'ws_00000000000000000000000000']) {
      const answer = await browser.ask('GET', '/v1/contacts', { headers: { 'x-workspace-id': id } });
      expect(outcome(answer)).toEqual([404, 'not_found']);
    }
    const tenant = await rig.addTenant('acme');
    const narrowed = (more: Record<string, string>) =>
      browser.ask('GET', '/v1/contacts', { headers: { 'x-sub-tenant-id': tenant, ...more } });
    expect((await narrowed({})).status).toBe(200);
    expect((await narrowed(second)).status).toBe(404);
    expect((await narrowed({ 'x-environment': 'test' })).status).toBe(200);
  });

  it('accepts workspace and environment in the query of a GET', async () => {
    const browser = await rig.signedIn();
    const made = await browser.ask('POST', '/v1/workspaces', { body: { name: 'Third' } });
    const id = String(made.json.id);
    const headers = { 'x-workspace-id': id, 'x-environment': 'test' };
    await browser.ask('POST', '/v1/contacts', { body: { email: 'third@example.com' }, headers });
    const seen = async (query: string, more: Record<string, string> = {}) => {
      const { status, json } = await browser.ask('GET', `/v1/contacts${query}`, { headers: more });
      return status === 200 ? (json.data as unknown[]).length : status;
    };
    const both = `?workspace_id=${id}&environment=test`;
    expect(await seen(both)).toBe(1);
    expect(await seen(`${both}&q=third`, headers)).toBe(1);
    expect(await seen(`?workspace_id=${id}`)).toBe(0);
    expect(await seen(both, { 'x-environment': 'live' })).toBe(400);
    expect(await seen(both, { 'x-workspace-id': rig.workspaceId })).toBe(400);
    expect(await seen('?environment=both')).toBe(400);
    expect(await seen(`${both}&environment=test`)).toBe(400);
    expect(await seen('?workspace_id=ws_00000000000000000000000000')).toBe(404);
    expect(
      (await browser.ask('POST', `/v1/contacts${both}`, { body: { email: 'x@example.com' } })).status,
    ).toBe(422);
    for (const [query, status] of [
      [`?workspace_id=${rig.workspaceId}&environment=live`, 200],
      [`?workspace_id=${id}`, 400],
      ['?environment=test', 400],
    ] as const) {
      expect((await rig.ask('GET', `/v1/contacts${query}`)).status).toBe(status);
    }
  });

  it("is required for operations on one's own account, which refuse keys", async () => {
    for (const [method, url] of [
      ['GET', '/v1/auth/session'],
      ['GET', '/v1/auth/sessions'],
      ['DELETE', '/v1/auth/sessions'],
      ['POST', '/v1/auth/sign-out'],
      ['POST', '/v1/auth/totp'],
    ] as const) {
      expect(outcome(await rig.ask(method, url))).toEqual([403, 'session_required']);
    }
  });

  it('keeps the name that the person gives it', async () => {
    const browser = await rig.signedIn();
    expect((await browser.ask('PATCH', '/v1/auth/user', { body: { name: 'Olga' } })).json).toMatchObject({
      name: 'Olga',
    });
    expect((await browser.ask('PATCH', '/v1/auth/user', { body: { name: null } })).json.name).toBeNull();
  });
});

describe('roles', () => {
  const REQUESTS = [
    ['GET', '/v1/contacts'],
    ['POST', '/v1/contacts', { email: 'c@example.com' }],
    ['GET', '/v1/members'],
    ['GET', '/v1/organization'],
    ['PATCH', '/v1/organization', { name: 'New' }],
    ['GET', '/v1/api-keys'],
    ['POST', '/v1/api-keys', { name: 'A key' }],
    ['GET', '/v1/invitations'],
    ['POST', '/v1/invitations', { email: 'new@example.com', role: 'member' }],
    ['PATCH', `/v1/members/${UNKNOWN_USER}`, { role: 'member' }],
    ['DELETE', `/v1/members/${UNKNOWN_USER}`],
    ['PATCH', '/v1/auth/user', { name: 'Me' }],
    // A preview: nothing is stored or sent.
    ['POST', '/v1/templates/render', { subject: 'Hi', html: '<p>Hi</p>' }],
  ] as const;

  it.each([
    ['viewer', [200, 403, 200, 200, 403, 403, 403, 403, 403, 403, 403, 200, 200]],
    ['member', [200, 201, 200, 200, 403, 403, 403, 403, 403, 403, 403, 200, 200]],
    ['admin', [200, 201, 200, 200, 200, 200, 201, 200, 201, 404, 404, 200, 200]],
    ['owner', [200, 201, 200, 200, 200, 200, 201, 200, 201, 404, 404, 200, 200]],
  ] as const)('%s', async (role, expected) => {
    await start();
    await rig.addPerson('p@example.com', role);
    const browser = await rig.signedIn('p@example.com', PASSWORD);
    const statuses: number[] = [];
    for (const [method, url, body] of REQUESTS) {
      statuses.push((await browser.ask(method, url, body === undefined ? {} : { body })).status);
    }
    expect(statuses).toEqual(expected);
  });

  it('take effect as soon as they change', async () => {
    await start();
    const id = await rig.addPerson('p@example.com', 'admin');
    const [olga, person] = [await rig.signedIn(), await rig.signedIn('p@example.com', PASSWORD)];
    const write = () => person.ask('POST', '/v1/contacts', { body: { email: 'c@example.com' } });
    expect((await write()).status).toBe(201);
    const changed = await olga.ask('PATCH', `/v1/members/${id}`, { body: { role: 'viewer' } });
    expect(changed.json).toMatchObject({ id, object: 'member', email: 'p@example.com', role: 'viewer' });
    const refused = await write();
    expect([refused.status, refused.json.error.message]).toEqual([
      403,
      'Your role is viewer. This operation requires member.',
    ]);
  });

  it('of owners can only be changed by owners', async () => {
    await start();
    const adminId = await rig.addPerson('admin@example.com', 'admin');
    const [olga, admin] = [await rig.signedIn(), await rig.signedIn('admin@example.com', PASSWORD)];
    const ownerId = (await olga.ask('GET', '/v1/auth/session')).json.user.id as string;
    const attempts = [
      await admin.ask('PATCH', `/v1/members/${ownerId}`, { body: { role: 'member' } }),
      await admin.ask('PATCH', `/v1/members/${adminId}`, { body: { role: 'owner' } }),
      await admin.ask('DELETE', `/v1/members/${ownerId}`),
      await admin.ask('POST', '/v1/invitations', { body: { email: 'n@example.com', role: 'owner' } }),
    ];
    expect(attempts.map(outcome)).toEqual(attempts.map(() => [403, 'forbidden']));
    expect((await olga.ask('PATCH', `/v1/members/${adminId}`, { body: { role: 'owner' } })).json.role).toBe(
      'owner',
    );
  });
});

describe('a key', () => {
  it('cannot manage people without permission admin, or with it if the key expires', async () => {
    await start();
    const olga = await rig.signedIn();
    const id = await rig.addPerson('p@example.com', 'viewer');
    const body = { email: 'mia@example.com', role: 'viewer' };
    const waiting = await olga.ask('POST', '/v1/invitations', { body });
    rig.clock.advance(MINUTE);
    const bounded = { permission: 'admin' as const, expiresAt: rig.clock.now() + 60 * MINUTE };
    for (const key of [await rig.addKey({}), await rig.addKey(bounded)]) {
      const refused = [
        await rig.ask('POST', '/v1/invitations', { key, body: { ...body, email: 'n@example.com' } }),
        await rig.ask('POST', '/v1/invitations', { key, body }),
        await rig.ask('DELETE', `/v1/invitations/${String(waiting.json.id)}`, { key }),
        await rig.ask('PATCH', `/v1/members/${id}`, { key, body: { role: 'member' } }),
        await rig.ask('DELETE', `/v1/members/${id}`, { key }),
      ];
      expect(refused.map(outcome)).toEqual(refused.map(() => [403, 'forbidden']));
    }
    const owner = await olga.ask('GET', '/v1/members');
    const { id: ownerId } = (owner.json.data as { id: string; role: string }[]).find(
      ({ role }) => role === 'owner',
    ) ?? { id: '' };
    expect(outcome(await rig.ask('DELETE', `/v1/members/${ownerId}`))).toEqual([403, 'forbidden']);
    expect((await rig.ask('GET', '/v1/invitations')).json.data).toMatchObject([{ status: 'pending' }]);
    expect((await rig.ask('GET', '/v1/members')).json.data).toHaveLength(2);
  });
});

describe('members', () => {
  it('are listed for a full live key without pin, and for no other', async () => {
    await start();
    rig.clock.advance(1);
    await rig.addPerson('p@example.com', 'viewer');
    const list = await rig.ask('GET', '/v1/members');
    expect(list.json.data.map(({ email, role }: { email: string; role: string }) => [email, role])).toEqual([
      ['p@example.com', 'viewer'],
      [OWNER.email, 'owner'],
    ]);
    expect(list.text).not.toContain('password');
    const page = await rig.ask('GET', '/v1/members?limit=1');
    const rest = await rig.ask('GET', `/v1/members?limit=1&cursor=${String(page.json.next_cursor)}`);
    expect([page.json.has_more, rest.json.has_more, rest.json.data[0].email]).toEqual([
      true,
      false,
      OWNER.email,
    ]);
    const tenant = await rig.addTenant('acme');
    for (const request of [
      { key: await rig.addKey({ permission: 'read' }) },
      { key: await rig.addKey({ subTenantId: tenant }) },
      { key: rig.testKey },
      { headers: { 'x-sub-tenant-id': tenant } },
    ]) {
      expect(outcome(await rig.ask('GET', '/v1/members', request))).toEqual([403, 'forbidden']);
    }
  });

  it('can leave in any role, and their data is deleted', async () => {
    await start();
    const id = await rig.addPerson('p@example.com', 'viewer');
    const person = await rig.signedIn('p@example.com', PASSWORD);
    expect((await person.ask('DELETE', `/v1/members/${id}`)).json).toEqual({
      id,
      object: 'member',
      deleted: true,
    });
    expect((await person.ask('GET', '/v1/auth/session')).status).toBe(401);
    expect(outcome(await rig.browser().signIn('p@example.com', PASSWORD))).toEqual([401, 'sign_in_failed']);
    expect(await rig.store.people.user(id)).toBeNull();
  });

  it('of another organization look like unknown ones', async () => {
    await start();
    const now = rig.clock.now();
    const organization = {
      postal_address: null,
      plan: 'free',
      unsubscribe_blocks: 'all',
      track_opens: 0,
    } as const;
    const id = 'usr_0123456789abcdefghjkmnpqrs';
    await rig.store.commit([
      insert(organizations, {
        row: {
          id: 'org_other',
          name: 'Other',
          ...organization,
          track_clicks: 0,
          created_at: now,
          updated_at: now,
        },
      }),
      insert(users, {
        row: {
          id,
          email: 'o@example.com',
          email_key: 'o@example.com',
          name: null,
          password_hash: '',
          totp_sealed: null,
          totp_confirmed_at: null,
          totp_last_step: null,
          recovery_codes: '[]',
          failures: 0,
          locked_until: null,
          password_changed_at: now,
          created_at: now,
          updated_at: now,
        },
      }),
      insert(members, {
        row: { organization_id: 'org_other', user_id: id, role: 'member', created_at: now, updated_at: now },
      }),
    ]);
    const olga = await rig.signedIn();
    for (const [method, body] of [
      ['PATCH', { role: 'viewer' }],
      ['DELETE', undefined],
    ] as const) {
      const ask = (of: string) => olga.ask(method, `/v1/members/${of}`, body === undefined ? {} : { body });
      const [foreign, unknown] = [await ask(id), await ask(UNKNOWN_USER)];
      expect([foreign.status, bare(foreign)]).toEqual([404, bare(unknown)]);
    }
  });

  it('always include an owner: the last one can neither leave nor be demoted, even in simultaneous requests', async () => {
    await start();
    const olga = await rig.signedIn();
    const olgaId = (await olga.ask('GET', '/v1/auth/session')).json.user.id as string;
    expect(outcome(await olga.ask('DELETE', `/v1/members/${olgaId}`))).toEqual([409, 'last_owner']);
    const demotion = await olga.ask('PATCH', `/v1/members/${olgaId}`, { body: { role: 'admin' } });
    expect(outcome(demotion)).toEqual([409, 'last_owner']);
    for (let round = 0; round < 5; round++) {
      const otherId = await rig.addPerson(`o${round}@example.com`, 'owner');
      const other = await rig.signedIn(`o${round}@example.com`, PASSWORD);
      const both = await Promise.all([
        olga.ask('PATCH', `/v1/members/${olgaId}`, { body: { role: 'admin' } }),
        round % 2 === 0
          ? other.ask('DELETE', `/v1/members/${otherId}`)
          : olga.ask('PATCH', `/v1/members/${otherId}`, { body: { role: 'admin' } }),
      ]);
      expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await rig.store.people.hasOwner(rig.organizationId)).toBe(true);
      if (both[0].status !== 200) continue;
      const back = await other.ask('PATCH', `/v1/members/${olgaId}`, { body: { role: 'owner' } });
      expect(back.json.role).toBe('owner');
      await olga.ask('DELETE', `/v1/members/${otherId}`);
    }
  });
});

describe('an invitation', () => {
  const invite = (who: Browser, body: object) => who.ask('POST', '/v1/invitations', { body });
  const accept = (body: object) => rig.browser().ask('POST', '/v1/invitations/accept', { body });

  it('is mailed, is shown to the inviter, and creates an account', async () => {
    await start({ mails: true });
    const olga = await rig.signedIn();
    const made = await invite(olga, { email: 'Mia@example.com', role: 'member' });
    expect([made.status, made.json]).toMatchObject([
      201,
      { object: 'invitation', email: 'Mia@example.com', role: 'member', status: 'pending', mailed: true },
    ]);
    const [mail] = await rig.mails();
    expect(mail).toMatchObject({
      to: 'Mia@example.com',
      subject: 'Invitation to Mailkeel',
      link: made.json.link,
    });
    expect(mail?.link).toMatch(/^https:\/\/mail\.example\.test\/invitation#[\w-]{43}$/);
    const token = tokenOf(mail?.link ?? '');
    const view = await rig.browser().ask('POST', '/v1/invitations/view', { body: { token } });
    expect(view.json).toMatchObject({
      organization_name: 'My organization',
      email: 'Mia@example.com',
      has_account: false,
    });
    expect((await accept({ token, password: 'short' })).json.error).toMatchObject({ param: 'password' });
    const joined = await accept({ token, name: 'Mia', password: PASSWORD });
    expect([joined.status, joined.json]).toMatchObject([
      201,
      { object: 'member', name: 'Mia', role: 'member' },
    ]);
    expect(outcome(await accept({ token, password: PASSWORD }))).toEqual([404, 'not_found']);
    expect((await rig.browser().signIn('mia@EXAMPLE.com', PASSWORD)).json.role).toBe('member');
    const list = await olga.ask('GET', '/v1/invitations');
    expect(list.json.data).toMatchObject([{ id: made.json.id, status: 'accepted' }]);
    expect(list.text).not.toContain('link');
    expect(await rig.audit('invitations.accept')).toHaveLength(1);
  });

  it('is accepted once, even by simultaneous requests', async () => {
    await start();
    const { link } = (await invite(await rig.signedIn(), { email: 'mia@example.com', role: 'viewer' }))
      .json as {
      link: string;
    };
    const all = await Promise.all([1, 2, 3].map(() => accept({ token: tokenOf(link), password: PASSWORD })));
    expect(all.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(1);
    expect((await rig.ask('GET', '/v1/members')).json.data).toHaveLength(2);
  });

  it('is handed over as a link while the server cannot send mail', async () => {
    await start();
    const made = await invite(await rig.signedIn(), { email: 'mia@example.com', role: 'member' });
    expect(made.json).toMatchObject({
      mailed: false,
      link: expect.stringContaining('/invitation#') as string,
    });
  });

  it('is refused for a request restricted to one sub-tenant', async () => {
    await start();
    const tenant = await rig.addTenant('acme');
    const olga = await rig.signedIn();
    const answer = await olga.ask('POST', '/v1/invitations', {
      body: { email: 'mia@example.com', role: 'member' },
      headers: { 'x-sub-tenant-id': tenant },
    });
    expect(outcome(answer)).toEqual([403, 'forbidden']);
  });

  it('replaces the previous one after a minute at the earliest', async () => {
    await start();
    const olga = await rig.signedIn();
    const again = () => invite(olga, { email: 'mia@example.com', role: 'member' });
    const first = await again();
    expect(outcome(await again())).toEqual([429, 'rate_limited']);
    rig.clock.advance(MINUTE);
    const second = await again();
    expect(second.status).toBe(201);
    const token = tokenOf(String(first.json.link));
    expect(outcome(await accept({ token, password: PASSWORD }))).toEqual([404, 'not_found']);
    const statuses = (await olga.ask('GET', '/v1/invitations')).json.data.map(
      (row: { status: string }) => row.status,
    );
    expect(statuses).toEqual(['pending', 'revoked']);
    expect((await accept({ token: tokenOf(String(second.json.link)), password: PASSWORD })).status).toBe(201);
  });

  it('ends when it is revoked or expires', async () => {
    await start();
    const olga = await rig.signedIn();
    const one = await invite(olga, { email: 'a@example.com', role: 'member' });
    const two = await invite(olga, { email: 'b@example.com', role: 'member' });
    const id = one.json.id as string;
    expect((await olga.ask('DELETE', `/v1/invitations/${id}`)).json).toEqual({
      id,
      object: 'invitation',
      deleted: true,
    });
    expect(outcome(await olga.ask('DELETE', `/v1/invitations/${id}`))).toEqual([409, 'conflict']);
    expect(outcome(await olga.ask('DELETE', `/v1/invitations/${UNKNOWN_INVITATION}`))).toEqual([
      404,
      'not_found',
    ]);
    const gone = await accept({ token: tokenOf(String(one.json.link)), password: PASSWORD });
    rig.clock.advance(7 * DAY);
    const expired = await accept({ token: tokenOf(String(two.json.link)), password: PASSWORD });
    const unknown = await accept({ token: 'x'.repeat(43), password: PASSWORD });
    expect([gone.status, bare(gone), bare(expired)]).toEqual([404, bare(unknown), bare(unknown)]);
  });

  it.each([
    ['is removed', 'DELETE', undefined],
    ['may no longer invite people', 'PATCH', { role: 'member' }],
  ])('ends when its inviter %s', async (_what, method, body) => {
    await start();
    const id = await rig.addPerson('admin@example.com', 'admin');
    const [olga, admin] = [await rig.signedIn(), await rig.signedIn('admin@example.com', PASSWORD)];
    const made = await invite(admin, { email: 'other@example.com', role: 'admin' });
    const kept = await invite(olga, { email: 'mia@example.com', role: 'viewer' });
    const gone = await olga.ask(method, `/v1/members/${id}`, body === undefined ? {} : { body });
    expect(gone.status).toBe(200);
    const [theirs, hers] = [made, kept].map(({ json }) => tokenOf((json as { link: string }).link));
    expect(outcome(await accept({ token: theirs, password: PASSWORD }))).toEqual([404, 'not_found']);
    expect((await accept({ token: hers, password: PASSWORD })).status).toBe(201);
  });

  it('is refused to members and for invalid addresses', async () => {
    await start();
    const olga = await rig.signedIn();
    expect(outcome(await invite(olga, { email: 'OLGA@example.com', role: 'member' }))).toEqual([
      409,
      'already_member',
    ]);
    expect((await invite(olga, { email: 'nonsense', role: 'member' })).json.error).toMatchObject({
      param: 'email',
    });
  });

  it('asks existing accounts for their password and counts wrong ones', async () => {
    await start({ env: { MAILKEEL_SIGN_IN_FAILURES: '3' } });
    const id = await rig.addPerson('mia@example.com', 'member');
    // of another organization: a member of this one could not be invited
    await rig.store.commit([remove(members, { where: { user_id: id } })]);
    const { link } = (await invite(await rig.signedIn(), { email: 'mia@example.com', role: 'viewer' }))
      .json as {
      link: string;
    };
    const token = tokenOf(link);
    const view = await rig.browser().ask('POST', '/v1/invitations/view', { body: { token } });
    expect(view.json.has_account).toBe(true);
    expect(outcome(await accept({ token, password: 'another password' }))).toEqual([401, 'sign_in_failed']);
    const joined = await accept({ token, password: PASSWORD });
    expect(joined.json).toMatchObject({ id, role: 'viewer' });
    expect((await rig.browser().signIn('mia@example.com', PASSWORD)).status).toBe(200);
  });
});

describe('an invitation of a person with a second factor', () => {
  it('asks for a code as sign-in does, once each, and refuses link and password alone', async () => {
    await start();
    const id = await rig.addPerson('mia@example.com', 'member');
    const mia = await rig.signedIn('mia@example.com', PASSWORD);
    const { secret } = (await mia.ask('POST', '/v1/auth/totp', { body: { password: PASSWORD } })).json as {
      secret: string;
    };
    const code = () => generateSync({ secret, epoch: Math.floor(rig.clock.now() / 1000) });
    const confirmed = await mia.ask('POST', '/v1/auth/totp/confirm', { body: { code: code() } });
    expect(confirmed.status).toBe(200);
    // of another organization: a member of this one could not be invited
    await rig.store.commit([remove(members, { where: { user_id: id } })]);
    const made = await (
      await rig.signedIn()
    ).ask('POST', '/v1/invitations', { body: { email: 'mia@example.com', role: 'viewer' } });
    const token = tokenOf(String(made.json.link));
    const accept = (more: object) =>
      rig.browser().ask('POST', '/v1/invitations/accept', { body: { token, password: PASSWORD, ...more } });
    expect(outcome(await accept({}))).toEqual([401, 'totp_required']);
    expect(outcome(await accept({ totp: code() }))).toEqual([401, 'sign_in_failed']);
    expect(outcome(await accept({ totp: code(), password: 'another password' }))).toEqual([
      401,
      'sign_in_failed',
    ]);
    expect((await rig.ask('GET', '/v1/members')).json.data).toHaveLength(1);
    rig.clock.advance(MINUTE);
    expect((await accept({ totp: code() })).json).toMatchObject({ id, role: 'viewer', totp: true });
  });
});

describe('a password reset', () => {
  const request = (email: string) =>
    rig.browser().ask('POST', '/v1/auth/password-reset', { body: { email } });
  const confirm = (body: object) => rig.browser().ask('POST', '/v1/auth/password-reset/confirm', { body });

  it('works once by a mailed link, and ends all sessions and the lock', async () => {
    await start({ mails: true, env: { MAILKEEL_SIGN_IN_FAILURES: '1' } });
    const browser = await rig.signedIn();
    await rig.browser().signIn(OWNER.email, 'a wrong password');
    expect((await request('olga@example.com')).status).toBe(202);
    const [mail] = await rig.mails();
    expect(mail).toMatchObject({ to: OWNER.email, subject: 'Reset your Mailkeel password' });
    expect(mail?.link).toMatch(/^https:\/\/mail\.example\.test\/reset-password#[\w-]{43}$/);
    const token = tokenOf(mail?.link ?? '');
    expect((await confirm({ token, password: 'password1234' })).json.error).toMatchObject({
      param: 'password',
    });
    expect((await confirm({ token, password: PASSWORD })).json).toEqual({
      object: 'password_reset',
      done: true,
    });
    expect(outcome(await confirm({ token, password: PASSWORD }))).toEqual([404, 'not_found']);
    expect((await browser.ask('GET', '/v1/auth/session')).status).toBe(401);
    expect((await rig.browser().signIn(OWNER.email, PASSWORD)).status).toBe(200);
    expect(await rig.audit('auth.resetPassword')).toHaveLength(1);
  });

  it('responds in the same way for an unknown address, without sending mail', async () => {
    await start({ mails: true });
    const [known, unknown] = [await request(OWNER.email), await request('nobody@example.com')];
    expect([unknown.status, unknown.json]).toEqual([
      202,
      { object: 'password_reset', email: 'nobody@example.com' },
    ]);
    expect(Object.keys(known.headers)).toEqual(Object.keys(unknown.headers));
    expect((await rig.mails()).map(({ to }) => to)).toEqual([OWNER.email]);
  });

  it('is mailed at most once a minute and five times in a row', async () => {
    await start({ mails: true });
    for (let i = 0; i < 8; i++) {
      await request(OWNER.email);
      await request(OWNER.email);
      rig.clock.advance(MINUTE);
    }
    expect(await rig.mails()).toHaveLength(5);
  });

  it('is refused after its link has expired', async () => {
    await start({ mails: true });
    await request(OWNER.email);
    const [mail] = await rig.mails();
    rig.clock.advance(60 * MINUTE);
    const answer = await confirm({ token: tokenOf(mail?.link ?? ''), password: PASSWORD });
    expect(outcome(answer)).toEqual([404, 'not_found']);
  });

  it('is left to the operator if there is no domain to send from', async () => {
    await start();
    const answers = [await request(OWNER.email), await request('nobody@example.com')];
    for (const { status, json } of answers) {
      expect(status).toBe(409);
      expect(json.error.message).toContain('mailkeel admin people set-password');
    }
  });
});

it('deletes expired sessions, invitations and links', async () => {
  await start({ mails: true });
  const olga = await rig.signedIn();
  await olga.ask('POST', '/v1/invitations', { body: { email: 'mia@example.com', role: 'member' } });
  await rig.browser().ask('POST', '/v1/auth/password-reset', { body: { email: OWNER.email } });
  await rig.settled();
  const { id } = (await olga.ask('GET', '/v1/auth/session')).json.user as { id: string };
  const counts = async () => [
    (await rig.store.people.sessionsOf(id)).length,
    (await rig.store.people.passwordResetsOf(id)).length,
    (await rig.ask('GET', '/v1/invitations')).json.data.length as number,
  ];
  await rig.sweep();
  expect(await counts()).toEqual([1, 1, 1]);
  rig.clock.advance(4 * DAY);
  await rig.sweep();
  expect(await counts()).toEqual([0, 0, 1]);
  rig.clock.advance(100 * DAY);
  await rig.sweep();
  expect(await counts()).toEqual([0, 0, 0]);
});

describe('the pages', () => {
  it.each(['/invitation', '/reset-password'])('%s is plain, with one own script', async (path) => {
    await start();
    const page = await rig.ask('GET', path, { key: '' });
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    expect(page.text).toContain('<script src="/people.js"></script>');
    expect(page.text).not.toMatch(/https?:\/\/|style=|onclick/);
    const script = await rig.ask('GET', '/people.js', { key: '' });
    expect(script.headers['content-type']).toContain('text/javascript');
    expect(() => new Script(script.text)).not.toThrow();
  });
});
