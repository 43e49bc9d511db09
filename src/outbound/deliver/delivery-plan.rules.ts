// The delivery plan of a claimed message, which the main thread posts to a delivery thread.
import type { BounceCategory, RouteSide } from '../../contract/names.js';
import type { ShareChoice } from '../route/share.rules.js';
import type { Via } from '../outcome/attempt.rules.js';
import type { ReplyPhase } from '../outcome/bounce-class.rules.js';
import type { RateLimit } from '../../lib/rate-limits/index.js';
import type { TlsNeed, TlsNotice, TlsPolicyLabel } from '../../lib/tls-policy/index.js';

/** A host of a route, with the requirements for its sessions. */
export interface PlannedHost {
  host: string;
  preference: number;
  /** Addresses in the order to try; never empty. */
  addresses: string[];
  need: TlsNeed;
  policy: TlsPolicyLabel;
  /** Set for mail that requires REQUIRETLS. A host that supports it is preferred to one that does not. */
  requireTls?: boolean;
  /** Result for TLS reports that replaces that of the session. */
  testing: TlsNotice | null;
  /** Excludes TLS reports themselves from TLS reports, because two sites would otherwise send each other reports forever. */
  isUnreported: boolean;
}

export type PlannedRoute =
  | {
      kind: 'route';
      /** The recipient's domain, whose TLS policies apply. */
      domain: string;
      /** Key of the hosts and their TLS policy. Messages with the same key can share a session. */
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

/** A path from a source or smarthost to a provider or a site. Limits apply to it. */
export interface PathPlan {
  id: number;
  via: Via;
  /** Name of the source or smarthost. */
  source: string;
  /** Source addresses by family; `null` lets the system choose. */
  localAddress4: string | null;
  localAddress6: string | null;
  ehloName: string;
  provider: string | null;
  limits: SessionLimits;
  /** State of the connection rate limit (see `gcraTake`); `null` if it is unused. */
  openedTat: number | null;
}

/** The way to deliver a claimed message. */
export type DeliveryPlan =
  | {
      kind: 'go';
      path: PathPlan;
      /** Paths of one group share limits, and therefore a worker. */
      group: string;
      route: PlannedRoute;
      /** Reason for a route that is not the first choice; `null` for the first choice. */
      note: string | null;
      /** The side of a route with a share; `null` for other routes. */
      share: ShareChoice | null;
    }
  /** The message cannot be sent now and returns unattempted to its queue, or to the queue of its side. */
  | { kind: 'replan'; side: RouteSide | null };

/** An event of a path's sessions. */
export type PathSignal = { pathId: number; site: string; at: number } &
  /** `address` is the peer's. */
  (
    | { kind: 'opened'; address: string }
    /** An opened session has ended. */
    | { kind: 'closed' }
    /** A session is being opened. `tat` is the new state of the connection rate limit, or `null` if there is none. */
    | { kind: 'opening'; tat: number | null }
    /** A session has ended or could not be opened. */
    | { kind: 'ended' }
    /** `beside` is the number of other sessions of the path that were open or being opened. */
    | { kind: 'refused'; phase: ReplyPhase; code: number; text: string; beside: number }
    /** `isOurs`: the source address could not be used. `isSilent`: no address responded, not even with a refused connection. */
    | { kind: 'unreachable'; phase: ReplyPhase; error: string; isOurs: boolean; isSilent: boolean }
  );
