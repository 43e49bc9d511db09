// Values that the program gives outgoing mail.
import type { KeyGeneration } from '../domains/keys/key-generation.js';
import type { WakeUps } from '../events/wake-ups.js';
import type { DnsResolver } from '../lib/dns/index.js';
import type { Clock, Log } from '../lib/runtime/index.js';
import type { Keys } from '../lib/secrets/index.js';
import type { Config } from '../settings/settings.js';
import type { Reload } from './reload.js';
import type { Committed } from '../database/change.js';
import type { DatabasePlace } from '../database/engine/place.js';
import type { CopyStops } from './deliver/stops.rules.js';
import type { OutcomeSettings, SkipRecipient } from './outcome/outcome-plan.js';
import type { TlsCounts } from './outcome/tls-counts.js';
import type { Dane } from './route/dane.js';
import type { OutboundRules } from './route/outbound-rules.js';
import type { StsPolicies } from './route/sts-policies.js';
import type { Engagement } from './route/side-chooser.js';
import type { WakeUp } from './schedule/wake-up.js';
import type { PathOwners } from './shape/path-leases.js';
import type { EgressControl } from './route/egress-control.js';
import type { SimulatedReplies } from './simulator/simulator.js';
import type { OutboundStores } from './stores.js';
import type { TrafficView } from './traffic-view.js';

export interface OutboundContext {
  store: OutboundStores;
  config: Config;
  keys: Keys;
  /** Bumped when DKIM keys have moved. */
  keyGeneration: KeyGeneration;
  resolver: DnsResolver;
  wakeUps: Pick<WakeUps, 'events'>;
  engagement: Engagement;
  /** The sandbox's answers to messages. */
  simulatedReplies: SimulatedReplies;
  /** Called when the sandbox has spooled an answer. */
  notifyInbound: () => void;
  clock: Clock;
  log: Log;
}

/** The context of delivery on this node. */
export interface DeliveryContext extends OutboundContext {
  sts: Pick<StsPolicies, 'policyFor'>;
  /** `null` if DANE is off. */
  dane: Pick<Dane, 'daneFor'> | null;
  place: DatabasePlace;
  busyTimeoutMs: number;
  /** This node of a cluster. `null` if this is the only server. */
  node: DeliveryNode | null;
  /** Module of the delivery threads, which calls `runDeliveryWorker`. */
  workerUrl: URL;
  copyStops: CopyStops;
  wakeUps: Pick<WakeUps, 'events' | 'queue'>;
  skipRecipient: SkipRecipient;
}

/** A node of a cluster, as delivery sees it. */
interface DeliveryNode extends PathOwners {
  /** The prefix of its message leases. */
  id: string;
  /** Roles that no running node has. `null` until the nodes are known. */
  missingRoles(): readonly string[] | null;
  /** Takes over message leases of nodes that no longer run. */
  adopt(): Promise<void>;
}

/** The context of one engine: its rules and the values that its stages share. */
export interface EngineContext extends DeliveryContext {
  rules: OutboundRules;
  outcomes: OutcomeSettings;
  /** Name of the engine in message leases. */
  owner: string;
  wakeUp: WakeUp;
  tlsCounts: Pick<TlsCounts, 'add'>;
  onCommitted: (committed: Committed) => void;
  /** Called when messages have moved to queues of which other nodes may deliver the mail. */
  onMoved: (committed: Committed) => void;
}

/** The context of the routes, which show and control delivery. */
export interface OutboundApiContext extends OutboundContext {
  traffic: TrafficView;
  control: Omit<EgressControl, 'tick'>;
  reload: () => Reload;
}
