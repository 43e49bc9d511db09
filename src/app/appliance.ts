// Starts the server on its data folder: checks -> folder, lock and database -> program -> ports -> work.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { openAppliance, type UpgradeListener } from './installation/open-appliance.js';
import { publicUrlWarning } from '../operations/preflight/public-url.rules.js';
import { ReloadProblems, type Reload } from '../outbound/reload.js';
import { createLiveRules, type LiveRules, readOutboundRules } from '../outbound/route/outbound-rules.js';
import { dkimSelfTest } from '../lib/dkim/index.js';
import type { Renderer } from '../templates/rendering/renderer.js';
import type { Config } from '../settings/settings.js';
import {
  type ClosingStep,
  type Log,
  monotonicMs,
  newId,
  systemClock,
  workerUrl,
} from '../lib/runtime/index.js';
import { prepareDataFolder } from '../lib/files/index.js';
import { lockDataFolder } from '../database/engine/server-lock.js';
import { ensureFirstAccount } from '../accounts/bootstrap.js';
import { firstStart, type FirstStart } from '../accounts/first-start.js';
import { ensureOwner, ownerOfSettings } from '../accounts/people/owner.js';
import { Passwords } from '../accounts/people/passwords.js';
import { ensurePlatformKey } from '../domains/platform.js';
import { assemble, type Program } from './assemble.js';
import type { Cluster } from '../nodes/cluster.js';
import { DatabaseClock } from '../nodes/database-clock.js';
import { enterAsNode, readRoles } from './node.js';
import { type ReplicaOpener, replicaOpener, replicaView } from './replica.js';
import type { Listening } from './bound-ports.js';
import { openServerSession, type ServerSession } from '../database/engine/postgres-session.js';
import { hasPendingMigrations } from './installation/open-existing.js';
import { certificateFiles } from './installation/certificate-files.js';
import { certificateToShow } from '../operations/certificates/in-use.js';
import type { FromStandby, StandbySettings, ToStandby } from './standby-messages.js';

/** Connections that break within this time (ms) are reported together. */
const TOGETHER_MS = 5_000;

export interface RunningServer extends Listening {
  dataFolder: string;
  firstStart: FirstStart;
  /** Reloads the files for outbound mail. An error in them is logged and changes nothing. */
  reload(): Promise<void>;
  /** Steps in order: ports first, the store and the folder last. */
  closing: ClosingStep[];
}

export interface StartOptions {
  /** Loads the settings again. */
  readConfig: () => Config;
  /** Called when another server has taken over the database, so this one must end. */
  onDatabaseTaken: () => void;
  /** Default: created from the settings. */
  renderer?: Renderer;
}

/** Starts everything. If something is missing, throws before any mail is accepted. */
export async function startServer(config: Config, log: Log, options: StartOptions): Promise<RunningServer> {
  const openReplica = replicaOpener(config, { log, onFenced: options.onDatabaseTaken });
  const standby = new Standby(config, log);
  try {
    return await startBehind(standby, { config, log, options, openReplica });
  } finally {
    await standby.end();
  }
}

interface StartRequest {
  config: Config;
  log: Log;
  options: StartOptions;
  openReplica: ReplicaOpener | null;
}

