// Limits set because of replies, until they expire or are removed. Decisions use memory; the rows survive a restart and are
// shown to operators.
import type { ShapingContext } from './context.js';
import { type Clock, type Log, newId } from '../../lib/runtime/index.js';
import { Refusal } from '../../contract/refusal.js';
import { type LimitOverride, overrides } from '../outbound.tables.js';
import type { Plan } from '../../database/change.js';
import { upsert, remove } from '../../database/rows.js';

const REPLY_CAP = 512;

type LimitKind = LimitOverride['kind'];

export interface NewLimit {
  /** Key of a path, of a site seen from a source, or of a source. */
  path: string;
  provider: string | null;
  site: string;
  source: string;
  kind: LimitKind;
  value: unknown;
  /** Set with `suspend_tenant`. '' is the workspace's own mail. */
  subTenantKey?: string;
  /** The rule that set it. One limit of a kind and rule per path. */
  rule: string;
  reason: string;
  /** Text of the reply. */
  reply: string;
  /** Epoch ms. */
  expiresAt: number;
}

export interface ActiveLimit {
  row: LimitOverride;
  value: unknown;
}

export class ActiveLimits {
  readonly #commit: (plan: Plan) => Promise<unknown>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #byPath = new Map<string, ActiveLimit[]>();
  /** Time (epoch ms) before which nothing expires. */
  #nextExpiry = Infinity;
  readonly #writing = new Set<Promise<void>>();
  /** IDs of rows that have not been written. */
  readonly #unwritten = new Set<string>();

  constructor(
    initial: readonly LimitOverride[],
    { commit, clock, log }: Pick<ShapingContext, 'commit' | 'clock' | 'log'>,
  ) {
    this.#commit = commit;
    this.#clock = clock;
    this.#log = log;
    for (const row of initial) this.#add({ row, value: JSON.parse(row.value) });
  }

  of(path: string): readonly ActiveLimit[] {
    return this.#byPath.get(path) ?? [];
  }

  /** Sets or replaces. */
  put(limit: NewLimit): void {
    const { path, provider, site, source, kind, value, subTenantKey = '', rule, reason, expiresAt } = limit;
    const now = this.#clock();
    const known = this.#find(path, kind, rule, subTenantKey);
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
    if (known) this.#takeOut(known);
    this.#add({ row, value });
    this.#unwritten.add(row.id);
    void this.#write([upsert(overrides, { row, key: ['id'], set: row })], () =>
      this.#unwritten.delete(row.id),
    );
  }

  drop(path: string, kind: LimitKind, rule: string): void {
    const known = this.#find(path, kind, rule, '');
    if (!known) return;
    this.#takeOut(known);
    void this.#write([remove(overrides, { where: { id: known.row.id } })]);
  }

  list(): LimitOverride[] {
    return this.#all().map(({ row }) => row);
  }

  /** Removes a limit of another node that this node has not read yet. Returns false for an unknown ID. */
  async removeStored(id: string): Promise<boolean> {
    try {
      await this.#commit([remove(overrides, { where: { id }, otherwise: { code: 'not_found' } })]);
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.code === 'not_found') return false;
      throw error;
    }
  }

  /** Removes a limit and its row. Returns `null` for an unknown ID. */
  async remove(id: string): Promise<LimitOverride | null> {
    const known = this.#all().find(({ row }) => row.id === id);
    if (!known) return null;
    this.#takeOut(known);
    await this.#write([remove(overrides, { where: { id } })]);
    return known.row;
  }

  /** Forgets a limit that another node has removed. Returns `null` for an unknown ID. */
  forget(id: string): LimitOverride | null {
    const known = this.#all().find(({ row }) => row.id === id);
    if (known) this.#takeOut(known);
    return known?.row ?? null;
  }

  /** Limits set before `before` (epoch ms) whose rows another node has deleted. */
  removedElsewhere(rows: readonly LimitOverride[], before: number): LimitOverride[] {
    const ids = new Set(rows.map(({ id }) => id));
    const now = this.#clock();
    return this.#all()
      .map(({ row }) => row)
      .filter(
        ({ id, created_at: since, expires_at: until }) =>
          since < before && until > now && !ids.has(id) && !this.#unwritten.has(id),
      );
  }

  /** Replaces the limits that match by the rows of other nodes. */
  reload(rows: readonly LimitOverride[], isMeant: (row: LimitOverride) => boolean): void {
    for (const limit of this.#all()) if (isMeant(limit.row)) this.#takeOut(limit);
    for (const row of rows) if (isMeant(row)) this.#add({ row, value: JSON.parse(row.value) });
  }

  /** Removes and returns expired limits. */
  expire(): LimitOverride[] {
    const now = this.#clock();
    if (now < this.#nextExpiry) return [];
    const over = this.#all().filter(({ row }) => row.expires_at <= now);
    for (const limit of over) this.#takeOut(limit);
    this.#nextExpiry = this.#all().reduce((least, { row }) => Math.min(least, row.expires_at), Infinity);
    // The condition includes the end because another node may have renewed the limit meanwhile.
    const gone = over.map(({ row: { id, expires_at } }) => ({ id, expires_at }));
    if (gone.length > 0) void this.#write(gone.map((where) => remove(overrides, { where })));
    return over.map(({ row }) => row);
  }

  /** Waits for pending writes. */
  async settled(): Promise<void> {
    await Promise.all(this.#writing);
  }

  #add(limit: ActiveLimit): void {
    this.#nextExpiry = Math.min(this.#nextExpiry, limit.row.expires_at);
    const list = this.#byPath.get(limit.row.path);
    if (list) list.push(limit);
    else this.#byPath.set(limit.row.path, [limit]);
  }

  #takeOut(limit: ActiveLimit): void {
    const list = this.#byPath.get(limit.row.path);
    list?.splice(list.indexOf(limit), 1);
    this.#unwritten.delete(limit.row.id);
    if (list?.length === 0) this.#byPath.delete(limit.row.path);
  }

  /** Writes in the order of the calls, which the committer preserves. */
  #write(plan: Plan, onWritten: () => unknown = () => undefined): Promise<void> {
    const work = this.#commit(plan)
      .then(() => void onWritten())
      .catch((error: unknown) => this.#log.warn({ err: error }, 'saving limit failed'))
      .finally(() => this.#writing.delete(work));
    this.#writing.add(work);
    return work;
  }

  #find(path: string, kind: LimitKind, rule: string, tenant: string): ActiveLimit | undefined {
    return this.#byPath
      .get(path)
      ?.find(({ row }) => row.kind === kind && row.rule === rule && row.sub_tenant_key === tenant);
  }

  #all(): ActiveLimit[] {
    return [...this.#byPath.values()].flat();
  }
}
