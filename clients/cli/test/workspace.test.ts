// Tests workspace exports and imports, and imports of other programs' files, with the command line against the running program.
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../../../test/support/appliance.js';
import { createCommandLine } from './support/command-line.js';

let appliance: Appliance;
let cli: Awaited<ReturnType<typeof createCommandLine>>;
let source: Record<string, string>;
let target: Record<string, string>;
beforeAll(async () => {
  appliance = await createAppliance({ process: 'shared' });
  await appliance.start();
  // The environments of a workspace have their own contacts and lists.
  source = { MAILKEEL_URL: appliance.url, MAILKEEL_API_KEY: appliance.keys.test_key };
  target = { MAILKEEL_URL: appliance.url, MAILKEEL_API_KEY: appliance.keys.live_key };
});
afterAll(() => appliance.close());
beforeEach(async () => {
  cli = await createCommandLine();
  return () => cli.close();
});

describe('a workspace', () => {
  it('is exported to a private file and imported from it', async () => {
    await cli.run(['lists', 'create', '--name', 'News'], { env: source });
    await cli.run(['contacts', 'upsert', '--email', 'ann@x.example'], { env: source });
    const file = join(cli.folder, 'workspace.ndjson');
    const exported = await cli.run(['export', 'workspace', file], { env: source });
    expect([exported.code, exported.stderr]).toEqual([0, '']);
    expect(exported.json).toMatchObject({ kind: 'workspace', status: 'completed', file });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readFile(file, 'utf8')).split('\n')[0]).toContain('"object":"workspace_export"');

    const from = ['import', 'account', 'mailkeel', '--file', file, '--kinds', 'lists,contacts'];
    const checked = await cli.run([...from, '--dry-run'], { env: target });
    expect(checked.json).toMatchObject({ dry_run: true, status: 'completed' });
    const imported = await cli.run([...from, '--yes'], { env: target });
    expect(imported.json.counts).toMatchObject([
      { kind: 'lists', created: 1 },
      { kind: 'contacts', created: 1 },
    ]);
  });

  it('is refused when the file is missing, cut, or not given', async () => {
    const cut = join(cli.folder, 'cut.ndjson');
    await writeFile(cut, '{"object":"workspace_export","format":1}\n');
    const from = ['import', 'account', 'mailkeel'];
    const ran = await Promise.all([
      cli.run(from, { env: target }),
      cli.run([...from, '--file', '/nowhere'], { env: target }),
      cli.run([...from, '--file', cut, '--yes'], { env: target }),
      cli.run(['export', 'workspace', '/nowhere/file'], { env: source }),
    ]);
    expect(ran.map(({ code }) => code)).toEqual([2, 2, 5, 2]);
    expect(ran.map(({ stderr }) => stderr)).toEqual([
      expect.stringContaining('mailkeel requires --file.'),
      expect.stringContaining("Can't read /nowhere"),
      expect.stringContaining('is incomplete'),
      expect.stringContaining("Can't write /nowhere/file"),
    ]);
  });
});

describe('a file of another program', () => {
  const dumps = join(import.meta.dirname, '../../../test/account-imports/dumps');

  it('is imported with the name of the server that it has among others', async () => {
    const from = ['import', 'account', 'postal', '--file', join(dumps, 'postal.sql'), '--dry-run'];
    const unnamed = await cli.run(from, { env: target });
    expect([unnamed.code, unnamed.stderr]).toEqual([
      5,
      expect.stringContaining('fernhill/main, fernhill/test'),
    ]);
    const checked = await cli.run([...from, '--name', 'fernhill/test'], { env: target });
    expect(checked.json.counts).toMatchObject([
      { kind: 'suppressions', created: 2 },
      { kind: 'domains', created: 2 },
      { kind: 'webhooks', created: 1 },
    ]);
  });

  it('is read in place of the API of listmonk', async () => {
    const file = join(dumps, 'listmonk-copy.sql');
    const ran = await cli.run(['import', 'account', 'listmonk', '--file', file, '--dry-run'], {
      env: target,
    });
    expect(ran.json).toMatchObject({ source: 'listmonk', status: 'completed' });
    const withoutFile = await cli.run(['import', 'account', 'listmonk'], { env: target });
    expect(withoutFile.stderr).toContain('listmonk requires --server and --user.');
  });
});
