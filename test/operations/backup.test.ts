// Tests backups in a folder and in a bucket: atomic, checked, encrypted, rotated, and restored. A bad copy changes nothing.
import { createHmac, createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Database } from '../../src/database/engine/sqlite-driver.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAppliance } from '../../src/app/installation/open-appliance.js';
import { ensureFirstAccount } from '../../src/accounts/bootstrap.js';
import { makeBackup, type BackupSettings } from '../../src/operations/backup/backup.js';
import { finishRestore, restoreBackup, type RestoreRequest } from '../../src/operations/backup/restore.js';
import { runBackup } from '../../src/operations/backup/run-backup.js';
import { openKeyFiles, openWithPassphrase } from '../../src/lib/secrets/index.js';
import { createS3 } from '../../src/lib/http/index.js';
import { layDataFolder, layMigratedFile } from '../support/migrated-file.js';
import { sized } from '../support/run-size.js';
import { temporaryFolder } from '../support/open-engines.js';

const SECRET = 'the secret of the bucket';
const MIB = 1024 * 1024;
const clock = Date.now;

let folder = temporaryFolder();
let settings: BackupSettings & RestoreRequest['settings'];
beforeEach(() => {
  folder = temporaryFolder();
  settings = {
    dataDir: join(folder.path, 'data'),
    backupTo: join(folder.path, 'backups'),
    backupKeep: 2,
    backupPassphrase: 'correct horse battery',
    minFreeDiskBytes: 0,
    masterKeyFile: null,
    ...{ backupS3Endpoint: null, backupS3Region: 'eu-test-1', extraCaFile: null, replicaTo: null },
    ...{ backupS3AccessKeyId: null, backupS3SecretAccessKey: null },
  };
});
afterEach(() => folder.remove());

async function makeData(): Promise<{ databaseFile: string; keysFolder: string }> {
  const { dataDir, masterKeyFile } = settings;
  if (masterKeyFile === null) await layDataFolder(dataDir);
  else {
    await openKeyFiles(dataDir, { masterKeyFile });
    await layMigratedFile(join(dataDir, 'mail.db'));
  }
  const { store, folder: made } = await openAppliance({ ...settings, groupCommitMaxPlans: 10 });
  await ensureFirstAccount(store, { clock });
  await store.close();
  return made;
}

const restore = (copy: string, more: Partial<Parameters<typeof restoreBackup>[0]> = {}) =>
  restoreBackup({
    ...{
      settings,
      copy,
      passphrase: settings.backupPassphrase,
      keysFolder: null,
      isForced: false,
      clock,
      until: null,
      takesOver: false,
    },
    ...more,
  });

const rowsOf = (file: string, statement: string): unknown[] => {
  const database = new Database(file, { readonly: true });
  try {
    return database.prepare(statement).all();
  } finally {
    database.close();
  }
};

describe('a backup in a folder', () => {
  it('is private, complete, rotated and recorded, and can be restored with its keys into an empty folder', async () => {
    const data = await makeData();
    const { store } = await openAppliance({ ...settings, groupCommitMaxPlans: 10 });
    const made = [];
    for (let i = 0; i < 3; i++) {
      made.push(await runBackup({ store, folder: data, config: settings, clock: () => clock() + i * 1_000 }));
    }
    expect((await store.backups.latest()).good?.name).toBe(made[2]?.name);
    await store.close();
    const files = readdirSync(settings.backupTo);
    const kept = made
      .slice(1)
      .flatMap(({ name }) => ['.db', '.json', '.keys'].map((ending) => name + ending));
    expect(files.toSorted()).toEqual(kept.toSorted());
    for (const file of files) expect(statSync(join(settings.backupTo, file)).mode & 0o777).toBe(0o600);
    expect(
      rowsOf(data.databaseFile, `SELECT 1 FROM audit_entries WHERE action = 'backup.create'`),
    ).toHaveLength(3);
    const keys = readFileSync(join(data.keysFolder, 'master.json'), 'utf8');

    const other = join(folder.path, 'other');
    const restored = await restore('latest', { settings: { ...settings, dataDir: other } });
    expect(restored).toMatchObject({ copy: made[2]?.name, putAside: null, queued: 0 });
    expect(readFileSync(join(other, 'keys', 'master.json'), 'utf8')).toBe(keys);
    expect(rowsOf(join(other, 'mail.db'), 'SELECT released_at FROM restores')).toEqual([
      { released_at: null },
    ]);
  });

  it('is not created without space, and the failure is recorded', async () => {
    const data = await makeData();
    const { store } = await openAppliance({ ...settings, groupCommitMaxPlans: 10 });
    const greedy = { ...settings, minFreeDiskBytes: Number.MAX_SAFE_INTEGER };
    await expect(runBackup({ store, folder: data, config: greedy, clock })).rejects.toThrow(
      'Not enough free disk',
    );
    expect((await store.backups.latest()).tried?.error).toContain('Not enough free disk');
    await store.close();
    expect(readdirSync(settings.backupTo)).toEqual([]);
  });

  it('is not created from a damaged database', async () => {
    const data = await makeData();
    const { size } = statSync(data.databaseFile);
    truncateSync(data.databaseFile, size - 8_192);
    await expect(makeBackup({ folder: data, config: settings, clock })).rejects.toThrow();
    expect(readdirSync(settings.backupTo)).toEqual([]);
  });
});

