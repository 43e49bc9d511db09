// Tests examples/nightly-import: it imports the sample file twice, fails in several ways, and waits for an earlier import.
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createAppliance, type Appliance, type Finished } from '../support/appliance.js';
import { buildExample, startExample } from '../support/examples.js';
import { firstOf } from '../support/run-size.js';
import { waitFor } from '../support/wait.js';

let appliance: Appliance;
let folder: string;
let script: string;
let listId: string;
beforeAll(async () => {
  [folder, script] = await Promise.all([
    mkdtemp(join(tmpdir(), 'mailkeel-nightly-')),
    buildExample('nightly-import/import.ts'),
  ]);
  appliance = await createAppliance({ process: 'shared' });
  await appliance.start();
});
beforeEach(async () => {
  const { json } = await appliance.api('POST', '/v1/lists', { ...key(), body: { name: 'Customers' } });
  listId = json.id as string;
});
afterAll(async () => {
  await appliance.close();
  await rm(folder, { recursive: true, force: true });
});

const key = () => ({ key: appliance.keys.live_key });

function run(file: string, more: Record<string, string> = {}) {
  const env = { MAILKEEL_URL: appliance.url, MAILKEEL_API_KEY: appliance.keys.live_key };
  return startExample(script, [file], { ...env, MAILKEEL_LIST: listId, ...more });
}

const members = async (): Promise<string[]> => {
  const { json } = await appliance.api('GET', `/v1/lists/${listId}/contacts?limit=100`, key());
  return (json.data as { email: string }[]).map(({ email }) => email).sort();
};

it('imports the sample, reports the refused row, and changes nothing the second time', async () => {
  const file = join(folder, 'people.csv');
  await copyFile('examples/nightly-import/people.csv', file);
  const first = await run(file).finished;
  expect(first.stdout).toContain('completed, 4 rows: 3 new, 0 changed, 0 as before, 1 refused');
  expect(first.stderr).toBe(`1 rows were refused; ${file}.rejected.csv says why.\n`);
  expect(first.code).toBe(2);
  expect(await readFile(`${file}.rejected.csv`, 'utf8')).toContain('not an address');
  expect(await members()).toEqual(['ann@example.com', 'ben@example.com', 'cem@example.com']);

  const second = await run(file).finished;
  expect(second.stdout).toContain('4 rows: 0 new, 0 changed, 3 as before, 1 refused');
});

it('exits with 0 without output to stderr if every row is valid, and removes the old report', async () => {
  const file = join(folder, 'right.csv');
  await writeFile(file, 'email\ndora@example.com\n');
  await writeFile(`${file}.rejected.csv`, 'of yesterday');
  const { code, stderr } = await run(file).finished;
  expect([code, stderr]).toEqual([0, '']);
  expect(existsSync(`${file}.rejected.csv`)).toBe(false);
});

it('waits for an import into the list that is still running', async () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => ({ email: `c${i}@example.com` }));
  const earlier = await appliance.api('POST', `/v1/imports?list_id=${listId}`, { ...key(), body: rows });
  const file = join(folder, 'later.csv');
  await writeFile(file, 'email\nemre@example.com\n');
  const running = run(file);
  await waitFor(
    'the example to wait',
    () => running.written.stdout,
    (text) => text.includes(`${earlier.json.id as string} is still running. Waiting for it.\n`),
  );
  expect(running.written.stdout).not.toContain('later.csv');
  await appliance.api('POST', `/v1/imports/${earlier.json.id as string}/cancel`, key());
  const { code, stdout } = await running.finished;
  expect(stdout).toContain('completed, 1 rows: 1 new');
  expect(code).toBe(0);
});

const failures: [what: string, of: () => Promise<Finished>, code: number, said: RegExp][] = [
  [
    'a file that is not there',
    () => run(join(folder, 'none.csv')).finished,
    1,
    /^ENOENT: [^\n]*none\.csv'\n$/,
  ],
  ['no list', () => run('people.csv', { MAILKEEL_LIST: '' }).finished, 3, /^Usage: /],
  ['a key of the wrong form', () => imported('email\n', { MAILKEEL_API_KEY: 'abc' }), 1, /svc_live_/],
  ['a folder', () => run(folder).finished, 1, /^[^\n]*EISDIR[^\n]*\n$/],
  ['a file without addresses', () => imported('name\nAnn\n'), 1, /email/],
  ['an empty file', () => imported(''), 1, /\w/],
  [
    'a list that there is not',
    () => imported('email\nann@example.com\n', { MAILKEEL_LIST: 'lst_1' }),
    1,
    /list[^\n]*\n$/,
  ],
  [
    'a key that is none',
    () => imported('email\n', { MAILKEEL_API_KEY: `svc_test_${'x'.repeat(30)}` }),
    1,
    /401/,
  ],
  [
    'a server that is away',
    () => imported('email\n', { MAILKEEL_URL: 'http://127.0.0.1:9' }),
    1,
    /^No answer to GET \/v1\/imports came[^\n]*\n$/,
  ],
];

async function imported(text: string, more: Record<string, string> = {}): Promise<Finished> {
  const file = join(folder, 'wrong.csv');
  await writeFile(file, text);
  return run(file, more).finished;
}

it.each(firstOf(2, failures))('exits with an explanation for %s', async (_what, of, code, said) => {
  const finished = await of();
  expect(finished.stderr).toMatch(said);
  expect(finished.stderr).not.toMatch(/^ +at /m);
  expect(finished.code).toBe(code);
});
