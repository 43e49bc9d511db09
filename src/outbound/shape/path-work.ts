// Starts work on paths whose leases this node receives, and stops it on paths that it releases. Nodes hand over limits and counters
// through the store.
import type { ShapingContext } from './context.js';
import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, type Log, monotonicMs } from '../../lib/runtime/index.js';
import type { OutboundStores } from '../stores.js';
import type { LimitOverride } from '../outbound.tables.js';
import type { ActiveLimits } from './active-limits.js';
import type { CircuitBreakers, SourceSite } from './circuit-breakers.js';
import type { Path, Paths } from './paths.js';
import type { PathLeases } from './path-leases.js';
import { STALE_MS, type PersistedCounters } from './persisted-counters.js';

const LOOK_MS = 20;
const RETRY_WRITE_MS = 500;
/** Longest wait (ms) for transactions with slow peers. After that the next node starts in parallel. */
const MOST_WAIT_MS = 30_000;
/** The key of a counter of a path. */
const COUNTER_OF_PATH = /^(?:rate|connections|warm-up|blocked) (.+)$/s;

/** State that other nodes have stored. */
interface Stored {
  overrides: readonly LimitOverride[];
  counters: ReadonlyMap<string, string>;
}

type PathContext = Pick<
  ShapingContext,
  'leases' | 'paths' | 'limits' | 'counters' | 'breakers' | 'clock' | 'log'
>;
type StoredPaths = Pick<OutboundStores['traffic'], 'overrides' | 'states'>;

export class PathWork {
  readonly #traffic: StoredPaths;
  /** `null` if this is the only server, so no lease moves. */
  readonly #leases: PathLeases | null;
  readonly #paths: Paths;
  readonly #limits: ActiveLimits;
  readonly #counters: PersistedCounters;
  readonly #breakers: CircuitBreakers;
  readonly #clock: Clock;
  readonly #log: Log;

  constructor(traffic: StoredPaths, { leases, paths, limits, counters, breakers, clock, log }: PathContext) {
    this.#traffic = traffic;
    this.#leases = leases;
    this.#paths = paths;
    this.#limits = limits;
    this.#counters = counters;
    this.#breakers = breakers;
    this.#clock = clock;
    this.#log = log;
  }

  /** Reads the counters and limits that other nodes have stored for these paths. */
  async gained(names: ReadonlySet<string>): Promise<void> {
    const now = this.#clock();
    const [overrides, stored] = [
      await this.#traffic.overrides(now),
      await this.#traffic.states(now - STALE_MS),
    ];
    this.#takeOver({ overrides, counters: stored }, (lease) => names.has(lease));
    // Known paths have outdated limits.
    const leases = this.#leases;
    if (leases !== null) this.#paths.drop((path) => names.has(leases.leaseOf(path)));
  }

  /** Ends work on the paths of a lease. Resolves when no transaction is open and all counts are stored. */
  async lost(lease: string): Promise<void> {
    const leases = this.#leases;
    if (leases === null) return;
    const isOfLease = (path: Path): boolean => leases.leaseOf(path) === lease;
    this.#paths.close(isOfLease);
    const until = monotonicMs() + MOST_WAIT_MS;
    while (leases.inFlight(lease) > 0 || this.#paths.sessions(isOfLease) > 0) {
      if (monotonicMs() > until) {
        this.#log.warn({ lease }, 'path lease released while transactions are still in progress');
        break;
      }
      await pause(LOOK_MS);
    }
    this.#paths.drop(isOfLease);
    // Without this the next node would start with older counts.
    while (!(await this.#counters.flush()) && monotonicMs() < until) await pause(RETRY_WRITE_MS);
    await this.#limits.settled();
  }

  /** Reads the stored state of all paths of other nodes, to show it correctly. */
  align(stored: Stored): void {
    const leases = this.#leases;
    if (leases !== null) this.#takeOver(stored, (lease) => !leases.holds(lease));
  }

  /** Reads the stored state of the paths of matching leases. */
  #takeOver({ overrides, counters: stored }: Stored, isMeant: (lease: string) => boolean): void {
    const leases = this.#leases;
    if (leases === null) return;
    const isTheirs = (lease: string | null): boolean => lease !== null && isMeant(lease);
    const isOfSite = (site: SourceSite): boolean =>
      site.site === '*' ? leases.isOfOthers(site.source) : isTheirs(leases.leaseOfSite(site));
    const counted = [...stored].filter(([key]) =>
      isTheirs(leases.leaseOfKey(COUNTER_OF_PATH.exec(key)?.[1] ?? '')),
    );
    this.#counters.reload(new Map(counted));
    this.#limits.reload(overrides, isOfSite);
    this.#breakers.forgetSites(isOfSite);
  }
}
