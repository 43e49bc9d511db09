// A real Postfix: configuration, queue, mailbox and port are in one temporary folder, and /etc/postfix and port 25 are not
// touched. It accepts mail for every domain into one maildir. Its policy protocol (SMTPD_POLICY_README) can script its reply to
// RCPT.
import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensurePackages } from './apt.js';
import { freePort } from './free-port.js';
import { selfSignedCertificate } from './test-certificate.js';
import { waitFor } from './wait.js';

const POSTFIX = '/usr/sbin/postfix';
const NOBODY = 65534;
/** To start or stop it. */
const CONTROL_MS = 60_000;
const HOSTNAME = 'mx.receiver.example';

/** Returns null if Postfix is installed, otherwise the reason. Installed without a configuration, so nothing is started. */
export function ensurePostfix(): string | null {
  return ensurePackages({
    packages: ['postfix'],
    isThere: () => existsSync(POSTFIX),
    debconf: 'postfix postfix/main_mailer_type select No configuration\n',
  });
}

export interface Postfix {
  port: number;
  /** As in its greeting and certificate. */
  hostname: string;
  /** Every message in the mailbox as it lies there, line ends LF, Return-Path and Received on top. */
  mailbox(): Promise<Buffer[]>;
  /** Sets its reply to RCPT for an address, e.g. `550 5.1.1 No such user`; null accepts. */
  onRcpt(reply: (address: string) => string | null): void;
  /** Its own log so far. */
  log(): string;
  /** Stops it; `start` restarts it on the same port. */
  halt(): void;
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface PostfixOptions {
  /** Lines of main.cf that override the default ones, e.g. `message_size_limit = 10000`. */
  settings?: readonly string[];
  /** Additional lines of master.cf. */
  services?: readonly string[];
  /** PEM; a new certificate by default. */
  certificate?: { key: string; cert: string };
}

export async function startPostfix(options: PostfixOptions = {}): Promise<Postfix> {
  const folder = await mkdtemp(join(tmpdir(), 'mailkeel-postfix-'));
  const conf = join(folder, 'conf');
  const maildir = join(folder, 'mail', 'all');
  // Its daemons run under their own users and have to reach their files.
  await chmod(folder, 0o755);
  for (const name of ['conf', 'queue', 'data', 'mail']) await mkdir(join(folder, name), { mode: 0o755 });
  chownSync(join(folder, 'mail'), NOBODY, NOBODY);
  const postfixUser = Number(spawnSync('id', ['-u', 'postfix'], { encoding: 'utf8' }).stdout);
  chownSync(join(folder, 'data'), postfixUser, postfixUser);

  const policy = await startPolicy();
  const port = await freePort();
  const { key, cert } = options.certificate ?? selfSignedCertificate(HOSTNAME);
  await writeFile(join(conf, 'key.pem'), key);
  await writeFile(join(conf, 'cert.pem'), cert);
  await writeFile(join(conf, 'domains'), '/./ OK\n');
  await writeFile(join(conf, 'main.cf'), mainCf(folder, policy.port, options.settings ?? []));
  await writeFile(join(conf, 'master.cf'), masterCf(port, options.services ?? []));

  const control = (command: string): void => {
    const { status, stdout, stderr } = spawnSync(POSTFIX, ['-c', conf, command], {
      encoding: 'utf8',
      timeout: CONTROL_MS,
    });
    if (status !== 0) throw new Error(`postfix ${command} failed: ${stdout}${stderr}${log()}`);
  };
  const log = (): string => {
    const file = join(folder, 'mail.log');
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  };
  let isUp = false;

  const peer: Postfix = {
    port,
    hostname: HOSTNAME,
    async mailbox() {
      const inbox = join(maildir, 'new');
      if (!existsSync(inbox)) return [];
      const names = (await readdir(inbox)).sort();
      return Promise.all(names.map((name) => readFile(join(inbox, name))));
    },
    onRcpt: policy.onRcpt,
    log,
    halt() {
      if (isUp) control('stop');
      isUp = false;
    },
    async start() {
      control('start');
      isUp = true;
      await waitFor('Postfix greets', () => greets(port), Boolean, 20_000);
    },
    async close() {
      peer.halt();
      await policy.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  await peer.start();
  return peer;
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

/**
 * Each name only once, because every process of Postfix warns about a second one, including its logger at startup. If its own
 * socket is full, it would wait for itself forever, and everything else for it.
 */
function mainCf(folder: string, policyPort: number, settings: readonly string[]): string {
  const lines = [
    'compatibility_level = 3.6',
    `queue_directory = ${folder}/queue`,
    `data_directory = ${folder}/data`,
    'command_directory = /usr/sbin',
    'daemon_directory = /usr/lib/postfix/sbin',
    'mail_owner = postfix',
    'setgid_group = postdrop',
    `myhostname = ${HOSTNAME}`,
    'mydestination =',
    'mynetworks =',
    'local_recipient_maps =',
    'alias_maps =',
    'alias_database =',
    'inet_interfaces = 127.0.0.1',
    'inet_protocols = ipv4',
    `virtual_mailbox_domains = regexp:${folder}/conf/domains`,
    `virtual_mailbox_base = ${folder}/mail`,
    'virtual_mailbox_maps = static:all/',
    `virtual_uid_maps = static:${NOBODY}`,
    `virtual_gid_maps = static:${NOBODY}`,
    'virtual_mailbox_limit = 0',
    'mailbox_size_limit = 0',
    'message_size_limit = 60000000',
    'smtpd_peername_lookup = no',
    `smtpd_tls_cert_file = ${folder}/conf/cert.pem`,
    `smtpd_tls_key_file = ${folder}/conf/key.pem`,
    'smtpd_tls_security_level = may',
    'smtpd_tls_received_header = yes',
    `smtpd_recipient_restrictions = check_policy_service inet:127.0.0.1:${policyPort}, permit_auth_destination, reject`,
    'smtpd_error_sleep_time = 0',
    `maillog_file = ${folder}/mail.log`,
    `maillog_file_prefixes = ${folder}`,
    ...settings,
  ];
  const byName = new Map(lines.map((line) => [line.split('=', 1)[0]?.trim(), line]));
  return `${[...byName.values()].join('\n')}\n`;
}

function masterCf(port: number, services: readonly string[]): string {
  return `${[
    `127.0.0.1:${port} inet n - n - - smtpd`,
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'rewrite unix - - n - - trivial-rewrite',
    'bounce unix - - n - 0 bounce',
    'defer unix - - n - 0 bounce',
    'trace unix - - n - 0 bounce',
    'verify unix - - n - 1 verify',
    'flush unix n - n 1000? 0 flush',
    'proxymap unix - - n - - proxymap',
    'error unix - - n - - error',
    'retry unix - - n - - error',
    'virtual unix - n n - - virtual',
    'anvil unix - - n - 1 anvil',
    'tlsmgr unix - - n 1000? 1 tlsmgr',
    'postlog unix-dgram n - n - 1 postlogd',
    ...services,
  ].join('\n')}\n`;
}

interface Policy {
  port: number;
  onRcpt: Postfix['onRcpt'];
  close: () => Promise<void>;
}

async function startPolicy(): Promise<Policy> {
  const sockets = new Set<Socket>();
  let replyTo: (address: string) => string | null = () => null;
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    let pending = '';
    socket.on('data', (bytes: Buffer) => {
      pending += bytes.toString();
      for (let end = pending.indexOf('\n\n'); end !== -1; end = pending.indexOf('\n\n')) {
        const recipient = /^recipient=(.*)$/m.exec(pending.slice(0, end))?.[1] ?? '';
        pending = pending.slice(end + 2);
        socket.write(`action=${replyTo(recipient) ?? 'DUNNO'}\n\n`);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    onRcpt: (reply) => {
      replyTo = reply;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
