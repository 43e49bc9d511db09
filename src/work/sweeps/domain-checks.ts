// The sweep that looks at the DNS of sending domains again: so that `verified` comes by itself, and drift is seen.
import { createHash } from 'node:crypto';
import type { Clock } from '../../runtime/clock.js';
import type { Page, PageRequest, Scope } from '../../store/scope.js';
import type { Store } from '../../store/store.js';
import { PLATFORM_OWNER, type Sender, type SubTenant } from '../../store/tenants.js';

const PAGE = 100;
const PARALLEL = 8;
/** In this time after its creation or its owner's last request an unverified domain is looked at with every beat. */
const EAGER_MS = 3_600_000;
/** Checks of one domain are at least so far apart; a little less than the beat of a minute. */
const LEAST_MS = 50_000;
/** Part of the interval over which the domains' checks are spread. */
const SPREAD = 0.1;

export interface CheckedRow {
  id: string;
  status: SubTenant['status'];
  created_at: number;
  /** The last request of its owner, or the last change of its status. */
  updated_at: number;
  last_checked_at: number | null;
}

/** Whether a domain is to be looked at again. One that has `failed` is left until somebody asks. */
export function isCheckDue(row: CheckedRow, now: number, intervalMs: number): boolean {
  if (row.status === 'failed') return false;
  if (row.last_checked_at === null) return true;
  const since = now - row.last_checked_at;
  const isWaiting = row.status === 'pending_verification';
  const isFresh = now - Math.max(row.created_at, row.updated_at) < EAGER_MS;
  if (isWaiting && isFresh) return since >= LEAST_MS;
  return since >= intervalMs * (1 - SPREAD * shareOf(row.id));
}

/** Between 0 and 1, the same for the same id. */
function shareOf(id: string): number {
  return createHash('sha256').update(id).digest().readUInt16BE(0) / 0xffff;
}

export interface DomainChecksDeps {
  store: Pick<Store, 'accounts' | 'tenants'>;
  checks: {
    checkSubTenant(tenant: SubTenant): Promise<void>;
    checkSender(sender: Sender): Promise<void>;
    checkPlatform(): Promise<void>;
  };
  clock: Clock;
  /** Between the checks of a domain that is verified. */
  intervalMs: number;
}

export interface DomainChecks {
  /** One beat, to be run every minute: checks what is due. Rejects at the end when checks could not be kept. */
  run(): Promise<void>;
}

export function createDomainChecks({ store, checks, clock, intervalMs }: DomainChecksDeps): DomainChecks {
  const isDue = (row: CheckedRow): boolean => isCheckDue(row, clock(), intervalMs);
  let platformCheckedAt: number | null = null;

  async function platformChecks(): Promise<(() => Promise<void>)[]> {
    const keys = (await store.tenants.dkimKeys([PLATFORM_OWNER])).filter((key) => key.state !== 'retired');
    const madeAt = keys[0]?.created_at;
    if (madeAt === undefined) return [];
    const status = keys.every((key) => key.state === 'active') ? 'verified' : 'pending_verification';
    const row = { id: PLATFORM_OWNER, status, created_at: madeAt, updated_at: madeAt } as const;
    if (!isDue({ ...row, last_checked_at: platformCheckedAt })) return [];
    platformCheckedAt = clock();
    return [() => checks.checkPlatform()];
  }

  async function dueChecks(scope: Scope): Promise<(() => Promise<void>)[]> {
    const tenants = await all((page) => store.tenants.subTenants(scope, page, {}));
    const senders = await all((page) => store.tenants.senders(scope, page));
    return [
      ...tenants.filter(isDue).map((row) => () => checks.checkSubTenant(row)),
      ...senders
        .filter((row) => row.kind === 'domain' && isDue(row))
        .map((row) => () => checks.checkSender(row)),
    ];
  }

  return {
    async run() {
      const environments = await store.accounts.environments();
      // Tenants and senders belong to the workspace; either of its environments leads to them.
      const scopes = environments
        .filter((environment) => environment.mode === 'live')
        .map((environment): Scope => ({ ...environment, subTenantId: null }));
      const due = await platformChecks();
      for (const scope of scopes) due.push(...(await dueChecks(scope)));
      await runAll(due);
    },
  };
}

async function all<T>(read: (page: PageRequest) => Promise<Page<T>>): Promise<T[]> {
  const rows: T[] = [];
  for (let after: string | null = null; ;) {
    const page: Page<T> = await read({ limit: PAGE, after });
    rows.push(...page.rows);
    if (page.next === null) return rows;
    after = page.next;
  }
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
