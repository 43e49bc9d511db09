// This server as a node among others on one PostgreSQL database: its entry, its roles, and how messages of other nodes reach the parts
// of the program.
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

/** The room of some work; undefined where there is no other node. */
export type RoomOf = (name: RoomName) => DividedRoom | undefined;

/** Whether this node has the room, or there is no other node. */
export function isMine(room: Room | undefined): boolean {
  const leave = room?.enter();
  leave?.();
  return leave !== null;
}

/** Interval (ms) at which a node reads what others have changed, whether it heard of it or not. */
const ALIGN_MS = 30_000;
const MOST_LOCK_NUMBER = 2 ** 31 - 1;
/** Names of PostgreSQL have 63 at most. */
const CHANNEL_CHARACTERS = 32;

/** Throws ConfigProblems for a server that would leave work undone. */
export function rolesOf({
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

export interface EnterDeps {
  id: string;
  session: ServerSession;
  engine: Pick<Engine, 'spelling'>;
  store: Store;
  config: Config;
  egress: Egress;
  masterKey: Buffer;
  log: Log;
  /** Other nodes have found this one dead. */
  onTaken: () => void;
  /** The database has lost commits of this node. */
  onLostCommits: (since: number) => void;
}

/** Enters this server among the nodes of the database. From here on it commits as one of them. */
export async function enterAsNode(deps: EnterDeps): Promise<Cluster> {
  const { id, session, engine, store, config, log } = deps;
  const node = {
    id,
    lockNumber: randomInt(MOST_LOCK_NUMBER),
    host: hostname(),
    version: productVersion(),
    roles: [...rolesOf(config)],
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

/** The name of the nodes' channel. Whoever may connect to the database can send to any channel: only nodes know this one. */
function channelOf(masterKey: Buffer): string {
  const mac = createHmac('sha256', masterKey).update('channel of nodes').digest('hex');
  return `mailkeel_${mac.slice(0, CHANNEL_CHARACTERS)}`;
}

/** Names of the sources that mail can leave this machine by, and of all smarthosts. */
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

export interface LostHistoryDeps {
  cluster: Cluster;
  store: Pick<Store, 'lostHistory'>;
  readEpochs: () => Promise<void>;
  clock: Clock;
  log: Log;
}

/** A fail-over has lost commits: consumers of events learn of it. `since` (epoch ms): the last commits before it are there. */
export async function beginEpoch(
  { cluster, store, readEpochs, clock, log }: LostHistoryDeps,
  since: number,
): Promise<void> {
  log.error(
    'database lost its latest commits, as after failover to a lagging replica: recent messages may be sent twice',
  );
  // Events that came since then are of another history than those that consumers know.
  await store.lostHistory.record({ since, now: clock() });
  await readEpochs();
  cluster.publish({ kind: 'epochs' });
}

export interface ListenerDeps {
  outbound: Pick<Outbound, 'changedElsewhere'>;
  /** Events were appended. */
  onEvents: () => void;
  /** Mail came in. */
  onInbound: () => void;
  /** An API key or a sub-tenant was changed. */
  forgetCredential: (id: string) => void;
  forgetSigningKeys: () => void;
  /** There may be another epoch of the event chains. */
  readEpochs: () => Promise<void>;
  reload: () => Promise<unknown>;
  /** Addresses of sources may have come or gone. */
  lookAtSources: () => Promise<void>;
  log: Log;
}

/** Passes messages of other nodes on. The returned function ends the regular look at what they have changed. */
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
