// Tests the command line against the running program: signing in, everyday commands, and failures.
import { createServer } from 'node:http';
import { readFile, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { webhooks } from '@mailkeel/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { firstOf } from '../../../test/support/run-size.js';
import { createAppliance, type Appliance } from '../../../test/support/appliance.js';
import { answering, refusing, startScriptedServer } from '../../sdk/test/support/scripted-server.js';
import { createCommandLine } from './support/command-line.js';

const OWNER = { email: 'owner@customer.example', password: 'four words of mine own' };
const FROM = 'news@customer.example';

let appliance: Appliance;
let cli: Awaited<ReturnType<typeof createCommandLine>>;
let key: Record<string, string>;
beforeAll(async () => {
  appliance = await createAppliance({
    process: 'shared',
    env: { MAILKEEL_OWNER_EMAIL: OWNER.email, MAILKEEL_OWNER_PASSWORD: OWNER.password },
  });
  await appliance.start();
  key = { MAILKEEL_URL: appliance.url, MAILKEEL_API_KEY: appliance.keys.test_key };
});
afterAll(() => appliance.close());
beforeEach(async () => {
  cli = await createCommandLine();
  return () => cli.close();
});

const configOf = async () => JSON.parse(await readFile(join(cli.folder, 'mailkeel/config.json'), 'utf8'));
const signIn = () =>
  cli.run(['login', '--url', appliance.url, '--key', '-'], { stdin: `${appliance.keys.test_key}\n` });

async function asOwner(method: string, path: string, body: unknown) {
  const signedIn = await fetch(`${appliance.url}/v1/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(OWNER),
  });
  const { csrf_token: csrf } = (await signedIn.json()) as { csrf_token: string };
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  return appliance.api(method, path, { key: '', body, headers: { cookie, 'x-csrf-token': csrf } });
}

describe('signing in', () => {
  it('stores a working key in a file that only its owner can read', async () => {
    const ran = await signIn();
    expect(ran.code).toBe(0);
    expect(ran.stdout + ran.stderr).not.toContain('svc_test_');
    const folder = join(cli.folder, 'mailkeel');
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, 'config.json'))).mode & 0o777).toBe(0o600);
    const me = await cli.run(['whoami', '--json']);
    expect(me.json).toMatchObject({ object: 'me', mode: 'test' });
    const profiles = await cli.run(['profiles']);
    expect(profiles.json.data).toEqual([
      {
        name: 'default',
        current: true,
        url: appliance.url,
        environment: 'test',
        signed_in_with: ['test key'],
      },
    ]);
    expect(profiles.stdout).not.toContain('svc_test_');
  });

  it('refuses a key among the arguments, and stores no invalid one', async () => {
    const key = `svc_test_${'a'.repeat(43)}`;
    const shown = await cli.run(['login', '--url', appliance.url, '--key', key]);
    expect([shown.code, shown.stderr.includes(key)]).toEqual([2, false]);
    const wrong = await cli.run(['login', '--url', appliance.url, '--key', '-'], { stdin: key });
    expect([wrong.code, wrong.stderr.includes(key)]).toEqual([3, false]);
    expect((await cli.run(['profiles'])).json.data).toEqual([]);
  });

  it('by device shows a code, waits, gets the key on approval, and signing out revokes it', async () => {
    let waits = 0;
    const ran = await cli.run(['login', '--url', appliance.url, '--live'], {
      onOutput: (_stdout, stderr) => (code = /\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/.exec(stderr)?.[0] ?? code),
      onWait: async () => {
        waits += 1;
        if (waits === 2)
          expect((await asOwner('POST', `/v1/auth/device/${code}/approve`, {})).status).toBe(200);
      },
    });
    expect(ran.stderr).toContain('/device');
    expect(ran.code).toBe(0);
    const { secret, is_own: isOwn } = (await configOf()).profiles.default.keys.live;
    expect([String(secret).startsWith('svc_live_'), isOwn]).toEqual([true, true]);
    expect((await cli.run(['whoami', '--json'])).json).toMatchObject({ mode: 'live' });
    const other = await cli.run(['whoami', '--test']);
    expect([other.code, JSON.parse(other.stderr).error.code]).toEqual([3, 'no_key']);
    expect((await cli.run(['logout'])).json).toMatchObject({ revoked: ['live'] });
    expect((await appliance.api('GET', '/v1/me', { key: secret })).status).toBe(401);
    expect((await configOf()).profiles).toEqual({});
  });
  let code = '';

  it('by device again replaces its earlier key, and keeps other changes', async () => {
    const again = () => {
      let isApproved = false;
      return cli.run(['login', '--url', appliance.url], {
        onOutput: (_stdout, stderr) => (code = /\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/.exec(stderr)?.[0] ?? code),
        onWait: async () => {
          if (isApproved) return;
          isApproved = true;
          await cli.run(['login', '--profile', 'other', '--url', appliance.url, '--key', '-'], {
            stdin: appliance.keys.live_key,
          });
          await asOwner('POST', `/v1/auth/device/${code}/approve`, {});
        },
      });
    };
    await again();
    const { secret } = (await configOf()).profiles.default.keys.test;
    await cli.run(['profiles', 'use', 'default']);
    expect((await again()).code).toBe(0);
    expect((await appliance.api('GET', '/v1/me', { key: secret })).status).toBe(401);
    expect(Object.keys((await configOf()).profiles).sort()).toEqual(['default', 'other']);
    expect((await appliance.api('GET', '/v1/me', { key: appliance.keys.live_key })).status).toBe(200);
  });

  it('by device reports a refusal', async () => {
    const ran = await cli.run(['login', '--url', appliance.url], {
      onOutput: (_stdout, stderr) => (code = /\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/.exec(stderr)?.[0] ?? code),
      onWait: async () => {
        await asOwner('POST', `/v1/auth/device/${code}/deny`, undefined);
      },
    });
    expect(ran.code).toBe(3);
    expect(JSON.parse(ran.stderr.trim().split('\n').at(-1) ?? '').error.code).toBe('denied');
  });

  it('by password uses a session for operations that keys cannot perform', async () => {
    const login = ['login', '--url', appliance.url, '--email', OWNER.email, '--profile', 'me'];
    expect((await cli.run(login, { answers: [OWNER.password] })).code).toBe(0);
    expect((await cli.run(['members', 'list'])).json.data).toHaveLength(1);
    const revoked = await cli.run(['logout']);
    expect(revoked.code).toBe(0);
    const byKey = await cli.run(['invitations', 'create', '--email', 'a@b.example', '--role', 'viewer'], {
      env: key,
    });
    expect(byKey.code).toBe(3);
  });

  it('sends a key only to its own server, and variables override profiles', async () => {
    await signIn();
    const elsewhere = await cli.run(['whoami', '--url', 'http://127.0.0.1:9']);
    expect([elsewhere.code, JSON.parse(elsewhere.stderr).error.code]).toEqual([3, 'other_url']);
    const env = { MAILKEEL_URL: appliance.url, MAILKEEL_API_KEY: appliance.keys.live_key };
    expect((await cli.run(['whoami'], { env })).json).toMatchObject({ mode: 'live' });
    expect((await cli.run(['whoami', '--profile', 'nobody'])).code).toBe(2);
  });

  it('does not overwrite an unreadable profile file', async () => {
    await signIn();
    await writeFile(join(cli.folder, 'mailkeel/config.json'), '{ "half":');
    const ran = await signIn();
    expect([ran.code, JSON.parse(ran.stderr).error.code]).toEqual([1, 'profiles_unreadable']);
    expect(await readFile(join(cli.folder, 'mailkeel/config.json'), 'utf8')).toBe('{ "half":');
  });
});

describe('sending', () => {
  const send = ['send', '--from', FROM, '--subject', 'Hello', '--text', 'Hello'];

  it('waits until a message is delivered, or explains why it is not', async () => {
    const good = await cli.run([...send, '--to', 'delivered@example.com', '--wait'], { env: key });
    expect([good.code, good.json.status]).toEqual([0, 'delivered']);
    const bad = await cli.run([...send, '--to', 'bounced@example.com', '--wait'], { env: key, columns: 100 });
    expect(bad.code).toBe(5);
    expect(bad.stdout).toContain('the mailbox does not exist');
    expect(bad.stdout).toContain('Suggestions:');
    expect(bad.stderr).toContain('Error: The message was not delivered.');
    const some = await cli.run(
      [...send, '--to', 'delivered@example.com', '--to', 'bounced@example.com', '--wait'],
      { env: key },
    );
    expect([some.code, some.json.data.length]).toEqual([8, 2]);
  });

  it('accepts files, variables, tags and standard input', async () => {
    const file = join(cli.folder, 'note.txt');
    await writeFile(file, 'a note');
    const args = [
      'send',
      '--from',
      FROM,
      '--to',
      'ann@example.com',
      '--subject',
      'Hi {{name}}',
      '--html',
      '-',
    ];
    const more = [
      '--vars',
      '{"name":"Ann"}',
      '--attach',
      file,
      '--tag',
      'one',
      '--tag',
      'two',
      '--meta',
      'order=7',
    ];
    const sent = await cli.run([...args, ...more], { env: key, stdin: '<p>Hi {{name}}</p>' });
    expect(sent.stderr).toBe('');
    expect(sent.json).toMatchObject({ subject: 'Hi Ann', tags: ['one', 'two'], metadata: { order: '7' } });
    expect(sent.json.attachments).toMatchObject([{ filename: 'note.txt', size: 6 }]);
    const octets = join(cli.folder, 'copy.txt');
    await cli.run(['messages', 'get-attachment', sent.json.id, '0', '--output', octets], { env: key });
    expect(await readFile(octets, 'utf8')).toBe('a note');
  });

  it('with --dry-run prints the request without sending it', async () => {
    const before = (await cli.run(['messages', 'list', '--q', 'dry@example.com'], { env: key })).json.data;
    const dry = await cli.run([...send, '--to', 'dry@example.com', '--dry-run'], { env: key });
    expect(dry.json).toMatchObject({ object: 'dry_run', method: 'POST', body: { to: 'dry@example.com' } });
    const after = (await cli.run(['messages', 'list', '--q', 'dry@example.com'], { env: key })).json.data;
    expect([before, after]).toEqual([[], []]);
  });
});

describe('events', () => {
  const SECRET = 'whsec_dGVzdA==';
  const STDIN = `${SECRET}\n`;
  /** Runs a tail until `isEnough` returns true for its output, while `act` causes events. */
  async function following(args: string[], isEnough: (stdout: string) => boolean, act: () => Promise<void>) {
    const ending = new AbortController();
    let printed = '';
    const ran = cli.run(args, {
      env: key,
      stdin: STDIN,
      signal: ending.signal,
      onOutput: (stdout) => {
        printed = stdout;
        if (isEnough(stdout)) ending.abort();
      },
    });
    const isOver = ran.then(() => true);
    while (!isEnough(printed)) {
      await act();
      if (await Promise.race([isOver, new Promise((resolve) => setTimeout(resolve, 300, false))])) break;
    }
    return ran;
  }
  const trigger = (event: string) => async () => {
    const ran = await cli.run(['trigger', event, '--from', FROM], { env: key });
    expect(ran.stderr).toBe('');
  };

  it('are tailed as JSON lines until interrupted', async () => {
    const ran = await following(
      ['messages', 'tail', '--events', 'message.bounced'],
      (stdout) => stdout.includes('\n'),
      trigger('bounced'),
    );
    expect(ran.code).toBe(130);
    expect(JSON.parse(ran.stdout.split('\n')[0] ?? '')).toMatchObject({
      event: 'message.bounced',
      sandbox: true,
    });
  });

  const events = [
    'received',
    'unsubscribed',
    'sent',
    'delivered',
    'deferred',
    'complained',
    'opened',
    'clicked',
    'suppressed',
  ];
  it.each(firstOf(2, events))('are triggered: %s', async (event) => {
    const { json } = await cli.run(['trigger', event, '--from', FROM], { env: key });
    const trail = await cli.run(['messages', 'get-audit', json.id], { env: key });
    const seen = trail.json.trail.map((entry: { event: string }) => entry.event);
    expect(seen).toContain(event === 'received' ? 'delivered' : event);
  });

  it('are not triggered with live mail', async () => {
    const live = { ...key, MAILKEEL_API_KEY: appliance.keys.live_key };
    const ran = await cli.run(['trigger', 'bounced'], { env: live });
    expect([ran.code, ran.stdout]).toEqual([2, '']);
  });

  it('are posted to a local URL with the octets and the signature of a webhook', async () => {
    const came: { headers: Record<string, string | string[] | undefined>; body: string }[] = [];
    const receiver = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        came.push({ headers: request.headers, body });
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
    try {
      const ran = await following(
        ['webhooks', 'listen', '--forward-to', target, '--secret', '-', '--events', 'message.delivered'],
        (stdout) => stdout.includes('\n'),
        trigger('delivered'),
      );
      expect(JSON.parse(ran.stdout.split('\n')[0] ?? '')).toMatchObject({
        event: 'message.delivered',
        status: 204,
      });
      const [first] = came;
      const { data } = await webhooks.verify(first?.body ?? '', first?.headers ?? {}, SECRET);
      expect(ran.stderr).not.toContain(SECRET);
      const occurred = data.occurred_at;
      // As in docs/webhooks.md.
      expect(first?.body).toBe(
        JSON.stringify({
          event: 'message.delivered',
          occurred_at: occurred,
          data: { id: data.id, event: 'message.delivered', occurred_at: occurred },
        }),
      );
      expect(first?.headers['service-event']).toBe('message.delivered');

      const made = await cli.run(
        ['webhooks', 'create', '--url', 'https://127.0.0.1.example/hook', '--format', 'standard'],
        { env: key },
      );
      came.length = 0;
      await following(
        ['listen', made.json.id, '--forward-to', target, '--events', 'message.bounced'],
        (stdout) => stdout.includes('\n'),
        trigger('bounced'),
      );
      const log = await cli.run(['webhooks', 'list-deliveries', made.json.id, '--event', 'message.bounced'], {
        env: key,
      });
      const [again] = came;
      const delivery = log.json.data.find(
        (one: { id: string }) => one.id === again?.headers['service-delivery'],
      );
      expect(again?.body).toBe(delivery.request_body);
      await webhooks.verify(again?.body ?? '', again?.headers ?? {}, made.json.secret);
    } finally {
      await new Promise((resolve) => receiver.close(resolve));
    }
  });
});

describe('other commands', () => {
  it('import contacts, and show the refused rows', async () => {
    const file = join(cli.folder, 'people.csv');
    await writeFile(file, 'email,name\nann@example.com,Ann\nnobody,Nobody\n');
    const checked = await cli.run(['contacts', 'import', file, '--dry-run'], { env: key });
    expect(checked.json).toMatchObject({ dry_run: true, created: 1, failed: 1 });
    const ran = await cli.run(['contacts', 'import', file], { env: key, columns: 100 });
    expect(ran.code).toBe(8);
    expect(ran.stderr).toMatch(/Importing .*█.*Read 2 rows\./s);
    expect(ran.stdout).toMatch(/created +1/);
    expect(ran.stdout).toMatch(/3 +The address has no @\. +nobody,Nobody/);
    await writeFile(file, 'contact,name,Ort\nbob@example.com,Bob,Bremen\n');
    const wrong = await cli.run(['contacts', 'import', file], { env: key });
    expect([wrong.code, JSON.parse(wrong.stderr).error.message]).toEqual([
      2,
      expect.stringContaining('has no "email" column'),
    ]);
    const map = ['--map', 'contact=email', '--map', 'Ort=metadata.city'];
    const shown = await cli.run(['contacts', 'import', file, '--dry-run', ...map], {
      env: key,
      columns: 100,
    });
    expect(shown.stdout).toMatch(/contact +email +bob@example\.com.*Ort +metadata\.city +Bremen/s);
    expect((await cli.run(['contacts', 'import', file, ...map], { env: key })).json).toMatchObject({
      created: 1,
    });
    const bob = await cli.run(['contacts', 'get', 'bob@example.com'], { env: key });
    expect(bob.json).toMatchObject({ name: 'Bob', metadata: { city: 'Bremen' } });
    const lost = await cli.run(['contacts', 'import', file, '--map', 'town=email'], { env: key });
    expect([lost.code, lost.stderr]).toEqual([5, expect.stringContaining('is not a column of the file')]);
    await writeFile(join(cli.folder, 'people.json'), '[{"E-Mail":"eve@example.com","Vorname":"Eve"}]');
    const json = await cli.run(['contacts', 'import', join(cli.folder, 'people.json')], { env: key });
    expect(json.json).toMatchObject({ format: 'json', created: 1 });
    expect((await cli.run(['contacts', 'import', join(cli.folder, 'none.csv')], { env: key })).code).toBe(2);
  });

  it('read all pages into one document', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@pages.example`);
    for (const email of names) await cli.run(['contacts', 'upsert', '--email', email], { env: key });
    const ran = await cli.run(['contacts', 'list', '--q', 'pages.example', '--limit', '2', '--all'], {
      env: key,
    });
    const emails = ran.json.data.map((one: { email: string }) => one.email);
    expect(emails.sort()).toEqual(names);
    const shown = await cli.run(['contacts', 'list', '--q', 'pages.example'], { env: key, columns: 120 });
    expect(shown.stdout.split('\n').length).toBe(7);
  });

  it('preview a campaign and show the copies', async () => {
    const list = await cli.run(['lists', 'create', '--name', 'Readers'], { env: key });
    await cli.run(
      ['lists', 'add-contacts', list.json.id, '--email', 'ann@example.com', '--name', 'Ann Smith'],
      { env: key },
    );
    const template = await cli.run(
      [
        'templates',
        'create',
        '--name',
        'News',
        '--subject',
        'Hi {{first_name}}',
        '--text',
        'Hello {{first_name}}',
      ],
      { env: key },
    );
    const made = [
      'campaigns',
      'create',
      '--name',
      'One',
      '--list-id',
      list.json.id,
      '--template-id',
      template.json.id,
    ];
    const campaign = await cli.run(made, { env: key });
    const ran = await cli.run(['campaigns', 'preview', campaign.json.id], { env: key, columns: 100 });
    expect(ran.stderr).toBe('');
    expect(ran.stdout).toContain('Subject: Hi Ann');
    expect(ran.stdout).toContain('  Hello Ann');
    expect(ran.stdout).toContain('1 of 1 recipients');
    const send = ['campaigns', 'send', campaign.json.id];
    const asked = await cli.run(send, { env: key });
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain('Campaign \\"One\\"');
    expect(asked.stderr).toContain('will be sent to 1 recipient in the sandbox (nothing is delivered).');
    expect(asked.stderr).toContain('FAILED  postal_address: ');
    expect(asked.stderr).toContain('Send it now?');
    const refused = await cli.run([...send, '--yes'], { env: key });
    expect(JSON.parse(refused.stderr).error.message).not.toContain('Send it now?');
  });

  it('wait for the number of recipients of a large audience before they ask', async () => {
    const totals = [null, null, 1_500_000];
    const server = createServer(({ url = '' }, response) => {
      const answer = url.includes('/preview')
        ? { object: 'list', data: [], has_more: false, next_cursor: null, total: totals.shift() }
        : url.includes('/preflight')
          ? { checks: [] }
          : { id: 'cmp_1', name: 'Big', sandbox: false };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answer));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const asked = await cli.run(['campaigns', 'send', 'cmp_1'], { env: { ...key, MAILKEEL_URL: url } });
      expect(asked.stderr).toContain('will be sent to 1,500,000 recipients in the live environment.');
    } finally {
      server.close();
    }
  });

  it('check a proof offline, with keys from a file or from the server', async () => {
    const sent = await cli.run(
      ['send', '--from', FROM, '--to', 'delivered@example.com', '--subject', 'P', '--text', 'P', '--wait'],
      { env: key },
    );
    expect(sent.json.id).toBe(sent.json.message_id);
    const proof = await cli.run(['messages', 'get-proof', sent.json.id], { env: key });
    const file = join(cli.folder, 'proof.json');
    const keys = join(cli.folder, 'keys.json');
    await writeFile(file, proof.stdout);
    await writeFile(keys, (await cli.run(['proofs', 'get-keys'], { env: key })).stdout);
    const offline = await cli.run(['proof', 'verify', file, '--keys', keys]);
    expect([offline.code, offline.json]).toMatchObject([
      0,
      { valid: true, sandbox: true, key: { trusted: true } },
    ]);
    const asked = await cli.run(['proof', 'verify', file, '--fetch', '--ask'], { env: key });
    expect([asked.code, asked.json]).toMatchObject([0, { valid: true, asked: true }]);
    await writeFile(file, proof.stdout.replace('delivered@', 'mallory@'));
    const changed = await cli.run(['proof', 'verify', file, '--keys', keys]);
    expect([changed.code, changed.json.valid]).toEqual([9, false]);
  });

  it('watch a domain with growing intervals until the timeout', async () => {
    const sender = await cli.run(['senders', 'create', '--domain', 'watched.example'], { env: key });
    const waits: number[] = [];
    const ending = new AbortController();
    const ran = await cli.run(['domains', 'watch', sender.json.id], {
      env: key,
      columns: 100,
      signal: ending.signal,
      onWait: (ms) => {
        waits.push(ms / 1000);
        if (waits.length === 6) ending.abort();
      },
    });
    expect([ran.code, waits]).toEqual([130, [5, 10, 20, 30, 60, 60]]);
    expect(ran.stdout).toMatch(/watched\.example +pending_verification/);
    const over = await cli.run(['domains', 'watch', sender.json.id, '--timeout', '1'], { env: key });
    expect([over.code, over.json.records.length > 3]).toEqual([9, true]);
  });

  it('show the queue, the checks and the page to open', async () => {
    const queue = await cli.run(['queue'], { env: key });
    expect(queue.json).toMatchObject({ object: 'queue', waiting: [] });
    const asOneself = { columns: 100, answers: [OWNER.password] };
    await cli.run(['login', '--url', appliance.url, '--email', OWNER.email], asOneself);
    const doctor = await cli.run(['doctor', '--last'], { columns: 100 });
    expect([doctor.code, doctor.stdout]).toEqual([0, expect.stringContaining('No check results.')]);
    expect((await cli.run(['open', 'docs'], { env: key })).json.url).toBe(`${appliance.url}/docs`);
  });

  it("pass the server's commands to the server, or explain where they are", async () => {
    const handed: string[][] = [];
    const server = (args: readonly string[]) => {
      handed.push([...args]);
      return Promise.resolve(4);
    };
    expect((await cli.run(['admin', 'keys', 'list', '--json'], { server })).code).toBe(4);
    expect((await cli.run(['doctor', '--offline'], { server })).code).toBe(4);
    // No one is signed in. The command checks the machine itself.
    expect((await cli.run(['doctor'], { server })).code).toBe(4);
    expect(handed).toEqual([['admin', 'keys', 'list', '--json'], ['doctor'], ['doctor']]);
    const none = await cli.run(['admin', 'backup']);
    expect([none.code, JSON.parse(none.stderr).error.code]).toEqual([1, 'no_server_here']);
  });
});

