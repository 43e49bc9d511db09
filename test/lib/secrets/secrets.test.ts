import { randomBytes, sign, verify } from 'node:crypto';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeyFileError, openKeyFiles, rotateKey, type Keys } from '../../../src/lib/secrets/key-files.js';
import { generateDkimKey, openSecret, sealSecret, SecretError } from '../../../src/lib/secrets/secrets.js';
import { sized } from '../../support/run-size.js';

const MASTER_KEY = randomBytes(32);

describe('a sealed secret', () => {
  const plaintext = Buffer.from('a private key');

  it('opens with its key and context', () => {
    const sealed = sealSecret(MASTER_KEY, plaintext, 'dkim-key:tnt_1');
    expect(openSecret(MASTER_KEY, sealed, 'dkim-key:tnt_1').equals(plaintext)).toBe(true);
    expect(Buffer.from(sealed, 'base64').includes(plaintext)).toBe(false);
  });

  it('may be empty', () => {
    expect(openSecret(MASTER_KEY, sealSecret(MASTER_KEY, Buffer.alloc(0), 'a'), 'a')).toHaveLength(0);
  });

  it('is a different text each time', () => {
    expect(sealSecret(MASTER_KEY, plaintext, 'a')).not.toBe(sealSecret(MASTER_KEY, plaintext, 'a'));
  });

  it('does not open with another key, and explains what to do', () => {
    const sealed = sealSecret(MASTER_KEY, plaintext, 'a');
    expect(() => openSecret(randomBytes(32), sealed, 'a')).toThrow(
      /cannot be decrypted with this master key.*backup/,
    );
  });

  it('does not open with another context', () => {
    const sealed = sealSecret(MASTER_KEY, plaintext, 'dkim-key:tnt_1');
    expect(() => openSecret(MASTER_KEY, sealed, 'dkim-key:tnt_2')).toThrow(/dkim-key:tnt_2/);
    expect(() => openSecret(MASTER_KEY, sealed, 'dkim-key:tnt_2')).toThrow(SecretError);
  });

  it('does not open after a change of any octet', () => {
    const sealed = Buffer.from(sealSecret(MASTER_KEY, plaintext, 'a'), 'base64');
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => openSecret(MASTER_KEY, changed.toString('base64'), 'a')).toThrow();
    }
  });

  it.each(['', 'AQ==', 'no base64!'])('is refused when it is %j', (sealed) => {
    expect(() => openSecret(MASTER_KEY, sealed, 'a')).toThrow(/a format that this release cannot read/);
  });

  it('requires a key of 32 bytes', () => {
    expect(() => sealSecret(randomBytes(16), plaintext, 'a')).toThrow(/32 bytes/);
  });
});

