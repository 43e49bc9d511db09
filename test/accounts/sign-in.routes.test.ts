// Tests signing in: what starts a session, how long it lasts, and what locks an account.
import { generateSync } from 'otplib';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import {
  createPeopleRigs,
  OWNER,
  PASSWORD,
  type Browser,
  type PeopleRig,
  type PeopleRigOptions,
} from '../support/people-rig.js';
import { placeOfAddress } from '../../src/accounts/sign-in/known-places.js';
import { knownPlaces } from '../../src/accounts/sign-in/sign-in.tables.js';
import { remove, update } from '../../src/database/rows.js';
import { users } from '../../src/accounts/people/people.tables.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let rig: PeopleRig;
const rigs = createPeopleRigs();
const start = async (options: PeopleRigOptions = {}): Promise<PeopleRig> => (rig = await rigs.start(options));
afterEach(() => rig.close());
afterAll(() => rigs.close());

const outcome = (answer: {
  status: number;
  json: { error?: { code: string } } | null;
}): [number, string | undefined] => [answer.status, answer.json?.error?.code];
const failed = [401, 'sign_in_failed'];

describe('signing in', () => {
  it('sets a cookie that scripts cannot read, and returns the person', async () => {
    await start();
    const browser = rig.browser();
    const answer = await browser.signIn('olga@EXAMPLE.com');
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      object: 'sign_in',
      session: { object: 'session', is_current: true, ip: '127.0.0.1' },
      user: { object: 'user', email: OWNER.email, totp: false, recovery_codes_left: 0 },
      organization: { id: rig.organizationId },
      role: 'owner',
      workspaces: [{ id: rig.workspaceId, organization_id: rig.organizationId, role: 'owner' }],
    });
    const [cookie] = [answer.headers['set-cookie']].flat();
    expect(cookie).toMatch(
      /^mailkeel_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect((await browser.ask('GET', '/v1/auth/session')).json).toEqual(answer.json);
    expect(await rig.audit('auth.signIn')).toMatchObject([
      { actor_kind: 'user', target_id: answer.json.session.id },
    ]);
  });

  it('omits Secure if the public URL is HTTP', async () => {
    await start({ publicUrl: 'http://localhost:8080' });
    expect(String((await rig.browser().signIn()).headers['set-cookie'])).not.toContain('Secure');
  });

  it('responds identically for an unknown address, a wrong password and a locked account, except for the request id', async () => {
    await start({ env: { MAILKEEL_SIGN_IN_FAILURES: '1' } });
    const browser = rig.browser();
    const answers = [
      await browser.signIn('nobody@example.com'),
      await browser.signIn(OWNER.email, 'a wrong password'),
      await browser.signIn(),
    ];
    expect(answers.map(outcome)).toEqual([failed, failed, failed]);
    const bodies = answers.map(({ text }) => text.replace(/"request_id":"[^"]+"/, ''));
    expect(new Set(bodies).size).toBe(1);
    const names = answers.map(({ headers }) => Object.keys(headers).sort().join());
    expect(new Set(names).size).toBe(1);
  });

  it('accepts only JSON, which forms of other sites cannot send', async () => {
    await start();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await rig.browser().ask('POST', '/v1/auth/sign-in', { headers, body: 'email=a' });
    expect(outcome(answer)).toEqual([415, 'unsupported_media_type']);
  });

  it('limits all attempts of a client address, including successful ones', async () => {
    await start({ failuresPerMinute: 3 });
    const browser = rig.browser();
    for (let i = 0; i < 3; i++) expect(outcome(await browser.signIn(`n${i}@example.com`))).toEqual(failed);
    const over = await browser.signIn();
    expect(outcome(over)).toEqual([429, 'rate_limited']);
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('counts an attempt before reading its body, which must be small', async () => {
    await start({ failuresPerMinute: 2 });
    const statuses: Record<string, number[]> = {};
    const paths = ['/v1/auth/sign-in', '/v1/auth/password-reset', '/v1/invitations/accept', '/setup'];
    for (const [at, path] of paths.entries()) {
      const headers = { 'content-type': 'application/json' };
      const ask = async (body: string) =>
        (await rig.ask('POST', path, { key: '', ip: `192.0.2.${at}`, headers, body })).status;
      statuses[path] = [await ask(`{"email":"${'x'.repeat(17_000)}"}`), await ask('{'), await ask('{')];
    }
    expect(statuses).toEqual(Object.fromEntries(paths.map((path) => [path, [413, 400, 429]])));
  });
});

describe('the lock after failures', () => {
  it('delays strangers after repeated failures, even with the right password', async () => {
    await start({ env: { MAILKEEL_SIGN_IN_FAILURES: '3', MAILKEEL_SIGN_IN_LOCK: '15m' } });
    const browser = rig.browser();
    const fail = () => browser.signIn(OWNER.email, 'a wrong password');
    for (let i = 0; i < 3; i++) await fail();
    const first = Math.ceil((15 * MINUTE) / 16);
    expect(outcome(await browser.signIn())).toEqual(failed);
    rig.clock.advance(first - 1);
    expect(outcome(await browser.signIn())).toEqual(failed);
    rig.clock.advance(1);
    await fail(); // one more, and twice the wait
    rig.clock.advance(2 * first - 1);
    expect(outcome(await browser.signIn())).toEqual(failed);
    rig.clock.advance(1);
    expect((await browser.signIn()).status).toBe(200);
    expect((await rig.store.people.userByEmail('olga@example.com'))?.failures).toBe(0);
    expect((await rig.audit('auth.signInFailed')).map((entry) => entry.detail)).toContain(
      '{"factor":"password","locked":true}',
    );
  });

  it('does not affect a browser that signed in before', async () => {
    await start({ env: { MAILKEEL_SIGN_IN_FAILURES: '3' } });
    const home = rig.browser();
    expect((await home.signIn()).headers['set-cookie']).toEqual(
      expect.arrayContaining([expect.stringMatching(/^mailkeel_browser=[\w-]{43}; .*HttpOnly/)]),
    );
    // As from another network: the address is unknown, but the browser is known.
    const { id } = (await rig.store.people.userByEmail('olga@example.com')) ?? { id: '' };
    const answers: number[] = [];
    await rig.store.commit([
      remove(knownPlaces, { where: { user_id: id, place: placeOfAddress('127.0.0.1') } }),
    ]);
    for (let i = 0; i < 20; i++)
      answers.push((await rig.browser().signIn(OWNER.email, `guess number ${i}`)).status);
    expect(new Set(answers)).toEqual(new Set([401]));
    expect(outcome(await rig.browser().signIn())).toEqual(failed);
    expect((await home.signIn()).status).toBe(200);
    // Its own failures slow it down all the same.
    for (let i = 0; i < 3; i++) await home.signIn(OWNER.email, 'a wrong password');
    expect(outcome(await home.signIn())).toEqual(failed);
  });

  it('does not affect an address that signed in before', async () => {
    await start({ env: { MAILKEEL_SIGN_IN_FAILURES: '3' } });
    await rig.browser().signIn();
    const { id } = (await rig.store.people.userByEmail('olga@example.com')) ?? { id: '' };
    const locked = { failures: 30, locked_until: rig.clock.now() + 15 * MINUTE };
    await rig.store.commit([update(users, { set: locked, where: { id } })]);
    expect((await rig.browser().signIn()).status).toBe(200);
    expect(await rig.store.people.userByEmail('olga@example.com')).toMatchObject(locked);
  });

  it('allows no more guesses in simultaneous requests', async () => {
    await start({ env: { MAILKEEL_SIGN_IN_FAILURES: '5' } });
    const browser = rig.browser();
    const guesses = Array.from({ length: 30 }, (_, i) => browser.signIn(OWNER.email, `guess number ${i}`));
    expect((await Promise.all(guesses)).every(({ status }) => status === 401)).toBe(true);
    // only as many as the rule allows were compared, and recorded as failures of the account
    expect(await rig.audit('auth.signInFailed')).toHaveLength(5);
    expect((await rig.store.people.userByEmail('olga@example.com'))?.failures).toBe(5);
  });

  it('applies to one account', async () => {
    await start({ env: { MAILKEEL_SIGN_IN_FAILURES: '1' } });
    await rig.addPerson('mia@example.com', 'member');
    await rig.browser().signIn(OWNER.email, 'a wrong password');
    expect((await rig.browser().signIn('mia@example.com', PASSWORD)).status).toBe(200);
  });
});

describe('a session', () => {
  it('ends when it is idle, and at its maximum lifetime', async () => {
    await start({ env: { MAILKEEL_SESSION_IDLE: '1h', MAILKEEL_SESSION_LIFETIME: '1d' } });
    const [idle, busy] = [await rig.signedIn(), await rig.signedIn()];
    const statusOf = async (browser: Browser) => (await browser.ask('GET', '/v1/auth/session')).status;
    for (let minutes = 0; minutes < 24 * 60 - 40; minutes += 40) {
      rig.clock.advance(40 * MINUTE);
      expect(await statusOf(busy)).toBe(200);
    }
    expect(await statusOf(idle)).toBe(401);
    rig.clock.advance(40 * MINUTE);
    expect(await statusOf(busy)).toBe(401);
  });

  it('records its use once a minute', async () => {
    await start();
    const browser = await rig.signedIn();
    const usedAt = async () =>
      (await browser.ask('GET', '/v1/auth/session')).json.session.last_used_at as string;
    const first = await usedAt();
    rig.clock.advance(MINUTE - 1);
    expect(await usedAt()).toBe(first);
    rig.clock.advance(1);
    expect(Date.parse(await usedAt())).toBe(rig.clock.now());
  });

  it('is listed, can be ended individually, and ends by signing out', async () => {
    await start();
    const [one, two, three] = [await rig.signedIn(), await rig.signedIn(), await rig.signedIn()];
    const list = await one.ask('GET', '/v1/auth/sessions');
    expect(list.json.data).toHaveLength(3);
    const idOf = async (browser: Browser) =>
      (await browser.ask('GET', '/v1/auth/session')).json.session.id as string;
    const id = await idOf(two);
    expect((await one.ask('DELETE', `/v1/auth/sessions/${id}`)).json).toEqual({
      id,
      object: 'session',
      deleted: true,
    });
    expect((await two.ask('GET', '/v1/contacts')).status).toBe(401);
    const out = await three.ask('POST', '/v1/auth/sign-out');
    expect(out.status).toBe(200);
    expect(String(out.headers['set-cookie'])).toMatch(/^mailkeel_session=; .*Expires=Thu, 01 Jan 1970/);
    expect((await one.ask('GET', '/v1/auth/sessions')).json.data).toHaveLength(1);
    const four = await rig.signedIn();
    expect((await one.ask('DELETE', '/v1/auth/sessions')).status).toBe(200);
    expect((await four.ask('GET', '/v1/auth/session')).status).toBe(401);
    expect((await one.ask('GET', '/v1/auth/session')).status).toBe(200);
  });

  it('of another person cannot be ended and looks like an unknown one', async () => {
    await start();
    await rig.addPerson('mia@example.com', 'admin');
    const [olga, mia] = [await rig.signedIn(), await rig.signedIn('mia@example.com', PASSWORD)];
    const { id } = (await olga.ask('GET', '/v1/auth/session')).json.session as { id: string };
    const bare = (text: string) => text.replace(/"request_id":"[^"]+"/, '');
    const foreign = await mia.ask('DELETE', `/v1/auth/sessions/${id}`);
    const unknown = await mia.ask('DELETE', '/v1/auth/sessions/ses_00000000000000000000000000');
    expect([foreign.status, bare(foreign.text)]).toEqual([404, bare(unknown.text)]);
  });

  it('ends when its person opens too many others', async () => {
    await start();
    const first = await rig.signedIn();
    for (let i = 0; i < 50; i++) {
      rig.clock.advance(1);
      await rig.signedIn();
    }
    expect((await first.ask('GET', '/v1/auth/session')).status).toBe(401);
  });
});

describe('the second factor', () => {
  const HALF_MINUTE = 30_000;
  const codeOf = (secret: string) => generateSync({ secret, epoch: Math.floor(rig.clock.now() / 1000) });

  const begin = (browser: Browser, password = OWNER.password) =>
    browser.ask('POST', '/v1/auth/totp', { body: { password } });

  async function withTotp(browser: Browser): Promise<{ secret: string; codes: string[] }> {
    const { secret, uri } = (await begin(browser)).json as { secret: string; uri: string };
    expect(uri).toBe(`otpauth://totp/Mailkeel:Olga%40Example.com?secret=${secret}&issuer=Mailkeel`);
    const answer = await browser.ask('POST', '/v1/auth/totp/confirm', { body: { code: codeOf(secret) } });
    expect(answer.status).toBe(200);
    return { secret, codes: answer.json.recovery_codes as string[] };
  }

  it('is asked for after the password, once it is confirmed', async () => {
    await start();
    const browser = await rig.signedIn();
    const other = await rig.signedIn();
    const { secret, codes } = await withTotp(browser);
    expect(codes).toHaveLength(10);
    expect(
      new Set(codes.map((code) => /^(?:[0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/.test(code))),
    ).toEqual(new Set([true]));
    expect((await other.ask('GET', '/v1/auth/session')).status).toBe(401);
    expect((await browser.ask('GET', '/v1/auth/session')).json.user).toMatchObject({
      totp: true,
      recovery_codes_left: 10,
    });
    expect(outcome(await rig.browser().signIn())).toEqual([401, 'totp_required']);
    expect(outcome(await rig.browser().signIn(OWNER.email, 'a wrong password'))).toEqual(failed);
    rig.clock.advance(HALF_MINUTE);
    expect((await rig.browser().signIn(undefined, undefined, { totp: codeOf(secret) })).status).toBe(200);
  });

  it('accepts each code once, including the confirmation code and codes of adjacent intervals', async () => {
    await start();
    const { secret } = await withTotp(await rig.signedIn());
    const signIn = (totp: string) => rig.browser().signIn(undefined, undefined, { totp });
    expect(outcome(await signIn(codeOf(secret)))).toEqual(failed);
    rig.clock.advance(HALF_MINUTE);
    const code = codeOf(secret);
    rig.clock.advance(HALF_MINUTE);
    const both = await Promise.all([signIn(code), signIn(code)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    rig.clock.advance(3 * HALF_MINUTE);
    const old = codeOf(secret);
    rig.clock.advance(2 * HALF_MINUTE);
    expect(outcome(await signIn(old))).toEqual(failed);
  });

  it('accepts a recovery code once, in any notation', async () => {
    await start();
    const browser = await rig.signedIn();
    const { codes } = await withTotp(browser);
    const code = codes[3] ?? '';
    const recovery_code = code.toUpperCase().replaceAll('-', ' ');
    const signIn = () => rig.browser().signIn(undefined, undefined, { recovery_code });
    const both = await Promise.all([signIn(), signIn()]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect((await browser.ask('GET', '/v1/auth/session')).json.user.recovery_codes_left).toBe(9);
  });

  it('counts wrong codes like wrong passwords, but not requests without a code', async () => {
    await start({ env: { MAILKEEL_SIGN_IN_FAILURES: '3' } });
    const { secret } = await withTotp(await rig.signedIn());
    for (let i = 0; i < 5; i++) expect(outcome(await rig.browser().signIn())).toEqual([401, 'totp_required']);
    rig.clock.advance(HALF_MINUTE);
    const wrong = codeOf(secret) === '000000' ? '000001' : '000000';
    for (let i = 0; i < 3; i++) {
      await rig.browser().signIn();
      expect(outcome(await rig.browser().signIn(undefined, undefined, { totp: wrong }))).toEqual(failed);
    }
    expect(outcome(await rig.browser().signIn(undefined, undefined, { totp: codeOf(secret) }))).toEqual(
      failed,
    );
  });

  it('is turned off with password and code', async () => {
    await start();
    const browser = await rig.signedIn();
    const { secret, codes } = await withTotp(browser);
    expect(outcome(await begin(browser))).toEqual([409, 'conflict']);
    const disable = (body: object) => browser.ask('POST', '/v1/auth/totp/disable', { body });
    rig.clock.advance(HALF_MINUTE);
    const code = codeOf(secret);
    expect((await disable({ password: 'a wrong password', code })).json.error).toMatchObject({
      param: 'password',
    });
    expect((await disable({ password: OWNER.password })).json.error).toMatchObject({ param: 'code' });
    const off = await disable({ password: OWNER.password, recovery_code: codes[0] });
    expect([off.status, off.json.totp, off.json.recovery_codes_left]).toEqual([200, false, 0]);
    expect((await rig.browser().signIn()).status).toBe(200);
    expect(await rig.audit('auth.disableTotp')).toHaveLength(1);
  });

  it('is inactive until it is confirmed with its own code', async () => {
    await start();
    const browser = await rig.signedIn();
    await begin(browser);
    const confirm = await browser.ask('POST', '/v1/auth/totp/confirm', { body: { code: '123456' } });
    expect(confirm.json.error).toMatchObject({ code: 'validation_error', param: 'code' });
    expect((await rig.browser().signIn()).status).toBe(200);
  });

  it('cannot be set up, nor the password guessed, from an unattended browser', async () => {
    await start({ env: { MAILKEEL_SIGN_IN_FAILURES: '2' } });
    const browser = await rig.signedIn();
    expect((await browser.ask('POST', '/v1/auth/totp')).status).toBe(422);
    expect((await begin(browser)).status).toBe(200);
    expect(await rig.audit('auth.beginTotp')).toMatchObject([{ actor_kind: 'user' }]);
    const { id } = (await browser.ask('GET', '/v1/auth/session')).json.user as { id: string };
    const sealed = async () => (await rig.store.people.user(id))?.totp_sealed;
    const before = await sealed();
    for (const password of ['a wrong password', 'another wrong one', OWNER.password]) {
      const { status, json } = await begin(browser, password);
      expect([status, json.error.param]).toEqual([422, 'password']);
    }
    expect([await sealed(), outcome(await browser.signIn())]).toEqual([before, failed]);
    expect((await rig.browser().signIn()).status).toBe(200);
    expect(await rig.audit('auth.beginTotp')).toHaveLength(1);
    expect(await rig.audit('auth.signInFailed')).toHaveLength(2);
  });
});

describe('the password', () => {
  it('is changed with the current one, which ends other sessions', async () => {
    await start();
    const [browser, other] = [await rig.signedIn(), await rig.signedIn()];
    const change = (current: string, next: string) =>
      browser.ask('POST', '/v1/auth/password', { body: { current, new: next } });
    expect((await change('a wrong password', PASSWORD)).json.error).toMatchObject({ param: 'current' });
    expect((await change(OWNER.password, 'short')).json.error).toMatchObject({ param: 'new' });
    expect((await change(OWNER.password, PASSWORD)).status).toBe(200);
    expect((await other.ask('GET', '/v1/auth/session')).status).toBe(401);
    expect((await browser.ask('GET', '/v1/auth/session')).status).toBe(200);
    expect(outcome(await rig.browser().signIn())).toEqual(failed);
    expect((await rig.browser().signIn(OWNER.email, PASSWORD)).status).toBe(200);
    expect(await rig.audit('auth.changePassword')).toHaveLength(1);
  });

  it('cannot be guessed from an unattended browser', async () => {
    await start({ env: { MAILKEEL_SIGN_IN_FAILURES: '2' } });
    const browser = await rig.signedIn();
    const change = (current: string) =>
      browser.ask('POST', '/v1/auth/password', { body: { current, new: PASSWORD } });
    await change('a wrong password');
    await change('another wrong one');
    expect((await change(OWNER.password)).json.error).toMatchObject({ param: 'current' });
  });
});

it('keeps passwords, tokens and codes out of log and audit log', async () => {
  const lines: string[] = [];
  await start({ mails: true, logTo: { write: (line: string) => void lines.push(line) } });
  const browser = await rig.signedIn();
  await rig.browser().signIn(OWNER.email, 'a wrong password');
  await browser.ask('POST', '/v1/auth/password', { body: { current: OWNER.password, new: PASSWORD } });
  const begun = await browser.ask('POST', '/v1/auth/totp', { body: { password: PASSWORD } });
  const { secret } = begun.json as { secret: string };
  const invited = await browser.ask('POST', '/v1/invitations', {
    body: { email: 'mia@example.com', role: 'member' },
  });
  const token = String(invited.json.link).split('#')[1] ?? '';
  await rig
    .browser()
    .ask('POST', '/v1/invitations/accept', { body: { token, password: 'another fine password' } });
  rig.clock.advance(DAY);
  await rig.browser().ask('POST', '/v1/auth/password-reset', { body: { email: OWNER.email } });
  const [mail] = await rig.mails();
  const { rows } = await rig.store.audit.entries(
    await rig.scopeOf('live'),
    { limit: 100, after: null },
    { ofOrganization: true },
  );
  const told = lines.join('\n') + JSON.stringify(rows);
  expect(lines.length).toBeGreaterThan(5);
  const cookie = browser.cookie()?.split('=')[1] ?? '';
  const reset = mail?.link.split('#')[1] ?? '';
  for (const kept of [
    OWNER.password,
    PASSWORD,
    'a wrong password',
    'another fine',
    secret,
    token,
    reset,
    cookie,
  ]) {
    expect(kept.length).toBeGreaterThan(8);
    expect(told).not.toContain(kept);
  }
  expect(told).not.toContain(browser.csrf());
});
