// Sweep that periodically checks the DNS of sending domains, to verify them automatically and detect drift.
import { nextCheckAt, type CheckIntervals } from './check-time.rules.js';
import type { Clock } from '../lib/runtime/index.js';
import type { DomainTable, ScheduledRow } from './domain-checks.store.js';
import type { DomainContext } from './context.js';
import type { TenantChecks } from './checks.js';
import type { DomainStores } from './stores.js';
import { PLATFORM_OWNER } from './domains.store.js';
import type { Change } from '../database/change.js';
import { update } from '../database/rows.js';
import { subTenants } from '../tenants/tenants.tables.js';
import { senders } from './domains.tables.js';

const PARALLEL = 32;
/** Longer than the slowest check, so that only one node checks a domain and another one takes over after a crash. */
const CLAIM_MS = 10 * 60_000;
/** Rows whose first check is scheduled in one commit. */
const BATCH = 500;
const TABLES = ['sub_tenants', 'senders'] as const;

type SweepContext = Pick<DomainContext, 'store' | 'clock' | 'intervals' | 'checksPerRun'>;

/** A check of a domain or, without a row, of the platform's keys. */
interface Task {
  row: { table: DomainTable; id: string } | null;
  check: () => Promise<void>;
}

/** Checks domains that are due. */
export class DomainChecks {
  readonly #store: DomainStores;
  readonly #clock: Clock;
  readonly #intervals: CheckIntervals;
  readonly #checksPerRun: number;
  readonly #checks: Pick<TenantChecks, 'checkSubTenant' | 'checkSender' | 'checkPlatform'>;
  #platformDueAt = 0;
  #hasTimes = false;
  #isStopping = false;

  constructor(
    { store, clock, intervals, checksPerRun }: SweepContext,
    checks: Pick<TenantChecks, 'checkSubTenant' | 'checkSender' | 'checkPlatform'>,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#intervals = intervals;
    this.#checksPerRun = checksPerRun;
    this.#checks = checks;
  }

  /** Runs every minute until it is stopped. Rejects at the end if the result of a check could not be stored. */
  async run(): Promise<void> {
    if (!this.#hasTimes) for (const table of TABLES) await this.#spread(table);
    this.#hasTimes = true;
    await this.#runAll([...(await this.#platformChecks()), ...(await this.#dueChecks())]);
  }

  /** Makes the run end after the checks in progress. The others become due again. */
  stop(): void {
    this.#isStopping = true;
  }

  async #platformChecks(): Promise<Task[]> {
    const now = this.#clock();
    if (now < this.#platformDueAt) return [];
    const all = await this.#store.domains.dkimKeys([PLATFORM_OWNER]);
    const keys = all.filter((key) => key.state !== 'retired');
    const madeAt = keys.at(-1)?.created_at;
    if (madeAt === undefined) return [];
    const awaited = keys.flatMap(({ state, created_at }) =>
      state === 'pending' || state === 'published' ? [{ state, created_at }] : [],
    );
    const status = keys.some(({ state }) => state === 'active') ? 'verified' : 'pending_verification';
    const row = { id: PLATFORM_OWNER, status, created_at: madeAt, updated_at: madeAt } as const;
    const dueAt = nextCheckAt({ ...row, drifting_since: null }, awaited, now, this.#intervals);
    this.#platformDueAt = dueAt ?? now;
    return [{ row: null, check: () => this.#checks.checkPlatform() }];
  }

  async #dueChecks(): Promise<Task[]> {
    const due = { now: this.#clock(), until: this.#clock() + CLAIM_MS, limit: this.#checksPerRun };
    const tenants = await this.#store.domainChecks.claimDue('sub_tenants', due);
    const senderIds = await this.#store.domainChecks.claimDue('senders', due);
    return [
      ...tenants.map((id): Task => ({
        row: { table: 'sub_tenants', id },
        check: () => this.#checks.checkSubTenant({ id }),
      })),
      ...senderIds.map((id): Task => ({
        row: { table: 'senders', id },
        check: () => this.#checks.checkSender({ id }),
      })),
    ];
  }

  /** Runs a few tasks at a time, and all of them even if some fail. */
  async #runAll(tasks: readonly Task[]): Promise<void> {
    const waiting = [...tasks];
    const faults: unknown[] = [];
    const worker = async (): Promise<void> => {
      while (!this.#isStopping) {
        const task = waiting.shift();
        if (task === undefined) return;
        try {
          await task.check();
        } catch (error) {
          faults.push(error);
        }
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, worker));
    const now = this.#clock();
    const left = waiting.flatMap(({ row }) => row ?? []);
    await this.#store.commit(left.map(({ table, id }) => setTime(table, { next_check_at: now }, { id })));
    if (faults.length > 0) throw new AggregateError(faults, `${faults.length} domain checks failed`);
  }

  /** Spreads the checks of domains from earlier releases over the interval. */
  async #spread(table: DomainTable): Promise<void> {
    for (;;) {
      const rows = await this.#store.domainChecks.unscheduled(table, BATCH);
      await this.#store.commit(
        rows.map((row) => firstTime(table, row, nextCheckAt(row, [], this.#clock(), this.#intervals))),
      );
      if (rows.length < BATCH) return;
    }
  }
}

function firstTime(table: DomainTable, { id }: ScheduledRow, at: number | null): Change {
  return setTime(table, { next_check_at: at }, { id, next_check_at: null });
}

function setTime(
  table: DomainTable,
  set: { next_check_at: number | null },
  where: { id: string; next_check_at?: null },
): Change {
  return table === 'sub_tenants' ? update(subTenants, { set, where }) : update(senders, { set, where });
}
