// Tests `mailkeel admin keys rotate`, and the key files of several machines with one database.
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAppliance } from '../../src/app/installation/open-appliance.js';
import { runCommandLine } from '../../src/admin/program.js';
import { fetchKeyFiles, keepKeyFiles, replaceKeyFile } from '../../src/app/installation/shared-key-files.js';
import { type Keys, openKeyFiles, rotateKey } from '../../src/lib/secrets/index.js';
import { loadConfig } from '../../src/settings/load.js';
import { lockDataFolder } from '../../src/database/engine/server-lock.js';
import { fixedClock } from '../support/fixed-clock.js';
import { layDataFolder } from '../support/migrated-file.js';
import { SQLITE, temporaryFolder, type OpenEngine } from '../support/open-engines.js';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

describe('adding a key', () => {
  const dataDir = (): string => join(folder.path, 'data');
  const loaded = () => loadConfig({ env: { MAILKEEL_DATA_DIR: dataDir() } });

  async function rotate(name: string) {
    let output = '';
    const code = await runCommandLine(['admin', 'keys', 'rotate', name], {
      stdout: { write: (text) => (output += text), isTTY: false },
      stderr: { write: (text) => (output += text) },
      readStdin: () => Promise.resolve(''),
      loadConfig: loaded,
      clock: fixedClock().now,
      exitCode: 0,
    });
    return { code, json: JSON.parse(output) as Record<string, unknown> };
  }

  async function keysNow(): Promise<Keys> {
    const { keys, store } = await openAppliance(loaded().config);
    await store.close();
    return keys;
  }

  beforeEach(() => layDataFolder(dataDir()));

  it.each(['tokens', 'proof'])('adds a key of %s and keeps the previous ones', async (name) => {
    const before = await keysNow();
    expect(await rotate(name)).toEqual({
      code: 0,
      json: { object: 'installation_key', keys: name, id: 1 },
    });
    const after = await keysNow();
    expect(after.tokenKeys.all).toHaveLength(name === 'tokens' ? 2 : 1);
    expect(after.proofKeys.all).toHaveLength(name === 'proof' ? 2 : 1);
    expect(after.tokenKeys.all.at(-1)).toEqual(before.tokenKeys.active);
    expect(after.proofKeys.all.at(-1)?.keyId).toBe(before.proofKeys.active.keyId);
  });

  it('is refused while a server runs, and for keys of other kinds', async () => {
    expect((await rotate('master')).code).toBe(2);
    const lock = lockDataFolder(dataDir());
    try {
      expect((await rotate('tokens')).code).not.toBe(0);
    } finally {
      lock.release();
    }
    expect((await keysNow()).tokenKeys.all).toHaveLength(1);
  });
});

describe('servers on one database', () => {
  let opened: OpenEngine;
  beforeEach(async () => {
    opened = await SQLITE.openMigrated();
  });
  afterEach(() => opened.close());

  const machine = (name: string) => ({ keysFolder: join(folder.path, name, 'keys'), masterKeyFile: null });
  const keysOf = (name: string): Promise<Keys> =>
    openKeyFiles(join(folder.path, name), { databaseExists: true });

  /** Two machines with the same keys, and the database knows them. */
  async function two(): Promise<Keys> {
    const keys = await openKeyFiles(join(folder.path, 'a'));
    await keepKeyFiles(opened.engine, machine('a'), { masterKey: keys.masterKey, now: 0 });
    await cp(join(folder.path, 'a'), join(folder.path, 'b'), { recursive: true });
    return keys;
  }

  const rotateOn = (name: string, { masterKey }: Keys) =>
    rotateKey(machine(name).keysFolder, 'tokens', {
      keep: (content) => replaceKeyFile(opened.engine, { file: 'tokens.json', content, masterKey }),
    });

  it('get a key that another one added', async () => {
    await rotateOn('a', await two());
    await fetchKeyFiles(opened.engine, machine('b'));
    expect((await keysOf('b')).tokenKeys).toEqual((await keysOf('a')).tokenKeys);
    expect((await keysOf('b')).tokenKeys.all).toHaveLength(2);
  });

  it('get it even if the adding server ended before storing it in its folder', async () => {
    const keys = await two();
    const file = join(machine('a').keysFolder, 'tokens.json');
    const old = await readFile(file);
    await rotateOn('a', keys);
    await writeFile(file, old);
    await fetchKeyFiles(opened.engine, machine('a'));
    expect((await keysOf('a')).tokenKeys.all).toHaveLength(2);
  });

  it('refuse a folder without the keys of the database', async () => {
    await two();
    await rotateKey(machine('b').keysFolder, 'tokens');
    await expect(fetchKeyFiles(opened.engine, machine('b'))).rejects.toThrow(/do not match the database/);
  });
});
