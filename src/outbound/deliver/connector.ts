// Opens a session to a destination. It tries hosts and addresses in order, and requires the TLS of each host's policy. Without
// a policy, TLS is opportunistic (RFC 7435): it accepts TLS 1.0 and 1.1 if the peer supports nothing newer, and continues
// without TLS after a failed handshake. A session that ends right after the handshake may come from a peer that restarts, so
// TLS is only given up when the next attempt ends in the same way.
import { randomInt } from 'node:crypto';
import type { SecureContext } from 'node:tls';
import type { LRUCache } from 'lru-cache';
import { createLruCache } from '../../lib/runtime/index.js';
import {
  type ConnectOutcome,
  connectSmtp,
  type Credentials,
  type SmtpSession,
  type SmtpTimeouts,
  type SmtpTlsOptions,
} from '../../lib/smtp/index.js';
import type { Reply } from '../outcome/attempt.rules.js';
import type { ReplyPhase } from '../outcome/bounce-class.rules.js';
import type { PlannedHost } from './delivery-plan.rules.js';
import { hostsForSession } from '../route/mx.rules.js';
import { checkTls, type TlsNeed } from '../../lib/tls-policy/index.js';
import type { TlsResult } from '../outcome/tls-results.store.js';

/** Time (ms) for which weaker TLS terms of a peer are remembered. */
const WEAK_TLS_MS = 3 * 86_400_000;
const WEAK_TLS_PEERS = 10_000;

/** Weaker TLS terms by address: outdated versions, no TLS, or `suspect` if a session ended right after the handshake. */
type WeakTls = LRUCache<string, 'old' | 'none' | 'suspect'>;

/** Creates the weaker TLS terms that all paths of a worker share. */
export function createWeakTls(): WeakTls {
  return createLruCache<string, 'old' | 'none' | 'suspect'>(WEAK_TLS_PEERS, { ttl: WEAK_TLS_MS });
}

interface ConnectorSettings {
  port: number;
  ehloName: string;
  /** Source addresses by family; `null` lets the system choose. */
  localAddress4: string | null;
  localAddress6: string | null;
  timeouts: Partial<SmtpTimeouts>;
  secureContext: SecureContext;
  /** Also accepts TLS 1.0 and 1.1. Used after the peer has refused newer versions, if no certificate must be verified. */
  oldContext: SecureContext;
  weakTls: WeakTls;
  /** Returns a random integer from 0 up to but not including `n`. */
  shuffle?: (n: number) => number;
  /** Terms of a smarthost, which replace the policy of the host. */
  smarthost?: { mode: SmtpTlsOptions['mode']; verify: boolean; auth: Credentials | null };
  onTlsResult: (host: PlannedHost, result: TlsTry) => void;
}

export type TlsTry = Pick<TlsResult, 'resultType' | 'receivingIp' | 'sendingIp' | 'detail'>;

interface Failed {
  phase: ReplyPhase;
  host: string;
  address: string;
  tlsPolicy: string;
  conversation: readonly string[];
  times: Readonly<Record<string, number>> | null;
}

export interface ReadySession {
  kind: 'ready';
  session: SmtpSession;
  tlsPolicy: string;
}

export type Connected =
  | ReadySession
  /** The caller aborted the connection. */
  | { kind: 'given-up' }
  | (Failed & { kind: 'refused'; reply: Reply })
  /** `isOurs`: the source address could not be used. `isSilent`: no address responded, not even with a refused connection. */
  | (Failed & { kind: 'unreachable'; error: string; isOurs: boolean; isSilent: boolean });

/** The reason why no session could be opened. */
export type NoSession = Exclude<Connected, { kind: 'ready' | 'given-up' }>;

