// Tests an owner from the setup link to the second factor on the running program: sessions and lockouts survive a kill, and a new
// password ends all other sessions.
import { generateSync } from 'otplib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAppliance, type Answer, type Appliance } from '../../support/appliance.js';
import { waitFor } from '../../support/wait.js';
import { tuned } from '../../support/tuning.js';

const EMAIL = 'olga@example.com';
const PASSWORD = 'the lamp is on the left side';
const NEXT = 'a kettle of green tea, please';
const FAILURES = 4;

let appliance: Appliance;

beforeAll(async () => {
  appliance = await createAppliance({
    env: {
      MAILKEEL_SIGN_IN_FAILURES: String(FAILURES),
      MAILKEEL_SIGN_IN_LOCK: '1h',
      ...tuned({ signInRefusalMs: 10 }),
      MAILKEEL_RATE_LIMIT_AUTH_FAILURES: '0',
    },
  });
  await appliance.start();
});
afterAll(() => appliance.close());

/** Keeps the cookie, and sends the token with requests that change something. */
function openBrowser() {
  const headers: Record<string, string> = {};
  return async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const answer = await appliance.api(method, path, { key: '', headers, ...(body ? { body } : {}) });
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0];
    if (cookie !== undefined) headers['cookie'] = cookie;
    const token: unknown = answer.json?.csrf_token;
    if (typeof token === 'string') headers['x-csrf-token'] = token;
    return answer;
  };
}

type Browser = ReturnType<typeof openBrowser>;

const signIn = (browser: Browser, more: object = {}): Promise<Answer> =>
  browser('POST', '/v1/auth/sign-in', { email: EMAIL, password: PASSWORD, ...more });
const outcome = ({ status, json }: Answer): unknown[] => [status, json?.error?.code];

async function restart(): Promise<void> {
  await appliance.end('SIGKILL');
  await appliance.start();
}

/** As if its hour had passed. */
async function endLock(): Promise<void> {
  const now = Date.now();
  const ended = await appliance.query(
    'UPDATE known_places SET locked_until = ? WHERE locked_until > ? RETURNING locked_until',
    ...[now - 1, now],
  );
  expect(ended).not.toEqual([]);
}

it('an owner signs in with two factors, and locks and sessions survive a kill', async () => {
  const token = /\/setup#([\w-]+)/.exec(appliance.output())?.[1];
  const setUp = (password: string) =>
    appliance.api('POST', '/setup', { key: '', body: { token, email: EMAIL, password } });
  expect((await setUp('short')).status).toBe(422);
  const made = await setUp(PASSWORD);
  expect(made.json).toMatchObject({ live_key: expect.stringMatching(/^svc_live_/) as string });
  expect((await setUp(PASSWORD)).status).toBe(403);

  const browser = openBrowser();
  expect((await signIn(browser)).json).toMatchObject({ role: 'owner', user: { totp: false } });
  const begun = await browser('POST', '/v1/auth/totp', { password: PASSWORD });
  const { secret } = begun.json as { secret: string };
  // The code of the previous step is valid as well, and the last one is needed for signing in.
  const codeOf = (step: number) => generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + step * 30 });
  const confirmed = await browser('POST', '/v1/auth/totp/confirm', { code: codeOf(-1) });
  const recovery = confirmed.json.recovery_codes as string[];
  expect(recovery).toHaveLength(10);

  await restart();
  expect((await browser('GET', '/v1/auth/session')).json).toMatchObject({ user: { totp: true } });
  const phone = openBrowser();
  expect(outcome(await signIn(phone))).toEqual([401, 'totp_required']);
  const code = codeOf(0);
  expect((await signIn(phone, { totp: code })).status).toBe(200);
  expect(outcome(await signIn(openBrowser(), { totp: code }))).toEqual([401, 'sign_in_failed']);
  const laptop = openBrowser();
  const byPaper = await signIn(laptop, { recovery_code: recovery[0] });
  expect(byPaper.json).toMatchObject({ user: { recovery_codes_left: 9 } });
  await restart();
  expect(outcome(await signIn(openBrowser(), { recovery_code: recovery[0] }))).toEqual([
    401,
    'sign_in_failed',
  ]);

  const changed = await browser('POST', '/v1/auth/password', { current: PASSWORD, new: NEXT });
  expect(changed.status).toBe(200);
  for (const ended of [phone, laptop]) expect((await ended('GET', '/v1/auth/session')).status).toBe(401);
  expect((await browser('GET', '/v1/auth/session')).status).toBe(200);

  const guesses = Array.from({ length: 3 * FAILURES }, () => signIn(openBrowser()));
  expect((await Promise.all(guesses)).map(outcome)).toEqual(guesses.map(() => [401, 'sign_in_failed']));
  await appliance.end('SIGKILL');
  await appliance.startHere();
  const right = () => signIn(openBrowser(), { password: NEXT, recovery_code: recovery[1] });
  expect(outcome(await right())).toEqual([401, 'sign_in_failed']);
  expect((await browser('GET', '/v1/auth/session')).status).toBe(200);
  await endLock();
  await waitFor('the lock to end', right, ({ status }) => status === 200);

  const log = await browser('GET', '/v1/audit-log?limit=100');
  const actions = (log.json.data as { action: string }[]).map(({ action }) => action);
  for (const once of ['organization.setUp', 'auth.beginTotp', 'auth.confirmTotp', 'auth.changePassword']) {
    expect(actions.filter((action) => action === once)).toEqual([once]);
  }
  for (const known of [PASSWORD, NEXT, secret, EMAIL, ...recovery]) expect(log.text).not.toContain(known);
}, 120_000);
