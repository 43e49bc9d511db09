// Tests that the setup link creates the owner's account and the first keys once.
import { Script } from 'node:vm';
import { afterEach, expect, it } from 'vitest';
import { ConfigProblems } from '../../src/settings/load.js';
import { createLog } from '../../src/lib/runtime/index.js';
import { firstStart, useSetupToken } from '../../src/accounts/first-start.js';
import { ensureOwner, ownerOfSettings } from '../../src/accounts/people/owner.js';
import { Passwords } from '../../src/accounts/people/passwords.js';
import { OWNER, PASSWORD, startPeopleRig, type PeopleRig } from '../support/people-rig.js';

let rig: PeopleRig;
afterEach(() => rig.close());

async function setupToken(): Promise<string> {
  const { setupToken: token } = await firstStart(rig.store, { clock: rig.clock.now });
  if (token === null) throw new Error('The set-up link was used.');
  return token;
}

const post = (body: object) => rig.browser().ask('POST', '/setup', { body });
const signIn = () => rig.browser().signIn(OWNER.email, OWNER.password);

it('creates the owner and both keys once, even if it is sent repeatedly', async () => {
  rig = await startPeopleRig({ bare: true });
  const token = await setupToken();
  expect((await post({ token })).json.error.details.fields).toMatchObject([
    { path: 'email' },
    { path: 'password' },
  ]);
  expect((await post({ token, email: 'me', password: PASSWORD })).json.error).toMatchObject({
    param: 'email',
  });
  expect((await post({ token, ...OWNER, password: 'short' })).json.error).toMatchObject({
    param: 'password',
  });
  expect((await post({ token: 'x', ...OWNER })).status).toBe(403);
  const answers = await Promise.all([post({ token, ...OWNER }), post({ token, ...OWNER })]);
  const made = answers.filter(({ status }) => status === 200);
  expect(made).toHaveLength(1);
  for (const key of ['live_key', 'test_key']) {
    expect((await rig.ask('GET', '/v1/contacts', { key: String(made[0]?.json[key]) })).status).toBe(200);
  }
  expect((await signIn()).json.role).toBe('owner');
  expect((await rig.ask('GET', '/v1/members')).json.data).toHaveLength(1);
  expect((await post({ token, ...OWNER })).status).toBe(403);
  expect((await firstStart(rig.store, { clock: rig.clock.now })).setupToken).toBeNull();
  expect(await rig.audit('organization.setUp')).toHaveLength(1);
});

it('signs the new owner in, and remembers the browser', async () => {
  rig = await startPeopleRig({ bare: true });
  const token = await setupToken();
  const browser = rig.browser();
  const made = await browser.ask('POST', '/setup', { body: { token, ...OWNER } });
  expect(made.json).toMatchObject({
    test_key: expect.stringContaining('svc_test_') as string,
  });
  expect([made.headers['set-cookie']].flat().map((cookie) => String(cookie).split('=', 1)[0])).toEqual([
    'mailkeel_session',
    'mailkeel_browser',
  ]);
  expect(String(made.headers['set-cookie'])).toMatch(/HttpOnly; Secure; SameSite=Lax/);
  const { status, json } = await browser.ask('GET', '/v1/auth/session');
  expect([status, json.role, json.user.email]).toEqual([200, 'owner', OWNER.email]);
  expect((await browser.ask('POST', '/v1/contacts', { body: { email: 'a@example.com' } })).status).toBe(201);
  // The losing one of two simultaneous requests created nothing, so its link opens nothing.
  const late = rig.browser();
  await late.ask('POST', '/setup', { body: { token, ...OWNER } });
  expect(late.cookie()).toBeNull();
});

