// Takes paths up whose leases come to this node, and ends the work on those that it gives up: limits and counters go from node to node by the store.
import type { ShapingContext } from './context.js';
import { setTimeout as pause } from 'node:timers/promises';
import { monotonicMs } from '../../lib/runtime/monotonic.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Log } from '../../lib/runtime/log.js';
import type { OutboundStores } from '../stores.js';
import type { LimitOverride } from '../outbound.tables.js';
import type { ActiveLimits } from './active-limits.js';
import type { CircuitBreakers, SourceSite } from './circuit-breakers.js';
import type { Path, Paths } from './paths.js';
import type { PathLeases } from './path-leases.js';
import { STALE_MS, type PersistedCounters } from './persisted-counters.js';

const LOOK_MS = 20;
const RETRY_WRITE_MS = 500;
/** Longest wait (ms) for transactions with slow peers. Then the next node begins beside them. */
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
  /** Null: every path is this program's, and nothing comes or goes. */
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

  /** Reads what other nodes have counted for these paths, and the limits that they have set. */
  async gained(names: ReadonlySet<string>): Promise<void> {
    const now = this.#clock();
    const [overrides, stored] = [
      await this.#traffic.overrides(now),
      await this.#traffic.states(now - STALE_MS),
    ];
    this.#takeOver({ overrides, counters: stored }, (lease) => names.has(lease));
    // Their limits were those of this node's own memory.
    const leases = this.#leases;
    if (leases !== null) this.#paths.drop((path) => names.has(leases.leaseOf(path)));
  }

  /** Ends the work on the paths of a lease; resolves when nothing of it is under way, and all that was counted is stored. */
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
    // The next node would begin with older counts.
    while (!(await this.#counters.flush()) && monotonicMs() < until) await pause(RETRY_WRITE_MS);
    await this.#limits.settled();
  }

  /** Takes over what is stored for all paths of other nodes, so that what is shown of them is true. */
  align(stored: Stored): void {
    const leases = this.#leases;
    if (leases !== null) this.#takeOver(stored, (lease) => !leases.holds(lease));
  }

  /** Takes over what is stored for the paths of these leases. */
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
