// A real Exim next to Postfix: Debian's exim4-daemon-light, unpacked rather than installed, because Debian allows only one mail
// server at a time. Configuration, spool, mailbox and port are in one temporary folder. Its access control lists can script its
// replies to RCPT and after the data per address.
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensurePackages } from './apt.js';
import { freePort } from './free-port.js';
import { selfSignedCertificate } from './test-certificate.js';
import { waitFor } from './wait.js';

const PACKAGE = 'exim4-daemon-light';
/** Owned by root, so that no one else can place a program there. */
const UNPACKED = '/var/cache/mailkeel-test-exim';
const EXIM = join(UNPACKED, 'usr/sbin/exim4');
/** Compiled into Debian's Exim, which does not start without this user. */
const USER = 'Debian-exim';
const HOSTNAME = 'mx.exim.example';

const starts = (): boolean => existsSync(EXIM) && spawnSync(EXIM, ['-C', '/dev/null', '-bV']).status === 0;

/** Returns null if Exim can be started, otherwise the reason. */
export function ensureExim(): string | null {
  if (starts()) return null;
  if (process.getuid?.() !== 0) return `needs ${PACKAGE}, and root to unpack and start it`;
  if (!existsSync('/usr/bin/apt-get')) return `needs ${PACKAGE}, on a Debian system`;
  const failed = unpack();
  if (failed !== null) return `${PACKAGE} could not be unpacked: ${failed}`;
  const libraries = librariesOf();
  const missing = ensurePackages({ packages: libraries, isThere: () => librariesAreThere() });
  if (missing !== null) return missing;
  // As the package's own scripts do.
  spawnSync('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--shell',
    '/usr/sbin/nologin',
    USER,
  ]);
  const { status, stderr } = spawnSync(EXIM, ['-C', '/dev/null', '-bV'], { encoding: 'utf8' });
  return status === 0 ? null : `${PACKAGE} does not start: ${stderr.trim()}`;
}

/** Fetches and unpacks the package; returns null, or the reason of a failure. */
function unpack(): string | null {
  if (existsSync(EXIM)) return null;
  spawnSync('mkdir', ['-p', '-m', '755', UNPACKED]);
  const steps: [string, string[]][] = [
    ['apt-get', ['-o', 'DPkg::Lock::Timeout=120', 'update']],
    ['apt-get', ['-o', 'APT::Sandbox::User=root', 'download', PACKAGE]],
  ];
  for (const [program, args] of steps) {
    const { status, stderr } = spawnSync(program, args, { cwd: UNPACKED, encoding: 'utf8' });
    if (status !== 0) return stderr.trim();
  }
  const { status, stderr } = spawnSync('dpkg-deb', ['-x', packageFile(), '.'], {
    cwd: UNPACKED,
    encoding: 'utf8',
  });
  return status === 0 ? null : stderr.trim();
}

const packageFile = (): string => readdirSync(UNPACKED).find((name) => name.endsWith('.deb')) ?? '';

/** The package's dependencies, except its own configuration. */
function librariesOf(): string[] {
  const { stdout } = spawnSync('dpkg-deb', ['-f', packageFile(), 'Depends'], {
    cwd: UNPACKED,
    encoding: 'utf8',
  });
  const names = stdout.split(',').map((entry) => entry.trim().split(/[ |]/)[0] ?? '');
  return names.filter((name) => name.startsWith('lib'));
}

function librariesAreThere(): boolean {
  const { stdout } = spawnSync('ldd', [EXIM], { encoding: 'utf8' });
  return !stdout.includes('not found');
}