it('is not offered if there is an owner, and ends when any way creates one', async () => {
  rig = await startPeopleRig({ bare: true });
  const token = await setupToken();
  expect((await rig.ask('GET', '/setup', { key: '' })).text).toContain('id="password"');
  const { store, clock } = rig;
  await ensureOwner({ store, passwords: new Passwords(), clock: clock.now, log: createLog('silent') }, OWNER);
  const keys = await rig.raw('SELECT id FROM api_keys');
  for (const body of [{ token }, { token, email: 'new@example.com', password: PASSWORD }]) {
    expect((await post(body)).json.error.code).toBe('forbidden');
  }
  expect(await rig.raw('SELECT id FROM api_keys')).toHaveLength(keys.length);
  const page = (await rig.ask('GET', '/setup', { key: '' })).text;
  expect([page.includes('id="password"'), page.includes('/sign-in')]).toEqual([false, true]);
  expect((await firstStart(rig.store, { clock: rig.clock.now })).setupToken).toBeNull();
});

it('creates nothing if the owner is created in another way meanwhile', async () => {
  rig = await startPeopleRig({ bare: true });
  const { store, clock } = rig;
  const token = await setupToken();
  const keys = await rig.raw('SELECT id FROM api_keys');
  const used = await useSetupToken(store, token, {
    now: clock.now(),
    async planMore() {
      const deps = { store, passwords: new Passwords(), clock: clock.now, log: createLog('silent') };
      await ensureOwner(deps, OWNER);
      return { plan: [], made: null, maker: null };
    },
  });
  expect(used).toBeNull();
  expect(await rig.raw('SELECT id FROM api_keys')).toHaveLength(keys.length);
});

it('expires after a day, and a new start creates another one', async () => {
  rig = await startPeopleRig({ bare: true });
  const old = await setupToken();
  rig.clock.advance(24 * 60 * 60_000);
  expect((await post({ token: old, ...OWNER })).status).toBe(403);
  const token = await setupToken();
  expect((await post({ token: old, ...OWNER })).status).toBe(403);
  expect((await post({ token, ...OWNER })).status).toBe(200);
});

it('appears in no log line, and neither do its keys', async () => {
  const lines: string[] = [];
  rig = await startPeopleRig({ bare: true, logTo: { write: (line: string) => void lines.push(line) } });
  const token = await setupToken();
  const made = await post({ token, ...OWNER });
  expect(made.status).toBe(200);
  const text = lines.join('');
  for (const secret of [token, String(made.json.live_key), OWNER.password])
    expect(text).not.toContain(secret);
});

it('has a script that browsers can parse', async () => {
  rig = await startPeopleRig({ bare: true });
  const script = await rig.ask('GET', '/setup.js', { key: '' });
  expect(() => new Script(script.text)).not.toThrow();
});

it('is not needed if the settings name an owner, who is created unless one exists', async () => {
  rig = await startPeopleRig({ bare: true });
  const { store, clock } = rig;
  const deps = { store, passwords: new Passwords(), clock: clock.now, log: createLog('silent') };
  await ensureOwner(deps, OWNER);
  await ensureOwner(deps, { email: 'other@example.com', password: PASSWORD });
  expect((await signIn()).status).toBe(200);
  expect((await rig.ask('GET', '/v1/members')).json.data).toHaveLength(1);
  expect(await rig.audit('members.makeOwner')).toMatchObject([{ actor_kind: 'operator', actor_id: null }]);
});

it('refuses to start with all problems of these settings', async () => {
  rig = await startPeopleRig({ bare: true });
  const problemsOf = (ownerEmail: string | null, ownerPassword: string | null): readonly string[] => {
    try {
      ownerOfSettings({ ownerEmail, ownerPassword });
      return [];
    } catch (error) {
      if (!(error instanceof ConfigProblems)) throw error;
      return error.problems;
    }
  };
  expect(problemsOf(null, null)).toEqual([]);
  expect(problemsOf(OWNER.email, OWNER.password)).toEqual([]);
  expect(problemsOf(OWNER.email, null)).toEqual([
    'MAILKEEL_OWNER_EMAIL and MAILKEEL_OWNER_PASSWORD must be set together',
  ]);
  expect(problemsOf('me', 'password1234')).toEqual([
    'MAILKEEL_OWNER_EMAIL: The address has no @.',
    'MAILKEEL_OWNER_PASSWORD is a commonly used password',
  ]);
});
