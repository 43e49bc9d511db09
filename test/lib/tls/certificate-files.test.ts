// Tests the operator's certificate files, which are read again after any kind of change.
import { mkdir, mkdtemp, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCertificateFiles } from '../../../src/lib/tls/certificate-files.js';
import { issueCertificate } from '../../support/certificate-chain.js';

const DAY = 86_400_000;
const one = issueCertificate({ names: ['one.example'] });
const two = issueCertificate({ names: ['two.example'] });
const now = Date.now();

let folder: string;
let paths: { cert: string; key: string };
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mailkeel-certs-'));
  paths = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  await put(one);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function put({ cert, key }: { cert: string; key: string }): Promise<void> {
  await writeFile(paths.cert, cert);
  await writeFile(paths.key, key);
}

async function names(files: ReturnType<typeof createCertificateFiles>, at = now): Promise<unknown> {
  const look = await files.look(at);
  if (look.kind === 'changed') return look.certificate.names;
  return look.kind === 'bad' ? look.problem : look.kind;
}

describe('certificate files', () => {
  it('are read at the first check and when they change', async () => {
    const files = createCertificateFiles(paths);
    expect(await names(files)).toEqual(['one.example']);
    expect(await names(files)).toBe('same');
    await put(two);
    expect(await names(files)).toEqual(['two.example']);
    expect(await names(files)).toBe('same');
  });

  it('that do not match yet are reported once, and read when both have changed', async () => {
    const files = createCertificateFiles(paths);
    await names(files);
    await writeFile(paths.cert, two.cert);
    expect(await names(files)).toBe(`${paths.key} does not match the certificate`);
    expect(await names(files)).toBe('same');
    await writeFile(paths.key, two.key);
    expect(await names(files)).toEqual(['two.example']);
  });

  it('are followed through changed links, as for mounted secrets', async () => {
    for (const [name, { cert, key }] of [['v1', one] as const, ['v2', two] as const]) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'cert.pem'), cert);
      await writeFile(join(folder, name, 'key.pem'), key);
    }
    await symlink('v1', join(folder, 'data'));
    for (const file of ['cert.pem', 'key.pem']) {
      await unlink(join(folder, file));
      await symlink(join('data', file), join(folder, file));
    }
    const files = createCertificateFiles(paths);
    expect(await names(files)).toEqual(['one.example']);
    await symlink('v2', join(folder, 'data_tmp'));
    await rename(join(folder, 'data_tmp'), join(folder, 'data'));
    expect(await names(files)).toEqual(['two.example']);
  });

  it.each<[string, () => Promise<void>, () => string]>([
    ['gone', () => unlink(paths.key), () => `${paths.key} does not exist`],
    [
      'a folder',
      async () => {
        await unlink(paths.cert);
        await mkdir(paths.cert);
      },
      () => `${paths.cert} is not a file`,
    ],
    [
      'a device',
      async () => {
        await unlink(paths.cert);
        await symlink('/dev/zero', paths.cert);
      },
      () => `${paths.cert} is not a file`,
    ],
    [
      'huge',
      () => writeFile(paths.key, Buffer.alloc(2 * 1024 * 1024)),
      () => `${paths.key} is larger than 1 MiB`,
    ],
    ['empty', () => writeFile(paths.cert, ''), () => `${paths.cert} contains no PEM certificate`],
  ])('that are %s are reported, and recover', async (_name, spoil, problem) => {
    const files = createCertificateFiles(paths);
    await names(files);
    await spoil();
    expect(await names(files)).toBe(problem());
    expect(await names(files)).toBe('same');
    await rm(paths.cert, { recursive: true, force: true });
    await rm(paths.key, { force: true });
    await put(two);
    expect(await names(files)).toEqual(['two.example']);
  });

  it('that expired are invalid, and those with a future start are used when it has come', async () => {
    const files = createCertificateFiles(paths);
    await put(issueCertificate({ names: ['old.example'], from: -9, to: -3 }));
    expect(await names(files)).toMatch(/^the certificate in .* expired on /);
    await put(issueCertificate({ names: ['new.example'], from: 2, to: 9 }));
    expect(await names(files)).toMatch(/^the certificate in .* is not valid before /);
    expect(await names(files, now + DAY)).toBe('same');
    expect(await names(files, now + 3 * DAY)).toEqual(['new.example']);
    expect(await names(files, now + 3 * DAY)).toBe('same');
  });
});