export interface EximOptions {
  /** False if it does not offer SMTPUTF8. */
  smtputf8?: boolean;
  /** Octets. */
  sizeLimit?: number;
  /** Maximum connections from one address; above it, it greets with 421. */
  connectionsPerHost?: number;
  /** Relays mail to these domains to a port of this machine; all other mail goes to its mailbox. */
  handsOn?: { domains: string; port: number };
  /** Local parts that it accepts at RCPT although they have no mailbox, e.g. `^gone`. */
  bounces?: string;
  /** Local parts with an out-of-office reply: a filter (Exim's filter language), and `$home/text` for it. */
  away?: { localParts: string; filter: string; text: string };
}

export interface Exim {
  port: number;
  /** As in its greeting and certificate. */
  hostname: string;
  /** Every message in the mailbox as it lies there, line ends LF. */
  mailbox(): Promise<Buffer[]>;
  /** Sets its reply to RCPT (or after the data) for these addresses, e.g. `550 5.1.1 No such user`. */
  onRcpt(replies: Record<string, string>): Promise<void>;
  onData(replies: Record<string, string>): Promise<void>;
  /** Its own log so far. */
  log(): string;
  close(): Promise<void>;
}

export async function startExim(options: EximOptions = {}): Promise<Exim> {
  const folder = await mkdtemp(join(tmpdir(), 'mailkeel-exim-'));
  await chmod(folder, 0o755);
  const [user, group] = ['-u', '-g'].map((flag) =>
    Number(spawnSync('id', [flag, USER], { encoding: 'utf8' }).stdout),
  );
  for (const name of ['spool', 'log', 'mail']) {
    await mkdir(join(folder, name), { mode: 0o755 });
    chownSync(join(folder, name), user ?? 0, group ?? 0);
  }
  const { key, cert } = selfSignedCertificate(HOSTNAME);
  await writeFile(join(folder, 'key.pem'), key);
  await writeFile(join(folder, 'cert.pem'), cert);
  const port = await freePort();
  await writeFile(join(folder, 'exim.conf'), configuration(folder, port, options));
  if (options.away) {
    await writeFile(join(folder, 'away'), `# Exim filter\n${options.away.filter}\n`);
    await writeFile(join(folder, 'mail', 'text'), options.away.text);
  }

  const script = async (name: string, replies: Record<string, string>): Promise<void> => {
    const lines = Object.entries(replies).map(([address, reply]) => `"${address}": ${reply}\n`);
    // Replaced atomically, because it is read at every command.
    await writeFile(join(folder, `${name}.new`), lines.join(''));
    await rename(join(folder, `${name}.new`), join(folder, name));
  };
  await script('at-rcpt', {});
  await script('at-data', {});

  let output = '';
  const child = spawn(EXIM, ['-bdf', '-q1h', '-C', join(folder, 'exim.conf')]);
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const log = (): string => {
    const file = join(folder, 'log', 'mainlog');
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };
  await waitFor(
    'Exim greets',
    () => {
      if (child.exitCode !== null) throw new Error(`Exim ended: ${output}${log()}`);
      return greets(port);
    },
    Boolean,
    20_000,
  );

  return {
    port,
    hostname: HOSTNAME,
    async mailbox() {
      const inbox = join(folder, 'mail', 'new');
      if (!existsSync(inbox)) return [];
      const names = (await readdir(inbox)).sort();
      return Promise.all(names.map((name) => readFile(join(inbox, name))));
    },
    onRcpt: (replies) => script('at-rcpt', replies),
    onData: (replies) => script('at-data', replies),
    log,
    async close() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('data', () => end(true));
    socket.once('error', () => end(false));
  });
}

/** An Exim access control list that gives a scripted reply for an address: `defer` for 4xx and `deny` for 5xx. */
function scripted(verb: 'defer' | 'deny', file: string, address: string): string[] {
  const reply = `\${lookup{${address}}lsearch{${file}}}`;
  return [
    `  ${verb} condition = \${if match{${reply}}{^${verb === 'defer' ? '4' : '5'}}}`,
    `       message = ${reply}`,
  ];
}