describe('a restore', () => {
  it('only uses its own backups if two servers share a place', async () => {
    const data = await makeData();
    const first = await makeBackup({ folder: data, config: settings, clock });
    const neighbor = { ...settings, dataDir: join(folder.path, 'neighbor'), backupKeep: 1 };
    await layDataFolder(neighbor.dataDir);
    const { store, folder: made } = await openAppliance({ ...neighbor, groupCommitMaxPlans: 10 });
    await store.close();
    const later = (seconds: number) => () => clock() + seconds * 1_000;
    await makeBackup({ folder: made, config: neighbor, clock: later(1) });
    const newest = await makeBackup({ folder: made, config: neighbor, clock: later(2) });
    expect(newest.removed).toBe(3);
    expect(readdirSync(settings.backupTo).filter((file) => file.startsWith(first.name))).toHaveLength(3);

    expect((await restore('latest', { isForced: true })).copy).toBe(first.name);
    const empty = { ...settings, dataDir: join(folder.path, 'empty') };
    const refused = restore('latest', { settings: empty });
    await expect(refused).rejects.toThrow('several installations');
    await expect(refused).rejects.toThrow(first.name);
    await expect(refused).rejects.toThrow(newest.name);
    const chosen = await restore('latest', { settings: empty, keysFolder: made.keysFolder });
    expect(chosen.copy).toBe(newest.name);
  });

  it('sets existing data aside on request', async () => {
    const data = await makeData();
    const { name } = await makeBackup({ folder: data, config: settings, clock });
    await expect(restore('latest')).rejects.toThrow('--force');
    const { putAside } = await restore(join(settings.backupTo, `${name}.json`), { isForced: true });
    expect(existsSync(join(putAside ?? '', 'mail.db'))).toBe(true);
    expect(existsSync(join(putAside ?? '', 'keys', 'master.json'))).toBe(true);
    expect(readdirSync(settings.dataDir)).not.toContain('restore.part');
  });

  it.each([
    ['a changed database', '.db', 'does not match its manifest'],
    ['changed keys', '.keys', 'does not match its manifest'],
    ['a broken manifest', '.json', "Can't read the manifest"],
  ])('refuses %s and changes nothing', async (_, ending, message) => {
    const data = await makeData();
    const { name } = await makeBackup({ folder: data, config: settings, clock });
    const file = join(settings.backupTo, name + ending);
    const octets = readFileSync(file);
    octets[octets.length - 10] = (octets.at(-10) ?? 0) ^ 255;
    writeFileSync(file, octets.subarray(ending === '.json' ? 20 : 0));
    const before = readFileSync(data.databaseFile);
    await expect(restore('latest', { isForced: true })).rejects.toThrow(message);
    expect(readFileSync(data.databaseFile).equals(before)).toBe(true);
    expect(readdirSync(settings.dataDir).filter((entry) => entry.startsWith('restore'))).toEqual([]);
  });

  it('requires the keys that belong to the backup', async () => {
    const data = await makeData();
    const { name } = await makeBackup({
      folder: data,
      config: { ...settings, backupPassphrase: null },
      clock,
    });
    const other = { ...settings, dataDir: join(folder.path, 'other') };
    await expect(restore('latest', { settings: other })).rejects.toThrow('--keys');
    const copy = join(settings.backupTo, `${name}.db`);
    await restore(copy, { settings: other, keysFolder: data.keysFolder });
    const third = { ...settings, dataDir: join(folder.path, 'third') };
    await layDataFolder(third.dataDir);
    await expect(restore(copy, { settings: third, isForced: true })).rejects.toThrow(
      'do not match the backup',
    );
    await expect(
      restore('latest', { settings: other, isForced: true, passphrase: 'wrong wrong wrong' }),
    ).resolves.toBeDefined();
  });

  it('that was interrupted can be completed, and no server starts before', async () => {
    const data = await makeData();
    await makeBackup({ folder: data, config: settings, clock });
    await restore('latest', { isForced: true });
    // As after a crash between the two renames: the keys are in place, but not the database.
    const { renameSync, mkdirSync } = await import('node:fs');
    mkdirSync(join(settings.dataDir, 'restore.part'));
    renameSync(data.databaseFile, join(settings.dataDir, 'restore.part', 'mail.db'));
    writeFileSync(join(settings.dataDir, 'restore.unfinished'), 'before-restore-x\n');
    await expect(openAppliance({ ...settings, groupCommitMaxPlans: 10 })).rejects.toThrow('--finish');
    await expect(restore('latest', { isForced: true })).rejects.toThrow('--finish');
    await finishRestore(settings.dataDir);
    const { store } = await openAppliance({ ...settings, groupCommitMaxPlans: 10 });
    expect(await store.backups.hold()).not.toBeNull();
    await store.close();
  });
});

