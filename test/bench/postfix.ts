// Implements `--compare`: Postfix with OpenDKIM doing the same work, with its own configuration in a temporary folder. Mail
// enters over SMTP, which is the only way. A table routes domains, so no DNS is queried.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { verifyDkim } from '../support/dkim-messages.js';
import { freePort } from './appliance.js';
import { killAtExit } from './child.js';
import type { LoadResult } from './load.js';
import { domainName, DOMAINS, mxAddress, SENDER_DOMAIN } from './mail.js';
import { printFigures, say, type Figures } from './print.js';
import { cpuSeconds, familyCpuSeconds } from './proc.js';
import type { RsaRates } from './rsa-rate.js';
import { arrived, type World } from './world.js';

const POSTFIX = '/usr/sbin/postfix';
const OPENDKIM = '/usr/sbin/opendkim';
const SELECTOR = 'bench';
const WARM_UP = 500;
const START_DEADLINE_MS = 10_000;
const WORLD_READABLE = 0o755;

interface Rival {
  port: number;
  key: KeyObject;
  /** CPU since its start, of all processes, including ended ones. */
  cpuSeconds(): number;
  stop(): void;
}

export const RIVAL_DELIVERED = 'delivered per second, first connection to last message';
export const RIVAL_CPU = 'CPU-s per 1,000, Postfix and OpenDKIM';

/** Prints its figures and returns the medians, or prints why it can't and returns null. */
export async function comparePostfix(world: World, rsa: RsaRates): Promise<Figures | null> {
  if (!existsSync(POSTFIX) || !existsSync(OPENDKIM) || process.getuid?.() !== 0) {
    say('\ncompare: needs root, and the Debian packages postfix and opendkim');
    return null;
  }
  const runs: Figures[] = [];
  for (let run = 0; run < world.runs; run += 1) runs.push(await measureRival(world));
  return printFigures(
    `Postfix + OpenDKIM: ${world.messages} messages end to end, ${world.connections} connections`,
    runs,
    rsa,
  );
}

