// This server as a node of a cluster on one PostgreSQL database: its entry, its roles, and the handling of other nodes'
// messages.
import { createHmac, randomInt } from 'node:crypto';
import { hostname } from 'node:os';
import { type Clock, isLocalAddress, type Log, productVersion } from '../lib/runtime/index.js';
import type { DividedRoom, Room } from '../lib/concurrency/index.js';
import type { RoomName } from '../nodes/assignment.rules.js';
import { NODE_ROLES, type NodeRole } from '../contract/names.js';
import { Cluster } from '../nodes/cluster.js';
import type { NodeMessage } from '../nodes/node-messages.rules.js';
import { heartbeat } from '../nodes/nodes.store.js';
import type { Outbound } from '../outbound/outbound.js';
import { smarthostSite } from '../outbound/route/egress-pools.js';
import type { Egress } from '../outbound/route/egress.rules.js';
import { ConfigProblems } from '../settings/load.js';
import type { Config } from '../settings/settings.js';
import type { Engine } from '../database/engine/engine.js';
import type { ServerSession } from '../database/engine/postgres-session.js';
import type { Store } from './store.js';

/** Returns the room of some work; undefined if there is no other node. */
export type RoomOf = (name: RoomName) => DividedRoom | undefined;

/** Whether this node has the room, or is the only node. */
export function isMine(room: Room | undefined): boolean {
  const leave = room?.enter();
  leave?.();
  return leave !== null;
}

/** Interval (ms) at which a node reads changes of other nodes, in case it missed a message. */
const ALIGN_MS = 30_000;
const MOST_LOCK_NUMBER = 2 ** 31 - 1;
/** Shorter than the 63 characters that PostgreSQL allows for names. */
const CHANNEL_CHARACTERS = 32;

/** Returns this server's roles. Throws ConfigProblems for a server without a cluster whose roles would leave work undone. */
export function readRoles({
  roles,
  databaseUrl,
}: Pick<Config, 'roles' | 'databaseUrl'>): ReadonlySet<NodeRole> {
  const chosen = new Set(roles as readonly NodeRole[]); // as the setting's values allow
  if (databaseUrl === null && chosen.size < NODE_ROLES.length) {
    throw new ConfigProblems([
      'MAILKEEL_ROLES requires several nodes on one PostgreSQL database. Set MAILKEEL_DATABASE_URL, or unset MAILKEEL_ROLES.',
    ]);
  }
  return chosen;
}

interface EnterDeps {
  id: string;
  session: ServerSession;
  engine: Pick<Engine, 'spelling'>;
  store: Store;
  config: Config;
  egress: Egress;
  masterKey: Buffer;
  log: Log;
  /** Called when other nodes have declared this one dead. */
  onTaken: () => void;
  /** Called when the database has lost commits of this node. */
  onLostCommits: (since: number) => void;
}

/** Registers this server as a node of the database; from here on its commits count as that node's. */
export async function enterAsNode(deps: EnterDeps): Promise<Cluster> {
  const { id, session, engine, store, config, log } = deps;
  const node = {
    id,
    lockNumber: randomInt(MOST_LOCK_NUMBER),
    host: hostname(),
    version: productVersion(),
    roles: [...readRoles(config)],
    sources: await usableSources(deps.egress),
  };
  await store.nodes.register(node, { isAlone: session.isAlone });
  await session.enter({
    lockNumber: node.lockNumber,
    heartbeat: heartbeat(engine, node.id),
    channel: channelOf(deps.masterKey),
  });
  const cluster = new Cluster({ store: store.nodes, session, node, commits: store.commits, log });
  store.commitAs({ id: node.id, onFencedOut: deps.onTaken, onLostCommits: deps.onLostCommits });
  log.info({ node: node.id, roles: node.roles, sources: node.sources }, 'node joined the cluster');
  return cluster;
}

/** Derives a secret name for the nodes' channel, because anyone who may connect to the database can send to any channel. */
function channelOf(masterKey: Buffer): string {
  const mac = createHmac('sha256', masterKey).update('channel of nodes').digest('hex');
  return `mailkeel_${mac.slice(0, CHANNEL_CHARACTERS)}`;
}

/** Returns the names of the sources that this machine can send from, and of all smarthosts. */
export async function usableSources({ sources, smarthosts }: Egress): Promise<string[]> {
  const names = await Promise.all(
    [...sources.values()].map(async ({ name, address4, address6 }) => {
      const addresses = [address4, address6].filter((address) => address !== null);
      const isUsable = (await Promise.all(addresses.map(isLocalAddress))).every(Boolean);
      return isUsable ? [name] : [];
    }),
  );
  return [...names.flat(), ...[...smarthosts.keys()].map(smarthostSite)];
}

interface LostHistoryDeps {
  cluster: Cluster;
  store: Pick<Store, 'lostHistory'>;
  readEpochs: () => Promise<void>;
  clock: Clock;
  log: Log;
}

/** Records lost commits after a fail-over for consumers of events. Commits before `since` (epoch ms) were kept. */
export async function beginEpoch(
  { cluster, store, readEpochs, clock, log }: LostHistoryDeps,
  since: number,
): Promise<void> {
  log.error(
    'database lost its latest commits, as after failover to a lagging replica: recent messages may be sent twice',
  );
  // Later events belong to a different history than the one that consumers know.
  await store.lostHistory.record({ since, now: clock() });
  await readEpochs();
  cluster.publish({ kind: 'epochs' });
}

interface ListenerDeps {
  outbound: Pick<Outbound, 'changedElsewhere'>;
  /** Called for new events. */
  onEvents: () => void;
  /** Called for new inbound mail. */
  onInbound: () => void;
  /** Called for a changed API key or sub-tenant. */
  forgetCredential: (id: string) => void;
  forgetSigningKeys: () => void;
  /** Called when the event chains may have a new epoch. */
  readEpochs: () => Promise<void>;
  reload: () => Promise<unknown>;
  /** Called when addresses of sources may have changed. */
  lookAtSources: () => Promise<void>;
  log: Log;
}

/** Dispatches messages of other nodes. The returned function stops the periodic check for their changes. */
export function listenToNodes(cluster: Cluster, deps: ListenerDeps): () => void {
  const { outbound, log } = deps;
  const failed = (error: unknown): void =>
    log.warn({ err: error }, 'applying a change from another node failed: retrying at the next poll');
  cluster.subscribe((message: NodeMessage) => {
    switch (message.kind) {
      case 'queues':
      case 'traffic':
      case 'limit removed':
      case 'probe':
        outbound.changedElsewhere(message).catch(failed);
        return;
      case 'events':
        deps.onEvents();
        return;
      case 'inbound':
        deps.onInbound();
        return;
      case 'credentials':
        deps.forgetCredential(message.id);
        return;
      case 'dkim':
        deps.forgetSigningKeys();
        return;
      case 'epochs':
        deps.readEpochs().catch(failed);
        return;
      case 'reload':
        deps.reload().catch((error: unknown) => log.error({ err: error }, 'reload failed'));
        return;
      case 'nodes':
        return;
    }
  });
  const timer = setInterval(() => {
    deps.lookAtSources().catch(failed);
    if (!cluster.hasPeers) return;
    outbound.changedElsewhere({ kind: 'traffic' }).catch(failed);
    deps.readEpochs().catch(failed);
  }, ALIGN_MS).unref();
  return () => clearInterval(timer);
}
