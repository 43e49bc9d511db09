// A real ACME server of our own: Debian's pebble, which asks a DNS server of the test for the names and then really looks at
// the challenges. Nothing leaves this machine.
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

/** Null when pebble is there, else why not. */
export function ensurePebble(): string | null {
  return ensurePackages({ packages: ['pebble'], isThere: () => existsSync(PEBBLE) });
}

export interface PebbleOptions {
  /** `127.0.0.1:port`, where it looks up the names to validate. */
  dnsServer: string;
  /** The port that stands for 80. */
  httpPort: number;
}

export interface Pebble {
  directoryUrl: string;
  /** PEM file: the authority of its own HTTPS. */
  caFile: string;
  /** PEM: the root of what it issues, another one at each start. */
  root(): Promise<string>;
  /** What it did so far. */
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
  // No naps before validation, and no authorization is used twice: each order is looked at.
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
