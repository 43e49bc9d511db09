// Tests `mailkeel admin` on a real data folder, in the test process, and in a separate process if it meets another one.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Database } from '../../src/database/engine/sqlite-driver.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAppliance } from '../../src/app/installation/open-appliance.js';
import { runCommandLine } from '../../src/admin/program.js';
import { apiKeySecretHash } from '../../src/accounts/api-keys/api-key-secret.js';
import { POSITIONS_PER_WORKSPACE } from '../../src/events/chains.store.js';
import { systemClock } from '../../src/lib/runtime/index.js';
import { loadConfig } from '../../src/settings/load.js';
import { latestSchema, STEPS } from '../../src/database/migrations/steps.js';
import { MADE_UP, withStep } from '../support/made-up-step.js';
import { layDataFolder } from '../support/migrated-file.js';
import { temporaryFolder } from '../support/open-engines.js';
import { isFullSize, sized } from '../support/run-size.js';
import { type NewEvent, appendEvent } from '../../src/events/append.store.js';
import { countUse } from '../../src/accounts/usage.store.js';

const MAIN = fileURLToPath(new URL('../../dist/admin/main.js', import.meta.url));

const NOBODY = 65_534;

interface Result {
  code: number;
  stdout: string;
  stderr: string;
}

let folder: ReturnType<typeof temporaryFolder>;
let dataDir: string;

beforeEach(() => {
  folder = temporaryFolder();
  dataDir = join(folder.path, 'data');
});
afterEach(() => folder.remove());

function environment(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], MAILKEEL_DATA_DIR: dataDir, ...extra };
}

async function mailkeel(args: string[], extra: Record<string, string> = {}): Promise<Result> {
  let stdout = '';
  let stderr = '';
  const code = await runCommandLine(args, {
    stdout: { write: (text) => (stdout += text), isTTY: false },
    stderr: { write: (text) => (stderr += text) },
    readStdin: () => Promise.resolve(''),
    loadConfig: () => loadConfig({ env: environment(extra) }),
    clock: systemClock,
    exitCode: 0,
  });
  return { code, stdout, stderr };
}

function mailkeelProcess(args: string[], uid?: number): Promise<Result> {
  const options = { env: environment(), ...(uid === undefined ? {} : { uid, gid: uid }) };
  return new Promise((resolve) => {
    execFile(process.execPath, [MAIN, ...args], options, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, stdout, stderr });
    });
  });
}

async function json(args: string[], extra?: Record<string, string>): Promise<Record<string, unknown>> {
  return valueOf(await mailkeel(args, extra));
}

async function jsonOfProcess(args: string[]): Promise<Record<string, unknown>> {
  return valueOf(await mailkeelProcess(args));
}

function valueOf(result: Result): Record<string, unknown> {
  expect(result).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(result.stdout) as Record<string, unknown>;
}

function errorOf({ stderr }: Result): { code: string; message: string } {
  return (JSON.parse(stderr) as { error: { code: string; message: string } }).error;
}

/** The data folder with its keys and tables, which a command would take a tenth of a second to create. */
const layFolder = (): Promise<void> => layDataFolder(dataDir);

const config = () => ({ dataDir, groupCommitMaxPlans: 50 });

