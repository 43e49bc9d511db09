// Takes paths up whose leases come to this node, and ends the work on those that it gives up: limits and counters go from node to node by the store.
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

export interface PathWorkDeps {
  store: { traffic: Pick<OutboundStores['traffic'], 'overrides' | 'states'> };
  /** Null: every path is this program's, and nothing comes or goes. */
  leases: PathLeases | null;
  paths: Paths;
  limits: ActiveLimits;
  counters: PersistedCounters;
  breakers: CircuitBreakers;
  clock: Clock;
  log: Log;
}

/** State that other nodes have stored. */
interface Stored {
  overrides: readonly LimitOverride[];
  counters: ReadonlyMap<string, string>;
}

export function createPathWork(deps: PathWorkDeps) {
  const { store, leases, paths, limits, counters, breakers, clock, log } = deps;
  /** Takes over what is stored for the paths of these leases. */
  function takeOver({ overrides, counters: stored }: Stored, isMeant: (lease: string) => boolean): void {
    if (leases === null) return;
    const isTheirs = (lease: string | null): boolean => lease !== null && isMeant(lease);
    const isOfSite = (site: SourceSite): boolean =>
      site.site === '*' ? leases.isOfOthers(site.source) : isTheirs(leases.leaseOfSite(site));
    const counted = [...stored].filter(([key]) =>
      isTheirs(leases.leaseOfKey(COUNTER_OF_PATH.exec(key)?.[1] ?? '')),
    );
    counters.reload(new Map(counted));
    limits.reload(overrides, isOfSite);
    breakers.forgetSites(isOfSite);
  }

  return {
    /** Reads what other nodes have counted for these paths, and the limits that they have set. */
    async gained(names: ReadonlySet<string>): Promise<void> {
      const now = clock();
      const [overrides, stored] = [
        await store.traffic.overrides(now),
        await store.traffic.states(now - STALE_MS),
      ];
      takeOver({ overrides, counters: stored }, (lease) => names.has(lease));
      // Their limits were those of this node's own memory.
      if (leases !== null) paths.drop((path) => names.has(leases.leaseOf(path)));
    },

    /** Ends the work on the paths of a lease; resolves when nothing of it is under way, and all that was counted is stored. */
    async lost(lease: string): Promise<void> {
      if (leases === null) return;
      const isOfLease = (path: Path): boolean => leases.leaseOf(path) === lease;
      paths.close(isOfLease);
      const until = monotonicMs() + MOST_WAIT_MS;
      while (leases.inFlight(lease) > 0 || paths.sessions(isOfLease) > 0) {
        if (monotonicMs() > until) {
          log.warn({ lease }, 'path lease released while transactions are still in progress');
          break;
        }
        await pause(LOOK_MS);
      }
      paths.drop(isOfLease);
      // The next node would begin with older counts.
      while (!(await counters.flush()) && monotonicMs() < until) await pause(RETRY_WRITE_MS);
      await limits.settled();
    },

    /** Takes over what is stored for all paths of other nodes, so that what is shown of them is true. */
    align(stored: Stored): void {
      if (leases !== null) takeOver(stored, (lease) => !leases.holds(lease));
    },
  };
}
