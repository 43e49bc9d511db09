// A real authoritative name server for customers' zones: Debian's nsd, on port 53 of its own loopback address, where resolvers
// that follow a delegation find it.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Resolver } from 'node:dns/promises';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensurePackages } from './apt.js';
import type { DnsRecord } from './mail-rig.js';
import { waitFor } from './wait.js';

const NSD = '/usr/sbin/nsd';
/** Of every record, and of negative answers, in seconds. */
const TTL = 1;

/** Returns null if nsd is installed and port 53 is available, otherwise the reason. */
export function ensureNsd(): string | null {
  if (process.getuid?.() !== 0) return 'needs root for port 53';
  return ensurePackages({ packages: ['nsd'], isThere: () => existsSync(NSD) });
}

export interface Nsd {
  /** Lines for the zone above: the delegation and its glue. */
  delegation: string[];
  /** Replaces the records of the zone, except SOA and NS; resolves once they are served. */
  publish(records: readonly DnsRecord[]): Promise<void>;
  /** Stops responding. */
  halt(): Promise<void>;
  /** Starts again with the records published last. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export async function startNsd({ zone, address }: { zone: string; address: string }): Promise<Nsd> {
  const folder = await mkdtemp(join(tmpdir(), 'mailkeel-nsd-'));
  const resolver = new Resolver({ timeout: 500, tries: 1 });
  resolver.setServers([`${address}:53`]);
  let serial = 0;
  let child: ChildProcess | null = null;
  let output = '';
  await writeFile(join(folder, 'nsd.conf'), configOf({ folder, zone, address }));

  async function write(records: readonly DnsRecord[]): Promise<void> {
    serial += 1;
    const lines = [
      `$TTL ${TTL}`,
      `${zone}. IN SOA ns.${zone}. hostmaster.${zone}. ${serial} 3600 600 86400 ${TTL}`,
      `${zone}. IN NS ns.${zone}.`,
      `ns.${zone}. IN A ${address}`,
      ...records.map(lineOf),
      '',
    ];
    await writeFile(join(folder, 'zone'), lines.join('\n'));
  }

  async function served(): Promise<boolean> {
    if (child?.exitCode !== null) throw new Error(`nsd ended: ${output}`);
    try {
      return (await resolver.resolveSoa(zone)).serial === serial;
    } catch {
      // It is not there yet.
      return false;
    }
  }

  async function start(): Promise<void> {
    const started = spawn(NSD, ['-d', '-c', join(folder, 'nsd.conf')], { stdio: ['ignore', 'pipe', 'pipe'] });
    child = started;
    for (const stream of [started.stdout, started.stderr]) {
      stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
    }
    await waitFor('nsd answers', served);
  }

  async function halt(): Promise<void> {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const end = once(child, 'exit');
    child.kill('SIGTERM');
    await end;
  }

  await write([]);
  await start();
  return {
    delegation: [`${zone}. IN NS ns.${zone}.`, `ns.${zone}. IN A ${address}`],
    async publish(records) {
      await write(records);
      child?.kill('SIGHUP');
      await waitFor('nsd answers anew', served);
    },
    halt,
    start,
    async close() {
      await halt();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A line of a zone file. A string in it has 255 octets at most (RFC 1035 section 3.3). */
function lineOf({ type, host, value, priority = 10 }: DnsRecord): string {
  switch (type) {
    case 'TXT': {
      const parts = value.match(/.{1,250}/g) ?? [''];
      return `${host}. IN TXT ${parts.map((part) => `"${part.replaceAll(/["\\]/g, '\\$&')}"`).join(' ')}`;
    }
    case 'MX':
      return `${host}. IN MX ${priority} ${value}.`;
    case 'CNAME':
      return `${host}. IN CNAME ${value}.`;
  }
}

function configOf({ folder, zone, address }: { folder: string; zone: string; address: string }): string {
  return [
    'server:',
    `  ip-address: ${address}@53`,
    '  server-count: 1',
    '  do-ip6: no',
    '  username: ""',
    '  chroot: ""',
    '  database: ""',
    '  rrl-ratelimit: 0',
    `  zonesdir: "${folder}"`,
    `  zonelistfile: "${folder}/zones.list"`,
    `  xfrdfile: "${folder}/xfrd.state"`,
    `  xfrdir: "${folder}"`,
    `  pidfile: "${folder}/pid"`,
    'remote-control:',
    '  control-enable: no',
    'zone:',
    `  name: "${zone}"`,
    `  zonefile: "zone"`,
    '',
  ].join('\n');
}
