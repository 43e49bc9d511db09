// Starts that must not happen: each ends at once with one clear message, a matching exit code, and an unharmed folder.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createAppliance, serverEnds, type Appliance } from '../../support/appliance.js';
import { freePort } from '../../support/free-port.js';
import { isFullSize } from '../../support/run-size.js';

let folder: string;
let appliance: Appliance | null = null;
let occupant: Server | null = null;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posthorn-start-'));
});

afterEach(async () => {
  await appliance?.close();
  appliance = null;
  const server = occupant;
  occupant = null;
  if (server) await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

it('a configuration with several mistakes: every one is named, and the exit code is 2', async () => {
  const { code, stderr, stdout } = await serverEnds({
    POSTHORN_DATA_DIR: join(folder, 'data'),
    POSTHORN_HTTP_PORT: 'eighty',
    POSTHORN_RETRY_SCHEDULE: 'soon',
    POSTHORN_RETRY_SHEDULE: '1m',
    POSTHORN_SMARTHOST: 'smtp://user:hush-hush@',
  });
  expect(code).toBe(2);
  expect(stderr).toMatch(/POSTHORN_HTTP_PORT must be .*"eighty"/);
  expect(stderr).toMatch(/POSTHORN_RETRY_SCHEDULE must be/);
  expect(stderr).toContain('did you mean POSTHORN_RETRY_SCHEDULE?');
  expect(stderr).toContain('POSTHORN_SMARTHOST must be');
  expect(stderr + stdout).not.toContain('hush-hush');
  expect(stderr).not.toContain('    at ');
});

// In CI test/settings/config.test.ts shows what is wrong in it.
it.runIf(isFullSize)(
  'a configuration file that is no JSON: it is named, and the exit code is 2',
  async () => {
    const file = join(folder, 'posthorn.json');
    await writeFile(file, '{"http_port": 80');
    const { code, stderr } = await serverEnds({ POSTHORN_CONFIG: file });
    expect(code).toBe(2);
    expect(stderr).toContain(file);
  },
);

it('a port that is taken: said with the port and what to do, and the exit code is 1', async () => {
  occupant = createServer();
  await new Promise<void>((resolve) => occupant?.listen(0, '127.0.0.1', resolve));
  const { port } = occupant.address() as AddressInfo;
  const { code, stderr, stdout } = await serverEnds({
    POSTHORN_DATA_DIR: join(folder, 'data'),
    POSTHORN_HTTP_HOST: '127.0.0.1',
    POSTHORN_HTTP_PORT: String(port),
  });
  expect(code).toBe(1);
  expect(stderr).toContain(String(port));
  expect(stderr).toContain('POSTHORN_HTTP_PORT');
  expect(stderr).not.toContain('    at ');
  expect(stdout).not.toContain('Posthorn');
});

it('a second server on the same folder: refused, and the first one goes on', async () => {
  appliance = await createAppliance({ dataDir: join(folder, 'data'), process: 'shared' });
  await appliance.start();
  const second = await serverEnds({ ...appliance.env, POSTHORN_HTTP_PORT: String(await freePort()) });
  expect(second.code).toBe(1);
  expect(second.stderr).toContain(join(folder, 'data'));
  expect(second.stderr).toMatch(/another/i);
  expect((await appliance.api('GET', '/v1/messages')).status).toBe(200);
});

// In CI test/admin/admin.test.ts shows it.
it.runIf(isFullSize)('a data folder that is a file: said so, and the exit code is 1', async () => {
  const file = join(folder, 'data');
  await writeFile(file, 'not a folder');
  const { code, stderr } = await serverEnds({ POSTHORN_DATA_DIR: file });
  expect(code).toBe(1);
  expect(stderr).toContain(file);
});

it('a database that is damaged: refused, and left as it is', async () => {
  appliance = await createAppliance({ dataDir: join(folder, 'data'), process: 'shared' });
  await writeFile(join(folder, 'data', 'posthorn.db'), 'this is not a database'.repeat(500));
  const { code, stderr } = await serverEnds(appliance.env);
  expect(code).toBe(1);
  expect(stderr).toContain('posthorn.db');
});

it('keys that are gone from a folder with data: refused instead of made anew', async () => {
  appliance = await createAppliance({ dataDir: join(folder, 'data'), process: 'shared' });
  await rm(join(folder, 'data', 'keys'), { recursive: true });
  const { code, stderr } = await serverEnds(appliance.env);
  expect(code).toBe(1);
  expect(stderr).toContain('keys');
});
