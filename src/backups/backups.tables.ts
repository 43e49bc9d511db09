// Tables of backups and restores.
import { flag, instant, int, nullable, type RowOf, table, text } from '../database/columns.js';

/** Backups that were tried, by the schedule or by hand. */
export const backups = table('backups', {
  name: text(),
  /** The folder or bucket, without secrets. */
  place: text(),
  started_at: instant(),
  ended_at: instant(),
  /** Of the database; null when it failed. */
  size_bytes: nullable(int()),
  with_keys: flag(),
  /** Null when it was made and verified. */
  error: nullable(text()),
});
export type BackupRow = RowOf<typeof backups>;

/** Restores of this database from a copy. While one is not released, live mail stays in the queue. */
export const restores = table('restores', {
  /** Random, 1 to 4095: part of the ids of all later events, so that ids of the lost history are recognized. */
  epoch: int(),
  copy_name: text(),
  /** When the copy was made. */
  copied_at: instant(),
  restored_at: instant(),
  /** Messages up to this row id are of the copy: they may have left meanwhile. */
  last_message_id: int(),
  released_at: nullable(instant()),
});
export type RestoreRow = RowOf<typeof restores>;

/** The end of each event chain at a restore: later events have the epoch of that restore in their ids. */
export const restoredChains = table('restored_chains', {
  workspace_number: int(),
  epoch: int(),
  head_seq: int(),
});