function routersOf(folder: string, { handsOn, bounces, away }: EximOptions): string[] {
  return [
    ...(handsOn === undefined
      ? []
      : [
          'handed_on:',
          '  driver = manualroute',
          `  domains = ${handsOn.domains}`,
          '  route_list = * 127.0.0.1',
          '  self = send',
          '  transport = handed_on',
        ]),
    ...(bounces === undefined
      ? []
      : [
          'taken:',
          '  driver = accept',
          '  verify_only',
          `  local_parts = ${bounces}`,
          '  transport = maildir',
          'bounced:',
          '  driver = redirect',
          `  local_parts = ${bounces}`,
          '  allow_fail',
          '  data = :fail: no such mailbox here',
        ]),
    ...(away === undefined
      ? []
      : [
          'away:',
          '  driver = redirect',
          '  no_verify',
          `  local_parts = ${away.localParts}`,
          '  allow_filter',
          `  file = ${folder}/away`,
          `  user = ${USER}`,
          `  router_home_directory = ${folder}/mail`,
          '  reply_transport = answer',
        ]),
  ];
}

function configuration(folder: string, port: number, options: EximOptions): string {
  const { smtputf8 = true, sizeLimit = 60_000_000, connectionsPerHost = 0 } = options;
  return `${[
    `primary_hostname = ${HOSTNAME}`,
    // It starts itself for the mail that it writes.
    `exim_path = ${EXIM}`,
    `spool_directory = ${folder}/spool`,
    `log_file_path = ${folder}/log/%slog`,
    `pid_file_path = ${folder}/spool/pid`,
    'local_interfaces = 127.0.0.1',
    `daemon_smtp_ports = ${port}`,
    'disable_ipv6',
    // Otherwise it would restart itself to deliver, and lose access to this configuration.
    'deliver_drop_privilege',
    'host_lookup =',
    'rfc1413_query_timeout = 0s',
    'smtp_accept_max = 100',
    // All into the mailbox immediately, including the eleventh of a connection.
    'smtp_accept_queue_per_connection = 0',
    `smtp_accept_max_per_host = ${connectionsPerHost}`,
    `message_size_limit = ${sizeLimit}`,
    `smtputf8_advertise_hosts = ${smtputf8 ? '*' : ''}`,
    'tls_advertise_hosts = *',
    `tls_certificate = ${folder}/cert.pem`,
    `tls_privatekey = ${folder}/key.pem`,
    'domainlist ours = *.example',
    'acl_smtp_rcpt = at_rcpt',
    'acl_smtp_data = at_data',
    'begin acl',
    'at_rcpt:',
    // The keys are in no DNS that it knows.
    '  warn control = dkim_disable_verify',
    ...scripted('defer', `${folder}/at-rcpt`, '$local_part@$domain'),
    ...scripted('deny', `${folder}/at-rcpt`, '$local_part@$domain'),
    // In Exim's own words, as in its standard configuration.
    '  require message = relay not permitted',
    '          domains = +ours',
    '  require verify = recipient',
    '  accept',
    'at_data:',
    ...scripted('defer', `${folder}/at-data`, '$recipients'),
    ...scripted('deny', `${folder}/at-data`, '$recipients'),
    '  accept',
    'begin routers',
    ...routersOf(folder, options),
    'mailbox:',
    '  driver = accept',
    '  domains = +ours',
    '  local_parts = !^nobody',
    '  transport = maildir',
    'begin transports',
    'maildir:',
    '  driver = appendfile',
    '  maildir_format',
    `  directory = ${folder}/mail`,
    `  user = ${USER}`,
    '  delivery_date_add',
    '  envelope_to_add',
    '  return_path_add',
    'handed_on:',
    '  driver = smtp',
    `  port = ${options.handsOn?.port ?? 25}`,
    '  allow_localhost',
    '  tls_verify_certificates =',
    'answer:',
    '  driver = autoreply',
    `  user = ${USER}`,
    'begin retry',
    '* * F,1h,1s',
  ].join('\n')}\n`;
}