describe('a bucket', () => {
  let bucket: Awaited<ReturnType<typeof startBucket>>;
  beforeEach(async () => {
    bucket = await startBucket();
    settings = {
      ...settings,
      ...{ backupTo: 's3://mail/mail box', backupS3Endpoint: bucket.url },
      ...{ backupS3AccessKeyId: 'AKID', backupS3SecretAccessKey: SECRET },
    };
  });
  afterEach(() => bucket.close());

  it('stores backups, keeps the configured number, and returns them', async () => {
    const data = await makeData();
    for (let i = 0; i < 3; i++)
      await makeBackup({ folder: data, config: settings, clock: () => clock() + i * 1_000 });
    expect([...bucket.objects.keys()].filter((key) => key.endsWith('.json'))).toHaveLength(2);
    expect([...bucket.objects.keys()].every((key) => key.startsWith('mail box/backup-'))).toBe(true);
    expect(readdirSync(join(settings.dataDir, 'backups'))).toEqual([]);
    const restored = await restore('latest', {
      settings: { ...settings, dataDir: join(folder.path, 'other') },
    });
    expect(restored.queued).toBe(0);
    expect(bucket.refused).toBe(0);
  });

  it('stores a large file in parts and retries temporary failures', async () => {
    const s3 = createS3({
      ...{ endpoint: bucket.url, region: 'eu-test-1', bucket: 'mail', prefix: '', accessKeyId: 'AKID' },
      ...{ secretAccessKey: SECRET, extraCaFile: null },
    });
    const file = join(folder.path, 'large');
    const size = sized({ small: 17, full: 33 }) * MIB;
    writeFileSync(file, Buffer.alloc(size, 'x'));
    bucket.failures = 1;
    await s3.put('large', file);
    expect(bucket.objects.get('large')?.length).toBe(size);
    expect(bucket.parts).toBe(sized({ small: 2, full: 3 }));
    await s3.get('large', join(folder.path, 'back'));
    expect(readFileSync(join(folder.path, 'back')).equals(readFileSync(file))).toBe(true);
    await s3.close();
  });

  it('refuses a wrong secret without revealing it', async () => {
    const data = await makeData();
    const wrong = { ...settings, backupS3SecretAccessKey: 'wrong' };
    const failed = makeBackup({ folder: data, config: wrong, clock });
    await expect(failed).rejects.toThrow('SignatureDoesNotMatch');
    await expect(failed).rejects.not.toThrow('wrong');
  });
});

