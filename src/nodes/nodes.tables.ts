// Tables of the nodes that work on one PostgreSQL database together.
import { flag, instant, int, json, nullable, type RowOf, table, text } from '../database/columns.js';

/** A server that works on the database. The row is deleted when the server stops, or when another node declares it dead. */
export const nodes = table('nodes', {
  /** Of one run of the program. */
  id: text(),
  /** Key of the advisory lock that the node's session holds. */
  lock_number: int(),
  /** The machine's name. */
  host: text(),
  version: text(),
  /** Array of names. */
  roles: json(),
  /** Array: sources and smarthosts that mail can leave it by. */
  sources: json(),
  /** 1 if the node releases its leases and takes no new ones. */
  is_leaving: flag(),
  /** Group commits of the node: fewer than it knows of, and the database has lost some. */
  commits: int(),
  started_at: instant(),
  /** Of its last heartbeat, by the clock of the database. */
  seen_at: instant(),
});
export type NodeRow = RowOf<typeof nodes>;

/** Work that is one node's at a time: a room, or a part of the paths of a source. */
export const nodeLeases = table('node_leases', {
  name: text(),
  /** `null` if the lease is free. */
  node_id: nullable(text()),
  /** Counts the changes of its node. */
  generation: int(),
  /** By the clock of the database. */
  since: instant(),
});
export type NodeLease = RowOf<typeof nodeLeases>;
