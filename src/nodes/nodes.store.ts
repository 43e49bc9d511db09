// The nodes of a database and their leases: who lives, who has which work, and what a node that is gone leaves behind.
import { type CommitCounter, FencedOut } from '../database/committer.js';
import type { Engine } from '../database/engine/engine.js';
import { inList } from '../database/sql.js';
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

/** Of `nod_…`. */
const ID_LENGTH = 30;

const LEASES = 'SELECT name, node_id, generation, since FROM node_leases ORDER BY name';
const RELEASE = 'UPDATE node_leases SET node_id = NULL WHERE node_id = ? AND name IN';
const FREE_ALL_OF = 'UPDATE node_leases SET node_id = NULL WHERE node_id = ?';
const LEAVE = 'UPDATE nodes SET is_leaving = 1 WHERE id = ?';
/** The row is locked then: a node is not found dead between this and the end of its commit. */
const COUNT_COMMIT = 'UPDATE nodes SET commits = commits + 1 WHERE id = ? RETURNING commits';
/** Fails while a transaction that has counted its commit is under way. */
const LAST_COMMIT = 'SELECT commits FROM nodes WHERE id = ? FOR UPDATE NOWAIT';
/** Messages in the hands of nobody who lives become one node's: its next sweep records what their rows say. */
const ADOPT = `UPDATE queue SET lease_until = 0, lease_owner = ? WHERE lease_until IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM nodes n WHERE n.id = substr(queue.lease_owner, 1, ${ID_LENGTH}))`;
/** Messages in its hands, as above. */
const TAKE_OVER = `UPDATE queue SET lease_until = 0, lease_owner = ? WHERE lease_until IS NOT NULL AND substr(lease_owner, 1, ?) = ?`;
const TAKE_OVER_ALL = 'UPDATE queue SET lease_until = 0, lease_owner = ? WHERE lease_until IS NOT NULL';

/** The heartbeat of a node, in PostgreSQL's own spelling: it returns the database's time, and no row when others have found the node dead. */
export function heartbeat({ spelling }: Pick<Engine, 'spelling'>, nodeId: string) {
  return {
    text: `UPDATE nodes SET seen_at = ${spelling.now} WHERE id = $1 RETURNING seen_at`,
    values: [nodeId],
  };
}

/**
 * Counts the commits of a node. Its row tells whether a commit was kept. The id of the transaction would not tell: a server that
 * has crashed gives it to another one (record 115).
 */
export function commitCounter(nodeId: string): CommitCounter {
  return {
    async count(tx) {
      const [row] = await tx.run(COUNT_COMMIT, [nodeId]);
      if (row === undefined) throw new FencedOut();
      return Number(row['commits']);
    },
    async wasKept(ask, count) {
      const [row] = await ask(LAST_COMMIT, [nodeId]);
      return row === undefined ? null : Number(row['commits']) >= count;
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
     * Enters the node. `isAlone`: no other works on the database; whatever nodes have left there becomes this one's. Messages
     * that they had in hand are its own, with a lease that has ended.
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
      const rows = await engine.rows(living, []);
      return rows.map((row) => readNode(row as unknown as ReadNode)); // the columns of that statement
    },

    /** Commits of the node that the database has; null: it does not have the node. */
    async commitsOf(nodeId: string): Promise<number | null> {
      const [row] = await engine.rows('SELECT commits FROM nodes WHERE id = ?', [nodeId]);
      return row === undefined ? null : Number(row['commits']);
    },

    /** Other nodes are to take its leases, as it gives them up. */
    leave: (nodeId: string): Promise<void> =>
      engine.transaction(async (tx) => void (await tx.run(LEAVE, [nodeId]))),

    /** The sources that mail can leave it by have changed. */
    setSources: (nodeId: string, sources: readonly string[]): Promise<void> =>
      engine.transaction(async (tx) => void (await tx.run(setSources, [JSON.stringify(sources), nodeId]))),
  };
}

function leaseRows(engine: Engine) {
  const { now } = engine.spelling;
  // Only by a node that lives, and only what no other who lives has.
  const take = `INSERT INTO node_leases (name, node_id, generation, since) SELECT ?, id, 1, ${now} FROM nodes WHERE id = ?
    ON CONFLICT (name) DO UPDATE SET node_id = excluded.node_id, generation = node_leases.generation + 1, since = excluded.since
    WHERE node_leases.node_id IS NULL OR node_leases.node_id = excluded.node_id OR NOT EXISTS (SELECT 1 FROM nodes n WHERE n.id = node_leases.node_id)
    RETURNING name`;

  return {
    async leases(): Promise<NodeLease[]> {
      return (await engine.rows(LEASES, [])) as unknown as NodeLease[]; // the columns of LEASES
    },

    /** Takes those of the leases that are to be had, or are its own already; which it got. */
    take: (names: readonly string[], nodeId: string): Promise<string[]> =>
      engine.transaction(async (tx) => {
        const taken = await Promise.all(names.map(async (name) => tx.run(take, [name, nodeId])));
        return taken.flat().map((row) => String(row['name']));
      }),

    release: (names: readonly string[], nodeId: string): Promise<void> =>
      engine.transaction(async (tx) => {
        const { marks, values } = inList(names);
        await tx.run(`${RELEASE} (${marks})`, [nodeId, ...values]);
      }),
  };
}

/** Work of nodes that are gone. */
function takeOvers(engine: Engine) {
  const remove = `DELETE FROM nodes WHERE id = ? AND seen_at <= ${engine.spelling.now} - ? RETURNING id`;

  return {
    /** Messages that no living node has in hand, and that were in somebody's, become this node's, with a lease that has ended. */
    adopt: (nodeId: string): Promise<void> =>
      engine.transaction(async (tx) => void (await tx.run(ADOPT, [`${nodeId}${OWNER_SEPARATOR}adopted`]))),

    /**
     * Takes a node out that has been silent for at least that time (ms), with its leases; the messages that it had in hand become
     * those of `by`, or of the next who adopts them where that is null. False when it has spoken meanwhile, or another node was faster. A transaction of its own that runs is waited
     * for; none that begins later is kept.
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
