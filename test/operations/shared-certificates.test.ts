// Tests certificates of an installation with several nodes: one node creates or fetches a certificate, and the others read it
// from the rows.
import { X509Certificate } from 'node:crypto';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/lib/runtime/index.js';
import { Certificates } from '../../src/operations/certificates/certificates.js';
import { certificateInUse } from '../../src/operations/certificates/in-use.js';
import { StoredCertificate } from '../../src/operations/certificates/stored-certificate.js';
import {
  installationFiles,
  sealedCertificates,
  type InstallationFiles,
} from '../../src/operations/files/installation-files.js';
import { loadConfig } from '../../src/settings/load.js';
import { createReadStore, createStore, type Store } from '../../src/app/store.js';
import { issueCertificate } from '../support/certificate-chain.js';
import { fixedClock, type FixedClock } from '../support/fixed-clock.js';
import { openMigratedFile, temporaryFolder, type OpenEngine } from '../support/open-engines.js';

const DAY = 86_400_000;
const HOST = 'mail.mailkeel.example';
const MASTER_KEY = Buffer.alloc(32, 9);

let folder: ReturnType<typeof temporaryFolder>;
let opened: OpenEngine;
let store: Store;
let clock: FixedClock;
beforeEach(async () => {
  folder = temporaryFolder();
  opened = await openMigratedFile(join(folder.path, 'mail.db'));
  store = createStore(opened.engine, { maxGroup: 50 });
  clock = fixedClock(Date.now());
});
afterEach(async () => {
  await store.drain();
  await opened.close();
  folder.remove();
});

const filesOf = (): InstallationFiles =>
  installationFiles({
    ...{ place: { kind: 'server', url: 'postgres://nowhere' }, dataFolder: '/nowhere', clock: clock.now },
    ...{ store: store.files, masterKey: MASTER_KEY },
  });

const settingsOf = (env: Record<string, string> = {}) =>
  loadConfig({ env: { MAILKEEL_HOSTNAME: HOST, ...env } }).config;

function node(env: Record<string, string> = {}, mayFetch = () => true): Promise<Certificates> {
  const random = () => 0;
  const log = createLog('silent');
  return Certificates.open({
    config: settingsOf(env),
    files: filesOf(),
    clock: clock.now,
    log,
    random,
    mayFetch,
  });
}

const fingerprints = (...nodes: Certificates[]): Set<string> =>
  new Set(nodes.map((one) => one.current().fingerprint));

describe('a self-signed certificate', () => {
  it('is the same for nodes that start together, whether or not they may renew it', async () => {
    const nodes = await Promise.all([node(), node({}, () => false), node({}, () => false)]);
    expect(fingerprints(...nodes).size).toBe(1);
  });

  it('is renewed by one node, and the others load it at their next check', async () => {
    const [one, two] = [await node(), await node({}, () => false)];
    const [before] = fingerprints(one, two);
    const changed: string[] = [];
    two.subscribe(({ fingerprint }) => changed.push(fingerprint));
    clock.advance(3600 * DAY);
    await two.refresh();
    expect(two.current().fingerprint).toBe(before);
    await one.refresh();
    await two.refresh();
    await two.refresh();
    expect(one.current().fingerprint).not.toBe(before);
    expect(changed).toEqual([one.current().fingerprint]);
  });

  it('of a node with another name is not renewed in turns', async () => {
    const one = await node();
    const two = await node({ MAILKEEL_HOSTNAME: 'other.mailkeel.example' }, () => false);
    for (let i = 0; i < 2; i++) {
      await two.refresh();
      await one.refresh();
    }
    expect(fingerprints(one, two).size).toBe(1);
  });

  it('can be read by nodes that only have the master key', async () => {
    await node();
    const reads = createReadStore(opened.engine).files;
    const now = clock.now();
    expect(await certificateInUse(settingsOf(), sealedCertificates(reads, MASTER_KEY), now)).toMatchObject({
      ...{ origin: 'self-signed', coversHost: true },
    });
    const other = sealedCertificates(reads, Buffer.alloc(32, 8));
    await expect(certificateInUse(settingsOf(), other, now)).rejects.toThrow('cannot be decrypted');
  });
});

describe('a certificate by ACME on several nodes', () => {
  const issued = issueCertificate({ names: [HOST], to: 90 });
  const fingerprint = new X509Certificate(issued.cert).fingerprint256;

  it('is requested by the permitted node and used by the others', async () => {
    let asked = 0;
    const directory = createServer((socket) => {
      asked += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => directory.listen(0, '127.0.0.1', resolve));
    const { port } = directory.address() as AddressInfo;
    const env = {
      MAILKEEL_ACME_EMAIL: 'me@mailkeel.example',
      MAILKEEL_ACME_DIRECTORY: `https://localhost:${port}/dir`,
      MAILKEEL_ACME_PORT: '0',
    };
    let isOwner = false;
    const two = await node(env, () => isOwner);
    await two.refresh();
    expect([asked, two.current().origin]).toEqual([0, 'self-signed']);
    // As the node that fetched it stores it.
    await new StoredCertificate(filesOf().tls, 'acme.pem', 'acme').replace(issued);
    await two.refresh();
    expect([asked, two.current()]).toEqual([0, expect.objectContaining({ origin: 'acme', fingerprint })]);
    expect((await node(env, () => false)).current().fingerprint).toBe(fingerprint);
    clock.advance(80 * DAY);
    await two.refresh();
    expect(asked).toBe(0);
    isOwner = true;
    await two.refresh();
    expect([asked > 0, two.current().fingerprint]).toEqual([true, fingerprint]);
    directory.close();
  });
});
