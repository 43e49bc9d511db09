// Tests how the command line reads its arguments, environment variables and configuration file, against a server with fixed
// responses.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answering, startScriptedServer } from '../../sdk/test/support/scripted-server.js';
import { CLI_VERSION } from '../src/version.js';
import { createCommandLine } from './support/command-line.js';

const KEY = `svc_test_${'e'.repeat(43)}`;

let server: Awaited<ReturnType<typeof startScriptedServer>>;
let cli: Awaited<ReturnType<typeof createCommandLine>>;
let env: Record<string, string>;
beforeEach(async () => {
  server = await startScriptedServer(answering(200, {}));
  cli = await createCommandLine();
  env = { MAILKEEL_URL: server.url, MAILKEEL_API_KEY: KEY };
});
afterEach(() => Promise.all([server.close(), cli.close()]));

describe('words', () => {
  it.each([
    ['lists', ['lists', 'create', '--name', 'contacts']],
    ['templates', ['templates', 'create', '--name', 'messages']],
    ['lists', ['--sub-tenant', 'contacts', 'lists', 'create', '--name', 'Readers']],
    ['lists', ['--sub_tenant', 'queue', '--json', 'lists', 'create', '--name', 'Readers']],
    ['api-keys', ['keys', 'create', '--name', 'events']],
  ])('with other nouns do not hide the command: %s of %j', async (noun, args) => {
    const ran = await cli.run(args, { env });
    expect(ran.stderr).toBe('');
    expect(server.asked.at(-1)).toMatchObject({ method: 'POST', url: `/v1/${noun}` });
  });

  it('after help are the topic of the help', async () => {
    expect((await cli.run(['help', 'lists'])).stdout).toContain('create');
  });

  it('are passed unchanged, even with leading dashes or underscores', async () => {
    const send = ['send', '--to', 'ann@example.com', '--subject=--my_subject', '--text', '--my_text here'];
    const ran = await cli.run([...send, '--reply_to', 'a_b@example.com', '--dry-run'], { env });
    expect(ran.json.body).toMatchObject({
      subject: '--my_subject',
      text: '--my_text here',
      reply_to: 'a_b@example.com',
    });
    const unknown = await cli.run(['messages', 'list', '--no_such'], { env });
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("'--no_such'")]);
    await cli.run(['messages', 'get', '--', '--my_id'], { env });
    expect(server.asked.at(-1)?.url).toBe('/v1/messages/--my_id');
  });
});

describe('a server of another release', () => {
  it('is reported to a person with the command that installs the right one, and not to a program', async () => {
    const other = await startScriptedServer(answering(200, {}, { 'service-release': '99.1.0' }));
    const own = { ...env, MAILKEEL_URL: other.url };
    try {
      const asked = await cli.run(['lists', 'get', 'lst_1'], { env: own, answers: [], columns: 80 });
      expect(asked.stderr).toContain(
        `The server runs Mailkeel 99.1.0, but this CLI is version ${CLI_VERSION}.`,
      );
      expect(asked.stderr).toContain(`npm install -g ${other.url}/cli.tgz`);
      expect((await cli.run(['lists', 'get', 'lst_1'], { env: own })).stderr).toBe('');
    } finally {
      await other.close();
    }
  });
});

describe('nodes list', () => {
  const node = {
    ...{ id: 'nod_1', object: 'node', host: 'mail-1', version: '0.1.0', roles: ['relay', 'mta'] },
    ...{ status: 'leaving', is_this: true, sources: ['default'], path_leases: 31, rooms: ['webhooks'] },
    ...{ started_at: '2026-03-01T09:00:00.000Z', seen_at: '2026-03-01T09:30:00.000Z' },
  };
  it.each([
    [[node], /^mail-1 \* +0\.1\.0 +leaving +31 +2026-03-01 09:30:00 +default$/m],
    [[node], /^ {2}roles {2}relay, mta\n {2}rooms {2}webhooks$/m],
    [[], /^No nodes\. This server uses SQLite/],
  ])('shows each node with its work, or the reason for none', async (data, shown) => {
    const answers = await startScriptedServer(answering(200, { object: 'list', data }));
    const ran = await cli.run(['nodes', 'list'], {
      env: { ...env, MAILKEEL_URL: answers.url },
      columns: 120,
    });
    await answers.close();
    expect(ran.stdout).toMatch(shown);
  });
});

async function writeConfig(text: string): Promise<void> {
  await mkdir(join(cli.folder, 'mailkeel'));
  await writeFile(join(cli.folder, 'mailkeel/config.json'), text);
}

