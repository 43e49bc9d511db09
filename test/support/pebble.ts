// A real ACME server: Debian's pebble, which resolves the names with a DNS server of the test and really fetches the challenges.
// Nothing leaves the machine.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { ensurePackages } from './apt.js';
import { issueCertificate } from './certificate-chain.js';
import { freePort } from './free-port.js';
import { waitFor } from './wait.js';

const PEBBLE = '/usr/bin/pebble';

/** Returns null if pebble is available, otherwise the reason. */
export function ensurePebble(): string | null {
  return ensurePackages({ packages: ['pebble'], isThere: () => existsSync(PEBBLE) });
}

export interface PebbleOptions {
  /** `127.0.0.1:port` of the DNS server for validation. */
  dnsServer: string;
  /** The port that replaces 80. */
  httpPort: number;
}

export interface Pebble {
  directoryUrl: string;
  /** PEM file: the authority of its own HTTPS. */
  caFile: string;
  /** PEM: the root of the certificates it issues, a new one at each start. */
  root(): Promise<string>;
  /** Its log so far. */
  log(): string;
  close(): Promise<void>;
}

export async function startPebble({ dnsServer, httpPort }: PebbleOptions): Promise<Pebble> {
  const folder = await mkdtemp(join(tmpdir(), 'mailkeel-pebble-'));
  const [port, managementPort] = [await freePort(), await freePort()];
  const own = issueCertificate({ names: ['localhost'] });
  const caFile = join(folder, 'cert.pem');
  await writeFile(caFile, own.cert);
  await writeFile(join(folder, 'key.pem'), own.key);
  const config = {
    pebble: {
      listenAddress: `127.0.0.1:${port}`,
      managementListenAddress: `127.0.0.1:${managementPort}`,
      certificate: caFile,
      privateKey: join(folder, 'key.pem'),
      httpPort,
      tlsPort: 1,
    },
  };
  await writeFile(join(folder, 'config.json'), JSON.stringify(config));
  // No delays before validation, and no reuse of authorizations, so that each order is validated.
  const env = { PATH: '/usr/bin', PEBBLE_VA_NOSLEEP: '1', PEBBLE_AUTHZREUSE: '0' };
  const child = spawn(PEBBLE, ['-config', join(folder, 'config.json'), '-dnsserver', dnsServer, '-strict'], {
    cwd: folder,
    env,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
  }
  await waitFor('pebble is up', () => {
    if (child.exitCode !== null) throw new Error(`pebble ended: ${output}`);
    return output.includes('ACME directory available at') && output.includes('Root CA certificate available');
  });
  return {
    directoryUrl: `https://localhost:${port}/dir`,
    caFile,
    root: () => get(`https://localhost:${managementPort}/roots/0`, own.cert),
    log: () => output,
    async close() {
      await ended(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function get(url: string, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request(url, { ca, agent: false }, (answer) => void readText(answer).then(resolve, reject))
      .on('error', reject)
      .end();
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await end;
}