export interface Connector {
  /**
   * Tries the hosts until one is ready, hosts of equal preference in random order. After a 4xx reply, only hosts of the same
   * preference are tried. After a 5xx greeting, all others are tried. Mail that requires REQUIRETLS gets the first host that
   * supports it, or else the first one, which then refuses the mail. `signal` aborts the connection, unless a session is
   * already open.
   */
  connect(hosts: readonly PlannedHost[], signal?: AbortSignal): Promise<Connected>;
}

const NO_ADDRESS: NoSession = {
  kind: 'unreachable',
  phase: 'connect',
  error: 'no address to connect to',
  host: '',
  address: '',
  tlsPolicy: 'opportunistic',
  conversation: [],
  times: null,
  isOurs: false,
  isSilent: false,
};

export class SmtpConnector implements Connector {
  readonly #settings: ConnectorSettings;
  readonly #weakTls: WeakTls;

  constructor(settings: ConnectorSettings) {
    this.#settings = settings;
    this.#weakTls = settings.weakTls;
  }

  async connect(hosts: readonly PlannedHost[], signal?: AbortSignal): Promise<Connected> {
    let last: NoSession | null = null;
    let isSilent = true;
    let second: ReadySession | null = null;
    /** Preference of the host that replied with 4xx. Hosts of other preferences are not tried. */
    let only: number | null = null;
    for (const planned of hostsForSession(hosts, this.#settings.shuffle ?? randomBelow)) {
      if (only !== null && planned.preference !== only) break;
      const tlsPolicy = this.#settings.smarthost ? 'configured' : policyName(planned);
      for (const address of planned.addresses) {
        const outcome = await this.#tryAddress(planned, address, signal);
        if (outcome.kind === 'given-up') {
          await second?.session.quit();
          return outcome;
        }
        if (outcome.kind === 'ready') {
          const ready = { ...outcome, tlsPolicy };
          if (planned.requireTls !== true || outcome.session.facts.capabilities.requireTls) {
            await second?.session.quit();
            return ready;
          }
          // The next host may support REQUIRETLS, but other addresses of this one will not (RFC 8689 section 4.2.1).
          if (second) await outcome.session.quit();
          else second = ready;
          break;
        }
        const { phase, reply, error, conversation, times, sourceFailed: isOurs } = outcome;
        const failed = { phase, host: planned.host, address, tlsPolicy, conversation, times };
        isSilent &&= !isAnswer(outcome);
        // A reply that defers the mail is more specific than an unreachable host.
        if (reply) last = { kind: 'refused', reply, ...failed };
        else if (only === null) last = { kind: 'unreachable', error, isOurs, isSilent, ...failed };
        // If TLS is missing, hosts of any preference are tried, because another one may offer it.
        if (reply && reply.code < 500 && outcome.tlsProblem === null) only = planned.preference;
      }
    }
    return second ?? last ?? NO_ADDRESS;
  }

  #open(
    host: string,
    address: string,
    tls: SmtpTlsOptions,
    signal: AbortSignal | undefined,
  ): Promise<ConnectOutcome> {
    const auth = this.#settings.smarthost?.auth;
    const localAddress = address.includes(':') ? this.#settings.localAddress6 : this.#settings.localAddress4;
    return connectSmtp({
      host,
      address,
      port: this.#settings.port,
      ehloName: this.#settings.ehloName,
      timeouts: this.#settings.timeouts,
      tls: { secureContext: this.#settings.secureContext, ...tls },
      ...(localAddress === null ? {} : { localAddress }),
      ...(auth ? { auth } : {}),
      ...(signal ? { signal } : {}),
    });
  }

  async #tryAddress(
    planned: PlannedHost,
    address: string,
    signal: AbortSignal | undefined,
  ): Promise<ConnectOutcome | { kind: 'given-up' }> {
    const { host } = planned;
    const wanted = this.#settings.smarthost ?? tlsFor(planned.need);
    const weak = wanted.mode === 'opportunistic' ? this.#weakTls.get(address) : undefined;
    const inClear: SmtpTlsOptions = { ...wanted, mode: 'none' };
    const old: SmtpTlsOptions = { ...wanted, secureContext: this.#settings.oldContext };
    const first = weak === 'none' ? inClear : weak === 'old' ? old : wanted;
    let outcome = await this.#open(host, address, first, signal);
    if (outcome.kind === 'failed' && signal?.aborted === true) return { kind: 'given-up' };
    this.#note(planned, address, outcome, weak === 'old' || weak === 'none');
    if (outcome.kind === 'ready') {
      if (weak === 'suspect') this.#weakTls.delete(address);
      return outcome;
    }
    const isOptional = wanted.mode === 'opportunistic';
    if (outcome.diedInTls && isOptional && weak === undefined) this.#weakTls.set(address, 'suspect');
    const leavesTls = outcome.retryWithoutTls || (outcome.diedInTls && isOptional && weak !== undefined);
    if (!leavesTls) return outcome;
    const takesOld =
      outcome.isTlsTooOld &&
      (weak === undefined || weak === 'suspect') &&
      !wanted.verify &&
      !planned.requireTls;
    if (takesOld && this.#settings.smarthost === undefined) {
      outcome = await this.#open(host, address, old, signal);
      if (outcome.kind === 'ready') this.#weakTls.set(address, 'old');
      if (outcome.kind === 'ready' || !outcome.retryWithoutTls) return outcome;
    }
    const plain = await this.#open(host, address, inClear, signal);
    // If the session fails without TLS too, TLS was not the cause.
    if (plain.kind === 'ready') this.#weakTls.set(address, 'none');
    return plain;
  }

  /** Counts the TLS result of a session for TLS reports (RFC 8460), if the session got as far as STARTTLS. */
  #note(planned: PlannedHost, address: string, outcome: ConnectOutcome, isWeak: boolean): void {
    if (planned.isUnreported || isWeak) return;
    const tell = (resultType: string, sendingIp: string | null, detail: string): void =>
      this.#settings.onTlsResult(planned, {
        resultType,
        receivingIp: address,
        sendingIp: sendingIp ?? '',
        detail,
      });
    if (outcome.kind === 'failed') {
      if (outcome.tlsProblem !== null) tell(outcome.tlsProblem, outcome.localAddress, outcome.error);
      return;
    }
    const { tls, localAddress } = outcome.session.facts;
    if (tls === null) tell('starttls-not-supported', localAddress, 'STARTTLS was not offered');
    else if (planned.testing !== null) tell(planned.testing.resultType, localAddress, planned.testing.detail);
    else if (planned.policy.mode === 'testing' && tls.problem !== null) {
      tell(tls.problem, localAddress, tls.authorizationError ?? '');
    } else tell('success', localAddress, '');
  }
}