describe('a new DKIM key', () => {
  it.each(['rsa-sha256', 'ed25519-sha256'] as const)('of %s is created as a pair', async (algorithm) => {
    const { privateKey, publicKey } = await generateDkimKey(algorithm);
    const digest = algorithm === 'rsa-sha256' ? 'sha256' : null;
    const data = Buffer.from('data');
    expect(verify(digest, data, publicKey, sign(digest, data, privateKey))).toBe(true);
    if (algorithm === 'rsa-sha256') expect(publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
  });

  it('of 1024 bits is refused', async () => {
    await expect(generateDkimKey('rsa-sha256', 1024)).rejects.toThrow(/2048/);
  });
});

describe('the key files', () => {
  let dataDir = '';
  const path = (name: string) => join(dataDir, 'keys', name);
  const FILES = ['master.json', 'proof.json', 'session.json', 'tokens.json'];

  /** Returns all secrets as one comparable text. */
  const essence = (keys: Keys) =>
    JSON.stringify([
      keys.masterKey.toString('hex'),
      keys.sessionSecret.toString('hex'),
      keys.tokenKeys.all.map(({ id, secret }) => [id, secret.toString('hex')]),
      keys.proofKeys.all.map(({ keyId }) => keyId),
    ]);

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'mailkeel-keys-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it('are created at the first start, readable only by the owner, and read at the next', async () => {
    const keys = await openKeyFiles(dataDir);
    expect(keys.masterKey).toHaveLength(32);
    expect(keys.sessionSecret).toHaveLength(32);
    expect(keys.tokenKeys.active.id).toBe(0);
    expect(keys.proofKeys.active.keyId).toMatch(/^[0-9a-f]{16}$/);
    expect((await readdir(join(dataDir, 'keys'))).sort()).toEqual(['master.id', ...FILES]);
    expect((await stat(join(dataDir, 'keys'))).mode & 0o777).toBe(0o700);
    for (const file of FILES) expect((await stat(path(file))).mode & 0o777).toBe(0o600);
    expect(essence(await openKeyFiles(dataDir, { databaseExists: true }))).toBe(essence(keys));
  });

  it('are the same for simultaneous starts', async () => {
    const opened = await Promise.all(Array.from({ length: 12 }, () => openKeyFiles(dataDir)));
    expect(new Set(opened.map(essence)).size).toBe(1);
    expect((await readdir(join(dataDir, 'keys'))).sort()).toEqual(['master.id', ...FILES]);
  });

  it('are the same for several processes that start together', async () => {
    const module = new URL('../../../dist/lib/secrets/key-files.js', import.meta.url).href;
    const script =
      `const { openKeyFiles } = await import(${JSON.stringify(module)});` +
      `console.log((await openKeyFiles(${JSON.stringify(dataDir)})).masterKey.toString('hex'));`;
    const start = () =>
      new Promise<string>((resolve, reject) => {
        const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
        let output = '';
        child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
        child.on('error', reject);
        child.on('close', () => resolve(output.trim()));
      });
    const keys = await Promise.all(Array.from({ length: sized({ small: 2, full: 4 }) }, start));
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
  });

  it('are completed after an interrupted first start', async () => {
    const before = await openKeyFiles(dataDir);
    await unlink(path('master.json'));
    await unlink(path('session.json'));
    const after = await openKeyFiles(dataDir);
    expect(after.proofKeys.active.keyId).toBe(before.proofKeys.active.keyId);
    expect(after.sessionSecret).toHaveLength(32);
  });

  it('are not created again if there is data', async () => {
    await expect(openKeyFiles(dataDir, { databaseExists: true })).rejects.toThrow(
      /master\.json is missing\. Restore the keys folder from the backup/,
    );
    expect(await readdir(join(dataDir, 'keys'))).toEqual([]);
  });

  it.each(['tokens.json', 'proof.json', 'session.json'])(
    'explain what to do if %s was lost',
    async (file) => {
      await openKeyFiles(dataDir);
      await unlink(path(file));
      await expect(openKeyFiles(dataDir)).rejects.toThrow(/is missing\. Restore/);
      await expect(openKeyFiles(dataDir)).rejects.toBeInstanceOf(KeyFileError);
    },
  );

  it.each<[string, (text: string) => string]>([
    ['was cut off', (text) => text.slice(0, 80)],
    ['is empty', () => ''],
    [
      'has a changed key',
      (text) => text.replace(/"key": "(.)/, (_all, first) => `"key": "${first === 'A' ? 'B' : 'A'}`),
    ],
    ['lost its checksum', (text) => text.replace('checksum', 'sum')],
    ['has no keys', () => '{"kind":"mailkeel-master","keys":[]}'],
    ['is JSON of another kind', () => '[1]'],
  ])('explain what to do if one %s', async (_name, damage) => {
    await openKeyFiles(dataDir);
    const text = await readFile(path('master.json'), 'utf8');
    await writeFile(path('master.json'), damage(text));
    await expect(openKeyFiles(dataDir)).rejects.toThrow(/master\.json is damaged\. Restore/);
  });

  it('report a file that was replaced by another', async () => {
    await openKeyFiles(dataDir);
    await writeFile(path('master.json'), await readFile(path('session.json')));
    await expect(openKeyFiles(dataDir)).rejects.toThrow(/master\.json is damaged/);
  });

  it('report an unreadable file', async () => {
    await openKeyFiles(dataDir);
    await unlink(path('master.json'));
    await mkdir(path('master.json'));
    await expect(openKeyFiles(dataDir)).rejects.toThrow(/Can't read the key file .* Check its owner/);
  });

  it('keep old token keys when a new one is added', async () => {
    const before = await openKeyFiles(dataDir);
    expect(await rotateKey(join(dataDir, 'keys'), 'tokens')).toBe(1);
    const after = await openKeyFiles(dataDir);
    expect(after.tokenKeys.active.id).toBe(1);
    expect(after.tokenKeys.all).toEqual([after.tokenKeys.active, before.tokenKeys.active]);
  });

  it('hold as many token keys as a token can identify', async () => {
    await openKeyFiles(dataDir);
    for (let id = 1; id < 32; id++) expect(await rotateKey(join(dataDir, 'keys'), 'tokens')).toBe(id);
    await expect(rotateKey(join(dataDir, 'keys'), 'tokens')).rejects.toThrow(/maximum of 32 token keys/);
  });

  it('keep retired proof keys with the time of their retirement', async () => {
    const before = await openKeyFiles(dataDir);
    await rotateKey(join(dataDir, 'keys'), 'proof', { now: Date.UTC(2026, 10, 20) });
    const { active, all } = (await openKeyFiles(dataDir)).proofKeys;
    expect(all.map(({ keyId }) => keyId)).toEqual([active.keyId, before.proofKeys.active.keyId]);
    expect(all.map(({ retiredAt }) => retiredAt)).toEqual([null, '2026-11-20T00:00:00.000Z']);
  });
});
