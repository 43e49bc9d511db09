// Tests starts that must be refused: each ends immediately with one clear message, a matching exit code, and an unchanged folder.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createAppliance, serverEnds, type Appliance } from '../../support/appliance.js';
import { startBeside } from '../../support/built.js';
import { freePort } from '../../support/free-port.js';
import { layDataFolder } from '../../support/migrated-file.js';
import { isFullSize } from '../../support/run-size.js';

let folder: string;
/** Runs during the refused starts. */
let appliance: Appliance;

beforeAll(async () => {
  appliance = await createAppliance({ process: 'shared' });
  await appliance.start();
});
afterAll(() => appliance.close());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mailkeel-start-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The settings of the running server, for another folder with keys and tables. */
async function neighbour(): Promise<Record<string, string>> {
  const dataDir = join(folder, 'data');
  await layDataFolder(dataDir);
  return { ...appliance.env, MAILKEEL_DATA_DIR: dataDir };
}

it('reports every error of a configuration with exit code 2', async () => {
  const { code, stderr, stdout } = await serverEnds({
    MAILKEEL_DATA_DIR: join(folder, 'data'),
    MAILKEEL_HTTP_PORT: 'eighty',
    MAILKEEL_RETRY_SCHEDULE: 'soon',
    MAILKEEL_RETRY_SHEDULE: '1m',
    MAILKEEL_SMARTHOST: 'smtp://user:hush-hush@',
  });
  expect(code).toBe(2);
  expect(stderr).toMatch(/MAILKEEL_HTTP_PORT must be .*"eighty"/);
  expect(stderr).toMatch(/MAILKEEL_RETRY_SCHEDULE must be/);
  expect(stderr).toContain('Did you mean MAILKEEL_RETRY_SCHEDULE?');
  expect(stderr).toContain('MAILKEEL_SMARTHOST must be');
  expect(stderr + stdout).not.toContain('hush-hush');
  expect(stderr).not.toContain('    at ');
});

// In CI, test/settings/config.test.ts covers invalid files.
it.runIf(isFullSize)('reports a configuration file that is not JSON with exit code 2', async () => {
  const file = join(folder, 'mailkeel.json');
  await writeFile(file, '{"http_port": 80');
  const { code, stderr } = await serverEnds({ MAILKEEL_CONFIG: file });
  expect(code).toBe(2);
  expect(stderr).toContain(file);
});

it('reports a port that is taken with next steps and exit code 1', async () => {
  const { code, stderr, stdout } = await serverEnds(await neighbour());
  expect(code).toBe(1);
  expect(stderr).toContain(String(appliance.port));
  expect(stderr).toContain('MAILKEEL_HTTP_PORT');
  expect(stderr).not.toContain('    at ');
  expect(stdout).not.toContain('Mailkeel');
});

it('refuses a second server on the same folder, and the first one continues', async () => {
  const second = await serverEnds({ ...appliance.env, MAILKEEL_HTTP_PORT: String(await freePort()) });
  expect(second.code).toBe(1);
  expect(second.stderr).toContain(appliance.dataDir);
  expect(second.stderr).toMatch(/another/i);
  expect((await appliance.api('GET', '/v1/messages')).status).toBe(200);
});

// In CI, test/admin/admin.test.ts covers it.
it.runIf(isFullSize)('reports a data folder that is a file with exit code 1', async () => {
  const file = join(folder, 'data');
  await writeFile(file, 'not a folder');
  const { code, stderr } = await serverEnds({ MAILKEEL_DATA_DIR: file });
  expect(code).toBe(1);
  expect(stderr).toContain(file);
});

it('refuses a damaged database and does not change it', async () => {
  const env = await neighbour();
  const file = join(folder, 'data', 'mail.db');
  const damaged = 'this is not a database'.repeat(500);
  await writeFile(file, damaged);
  const { code, stderr } = await serverEnds(env);
  expect(code).toBe(1);
  expect(stderr).toContain('mail.db');
  expect(await readFile(file, 'utf8')).toBe(damaged);
});

it('refuses a folder with data but without keys instead of creating new ones', async () => {
  const env = await neighbour();
  await rm(join(folder, 'data', 'keys'), { recursive: true });
  if (isFullSize) {
    const { code, stderr } = await serverEnds(env);
    expect(code).toBe(1);
    expect(stderr).toContain('keys');
  } else {
    // The other tests show that a refused start exits with 1 and gives the reason.
    await expect(startBeside(env)).rejects.toThrow('keys');
  }
});