describe('--if-match', () => {
  it('sets the version of a change by its updated_at', async () => {
    const version = '2026-01-02T03:04:05.678Z';
    const words = ['campaigns', 'update', 'cmp_1', '--name', 'News', '--if-match', version];
    expect((await cli.run(words, { env })).stderr).toBe('');
    expect(server.asked.at(-1)).toMatchObject({
      ...{ method: 'PATCH', url: '/v1/campaigns/cmp_1', body: '{"name":"News"}' },
      headers: { 'if-match': `"${version}"` },
    });
    expect((await cli.run(['contacts', 'update', '--help'])).stdout).not.toContain('--if-match');
  });
});

describe('messages list', () => {
  it('shows a deferred message as deferred, and one accepted by a smarthost as sent', async () => {
    const message = { id: 'msg_1', object: 'message', to: 'ann@example.com', subject: 'Hi', status: 'sent' };
    const attempt = { number: 1, outcome: 'deferred', at: '2026-01-02T03:04:05Z' };
    const data = [
      { ...message, last_attempt: { ...attempt, next_attempt_at: '2026-01-02T03:18:05Z' } },
      { ...message, last_attempt: { ...attempt, outcome: 'ambiguous', next_attempt_at: null } },
      { ...message, last_attempt: { ...attempt, outcome: 'delivered', next_attempt_at: null } },
    ];
    const answers = await startScriptedServer(
      answering(200, { object: 'list', data, has_more: false, next_cursor: null }),
    );
    const { stdout } = await cli.run(['messages', 'list'], {
      env: { ...env, MAILKEEL_URL: answers.url },
      columns: 120,
    });
    await answers.close();
    const rows = stdout.trimEnd().split('\n').slice(1);
    expect(rows.map((row) => row.replace(/.* Hi +/, ''))).toEqual([
      'deferred, attempt 2 at 2026-01-02 03:18:05',
      'in doubt',
      'sent',
    ]);
  });
});

describe('variables and profiles', () => {
  const OTHER_KEY = `svc_test_${'p'.repeat(43)}`;
  const profiles = (url: string) => {
    const profile = { url, environment: 'test', keys: { test: { secret: OTHER_KEY, is_own: false } } };
    return JSON.stringify({ current: 'staging', profiles: { staging: profile } });
  };

  it('are never mixed: a named profile sets URL and key, whatever the variables contain', async () => {
    await writeConfig(profiles(server.url));
    const elsewhere = { MAILKEEL_URL: 'http://127.0.0.1:9', MAILKEEL_API_KEY: KEY };
    for (const variables of [{ MAILKEEL_API_KEY: KEY }, elsewhere]) {
      expect((await cli.run(['lists', 'list', '--profile', 'staging'], { env: variables })).code).toBe(0);
      expect(server.asked.at(-1)?.headers.authorization).toBe(`Bearer ${OTHER_KEY}`);
    }
    const none = await cli.run(['lists', 'list', '--profile', 'nobody'], { env });
    expect([none.code, JSON.parse(none.stderr).error.code]).toEqual([2, 'no_profile']);
  });

  it("are never mixed: a key in the environment is not sent to a profile's server", async () => {
    await writeConfig(profiles(server.url));
    for (const variables of [{}, { MAILKEEL_PROFILE: 'staging' }]) {
      const around = { env: { MAILKEEL_API_KEY: KEY, ...variables } };
      const page = await cli.run(['open', '--print'], around);
      expect(page.json.url).toBe('http://localhost:8080/');
    }
    expect((await cli.run(['lists', 'list'], { env })).code).toBe(0);
    expect(server.asked.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${KEY}`]);
  });
});

it('signing in elsewhere keeps a key that an earlier sign-in created', async () => {
  const profile = {
    ...{ url: 'http://127.0.0.1:9', environment: 'test' },
    keys: { test: { secret: `svc_test_${'p'.repeat(43)}`, is_own: true } },
  };
  await writeConfig(JSON.stringify({ current: 'default', profiles: { default: profile } }));
  const asked = await cli.run(['login', '--url', server.url, '--key', '-'], { env: {}, stdin: KEY });
  expect([asked.code, JSON.parse(asked.stderr).error.message]).toEqual([
    2,
    'Profile "default" is already signed in to http://127.0.0.1:9.',
  ]);
  expect(server.asked).toEqual([]);
});

describe('a broken profile file', () => {
  const profile = { url: 'http://127.0.0.1:9', environment: 'test', keys: {} };
  it.each([
    ['no keys', { ...profile, keys: null }],
    ['an empty key', { ...profile, keys: { test: null } }],
    ['an empty session', { ...profile, session: null }],
    ['no environment', { ...profile, environment: undefined }],
    ['nothing', null],
  ])('is reported: %s', async (_title, broken) => {
    await writeConfig(JSON.stringify({ current: 'default', profiles: { default: broken } }));
    for (const args of [['profiles'], ['whoami'], ['logout']]) {
      const ran = await cli.run(args);
      const { code, message } = JSON.parse(ran.stderr).error;
      expect([ran.code, code]).toEqual([1, 'profiles_unreadable']);
      expect(message).toContain('is not a valid profiles file.');
    }
  });
});