/** A store that checks each signature as AWS documents it (Signature Version 4), over the received bytes. */
async function startBucket() {
  const state = { objects: new Map<string, Buffer>(), refused: 0, failures: 0, parts: 0 };
  const uploads = new Map<string, Map<number, Buffer>>();
  const server: Server = createServer((request, response) => {
    void (async () => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      const body = Buffer.concat(pieces);
      const url = new URL(request.url ?? '/', 'http://store');
      const answer = (status: number, text: string | Buffer = '', headers = {}): ServerResponse =>
        response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : text);
      if (!isSigned(request, body)) {
        state.refused += 1;
        return answer(403, '<Error><Code>SignatureDoesNotMatch</Code></Error>');
      }
      if (state.failures > 0) {
        state.failures -= 1;
        return answer(503, '<Error><Code>SlowDown</Code></Error>');
      }
      const key = decodeURIComponent(url.pathname).replace(/^\/mail\/?/, '');
      const uploadId = url.searchParams.get('uploadId');
      if (request.method === 'POST' && url.searchParams.has('uploads')) {
        uploads.set('up&1', new Map());
        return answer(200, '<r><UploadId>up&amp;1</UploadId></r>');
      }
      if (uploadId !== null && request.method === 'PUT') {
        state.parts += 1;
        uploads.get(uploadId)?.set(Number(url.searchParams.get('partNumber')), body);
        return answer(200, '', { etag: '"part"' });
      }
      if (uploadId !== null && request.method === 'POST') {
        const parts = [...(uploads.get(uploadId) ?? [])]
          .toSorted(([a], [b]) => a - b)
          .map(([, part]) => part);
        state.objects.set(key, Buffer.concat(parts));
        return answer(200, '<CompleteMultipartUploadResult/>');
      }
      if (url.searchParams.has('list-type')) {
        const prefix = url.searchParams.get('prefix') ?? '';
        const all = [...state.objects.keys()].filter((one) => one.startsWith(prefix)).toSorted();
        const from = Number(url.searchParams.get('continuation-token') ?? 0);
        const page = all.slice(from, from + 2).map((one) => `<Key>${one}</Key>`);
        const more = from + 2 < all.length;
        const next = more ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : '';
        return answer(200, `<r><IsTruncated>${String(more)}</IsTruncated>${next}${page.join('')}</r>`);
      }
      if (request.method === 'PUT') state.objects.set(key, body);
      if (request.method === 'DELETE') state.objects.delete(key);
      if (request.method === 'PUT' || request.method === 'DELETE') return answer(200);
      const object = state.objects.get(key);
      if (object === undefined) return answer(404, '<Error><Code>NoSuchKey</Code></Error>');
      return answer(200, object, { 'content-length': object.length });
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

function isSigned({ method, url, headers }: IncomingMessage, body: Buffer): boolean {
  const hex = (octets: Buffer | string): string => createHash('sha256').update(octets).digest('hex');
  if (headers['x-amz-content-sha256'] !== hex(body)) return false;
  const found =
    /Credential=AKID\/(\d+)\/eu-test-1\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)/.exec(
      headers.authorization ?? '',
    );
  const [, day = '', names = '', signature = ''] = found ?? [];
  const { pathname, searchParams } = new URL(url ?? '/', 'http://store');
  const encode = (text: string): string =>
    encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
  const query = [...searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).toSorted();
  const signed = names.split(';').map((name) => `${name}:${String(headers[name])}\n`);
  const canonical = [method, pathname, query.join('&'), signed.join(''), names, hex(body)].join('\n');
  const text = [
    'AWS4-HMAC-SHA256',
    headers['x-amz-date'],
    `${day}/eu-test-1/s3/aws4_request`,
    hex(canonical),
  ];
  const hmac = (key: Buffer | string, data: string): Buffer =>
    createHmac('sha256', key).update(data).digest();
  const key = ['eu-test-1', 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${SECRET}`, day));
  return hmac(key, text.join('\n')).toString('hex') === signature;
}

it('does not contain a master key from the supervisor, and can only be restored with it', async () => {
  const masterKeyFile = join(folder.path, 'master.key');
  const other = join(folder.path, 'other.key');
  for (const file of [masterKeyFile, other]) writeFileSync(file, randomBytes(32).toString('base64'));
  settings = { ...settings, masterKeyFile };
  const made = await makeData();
  const { name } = await makeBackup({ folder: made, config: settings, clock });
  const sealed = readFileSync(join(settings.backupTo, `${name}.keys`), 'utf8');
  const keys = await openWithPassphrase('correct horse battery', sealed);
  expect(Object.keys(JSON.parse(keys.toString()) as object)).not.toContain('master.json');
  const target = { ...settings, dataDir: join(folder.path, 'target') };
  await expect(restore('latest', { settings: { ...target, masterKeyFile: other } })).rejects.toThrow(
    'do not match the backup',
  );
  await restore('latest', { settings: target });
  const { store } = await openAppliance({ ...target, groupCommitMaxPlans: 10 });
  await store.close();
});