/** The standby answers requests until the ports are opened, in case the server has to wait. */
async function startBehind(
  standby: Standby,
  { config, log, options, openReplica }: StartRequest,
): Promise<RunningServer> {
  const { readConfig, onDatabaseTaken, renderer } = options;
  const clock = systemClock;
  const rules = checkedRules(config, log);
  const owner = ownerOfSettings(config);
  const { path: dataFolder } = await prepareDataFolder(config.dataDir);
  const lock = lockDataFolder(dataFolder);
  let node: Cluster | null = null;
  let program: Program | null = null;
  /** When a node shuts down, it removes its own row. */
  const onTaken = (): void => {
    if (node?.isLeaving === true) return;
    log.error('other nodes have taken over the work of this server: shutting down');
    onDatabaseTaken();
  };
  const nodeId = newId('nod', clock());
  const connectionLost = lostConnections(log);
  const databaseClock = new DatabaseClock(log);
  let cutOff = (): void => undefined;
  const session = await waitForTurn({
    ...{ config, standby, log, onTaken },
    onClock: (offsetMs) => databaseClock.observe(offsetMs),
    onLost: connectionLost,
    onSilent: () => cutOff(),
    onRegained: () => program?.databaseRegained(),
    onMessage: (payload) => node?.receive(payload),
  });
  const { store, keys, place, engine, replica } = await openAppliance(
    config,
    upgradeListener(standby, { connectionLost, log }),
    {
      ...{ hasDatabaseLock: session?.isAlone ?? true, openReplica },
      ...(session === null ? {} : { node: { nodeId, isAway: () => session.isAway } }),
    },
  );
  cutOff = () => engine.cutOff();
  if (session !== null) {
    const { egress } = rules;
    node = await enterAsNode({
      id: nodeId,
      ...{ session, engine, store, config, egress, log, onTaken },
      onLostCommits: (since) => program?.commitsLost(since),
      masterKey: keys.masterKey,
    });
  }
  await ensurePlatformKey({ store, masterKey: keys.masterKey, clock, platformDomain: config.platformDomain });
  const assembled = await assemble({
    ...{ config, rules, readConfig, store, keys, dataFolder, place, nodeId, node, clock, log },
    replica: replicaView(replica, config),
    ...(renderer === undefined ? {} : { renderer }),
  });
  program = assembled;
  await standby.end();
  const listening = await assembled.listen();
  await ensureFirstAccount(store, { clock });
  if (owner) await ensureOwner({ store, passwords: new Passwords(), clock, log }, owner);
  // The secret is shown once, so a start that fails to open a port must not use it up.
  const first = await firstStart(store, { clock });
  await session?.admitOthers();
  await assembled.start();
  return {
    ...listening,
    dataFolder,
    firstStart: first,
    reload: () => reloadLogged(assembled.reload, log),
    closing: [
      ...assembled.closing,
      ...(session === null ? [] : [{ name: 'database session', close: () => session.release() }]),
      { name: 'data folder', close: () => lock.release() },
    ],
  };
}

/**
 * Loads the delivery rules, and checks the settings and the machine before anything is opened. Throws errors that the operator
 * must fix.
 */
function checkedRules(config: Config, log: Log): LiveRules {
  const rules = createLiveRules(readOutboundRules(config));
  readRoles(config);
  for (const note of rules.egress.notes) log.warn(note);
  const warning = publicUrlWarning(config.publicUrl);
  if (warning !== null) log.warn(warning);
  const broken = dkimSelfTest();
  if (broken !== null) throw new Error(`DKIM self-test failed on this machine: ${broken}`);
  return rules;
}

async function reloadLogged(reload: Reload, log: Log): Promise<void> {
  try {
    await reload.run();
  } catch (error) {
    const problems = error instanceof ReloadProblems ? error.problems : null;
    log.error(problems ? { problems } : { err: error }, 'reload failed: previous rules remain in effect');
  }
}

/** Stands by and logs each step while a new release migrates the database. */
function upgradeListener(
  standby: Standby,
  { connectionLost, log }: { connectionLost: (error: Error) => void; log: Log },
): UpgradeListener {
  return {
    connectionLost,
    async announced(upgrade) {
      log.info(upgrade, 'database upgrade started');
      await standby.begin('the database is being upgraded');
    },
    copied: ({ file, sizeBytes, tookMs }) =>
      log.info({ file, bytes: sizeBytes, ms: tookMs }, 'database copied before upgrade'),
    notCopied: (reason) => log.warn({ reason }, 'database not copied before upgrade'),
    begins: ({ name, does }) => log.info({ migration: name, does }, 'migration started'),
    ended: ({ name, tookMs }) => log.info({ migration: name, ms: tookMs }, 'migration finished'),
  };
}

/** Logs one line for all connections that break together. */
function lostConnections(log: Log): (error: Error) => void {
  let saidAt = -Infinity;
  return ({ message }) => {
    const now = monotonicMs();
    if (now - saidAt < TOGETHER_MS) return;
    saidAt = now;
    log.warn({ reason: message }, 'database connection lost');
  };
}

