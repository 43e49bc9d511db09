// Runs every command of the runbook under the one name that it defines, against its own server: none is unknown, refused or
// misspelt.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../support/appliance.js';
import { postMail } from '../support/post-mail.js';
import { ensurePostgres, startPostgres, type PostgresServer } from '../support/postgres-server.js';
import { waitFor } from '../support/wait.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const RUNBOOK = readFileSync(`${ROOT}docs/runbook.md`, 'utf8');
const OWNER = { email: 'you@example.com', password: 'four words of mine own' };
const CHECK_FAILED = 9;

interface Step {
  /** As in the runbook, without the name of the program. */
  written: string;
  /** Words of it and their replacements. */
  means?: Record<string, string>;
  stdin?: string;
  /** Exit codes that the runbook promises; 0 by default. */
  codes?: readonly number[];
  /** It runs until it is interrupted: in this test once the server has responded to this operation, or this resolves. */
  until?: string | (() => Promise<unknown>);
}

let folder: string;
let appliance: Appliance;
let postgres: PostgresServer;
beforeAll(async () => {
  const missing = ensurePostgres();
  if (missing !== null) throw new Error(missing);
  postgres = await startPostgres();
  folder = mkdtempSync(join(tmpdir(), 'mailkeel-runbook-'));
  appliance = await createAppliance({
    env: {
      MAILKEEL_PLATFORM_DOMAIN: 'example.com',
      MAILKEEL_OWNER_EMAIL: OWNER.email,
      MAILKEEL_OWNER_PASSWORD: OWNER.password,
      MAILKEEL_DNS_SERVERS: '127.0.0.1:9',
      MAILKEEL_BACKUP_TO: join(folder, 'backups'),
      MAILKEEL_BACKUP_PASSPHRASE: 'a backup of mine own',
      MAILKEEL_OUTBOUND: JSON.stringify({
        sources: [{ name: 'first', address4: '127.0.0.1', ehlo: 'mta.platform.example' }],
        pools: { spare: ['first'] },
        smarthosts: [{ name: 'relay', url: 'smtp://relay.example' }],
        default: ['pool:spare', 'smarthost:relay'],
      }),
    },
  });
  await appliance.start();
});
afterAll(async () => {
  await appliance.close();
  await postgres.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The commands of prose and code blocks, without those that define the name, each once. */
function commandsOf(text: string): string[] {
  const block = /```sh\n([\s\S]*?)```/g;
  const spans = [...text.replace(block, '').matchAll(/`mailkeel ([^`]+)`/g)].map(([, one = '']) => one);
  const lines = [...text.matchAll(block)]
    .flatMap(([, one = '']) => one.split('\n'))
    .map((line) => /^(?:.*\bmailkeel )?mailkeel ((?:(?! +#).)+)/.exec(line)?.[1] ?? '');
  const all = [...spans, ...lines].map((one) => one.replace(/\s+/g, ' ').trim());
  return [...new Set(all)].filter((one) => one !== '' && !one.startsWith('<tag>')).sort();
}

/** The program that the function `mailkeel` of the runbook runs, in this repository. */
function programOfRunbook(): string {
  const [, path = ''] = /\/opt\/mailkeel\/(\S+\.js) "\$@"/.exec(RUNBOOK) ?? [];
  return join(ROOT, path);
}

const tried = new Set<string>();

async function perform({ written, means = {}, stdin = '', codes = [0], until }: Step) {
  tried.add(written);
  const meant = Object.entries(means).reduce((text, [word, value]) => text.replace(word, value), written);
  const args = [...meant.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const { PATH = '' } = process.env;
  const env = { ...appliance.env, PATH, HOME: folder, MAILKEEL_MOVE_TO: means['TARGET'] ?? '' };
  const child = spawn(process.execPath, [programOfRunbook(), ...args], { env, cwd: ROOT });
  child.stdin.end(stdin);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  if (until !== undefined) {
    await (typeof until === 'string' ? answered(until) : until()).finally(() => child.kill('SIGTERM'));
  }
  const code = await ended;
  expect([written, codes.includes(code ?? -1), code, codes.includes(code ?? -1) ? '' : output]).toEqual([
    written,
    true,
    code,
    '',
  ]);
}

function answered(operation: string): Promise<unknown> {
  const asked = () => appliance.query('SELECT 1 FROM request_log WHERE operation = ?', operation);
  return waitFor(operation, asked, (rows) => rows.length > 0);
}

async function performAll(steps: readonly Step[]): Promise<void> {
  for (const step of steps) await perform(step);
}

it('commands for the running server work', async () => {
  const { json: customer } = await appliance.api('POST', '/v1/sub-tenants', {
    body: { name: 'Customer', sending_domain: 'mail.customer.example' },
  });
  await perform({
    written: 'login --email you@example.com --url http://localhost:8080',
    means: { 'http://localhost:8080': appliance.url },
    stdin: OWNER.password,
  });
  const proof = join(folder, 'proof.json');
  writeFileSync(proof, await sandboxProof());
  await performAll([
    { written: 'sources suspend NAME --reason "..."', means: { NAME: 'first' } },
    {
      written: 'routes create --providers google --via pool:NAME --reason "..."',
      means: { NAME: 'spare' },
    },
    {
      written: 'routes create --all --via smarthost:NAME --reason "..." --dry-run',
      means: { NAME: 'relay' },
    },
    { written: 'queue retry-destination DOMAIN', means: { DOMAIN: 'example.com' } },
    { written: 'system reload --dry-run' },
    {
      written: 'trace --domain DOMAIN',
      means: { DOMAIN: 'example.com' },
      until: 'queue.traceDestination',
      codes: [130],
    },
    { written: 'top', until: 'system.getActivity', codes: [130] },
    { written: 'queue purge --action cancel --sub-tenant-id ID --dry-run', means: { ID: customer.id } },
    { written: 'proof verify FILE', means: { FILE: proof } },
    // This machine cannot send, because it has no public address.
    { written: 'doctor', codes: [0, CHECK_FAILED] },
  ]);
});

async function sandboxProof(): Promise<string> {
  const key = appliance.keys.test_key;
  const body = { from: 'me@example.com', to: 'delivered@example.com', subject: 'Hello', text: 'It works.' };
  const { json } = await appliance.api('POST', '/v1/messages', { key, body });
  const { text } = await waitFor(
    'the proof',
    () => appliance.api('GET', `/v1/messages/${json.id}/proof`, { key }),
    ({ status, text: given }) => status === 200 && given.includes('delivered'),
  );
  return text;
}

it('commands on the data folder work beside the running server', async () => {
  const raw = 'From: a@b.example\r\nTo: postmaster@example.com\r\nSubject: Hello\r\n\r\nHello\r\n';
  const mail = join(folder, 'mail.eml');
  writeFileSync(mail, raw);
  const port = appliance.mailPort('Inbound');
  const to = `postmaster@${appliance.env['MAILKEEL_HOSTNAME']}`;
  expect((await postMail({ port, from: 'a@b.example', to, raw })).code).toBe(250);
  const [{ id }] = (await waitFor(
    'the mail to postmaster',
    () => appliance.query("SELECT id FROM inbound_messages WHERE state <> 'waiting'"),
    (rows) => rows.length > 0,
  )) as [{ id: number }];
  await appliance.query("UPDATE inbound_messages SET state = 'failed' WHERE id = ?", id);
  await performAll([
    { written: 'admin config' },
    { written: 'admin dns' },
    { written: 'doctor --offline', codes: [0, CHECK_FAILED] },
    { written: 'admin inbound' },
    { written: 'admin inbound --state failed' },
    { written: 'admin inbound save ID FILE', means: { ID: String(id), FILE: join(folder, 'saved.eml') } },
    { written: 'admin inbound retry ID', means: { ID: String(id) } },
    { written: 'admin classify --code 550 --text "..."' },
    { written: 'admin classify --mail FILE', means: { FILE: mail } },
    { written: 'admin shaping --domain example.com' },
    { written: 'admin audit verify' },
    { written: 'admin migrate --dry-run' },
    { written: 'admin keys create --mode live' },
    { written: 'admin people make-owner --email …', means: { '…': 'ann@example.com' } },
    { written: 'admin people set-password --email … --totp-off', means: { '…': 'ann@example.com' } },
    { written: 'admin backup' },
    { written: 'admin backup FILE', means: { FILE: join(folder, 'copy.db') } },
  ]);
});

it('commands on the data folder work without a server', async () => {
  await appliance.end();
  await performAll([
    { written: 'admin migrate' },
    { written: 'admin vacuum' },
    { written: 'admin keys rotate tokens' },
    { written: 'admin restore latest --force' },
    { written: 'admin restore --review' },
    { written: 'admin restore --release' },
    {
      written: 'admin restore --force before-upgrade/FILE',
      means: { 'before-upgrade/FILE': join(folder, 'copy.db') },
    },
    { written: 'admin restore --hold' },
    // There is nothing to finish.
    { written: 'admin restore --finish', codes: [0, 5] },
  ]);
  const target = join(folder, 'move-to');
  const { url } = await postgres.makeDatabase('empty');
  writeFileSync(target, url);
  await perform({ written: 'admin move --to-file /root/move-to', means: { '/root/move-to': target } });
  const second = await postgres.makeDatabase('empty');
  await perform({ written: 'admin move', means: { TARGET: second.url } });
  rmSync(appliance.dataDir, { recursive: true, force: true });
  await perform({ written: 'admin restore latest' });
});

it('commands about a replica work', async () => {
  const storage = join(folder, 'replica');
  await appliance.start({ MAILKEEL_REPLICA_TO: storage });
  const isCopied = (): boolean => readdirSync(storage).some((name) => /-base-.*\.json$/.test(name));
  await waitFor('the full copy', () => existsSync(storage) && isCopied());
  await appliance.end();
  const now = new Date().toISOString();
  await perform({
    written: 'admin restore latest --force --until 2026-03-01T12:00:00Z',
    means: { '2026-03-01T12:00:00Z': now },
  });
  rmSync(appliance.dataDir, { recursive: true });
  const follows = async (): Promise<boolean> => {
    const answer = await fetch(`${appliance.url}/readyz`).catch(() => null);
    return answer !== null && (await answer.text()).includes('"increment"');
  };
  await perform({ written: 'admin follow', until: () => waitFor('the copy', follows) });
  await perform({ written: 'admin promote' });
});

it('all commands of the runbook are covered', () => {
  expect([...tried].sort()).toEqual(commandsOf(RUNBOOK));
});
