// The sweep that checks the DNS of sending domains again: so that `verified` comes by itself, and drift is seen.
import { nextCheckAt, type CheckIntervals } from './check-time.rules.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { DomainTable, ScheduledRow } from './domain-checks.store.js';
import type { DomainStores } from './stores.js';
import { PLATFORM_OWNER } from './domains.store.js';
import type { Change } from '../database/change.js';
import { update } from '../database/rows.js';
import { subTenants } from '../tenants/tenants.tables.js';
import { senders } from './domains.tables.js';

const PARALLEL = 32;
/** Longer than the slowest check: of two nodes only one checks, and what a crash left is checked by the next. */
const CLAIM_MS = 10 * 60_000;
/** Rows that get their first time in one commit. */
const BATCH = 500;
const TABLES = ['sub_tenants', 'senders'] as const;

export interface DomainChecksDeps {
  store: Pick<DomainStores, 'domains' | 'domainChecks' | 'commit'>;
  checks: {
    checkSubTenant(tenant: { id: string }): Promise<void>;
    checkSender(sender: { id: string }): Promise<void>;
    checkPlatform(): Promise<void>;
  };
  clock: Clock;
  intervals: CheckIntervals;
  /** Most sub-tenants, and as many senders, that one run checks. */
  perRun: number;
}

export interface DomainChecks {
  /** Checks what is due; to be run every minute. Rejects at the end when checks could not be kept. */
  run(): Promise<void>;
}

export function createDomainChecks(deps: DomainChecksDeps): DomainChecks {
  const { store, checks, clock, intervals, perRun } = deps;
  let platformDueAt = 0;
  let hasTimes = false;

  async function platformChecks(): Promise<(() => Promise<void>)[]> {
    const now = clock();
    if (now < platformDueAt) return [];
    const keys = (await store.domains.dkimKeys([PLATFORM_OWNER])).filter((key) => key.state !== 'retired');
    const madeAt = keys.at(-1)?.created_at;
    if (madeAt === undefined) return [];
    const awaited = keys.flatMap(({ state, created_at }) =>
      state === 'pending' || state === 'published' ? [{ state, created_at }] : [],
    );
    const status = keys.some(({ state }) => state === 'active') ? 'verified' : 'pending_verification';
    const row = { id: PLATFORM_OWNER, status, created_at: madeAt, updated_at: madeAt } as const;
    platformDueAt = nextCheckAt({ ...row, drifting_since: null }, awaited, now, intervals) ?? now;
    return [() => checks.checkPlatform()];
  }

  async function dueChecks(): Promise<(() => Promise<void>)[]> {
    const due = { now: clock(), until: clock() + CLAIM_MS, limit: perRun };
    const tenants = await store.domainChecks.claimDue('sub_tenants', due);
    const senders = await store.domainChecks.claimDue('senders', due);
    return [
      ...tenants.map((id) => () => checks.checkSubTenant({ id })),
      ...senders.map((id) => () => checks.checkSender({ id })),
    ];
  }

  /** Gives domains of an earlier release their places in the interval. */
  async function spread(table: DomainTable): Promise<void> {
    for (;;) {
      const rows = await store.domainChecks.unscheduled(table, BATCH);
      await store.commit(rows.map((row) => firstTime(table, row, nextCheckAt(row, [], clock(), intervals))));
      if (rows.length < BATCH) return;
    }
  }

  return {
    async run() {
      if (!hasTimes) for (const table of TABLES) await spread(table);
      hasTimes = true;
      await runAll([...(await platformChecks()), ...(await dueChecks())]);
    },
  };
}

function firstTime(table: DomainTable, { id }: ScheduledRow, at: number | null): Change {
  const [set, where] = [{ next_check_at: at }, { id, next_check_at: null }];
  return table === 'sub_tenants' ? update(subTenants, { set, where }) : update(senders, { set, where });
}

/** A few at a time. What one of them throws does not keep the others from being run. */
async function runAll(tasks: readonly (() => Promise<void>)[]): Promise<void> {
  const waiting = [...tasks];
  const faults: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (let task = waiting.shift(); task; task = waiting.shift()) {
      try {
        await task();
      } catch (error) {
        faults.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} domain checks failed`);
}
