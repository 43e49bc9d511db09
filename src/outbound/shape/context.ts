// Parts of one traffic shaper, which its limits, paths and routes share.
import type { Plan } from '../../database/change.js';
import type { Clock, Log } from '../../lib/runtime/index.js';
import type { TlsCounts } from '../outcome/tls-counts.js';
import type { EgressPools } from '../route/egress-pools.js';
import type { CurrentShares } from '../route/current-shares.js';
import type { Egress } from '../route/egress.rules.js';
import type { OperatorEgress } from '../route/operator-egress.js';
import type { Providers } from '../route/provider.rules.js';
import type { RouteLookUps } from '../route/route-look-ups.js';
import type { Router } from '../route/router.js';
import type { SideChooser } from '../route/side-chooser.js';
import type { WakeUp } from '../schedule/wake-up.js';
import type { ActiveLimits } from './active-limits.js';
import type { BlockedPorts } from './blocked-ports.js';
import type { CircuitBreakers } from './circuit-breakers.js';
import type { InFlightLimit } from './in-flight-limit.js';
import type { PathLeases } from './path-leases.js';
import type { WarmUps } from './path-limits.js';
import type { Paths, PathSessions } from './paths.js';
import type { PersistedCounters } from './persisted-counters.js';
import type { Shaping } from './shaping.rules.js';
import type { TenantLimits } from './tenant-limits.js';
import type { ReplanBackOff } from './queue-limits.js';

export interface ShapingContext {
  egress: Egress;
  shaping: Shaping;
  providers: Providers;
  commit: (plan: Plan) => Promise<unknown>;
  sessions: PathSessions;
  tlsCounts: Pick<TlsCounts, 'add'>;
  wakeUp: WakeUp;
  clock: Clock;
  log: Log;
  random: () => number;
  counters: PersistedCounters;
  limits: ActiveLimits;
  window: InFlightLimit;
  replan: ReplanBackOff;
  tenants: TenantLimits;
  /** `null` if this is the only server. */
  leases: PathLeases | null;
  ports: BlockedPorts;
  breakers: CircuitBreakers;
  warmUps: WarmUps;
  paths: Paths;
  /** The operator's own IDs of sub-tenants, which routes may name. */
  externalIds: ReadonlyMap<string, string>;
  operator: OperatorEgress;
  shares: CurrentShares;
  sides: SideChooser;
  pools: EgressPools;
  router: Router;
  /** `null` if this is the only server: a domain is then looked up with its first messages. */
  lookUps: RouteLookUps | null;
}
