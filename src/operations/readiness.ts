// Decides whether the server can take work: it is not shutting down, has disk space, and its clock and database work.
import { LRUCache } from 'lru-cache';
import { marks } from '../accounts/accounts.tables.js';
import { Refusal } from '../contract/refusal.js';
import { upsert } from '../database/rows.js';
import { DISK_IS_FULL } from '../lib/files/index.js';
import { CLOCK_FAIL_MS, CLOCK_WARN_MS, clockOffsetText } from '../nodes/clock-offset.rules.js';
import type { OperationStores } from './stores.js';

const CHECK_TIMEOUT_MS = 2000;
/** Anyone may call it, so the database is queried at most once a second. */
const STATE_TTL_MS = 1000;

const WRITE_PROBE = upsert(marks, {
  row: { name: 'write_probe', value: null, created_at: 0 },
  key: ['name'],
  set: { created_at: 0 },
});

export interface ReadinessContext {
  store: Pick<OperationStores, 'accounts' | 'backups' | 'commit' | 'parkedMails' | 'damage'>;
  isClosing: () => boolean;
  isStorageFull: () => boolean;
  /** Returns the roles that no living node has. */
  missingRoles: () => readonly string[];
  /** Returns why commits are refused for want of the replica, or `null`. */
  replicaProblem: () => string | null;
  /** Returns how far (ms) the machine's clock is ahead of the database's, or `null` if that is not known. */
  clockOffsetMs: () => number | null;
}

interface StoreState {
  /** `null` if the database can be read and written in time. */
  problem: string | null;
  warnings: string[];
}

export class Readiness {
  readonly #context: ReadinessContext;
  readonly #states = new LRUCache<'store', StoreState>({ max: 1, ttl: STATE_TTL_MS });

  constructor(context: ReadinessContext) {
    this.#context = context;
  }

  /** Returns warnings about problems that do not stop the service. Throws a Refusal if it cannot take work. */
  async check(): Promise<string[]> {
    const { store, isClosing, isStorageFull, missingRoles, clockOffsetMs, replicaProblem } = this.#context;
    if (isClosing()) throw new Refusal('unavailable', 'The server is shutting down.');
    if (isStorageFull()) throw new Refusal('unavailable', DISK_IS_FULL);
    const replica = replicaProblem();
    if (replica !== null) throw new Refusal('unavailable', `The server cannot store changes: ${replica}.`);
    const offsetMs = clockOffsetMs() ?? 0;
    const clockProblem = `The machine's clock is ${clockOffsetText(offsetMs)}.`;
    if (Math.abs(offsetMs) >= CLOCK_FAIL_MS) throw new Refusal('unavailable', clockProblem);
    const known = this.#states.get('store') ?? (await readStoreState(store));
    if (!this.#states.has('store')) this.#states.set('store', known);
    if (store.damage.current() !== null) throw new Refusal('database_damaged');
    if (known.problem !== null) throw new Refusal('unavailable', known.problem);
    const missing = missingRoles().map(
      (role) => `No running node has the role ${role}, so its work is waiting. See GET /v1/nodes.`,
    );
    return [...known.warnings, ...missing, ...(Math.abs(offsetMs) < CLOCK_WARN_MS ? [] : [clockProblem])];
  }
}

/** Reads and writes a row, so that a full disk is noticed too. */
async function readStoreState(store: ReadinessContext['store']): Promise<StoreState> {
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