describe('mailkeel admin bootstrap', () => {
  it('works before the first start and while a server runs, and shows the secrets once', async () => {
    const first = await json(['admin', 'bootstrap', '--json']);
    expect(Object.keys(first)).toEqual(['organization_id', 'workspace_id', 'live_key', 'test_key']);
    const server = await openAppliance(config());
    expect(server.upgrade.steps).toEqual([]);
    expect(await (isFullSize ? jsonOfProcess : json)(['admin', 'bootstrap'])).toEqual({
      ...first,
      live_key: null,
      test_key: null,
    });
    const known = await server.store.accounts.credential(apiKeySecretHash(String(first['live_key'])));
    expect(known?.scope).toMatchObject({ workspaceId: first['workspace_id'], mode: 'live' });
    await server.store.close();
  });

  it('creates one organization if several run simultaneously on an empty folder', async () => {
    const results = await Promise.all(
      sized({ small: [1, 2], full: [1, 2, 3, 4] }).map(() => jsonOfProcess(['admin', 'bootstrap'])),
    );
    expect(new Set(results.map((result) => result['organization_id'])).size).toBe(1);
    expect(results.filter((result) => result['live_key'] !== null)).toHaveLength(1);
  });

  it('restricts the data folder to its owner', async () => {
    await json(['admin', 'bootstrap']);
    const mode = (path: string) => statSync(join(dataDir, path)).mode & 0o777;
    expect([mode('.'), mode('keys'), mode('mail.db'), mode('keys/master.json')]).toEqual([
      0o700, 0o700, 0o600, 0o600,
    ]);
  });

  it('reports a file in the place of the data folder', async () => {
    writeFileSync(dataDir, '');
    const result = await mailkeel(['admin', 'bootstrap']);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(errorOf(result).message).toContain(dataDir);
    expect(errorOf(result).message).toContain('because a file with this name exists');
  });

  it('reports an unwritable data folder', async () => {
    chmodSync(folder.path, 0o555);
    // Root may write everywhere, so the process runs as nobody.
    const result = await mailkeelProcess(
      ['admin', 'bootstrap'],
      process.getuid?.() === 0 ? NOBODY : undefined,
    );
    chmodSync(folder.path, 0o700);
    expect(result.code).toBe(1);
    expect(errorOf(result).message).toContain(dataDir);
    expect(errorOf(result).message).toContain("Can't write to the data folder");
  });
});

describe('mailkeel admin keys create', () => {
  beforeEach(layFolder);

  it('creates a key that opens the environment', async () => {
    await json(['admin', 'bootstrap']);
    const key = await json(['admin', 'keys', 'create', '--mode', 'test', '--name', 'CI']);
    expect(key).toMatchObject({ object: 'api_key', name: 'CI', mode: 'test' });
    const { store } = await openAppliance(config());
    const known = await store.accounts.credential(apiKeySecretHash(String(key['key'])));
    expect(known).toMatchObject({ keyId: key['id'], permission: 'full', scope: { mode: 'test' } });
    await store.close();
  });

  it('refuses another mode, and a folder without a workspace', async () => {
    const wrong = await mailkeel(['admin', 'keys', 'create', '--mode', 'prod']);
    expect([wrong.code, errorOf(wrong).code]).toEqual([2, 'usage']);
    const early = await mailkeel(['admin', 'keys', 'create', '--mode', 'live']);
    expect([early.code, errorOf(early).code]).toEqual([4, 'not_found']);
  });
});

describe('mailkeel admin audit verify', () => {
  beforeEach(async () => {
    await layFolder();
    const { workspace_id } = await json(['admin', 'bootstrap']);
    const { store } = await openAppliance(config());
    const environments = await store.accounts.environments();
    for (let i = 0; i < 6; i++) {
      const event: NewEvent = {
        environmentId: environments[i % 2]?.environmentId ?? 0,
        workspaceNumber: 1,
        messageId: null,
        subjectId: String(workspace_id),
        event: 'tenant_warned',
        actor: 'worker',
        occurredAt: i,
        detail: { metadata: { i } },
      };
      await store.commit([appendEvent({ event })]);
    }
    await store.close();
  });

  it('accepts a valid chain', async () => {
    expect(await json(['admin', 'audit', 'verify'])).toMatchObject({
      valid: true,
      workspaces: [{ workspace_number: 1, entries: 6, broken: null }],
    });
  });

  it('exits with 9 and the position of a changed entry', async () => {
    const database = new Database(join(dataDir, 'mail.db'));
    database.exec('DROP TRIGGER events_no_update');
    const position = POSITIONS_PER_WORKSPACE + 4;
    database.prepare('UPDATE events SET occurred_at = 99 WHERE position = ?').run(position);
    database.close();
    const result = await mailkeel(['admin', 'audit', 'verify']);
    expect(result.code).toBe(9);
    expect(JSON.parse(result.stdout)).toMatchObject({
      valid: false,
      workspaces: [{ entries: 3, broken: { seq: 4, position } }],
    });
  });

  it('creates nothing without a database', async () => {
    dataDir = join(folder.path, 'elsewhere');
    const result = await mailkeel(['admin', 'audit', 'verify']);
    expect(result.code).toBe(1);
    expect(errorOf(result).message).toContain('No database found');
    expect(existsSync(dataDir)).toBe(false);
  });
});

