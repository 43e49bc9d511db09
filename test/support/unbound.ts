// A real validating resolver: Debian's unbound over a root zone that the test signs with ldns. Nothing leaves the machine, and
// the system's own resolver is not touched.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensurePackages } from './apt.js';
import { freePort } from './free-port.js';
import { waitFor } from './wait.js';

const UNBOUND = '/usr/sbin/unbound';
const SIGNER = '/usr/bin/ldns-signzone';

/** Returns null if unbound and ldns are installed, otherwise the reason. */
export function ensureUnbound(): string | null {
  return ensurePackages({
    packages: ['unbound', 'ldnsutils'],
    isThere: () => existsSync(UNBOUND) && existsSync(SIGNER),
  });
}

export interface UnboundOptions {
  /** Lines of the signed root zone, with full names; SOA and NS exist already. */
  records: readonly string[];
  /** Zones that are delegated without a signature, by name (`plain.`), with their lines. */
  unsigned?: Readonly<Record<string, readonly string[]>>;
  /** Applied after signing, so that the zone differs from its signatures. */
  tamper?: (zone: string) => string;
  /** False if it resolves without validating. */
  validates?: boolean;
  /** Additional lines of the server section of its configuration. */
  settings?: readonly string[];
}

export interface Unbound {
  /** `127.0.0.1:port` */
  server: string;
  /** Stops it, and keeps its files. */
  stop: () => Promise<void>;
  close: () => Promise<void>;
}

const head = (zone: string, ns: string): string[] => [
  '$TTL 300',
  `${zone} IN SOA ${ns} hostmaster.invalid. 1 3600 600 86400 60`,
  `${zone} IN NS ${ns}`,
];

export async function startUnbound(options: UnboundOptions): Promise<Unbound> {
  const folder = await mkdtemp(join(tmpdir(), 'mailkeel-unbound-'));
  const port = await freePort();
  const unsigned = Object.entries(options.unsigned ?? {});
  await writeFile(
    join(folder, 'root'),
    zoneText([
      ...head('.', 'ns.root.'),
      'ns.root. IN A 127.0.0.1',
      ...unsigned.flatMap(([name]) => [`${name} IN NS ns.${name}`, `ns.${name} IN A 127.0.0.1`]),
      ...options.records,
    ]),
  );
  const anchor = await signRoot(folder);
  if (options.tamper) {
    const file = join(folder, 'root.signed');
    await writeFile(file, options.tamper(await readFile(file, 'utf8')));
  }
  for (const [name, records] of unsigned) {
    const lines = [...head(name, `ns.${name}`), `ns.${name} IN A 127.0.0.1`, ...records];
    await writeFile(join(folder, `zone-${name}`), zoneText(lines));
  }
  const zones: [string, string][] = [
    ['.', 'root.signed'],
    ...unsigned.map(([name]): [string, string] => [name, `zone-${name}`]),
  ];
  const config = configOf({
    folder,
    port,
    anchor,
    zones,
    validates: options.validates !== false,
    settings: options.settings ?? [],
  });
  await writeFile(join(folder, 'unbound.conf'), config);

  let output = '';
  const child = spawn(UNBOUND, ['-d', '-c', join(folder, 'unbound.conf')]);
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
  await waitFor('unbound is up', () => {
    if (child.exitCode !== null) throw new Error(`unbound ended: ${output}`);
    return output.includes('start of service');
  });
  return {
    server: `127.0.0.1:${port}`,
    stop: () => ended(child),
    async close() {
      await ended(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const zoneText = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

/** Creates `root.signed`; resolves to the name of the file with its trust anchor. */
async function signRoot(folder: string): Promise<string> {
  const run = (program: string, args: string[]): string => {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program}: ${stdout}${stderr}`);
    return stdout.trim();
  };
  const key = run('ldns-keygen', ['-a', 'ECDSAP256SHA256', '-k', '.']);
  run(SIGNER, ['-n', '-o', '.', '-f', 'root.signed', 'root', key]);
  await writeFile(join(folder, 'anchor'), await readFile(join(folder, `${key}.key`)));
  return 'anchor';
}

function configOf(input: {
  folder: string;
  port: number;
  anchor: string;
  zones: readonly [name: string, file: string][];
  validates: boolean;
  settings: readonly string[];
}): string {
  const { folder, port, anchor, zones, validates, settings } = input;
  return [
    'server:',
    `  interface: 127.0.0.1@${port}`,
    '  do-ip6: no',
    '  username: ""',
    '  chroot: ""',
    '  use-syslog: no',
    '  verbosity: 1',
    '  num-threads: 1',
    `  directory: "${folder}"`,
    `  pidfile: "${folder}/pid"`,
    `  module-config: "${validates ? 'validator iterator' : 'iterator'}"`,
    ...(validates ? [`  trust-anchor-file: "${folder}/${anchor}"`] : []),
    ...settings.map((line) => `  ${line}`),
    'remote-control:',
    '  control-enable: no',
    ...zones.flatMap(([name, file]) => [
      'auth-zone:',
      `  name: "${name}"`,
      `  zonefile: "${folder}/${file}"`,
      '  for-downstream: no',
      '  for-upstream: yes',
      '  fallback-enabled: no',
    ]),
    '',
  ].join('\n');
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await end;
}