interface TurnDeps {
  config: Config;
  standby: Standby;
  log: Log;
  /** Other servers have taken over this one's work, so it must end. */
  onTaken: () => void;
  /** The connection was lost and is being reopened. */
  onLost: (error: Error) => void;
  /** Offset (ms) of the machine's clock from the database's; positive if ahead. */
  onClock: (offsetMs: number) => void;
  /** PostgreSQL does not respond although the connection is open. */
  onSilent: () => void;
  /** The connection is restored. */
  onRegained: () => void;
  /** A message from another node. */
  onMessage: (payload: string) => void;
}

/**
 * Resolves when this server may use the database; null for a file, whose folder has a lock. On PostgreSQL a server stands by
 * while a command uses the database, another starting server changes its tables, or the database is a replica.
 */
async function waitForTurn({
  config,
  standby,
  log,
  onTaken,
  onLost,
  onClock,
  onSilent,
  onRegained,
  onMessage,
}: TurnDeps): Promise<ServerSession | null> {
  const { databaseUrl: url } = config;
  if (url === null) return null;
  const session = await openServerSession({
    url,
    onMessage,
    onWait: (reason) => standby.begin(reason),
    onLost,
    onRegained() {
      log.info('database connection restored');
      onRegained();
    },
    onClock,
    onSilent,
    onTaken,
  });
  // Tables are changed only when no server of the previous release is running.
  while (!session.isAlone && (await hasPendingMigrations(config))) {
    await standby.begin(
      'this release changes the database schema while servers of the previous release are still running',
    );
    await session.waitAgain();
  }
  return session;
}

/**
 * Standby of a server whose database is in use, read-only, or being upgraded. It is reported in the log and to probes, and
 * requests are refused so that clients retry.
 */
export class Standby {
  readonly #config: Config;
  readonly #log: Log;
  #thread: Worker | null = null;
  #reason: string | null = null;

  constructor(config: Config, log: Log) {
    this.#config = config;
    this.#log = log;
  }

  /** Resolves when both ports answer or cannot be opened. Further calls change the reason. */
  async begin(reason: string): Promise<void> {
    if (reason === this.#reason) return;
    this.#reason = reason;
    this.#log.warn({ reason }, 'on standby');
    if (this.#thread !== null) {
      this.#post({ kind: 'reason', reason });
      return;
    }
    const { httpHost: host, httpPort: port, logLevel } = this.#config;
    try {
      const thread = this.#open({ host, port, logLevel, reason });
      await this.#listens(thread);
      await this.#secure(thread);
    } catch (error) {
      // Failing to listen must not end the process, because the server may still be needed.
      this.#log.error({ err: error }, 'standby listener failed: requests are not answered on standby');
    }
  }

  /** Closes the ports. */
  async end(): Promise<void> {
    const thread = this.#thread;
    if (thread === null) return;
    this.#thread = null;
    await thread.terminate();
    this.#log.info('standby ended');
  }

  #open(workerData: StandbySettings): Worker {
    const thread = new Worker(workerUrl('app/standby-worker.js'), {
      workerData,
      // The process's environment contains secrets, and its flags are not meant for a worker.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 },
    });
    thread.on('error', (error) => this.#log.error({ err: error }, 'standby thread failed'));
    this.#thread = thread;
    return thread;
  }

  /** Resolves when the thread listens on another port or has failed to. */
  async #listens(thread: Worker): Promise<void> {
    const [{ problem }] = (await once(thread, 'message')) as [FromStandby]; // the only message that it sends
    if (problem !== null) this.#log.warn({ reason: problem }, 'port not available on standby');
  }

  async #secure(thread: Worker): Promise<void> {
    const { https, httpsPort: port } = this.#config;
    if (!https) return;
    const files = certificateFiles(this.#config);
    const { key, cert } = await certificateToShow(this.#config, files, systemClock());
    this.#post({ kind: 'secure', port, key, cert });
    await this.#listens(thread);
  }

  #post(message: ToStandby): void {
    this.#thread?.postMessage(message);
  }
}
