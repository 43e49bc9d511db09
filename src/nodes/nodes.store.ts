// Nodes of a database and their leases, and the work left behind by dead nodes.
import { type CommitCounter, FencedOut } from '../database/committer.js';
import type { Engine } from '../database/engine/engine.js';
import { inList, rowsAs } from '../database/sql.js';
import { OWNER_SEPARATOR } from '../outbound/schedule/queue.store.js';
import type { NodeLease, NodeRow } from './nodes.tables.js';

/** A node as others see it. */
export interface LivingNode {
  id: string;
  lockNumber: number;
  host: string;
  version: string;
  roles: readonly string[];
  sources: readonly string[];
  isLeaving: boolean;
  /** Epoch ms. */
  startedAt: number;
  /** Time (ms) since its last heartbeat, by the clock of the database. */
  silentMs: number;
}

export type NewNode = Pick<LivingNode, 'id' | 'lockNumber' | 'host' | 'version' | 'roles' | 'sources'>;

/** Length of a node ID. */
const ID_LENGTH = 30;

const LEASES = 'SELECT name, node_id, generation, since FROM node_leases ORDER BY name';
const RELEASE = 'UPDATE node_leases SET node_id = NULL WHERE node_id = ? AND name IN';
const FREE_ALL_OF = 'UPDATE node_leases SET node_id = NULL WHERE node_id = ?';
const LEAVE = 'UPDATE nodes SET is_leaving = 1 WHERE id = ?';
/** Locks the row, so that the node is not found dead before its commit has ended. */
const COUNT_COMMIT = 'UPDATE nodes SET commits = commits + 1 WHERE id = ? RETURNING commits';
/** Fails while a transaction that has counted its commit is under way. */
const LAST_COMMIT = 'SELECT commits FROM nodes WHERE id = ? FOR UPDATE NOWAIT';
/** Gives the messages of dead nodes to one node, whose next sweep records them. */
const ADOPT = `UPDATE queue SET lease_until = 0, lease_owner = ? WHERE lease_until IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM nodes n WHERE n.id = substr(queue.lease_owner, 1, ${ID_LENGTH}))`;
/** The same for the messages of one node. */
const TAKE_OVER = `UPDATE queue SET lease_until = 0, lease_owner = ? WHERE lease_until IS NOT NULL AND substr(lease_owner, 1, ?) = ?`;
const TAKE_OVER_ALL = 'UPDATE queue SET lease_until = 0, lease_owner = ? WHERE lease_until IS NOT NULL';

/** The heartbeat of a node, as a statement of PostgreSQL. Returns the database's time, or no row if other nodes have found the node dead. */
export function heartbeat({ spelling }: Pick<Engine, 'spelling'>, nodeId: string) {
  return {
    text: `UPDATE nodes SET seen_at = ${spelling.now} WHERE id = $1 RETURNING seen_at`,
    values: [nodeId],
  };
}

type CommitRow = Pick<NodeRow, 'commits'>;

/**
 * Counts the commits of a node in its row, which shows whether a commit was kept. The transaction ID does not, because a server
 * that has crashed gives it to another transaction (record 115).
 */
export function commitCounter(nodeId: string): CommitCounter {
  return {
    async count(tx) {
      const [row] = await rowsAs<CommitRow>(tx.run(COUNT_COMMIT, [nodeId]));
      if (row === undefined) throw new FencedOut();
      return row.commits;
    },
    async wasKept(ask, count) {
      const [row] = await rowsAs<CommitRow>(ask(LAST_COMMIT, [nodeId]));
      return row === undefined ? null : row.commits >= count;
    },
  };
}

export type NodeStore = ReturnType<typeof createNodeStore>;

export function createNodeStore(engine: Engine) {
  return { ...nodeRows(engine), ...leaseRows(engine), ...takeOvers(engine) };
}