async function measureRival(world: World): Promise<Figures> {
  const folder = mkdtempSync(join(world.dir, 'postfix-'));
  await world.sink.ask('reset');
  const rival = await startRival(folder, world.sinkPort);
  try {
    const submit = async (first: number, count: number): Promise<LoadResult> => {
      const job = { port: rival.port, key: '', connections: world.connections, first, count };
      return (await world.load.ask('submit', job)) as LoadResult;
    };
    await submit(0, WARM_UP);
    await arrived(world, WARM_UP);
    await world.sink.ask('reset');
    const before = rival.cpuSeconds();
    const result = await submit(WARM_UP, world.messages);
    const stats = await arrived(world, world.messages);
    const cpu = rival.cpuSeconds() - before;
    await assertSigned(world, rival.key);
    return {
      [RIVAL_DELIVERED]: (world.messages / (stats.lastAt - result.startedAt)) * 1_000,
      'accepted per second while it delivers': result.perSecond,
      'accept p99 ms while it delivers': result.p99Ms,
      [RIVAL_CPU]: (cpu / world.messages) * 1_000,
    };
  } finally {
    rival.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function assertSigned(world: World, key: KeyObject): Promise<void> {
  for (const sample of (await world.sink.ask('samples')) as string[]) {
    const verdicts = verifyDkim(Buffer.from(sample, 'latin1'), { [SELECTOR]: key });
    if (verdicts.length !== 1 || !verdicts[0]) throw new Error(`not signed well:\n${sample.slice(0, 2_000)}`);
  }
}

async function startRival(folder: string, sinkPort: number): Promise<Rival> {
  const port = await freePort();
  const milterPort = await freePort();
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const keyFile = join(folder, 'dkim.pem');
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const milter = startMilter(folder, keyFile, milterPort);
  const config = writePostfix(folder, { port, milterPort, sinkPort });
  execFileSync(POSTFIX, ['-c', config, 'start'], { stdio: 'pipe' });
  await Promise.all([untilOpen(port), untilOpen(milterPort)]);
  const master = Number(readFileSync(join(folder, 'queue/pid/master.pid'), 'utf8'));
  return {
    port,
    key: publicKey,
    cpuSeconds: () => familyCpuSeconds(master) + cpuSeconds(milter.pid ?? 0),
    stop: () => {
      execFileSync(POSTFIX, ['-c', config, 'stop'], { stdio: 'pipe' });
      milter.kill('SIGKILL');
    },
  };
}

function startMilter(folder: string, keyFile: string, port: number): ChildProcess {
  const file = join(folder, 'opendkim.conf');
  const lines = [
    `Socket inet:${port}@127.0.0.1`,
    `Domain ${SENDER_DOMAIN}`,
    `Selector ${SELECTOR}`,
    `KeyFile ${keyFile}`,
    'Mode s',
    'Canonicalization relaxed/relaxed',
    'OversignHeaders From',
    'Background no',
    'Syslog no',
    'RequireSafeKeys no',
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  const milter = spawn(OPENDKIM, ['-f', '-x', file], { stdio: 'ignore' });
  killAtExit(milter);
  return milter;
}

function writePostfix(folder: string, ports: { port: number; milterPort: number; sinkPort: number }): string {
  const config = join(folder, 'etc');
  const data = join(folder, 'lib');
  const queue = join(folder, 'queue');
  for (const path of [folder, config, data, queue]) {
    mkdirSync(path, { recursive: true });
    chmodSync(path, WORLD_READABLE);
  }
  const owner = Number(execFileSync('id', ['-u', 'postfix'], { encoding: 'utf8' }));
  chownSync(data, owner, 0);
  const table = Array.from(
    { length: DOMAINS },
    (_, index) => `${domainName(index)} smtp:[${mxAddress(index)}]:${ports.sinkPort}`,
  );
  writeFileSync(join(config, 'transport'), `${table.join('\n')}\n`);
  writeFileSync(join(config, 'main.cf'), mainCf({ config, data, queue, milterPort: ports.milterPort }));
  writeFileSync(join(config, 'master.cf'), masterCf(ports.port));
  return config;
}

function mainCf(paths: { config: string; data: string; queue: string; milterPort: number }): string {
  const lines = [
    'compatibility_level = 3.6',
    `queue_directory = ${paths.queue}`,
    `data_directory = ${paths.data}`,
    'mail_owner = postfix',
    'setgid_group = postdrop',
    'myhostname = mta.bench.test',
    'mydestination =',
    'local_recipient_maps =',
    'alias_maps =',
    'mynetworks = 127.0.0.0/8',
    'inet_interfaces = 127.0.0.1',
    'inet_protocols = ipv4',
    'disable_dns_lookups = yes',
    'smtpd_peername_lookup = no',
    `transport_maps = texthash:${paths.config}/transport`,
    `smtpd_milters = inet:127.0.0.1:${paths.milterPort}`,
    'milter_default_action = tempfail',
    'smtp_tls_security_level = none',
    'in_flow_delay = 0',
    'default_process_limit = 200',
    'smtp_destination_concurrency_limit = 10',
    'initial_destination_concurrency = 10',
    `maillog_file = ${paths.queue}/mail.log`,
    `maillog_file_prefixes = ${paths.queue}`,
  ];
  return `${lines.join('\n')}\n`;
}

function masterCf(port: number): string {
  const service = (name: string, type: string, wake: string, limit: string, command: string): string =>
    `${name} ${type} ${type === 'inet' ? 'n' : '-'} - n ${wake} ${limit} ${command}`;
  const lines = [
    service(`127.0.0.1:${port}`, 'inet', '-', '-', 'smtpd'),
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    service('tlsmgr', 'unix', '1000?', '1', 'tlsmgr'),
    service('rewrite', 'unix', '-', '-', 'trivial-rewrite'),
    service('bounce', 'unix', '-', '0', 'bounce'),
    service('defer', 'unix', '-', '0', 'bounce'),
    service('trace', 'unix', '-', '0', 'bounce'),
    service('verify', 'unix', '-', '1', 'verify'),
    'flush unix n - n 1000? 0 flush',
    service('proxymap', 'unix', '-', '-', 'proxymap'),
    service('proxywrite', 'unix', '-', '1', 'proxymap'),
    service('smtp', 'unix', '-', '-', 'smtp'),
    service('relay', 'unix', '-', '-', 'smtp'),
    service('error', 'unix', '-', '-', 'error'),
    service('retry', 'unix', '-', '-', 'error'),
    service('anvil', 'unix', '-', '1', 'anvil'),
    service('scache', 'unix', '-', '1', 'scache'),
    'postlog unix-dgram n - n - 1 postlogd',
  ];
  return `${lines.join('\n')}\n`;
}

async function untilOpen(port: number): Promise<void> {
  const deadline = Date.now() + START_DEADLINE_MS;
  for (;;) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isOpen) return;
    if (Date.now() > deadline) throw new Error(`nothing listens on port ${port}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
