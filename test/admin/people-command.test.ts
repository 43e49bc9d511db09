// Tests `mailkeel admin people`, which helps people who are locked out.
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openAppliance } from '../../src/app/installation/open-appliance.js';
import { runCommandLine } from '../../src/admin/program.js';
import { loadConfig } from '../../src/settings/load.js';
import type { Store } from '../../src/app/store.js';
import { Passwords } from '../../src/accounts/people/passwords.js';
import { fixedClock } from '../support/fixed-clock.js';
import { layDataFolder } from '../support/migrated-file.js';
import { temporaryFolder } from '../support/open-engines.js';
import { users } from '../../src/accounts/people/people.tables.js';
import { update, insert } from '../../src/database/rows.js';
import { sessions } from '../../src/accounts/sign-in/sign-in.tables.js';

const PASSWORD = 'the lamp is on the left side';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(async () => {
  folder = temporaryFolder();
  await layDataFolder(join(folder.path, 'data'));
});
afterEach(() => folder.remove());

const loaded = () => loadConfig({ env: { MAILKEEL_DATA_DIR: join(folder.path, 'data') } });

async function run(args: string[], stdin = '') {
  let stdout = '';
  let stderr = '';
  const code = await runCommandLine(['admin', ...args], {
    stdout: { write: (text) => (stdout += text), isTTY: false },
    stderr: { write: (text) => (stderr += text) },
    readStdin: () => Promise.resolve(stdin),
    loadConfig: loaded,
    clock: fixedClock().now,
    exitCode: 0,
  });
  const text = stdout === '' ? stderr : stdout;
  return { code, text, json: JSON.parse(text) as Record<string, unknown> };
}

async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const { store } = await openAppliance(loaded().config);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function opens(email: string, password: string): Promise<boolean> {
  const user = await withStore((store) => store.people.userByEmail(email));
  return new Passwords().verify(user?.password_hash ?? null, password);
}

it('creates an owner while a server runs, with a generated or a given password', async () => {
  expect((await run(['people', 'make-owner', '--email', 'a@example.com'])).json).toMatchObject({
    error: { code: 'not_found' },
  });
  await run(['bootstrap']);
  const server = await openAppliance(loaded().config);
  const made = await run(['people', 'make-owner', '--email', 'Ann@example.com']);
  expect(made.json).toMatchObject({ object: 'user', email: 'Ann@example.com' });
  await server.store.close();
  expect(await opens('ann@example.com', String(made.json['password']))).toBe(true);
  const given = await run(
    ['people', 'make-owner', '--email', 'b@example.com', '--password-stdin'],
    `${PASSWORD}\n`,
  );
  expect([given.code, given.json['password']]).toEqual([0, null]);
  expect(await opens('b@example.com', PASSWORD)).toBe(true);
  const listed = (await run(['people', 'list'])).json['data'] as { email: string }[];
  expect(listed.sort((a, b) => a.email.localeCompare(b.email))).toMatchObject([
    { email: 'Ann@example.com', role: 'owner', totp: false },
    { email: 'b@example.com', role: 'owner', totp: false },
  ]);
  const again = await run(['people', 'make-owner', '--email', 'b@example.com']);
  expect([again.code === 0, again.json]).toMatchObject([false, { error: { code: 'conflict' } }]);
});

it('refuses a weak password and an invalid address, without repeating the password', async () => {
  await run(['bootstrap']);
  const weak = await run(
    ['people', 'make-owner', '--email', 'a@example.com', '--password-stdin'],
    'password1234',
  );
  expect(weak.json).toMatchObject({ error: { code: 'validation_error' } });
  expect(weak.text).not.toContain('password1234');
  expect((await run(['people', 'make-owner', '--email', 'nobody'])).json).toMatchObject({
    error: { code: 'validation_error' },
  });
});

it('sets a new password, which ends lock and sessions, and turns the second factor off on request', async () => {
  await run(['bootstrap']);
  const { json } = await run(['people', 'make-owner', '--email', 'a@example.com']);
  const id = String(json['id']);
  await withStore((store) =>
    store.commit([
      update(users, {
        set: { failures: 9, locked_until: 9e12, totp_sealed: 'x', totp_confirmed_at: 1 },
        where: { id },
      }),
      insert(sessions, {
        row: {
          id: 'ses_1',
          user_id: id,
          token_hash: Buffer.from('x'),
          ip: null,
          user_agent: null,
          last_used_at: 0,
          expires_at: 9e12,
          created_at: 0,
        },
      }),
    ]),
  );
  const state = () =>
    withStore(async ({ people }) => ({ user: await people.user(id), sessions: await people.sessionsOf(id) }));
  const set = await run(['people', 'set-password', '--email', 'A@example.com', '--password-stdin'], PASSWORD);
  expect(set).toMatchObject({ code: 0, json: { id, password: null } });
  expect(await state()).toMatchObject({
    user: { failures: 0, locked_until: null, totp_confirmed_at: 1 },
    sessions: [],
  });
  expect(await opens('a@example.com', PASSWORD)).toBe(true);
  const off = await run(['people', 'set-password', '--email', 'a@example.com', '--totp-off']);
  expect(await state()).toMatchObject({ user: { totp_sealed: null, totp_confirmed_at: null } });
  expect(await opens('a@example.com', String(off.json['password']))).toBe(true);
  expect((await run(['people', 'set-password', '--email', 'b@example.com'])).json).toMatchObject({
    error: { code: 'not_found' },
  });
});