function nodeRows(engine: Engine) {
  const { now } = engine.spelling;
  const insert = `INSERT INTO nodes (id, lock_number, host, version, roles, sources, is_leaving, commits, started_at, seen_at)
    VALUES (?, ?, ?, ?, ?, ?, 0, 0, ${now}, ${now})`;
  const living = `SELECT id, lock_number, host, version, roles, sources, is_leaving, started_at, ${now} - seen_at AS silent
    FROM nodes ORDER BY id`;
  const setSources = 'UPDATE nodes SET sources = ? WHERE id = ?';

  return {
    /**
     * Registers the node. `isAlone`: no other node uses the database, so this one takes over everything that nodes have left,
     * messages with leases that have ended.
     */
    async register(node: NewNode, { isAlone }: { isAlone: boolean }): Promise<void> {
      const { id, lockNumber, host, version, roles, sources } = node;
      await engine.transaction(async (tx) => {
        if (isAlone) {
          await tx.run('DELETE FROM nodes', []);
          await tx.run('UPDATE node_leases SET node_id = NULL WHERE node_id IS NOT NULL', []);
          await tx.run(TAKE_OVER_ALL, [`${id}${OWNER_SEPARATOR}start`]);
        }
        const names = [JSON.stringify(roles), JSON.stringify(sources)];
        await tx.run(insert, [id, lockNumber, host, version, ...names]);
      });
    },

    async nodes(): Promise<LivingNode[]> {
      return (await rowsAs<ReadNode>(engine.rows(living, []))).map(readNode);
    },

    /** Number of commits of the node in the database; `null` for an unknown node. */
    async commitsOf(nodeId: string): Promise<number | null> {
      const [row] = await rowsAs<CommitRow>(engine.rows('SELECT commits FROM nodes WHERE id = ?', [nodeId]));
      return row?.commits ?? null;
    },

    /** Announces that the node leaves, so that other nodes take its leases. */
    leave: (nodeId: string): Promise<void> =>
      engine.transaction(async (tx) => void (await tx.run(LEAVE, [nodeId]))),

    /** Stores the sources that mail can leave this node by. */
    setSources: (nodeId: string, sources: readonly string[]): Promise<void> =>
      engine.transaction(async (tx) => void (await tx.run(setSources, [JSON.stringify(sources), nodeId]))),
  };
}

function leaseRows(engine: Engine) {
  const { now } = engine.spelling;
  // Only a running node takes leases, and only those that no other running node holds.
  const take = `INSERT INTO node_leases (name, node_id, generation, since) SELECT ?, id, 1, ${now} FROM nodes WHERE id = ?
    ON CONFLICT (name) DO UPDATE SET node_id = excluded.node_id, generation = node_leases.generation + 1, since = excluded.since
    WHERE node_leases.node_id IS NULL OR node_leases.node_id = excluded.node_id OR NOT EXISTS (SELECT 1 FROM nodes n WHERE n.id = node_leases.node_id)
    RETURNING name`;

  return {
    async leases(): Promise<NodeLease[]> {
      return rowsAs<NodeLease>(engine.rows(LEASES, []));
    },

    /** Takes the leases that are free or its own, and returns their names. */
    take: (names: readonly string[], nodeId: string): Promise<string[]> =>
      engine.transaction(async (tx) => {
        const taken = await Promise.all(
          names.map(async (name) => rowsAs<Pick<NodeLease, 'name'>>(tx.run(take, [name, nodeId]))),
        );
        return taken.flat().map(({ name }) => name);
      }),

    release: (names: readonly string[], nodeId: string): Promise<void> =>
      engine.transaction(async (tx) => {
        const { marks, values } = inList(names);
        await tx.run(`${RELEASE} (${marks})`, [nodeId, ...values]);
      }),
  };
}

/** Takes over the work of dead nodes. */
function takeOvers(engine: Engine) {
  const remove = `DELETE FROM nodes WHERE id = ? AND seen_at <= ${engine.spelling.now} - ? RETURNING id`;

  return {
    /** Gives leased messages of nodes that no longer run to this node, with leases that have ended. */
    adopt: (nodeId: string): Promise<void> =>
      engine.transaction(async (tx) => void (await tx.run(ADOPT, [`${nodeId}${OWNER_SEPARATOR}adopted`]))),

    /**
     * Removes a node that has been silent for at least `silentMs`, with its leases. Its messages go to `by`, or to the next node that
     * adopts them. Returns false if the node has spoken meanwhile, or another node was faster. Waits for a running transaction of the
     * node; later ones fail.
     */
    remove: (nodeId: string, { by, silentMs }: { by: string | null; silentMs: number }): Promise<boolean> =>
      engine.transaction(async (tx) => {
        const rows = await tx.run(remove, [nodeId, silentMs]);
        if (rows.length === 0) return false;
        await tx.run(FREE_ALL_OF, [nodeId]);
        if (by === null) return true;
        const prefix = `${nodeId}${OWNER_SEPARATOR}`;
        await tx.run(TAKE_OVER, [`${by}${OWNER_SEPARATOR}take-over`, prefix.length, prefix]);
        return true;
      }),
  };
}

type ReadNode = Omit<NodeRow, 'seen_at' | 'commits'> & { silent: number };

function readNode(row: ReadNode): LivingNode {
  return {
    id: row.id,
    lockNumber: row.lock_number,
    host: row.host,
    version: row.version,
    roles: JSON.parse(row.roles) as string[],
    sources: JSON.parse(row.sources) as string[],
    isLeaving: row.is_leaving === 1,
    startedAt: row.started_at,
    silentMs: row.silent,
  };
}
