// Tests a master key kept by the supervisor: MAILKEEL_MASTER_KEY_FILE.
import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, readdir, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openKeyFiles } from '../../../src/lib/secrets/key-files.js';

let dir: string;
let secret: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'mailkeel-keys-'));
  secret = join(dir, 'secret');
});

afterEach(() => rm(dir, { recursive: true }));

const folder = (): string => join(dir, 'data');
const open = (databaseExists: boolean, masterKeyFile: string | null = secret) =>
  openKeyFiles(folder(), { databaseExists, masterKeyFile });

it.each(['base64', 'hex'] as const)(
  'is read as %s, and leaves no master key in the data folder',
  async (form) => {
    const key = randomBytes(32);
    await writeFile(secret, `${key.toString(form)}\n`);
    const first = await open(false);
    expect(first.masterKey).toEqual(key);
    expect((await readdir(join(folder(), 'keys'))).sort()).toEqual([
      'master.id',
      'proof.json',
      'session.json',
      'tokens.json',
    ]);
    const second = await open(true);
    expect(second.sessionSecret).toEqual(first.sessionSecret);
    expect(second.proofKeys.sandbox.keyId).toBe(first.proofKeys.sandbox.keyId);
  },
);

it('continues after an interrupted first start with the created keys', async () => {
  await writeFile(secret, randomBytes(32).toString('hex'));
  const first = await open(false);
  await unlink(join(folder(), 'keys', 'session.json'));
  const second = await open(false);
  expect(second.tokenKeys.active.secret).toEqual(first.tokenKeys.active.secret);
});

it('can be the master.json of an installation that had it in its folder', async () => {
  const before = await open(false, null);
  await copyFile(join(folder(), 'keys', 'master.json'), secret);
  expect((await open(true)).masterKey).toEqual(before.masterKey);
  await unlink(join(folder(), 'keys', 'master.json'));
  expect((await open(true)).masterKey).toEqual(before.masterKey);
  await expect(open(true, null)).rejects.toThrow('master.json is missing');
});

it('is refused if the folder contains another one', async () => {
  await open(false, null);
  await writeFile(secret, randomBytes(32).toString('base64'));
  await expect(open(true)).rejects.toThrow('contain different master keys');
});

it('is refused if the data was encrypted with another one', async () => {
  await writeFile(secret, randomBytes(32).toString('base64'));
  await open(false);
  await writeFile(secret, randomBytes(32).toString('base64'));
  await expect(open(true)).rejects.toThrow('does not match the secrets of this data folder');
});

it('is refused with its name if it is missing or invalid, without showing the key', async () => {
  await expect(open(false)).rejects.toThrow('does not exist');
  await writeFile(secret, 'c2hvcnQ=');
  await expect(open(false)).rejects.toThrow(/MAILKEEL_MASTER_KEY_FILE .* does not contain a master key/);
  await expect(open(false)).rejects.not.toThrow('c2hvcnQ');
  expect(await readdir(join(folder(), 'keys'))).toEqual([]);
});
