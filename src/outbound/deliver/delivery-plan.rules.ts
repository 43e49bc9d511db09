// Delivery plan of a claimed message, as values that the main thread posts to a delivery thread.
import type { BounceCategory } from '../../contract/names.js';
import type { Via } from '../outcome/attempt.rules.js';
import type { ReplyPhase } from '../outcome/bounce-class.rules.js';
import type { RateLimit } from '../../lib/rate-limits/index.js';
import type { TlsNeed, TlsNotice, TlsPolicyLabel } from '../../lib/tls-policy/index.js';

/** A host of a route, with what its sessions must be like. */
export interface PlannedHost {
  host: string;
  preference: number;
  /** In the order to try; never empty. */
  addresses: string[];
  need: TlsNeed;
  policy: TlsPolicyLabel;
  /** For mail that asks for REQUIRETLS: a host that offers it goes before one that does not. */
  requireTls?: boolean;
  /** Notice for the host in TLS reports, whatever the result of the session. */
  testing: TlsNotice | null;
  /** Left out of TLS reports: two sites that report on each other's reports would never end. */
  isUnreported: boolean;
}

export type PlannedRoute =
  | {
      kind: 'route';
      /** The recipient's domain that the TLS policies are of. */
      domain: string;
      /** Messages of one site may share a session: the same hosts under the same TLS policy. */
      site: string;
      hosts: PlannedHost[];
    }
  | { kind: 'permanent' | 'temporary'; category: BounceCategory; enhanced: string; message: string };

export interface SessionLimits {
  connections: number;
  connectionRate: RateLimit | null;
  messagesPerConnection: number;
  idleMs: number;
}

/** A path: a source (or a smarthost) towards a provider or a site. Limits are counted on it. */
export interface PathPlan {
  id: number;
  via: Via;
  /** Name of the source or the smarthost. */
  source: string;
  /** Null: the system chooses. */
  localAddress4: string | null;
  localAddress6: string | null;
  ehloName: string;
  provider: string | null;
  limits: SessionLimits;
  /** How far the rate of connections is used, as `gcraTake` says it; null: not at all. */
  openedTat: number | null;
}

/** Way in which a claimed message is delivered. */
export type DeliveryPlan =
  | {
      kind: 'go';
      path: PathPlan;
      /** Paths of one group share a worker: their limits belong together. */
      group: string;
      route: PlannedRoute;
      /** Why it goes by this route and not the first choice; null: it is the first choice. */
      note: string | null;
    }
  /** Not now after all: it goes back to its queue as it was. */
  | { kind: 'replan' };

/** Something that happened to a path's sessions and not to one message. */
export type PathSignal = { pathId: number; site: string; at: number } &
  /** `address`: the peer's. */
  (
    | { kind: 'opened'; address: string }
    /** An opened session has ended. */
    | { kind: 'closed' }
    /** A session is being opened. `tat`: how far the rate of connections is used with it; null: there is none. */
    | { kind: 'opening'; tat: number | null }
    /** A session that was being opened has ended, or has not come about. */
    | { kind: 'ended' }
    /** `beside`: sessions of the path that were open or opening then, without this one. */
    | { kind: 'refused'; phase: ReplyPhase; code: number; text: string; beside: number }
    /**
     * `isOurs`: it was our own address that could not be used, whatever the peer. `isSilent`: no address of the site gave any
     * answer; a refused connection is one.
     */
    | { kind: 'unreachable'; phase: ReplyPhase; error: string; isOurs: boolean; isSilent: boolean }
  );
