// Probes: /healthz says that the process runs, /readyz that it can take work.
import { LRUCache } from 'lru-cache';
import { CLOCK_FAIL_MS, CLOCK_WARN_MS, clockOffsetText } from '../nodes/clock-offset.rules.js';
import { Refusal } from '../contract/refusal.js';
import { DISK_IS_FULL } from '../lib/runtime/disk-space.js';
import type { OperationStores } from './stores.js';
import type { Api } from '../http/api.js';
import { Type } from 'typebox';
import { nameSchemas } from '../contract/schema.js';
import type { Change } from '../database/change.js';
import { marks } from '../accounts/accounts.tables.js';
import { upsert } from '../database/rows.js';

// Answers of the probes.
const health = Type.Object({ status: Type.Literal('ok') });
const readiness = Type.Object({
  status: Type.Literal('ready'),
  warnings: Type.Array(Type.String(), {
    description: 'Problems that require attention, although the service works. Empty if there are none.',
  }),
});

nameSchemas({
  Health: health,
  Readiness: readiness,
});

const tags = ['Health'];
const config = { public: true };
const CHECK_TIMEOUT_MS = 2000;
/** Anyone may ask; the store is asked once a second. */
const ANSWER_TTL_MS = 1000;

const WRITE_PROBE: Change = upsert(marks, {
  row: { name: 'write_probe', value: null, created_at: 0 },
  key: ['name'],
  set: { created_at: 0 },
});

export interface HealthDeps {
  store: Pick<OperationStores, 'accounts' | 'backups' | 'commit' | 'parkedMails' | 'damage'>;
  /** True once the process is to end. */
  isClosing: () => boolean;
  /** The disk has less than its floor left: nothing new is stored. */
  isStorageFull: () => boolean;
  /** Roles that no living node has. */
  missingRoles: () => readonly string[];
  /** By how much (ms) the machine's clock is ahead of the database's; null where nobody knows. */
  clockOffsetMs: () => number | null;
}

export function healthRoutes(
  app: Api,
  { store, isClosing, isStorageFull, missingRoles, clockOffsetMs }: HealthDeps,
): void {
  const checked = new LRUCache<'store', StoreState>({ max: 1, ttl: ANSWER_TTL_MS });

  app.get(
    '/healthz',
    {
      config,
      schema: {
        operationId: 'health.get',
        tags,
        summary: 'Check liveness',
        description: 'Returns 200 while the process is running. No API key is required.',
        response: { 200: health },
      },
    },
    () => ({ status: 'ok' as const }),
  );

  app.get(
    '/readyz',
    {
      config,
      schema: {
        operationId: 'health.getReadiness',
        tags,
        summary: 'Check readiness',
        description:
          "Returns 200 if the service can accept requests. Returns 503 if the database cannot be read or written or is damaged, disk space is low, the clock differs from the database's by 10 seconds or more, or the server is shutting down. No API key is required.",
        response: { 200: readiness },
      },
    },
    async () => {
      if (isClosing()) throw new Refusal('unavailable', 'The server is shutting down.');
      if (isStorageFull()) throw new Refusal('unavailable', DISK_IS_FULL);
      const offsetMs = clockOffsetMs() ?? 0;
      const clockProblem = `The machine's clock is ${clockOffsetText(offsetMs)}.`;
      if (Math.abs(offsetMs) >= CLOCK_FAIL_MS) throw new Refusal('unavailable', clockProblem);
      const known = checked.get('store') ?? (await storeState(store));
      if (!checked.has('store')) checked.set('store', known);
      if (store.damage.current() !== null) throw new Refusal('database_damaged');
      if (known.problem !== null) throw new Refusal('unavailable', known.problem);
      const missing = missingRoles().map(
        (role) => `No running node has the role ${role}, so its work is waiting. See GET /v1/nodes.`,
      );
      return {
        status: 'ready' as const,
        warnings: [
          ...known.warnings,
          ...missing,
          ...(Math.abs(offsetMs) < CLOCK_WARN_MS ? [] : [clockProblem]),
        ],
      };
    },
  );
}

interface StoreState {
  /** Null when it can be read and written in time. */
  problem: string | null;
  warnings: string[];
}

/** Reads a row and writes one, so that a full disk shows too. */
async function storeState(store: HealthDeps['store']): Promise<StoreState> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<StoreState>((resolve) => {
    const problem = 'The database did not respond in time.';
    timer = setTimeout(() => resolve({ problem, warnings: [] }), CHECK_TIMEOUT_MS);
  });
  const works = async (): Promise<StoreState> => {
    await store.accounts.firstOrganization();
    const parked = await store.parkedMails();
    await store.commit([WRITE_PROBE]);
    const isHeld = (await store.backups.hold()) !== null;
    const warnings = [
      ...(parked === 0 ? [] : ['Inbound mail is parked. See mailkeel admin inbound --state failed.']),
      ...(isHeld ? ['Outbound mail is on hold after a restore. See mailkeel admin restore --review.'] : []),
    ];
    return { problem: null, warnings };
  };
  try {
    return await Promise.race([works(), late]);
  } catch (error) {
    if (error instanceof Refusal) return { problem: 'The database is not writable.', warnings: [] };
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