function randomBelow(n: number): number {
  return n > 1 ? randomInt(n) : 0;
}

/** Whether the peer or a firewall responded, so packets reach the address. */
function isAnswer({ phase, errorCode }: Extract<ConnectOutcome, { kind: 'failed' }>): boolean {
  return phase !== 'connect' || errorCode === 'ECONNREFUSED' || errorCode === 'ECONNRESET';
}

function tlsFor(need: TlsNeed): SmtpTlsOptions {
  switch (need.kind) {
    case 'opportunistic':
      return { mode: 'opportunistic', verify: false };
    case 'encrypted':
      return { mode: 'required', verify: false };
    case 'verified':
      return {
        mode: 'required',
        verify: false,
        minVersion: 'TLSv1.2',
        check: (seen) => checkTls(need, seen),
      };
    case 'dane':
      return {
        mode: 'required',
        verify: false,
        // The name of the TLSA records, which differs from the host's if that is an alias (RFC 7672 section 2.2.3).
        ...(need.names[0] === undefined ? {} : { servername: need.names[0] }),
        check: (seen) => checkTls(need, seen),
      };
  }
}

function policyName({ need }: PlannedHost): string {
  if (need.kind === 'dane' || need.kind === 'opportunistic') return need.kind;
  return need.reason;
}