describe('errors', () => {
  it.each([
    ['no such command', ['nonsense'], 2, 'usage'],
    ['no such option', ['messages', 'list', '--bogus'], 2, 'usage'],
    ['a needed option', ['lists', 'create'], 2, 'usage'],
    ['no number', ['messages', 'list', '--limit', 'many'], 2, 'usage'],
    ['no JSON', ['lists', 'create', '--data', '{name'], 2, 'usage'],
    ['what the SDK refuses', ['send', '--to', 'nobody'], 2, 'invalid_input'],
    ['an empty secret', ['listen', '--forward-to', 'http://localhost:3000', '--secret', '-'], 2, 'usage'],
    ['both environments', ['whoami', '--test', '--live'], 2, 'usage'],
    ['the other environment', ['whoami', '--live'], 3, 'no_key'],
    ['a key that is not', ['whoami', '--url', 'KEYLESS'], 3, 'unauthorized'],
    ['nothing there', ['messages', 'get', 'msg_nothing'], 4, 'not_found'],
    ['a refusal', ['lists', 'create', '--name', ''], 5, 'validation_error'],
    ['nobody listens', ['whoami', '--url', 'NOWHERE'], 7, 'no_connection'],
    ['nobody to ask', ['lists', 'delete', 'lst_1'], 2, 'usage'],
  ])('%s: an exit code, one JSON object, no stack', async (_title, args, code, name) => {
    const env = args.includes('KEYLESS') ? { ...key, MAILKEEL_API_KEY: `svc_test_${'a'.repeat(43)}` } : key;
    const given = args.map((arg) =>
      arg === 'KEYLESS' ? appliance.url : arg === 'NOWHERE' ? 'http://127.0.0.1:9' : arg,
    );
    const piped = await cli.run(given, { env });
    expect([piped.code, JSON.parse(piped.stderr).error.code]).toEqual([code, name]);
    expect(piped.stdout).toBe('');
    const shown = await cli.run(given, { env, columns: 100 });
    expect(shown.code).toBe(code);
    expect(shown.stderr).toMatch(/^Error: .+[.?)]\n/);
    expect(shown.stderr).not.toMatch(/\n +at /);
  });

  it('name the flag of a field on a terminal, and its path in JSON', async () => {
    const create = ['lists', 'create', '--name', 'News', '--form-origins', 'nowhere'];
    const shown = await cli.run(create, { env: key, columns: 100 });
    expect(shown.stderr).toMatch(/^Error: --form-origins \(form_origins\.0\): /);
    const piped = await cli.run(create, { env: key });
    expect(JSON.parse(piped.stderr).error.param).toBe('form_origins.0');
  });

  it('ask before deleting, and accept a no', async () => {
    const list = await cli.run(['lists', 'create', '--name', 'Mine'], { env: key });
    const remove = ['lists', 'delete', list.json.id];
    expect((await cli.run(remove, { env: key, answers: [false] })).code).toBe(2);
    expect((await cli.run(['lists', 'get', list.json.id], { env: key })).code).toBe(0);
    expect((await cli.run([...remove, '--yes'], { env: key })).code).toBe(0);
    expect((await cli.run(['lists', 'get', list.json.id], { env: key })).code).toBe(4);
  });

  it('never pass control sequences of others to the terminal', async () => {
    const subject = 'A\u001b[2J\u0007B\u202eC\u009bD\r\nE';
    const data = [{ id: 'msg_1', object: 'message', subject, status: 'received' }];
    const list = { object: 'list', data, has_more: false, next_cursor: null };
    const raw = answering(200, `Subject: ${subject}`, { 'content-type': 'message/rfc822' });
    const server = await startScriptedServer(
      answering(200, list),
      answering(200, data[0]),
      raw,
      answering(200, list),
    );
    const env = { ...key, MAILKEEL_URL: server.url };
    const rows = await cli.run(['messages', 'list'], { env, columns: 160 });
    const one = await cli.run(['messages', 'get', 'msg_1'], { env, columns: 160 });
    const file = await cli.run(['messages', 'get-raw', 'msg_1'], { env, columns: 160 });
    for (const { stdout } of [rows, one, file]) {
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
      expect(stdout).toContain('BC');
    }
    const json = await cli.run(['messages', 'list'], { env });
    expect(json.stdout).not.toMatch(/[\u007f-\u009f\u202e]/);
    expect(json.json.data[0].subject).toBe(subject);
    await server.close();
  });

  it('of a rate limit show how long to wait', async () => {
    const server = await startScriptedServer(refusing(429, 'rate_limited', { 'retry-after': '120' }));
    const ran = await cli.run(['whoami'], { env: { ...key, MAILKEEL_URL: server.url } });
    expect([ran.code, JSON.parse(ran.stderr).error]).toMatchObject([
      6,
      { code: 'rate_limited', retry_after: 120 },
    ]);
    await server.close();
  });
});