describe('mailkeel admin backup', () => {
  it('copies a database during writes, says that the keys are not included, and never replaces a file', async () => {
    await layFolder();
    const made = await json(['admin', 'bootstrap']);
    const { store } = await openAppliance(config());
    let isWriting = true;
    const writing = (async () => {
      for (let day = 0; isWriting; day++) {
        await store.commit([countUse({ environmentId: 1, day, type: 'sales', sends: 1 })]);
      }
    })();
    const file = join(folder.path, 'copy.db');
    const backup = await (isFullSize ? jsonOfProcess : json)(['admin', 'backup', file]);
    isWriting = false;
    await writing;
    await store.close();
    expect(backup).toMatchObject({ file, size_bytes: statSync(file).size });
    expect(backup['note']).toContain(join(dataDir, 'keys'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const copy = new Database(file, { readonly: true });
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(copy.prepare('SELECT id FROM organizations').pluck().get()).toBe(made['organization_id']);
    copy.close();
    const before = readFileSync(file);
    const again = await mailkeel(['admin', 'backup', file]);
    expect([again.code, errorOf(again).code]).toEqual([5, 'conflict']);
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

describe('mailkeel admin config and migrate', () => {
  it('show every setting with its origin', async () => {
    const { settings } = await json(['admin', 'config']);
    const rows = settings as { name: string; value: string; origin: string }[];
    const row = rows.find(({ name }) => name === 'MAILKEEL_DATA_DIR');
    expect(row).toEqual({ name: 'MAILKEEL_DATA_DIR', value: dataDir, origin: 'MAILKEEL_DATA_DIR' });
    expect(existsSync(dataDir)).toBe(false);
  });

  it('report an invalid setting as JSON', async () => {
    const result = await mailkeel(['admin', 'config'], { MAILKEEL_DATADIR: '/x' });
    expect([result.code, result.stdout]).toEqual([2, '']);
    expect(errorOf(result).message).toContain('Did you mean MAILKEEL_DATA_DIR');
  });

  it('migrate once', async () => {
    expect((await json(['admin', 'migrate']))['migrations']).not.toEqual([]);
    expect((await json(['admin', 'migrate']))['migrations']).toEqual([]);
  });

  it('say with --dry-run what would happen, and copy the database before an upgrade', async () => {
    await layFolder();
    const before = latestSchema();
    const known = STEPS.map(({ name }) => name);
    await withStep(async () => {
      const planned = await json(['admin', 'migrate', '--dry-run']);
      expect(planned).toMatchObject({ schema: before, copy: { reason_against: null } });
      expect(planned['migrations']).toMatchObject([{ name: MADE_UP.name, does: MADE_UP.does }]);
      expect(readdirSync(dataDir)).not.toContain('before-upgrade');
      const done = await json(['admin', 'migrate']);
      expect(done['migrations']).toEqual([MADE_UP.name]);
      const { file } = done['copy'] as { file: string };
      expect(file).toMatch(new RegExp(`before-upgrade/backup-\\d{8}T\\d{6}Z-${before}\\.db$`));
      const copy = new Database(file, { readonly: true });
      const steps = copy.prepare('SELECT name FROM schema_steps').pluck();
      expect(steps.all()).toEqual(known);
      copy.close();
      expect(await json(['admin', 'migrate', '--dry-run'])).toMatchObject({ migrations: [], copy: null });
    });
  });

  it('migrate without a copy if the disk has too little space', async () => {
    await layFolder();
    await withStep(async () => {
      expect(await json(['admin', 'migrate'], { MAILKEEL_MIN_FREE_DISK: '1000000GiB' })).toMatchObject({
        ...{ migrations: [MADE_UP.name], copy: null },
      });
    });
  });

  it('end quietly if the reader closes the pipe', async () => {
    const child = spawn(process.execPath, [MAIN, 'admin', 'config'], { env: environment() });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect([code, stderr]).toEqual([0, '']);
  });
});
