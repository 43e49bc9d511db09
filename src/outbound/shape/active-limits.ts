// Limits that peers' replies have set, until they expire or are removed. Memory decides; the rows let them survive
// a restart and be seen.
import type { Log } from '../../lib/runtime/log.js';
import { Refusal } from '../../contract/refusal.js';
import { newId } from '../../lib/runtime/ids.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { type LimitOverride, overrides } from '../outbound.tables.js';
import type { Plan } from '../../database/change.js';
import { upsert, remove } from '../../database/rows.js';

const REPLY_CAP = 512;

export type LimitKind = LimitOverride['kind'];

export interface NewLimit {
  /** Key of a path, of a site seen from a source, or of a source. */
  path: string;
  provider: string | null;
  site: string;
  source: string;
  kind: LimitKind;
  value: unknown;
  /** With `suspend_tenant`; '' is the workspace's own mail. */
  subTenantKey?: string;
  /** The rule that set it. One limit of a kind and rule per path. */
  rule: string;
  reason: string;
  /** The peer's words. */
  reply: string;
  /** Epoch ms. */
  expiresAt: number;
}

export interface ActiveLimit {
  row: LimitOverride;
  value: unknown;
}

export interface ActiveLimits {
  of(path: string): readonly ActiveLimit[];
  /** Sets or replaces. */
  put(limit: NewLimit): void;
  drop(path: string, kind: LimitKind, rule: string): void;
  list(): LimitOverride[];
  /** Null for an unknown id. Resolves when the row is gone. */
  remove(id: string): Promise<LimitOverride | null>;
  /** The row of one that another node has set, and that is not known here yet. False when there is none. */
  removeStored(id: string): Promise<boolean>;
  /** Another node has removed it. Null for an unknown id. */
  forget(id: string): LimitOverride | null;
  /** Limits that stood in the database before `before` (epoch ms) and are not among its rows now: another node has removed them. */
  removedElsewhere(rows: readonly LimitOverride[], before: number): LimitOverride[];
  /** Replaces those that are meant by those that other nodes have written. */
  reload(rows: readonly LimitOverride[], isMeant: (row: LimitOverride) => boolean): void;
  /** Takes out what has expired, and says what it was. */
  expire(): LimitOverride[];
  /** Resolves when everything is written. */
  settled(): Promise<void>;
}

export interface ActiveLimitsDeps {
  initial: readonly LimitOverride[];
  commit: (plan: Plan) => Promise<unknown>;
  clock: Clock;
  log: Log;
}

export function createActiveLimits({ initial, commit, clock, log }: ActiveLimitsDeps): ActiveLimits {
  const byPath = new Map<string, ActiveLimit[]>();
  /** Nothing expires before. */
  let nextExpiry = Infinity;
  const writing = new Set<Promise<void>>();
  /** Ids of rows that are not written yet, or could not be. */
  const unwritten = new Set<string>();
  for (const row of initial) add({ row, value: JSON.parse(row.value) });

  function add(limit: ActiveLimit): void {
    nextExpiry = Math.min(nextExpiry, limit.row.expires_at);
    const list = byPath.get(limit.row.path);
    if (list) list.push(limit);
    else byPath.set(limit.row.path, [limit]);
  }

  function takeOut(limit: ActiveLimit): void {
    const list = byPath.get(limit.row.path);
    list?.splice(list.indexOf(limit), 1);
    unwritten.delete(limit.row.id);
    if (list?.length === 0) byPath.delete(limit.row.path);
  }

  /** In the order of the calls, since the committer keeps it. */
  function write(plan: Plan, onWritten: () => unknown = () => undefined): Promise<void> {
    const work = commit(plan)
      .then(() => void onWritten())
      .catch((error: unknown) => log.warn({ err: error }, 'saving limit failed'))
      .finally(() => writing.delete(work));
    writing.add(work);
    return work;
  }

  function find(path: string, kind: LimitKind, rule: string, tenant: string): ActiveLimit | undefined {
    return byPath
      .get(path)
      ?.find(({ row }) => row.kind === kind && row.rule === rule && row.sub_tenant_key === tenant);
  }

  function all(): ActiveLimit[] {
    return [...byPath.values()].flat();
  }

  return {
    of: (path) => byPath.get(path) ?? [],
    put(limit) {
      const { path, provider, site, source, kind, value, subTenantKey = '', rule, reason, expiresAt } = limit;
      const now = clock();
      const known = find(path, kind, rule, subTenantKey);
      const row: LimitOverride = {
        id: known?.row.id ?? newId('ovr', now),
        path,
        provider,
        site,
        source,
        kind,
        value: JSON.stringify(value),
        sub_tenant_key: subTenantKey,
        rule,
        reason,
        reply: limit.reply.slice(0, REPLY_CAP),
        created_at: known?.row.created_at ?? now,
        expires_at: expiresAt,
      };
      if (known) takeOut(known);
      add({ row, value });
      unwritten.add(row.id);
      void write([upsert(overrides, { row, key: ['id'], set: row })], () => unwritten.delete(row.id));
    },
    drop(path, kind, rule) {
      const known = find(path, kind, rule, '');
      if (!known) return;
      takeOut(known);
      void write([remove(overrides, { where: { id: known.row.id } })]);
    },
    list: () => all().map(({ row }) => row),
    async removeStored(id) {
      try {
        await commit([remove(overrides, { where: { id }, otherwise: { code: 'not_found' } })]);
        return true;
      } catch (error) {
        if (error instanceof Refusal && error.code === 'not_found') return false;
        throw error;
      }
    },
    async remove(id) {
      const known = all().find(({ row }) => row.id === id);
      if (!known) return null;
      takeOut(known);
      await write([remove(overrides, { where: { id } })]);
      return known.row;
    },
    forget(id) {
      const known = all().find(({ row }) => row.id === id);
      if (known) takeOut(known);
      return known?.row ?? null;
    },
    removedElsewhere(rows, before) {
      const ids = new Set(rows.map(({ id }) => id));
      const now = clock();
      return all()
        .map(({ row }) => row)
        .filter(
          ({ id, created_at: since, expires_at: until }) =>
            since < before && until > now && !ids.has(id) && !unwritten.has(id),
        );
    },
    reload(rows, isMeant) {
      for (const limit of all()) if (isMeant(limit.row)) takeOut(limit);
      for (const row of rows) if (isMeant(row)) add({ row, value: JSON.parse(row.value) });
    },
    expire() {
      const now = clock();
      if (now < nextExpiry) return [];
      const over = all().filter(({ row }) => row.expires_at <= now);
      for (const limit of over) takeOut(limit);
      nextExpiry = all().reduce((least, { row }) => Math.min(least, row.expires_at), Infinity);
      // Its end is named: another node may have set it anew meanwhile.
      const gone = over.map(({ row: { id, expires_at } }) => ({ id, expires_at }));
      if (gone.length > 0) void write(gone.map((where) => remove(overrides, { where })));
      return over.map(({ row }) => row);
    },
    async settled() {
      await Promise.all(writing);
    },
  };
}
