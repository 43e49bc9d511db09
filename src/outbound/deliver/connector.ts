// One session to a destination: hosts and addresses in their order, each held to the TLS that its policy wants.
// Without a policy TLS is used when offered: TLS 1.0 or 1.1 where the peer has nothing newer, and none after a failed handshake
// (RFC 7435: opportunistic security protects from listeners, and a peer's broken TLS must not stop its mail). A session that ends
// right after the handshake may be a peer that restarts: only the second one in succession, in a later attempt, leaves TLS.
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

/** Time (ms) that a peer whose handshake failed is offered weaker TLS. */
const WEAK_TLS_MS = 3 * 86_400_000;
const WEAK_TLS_PEERS = 10_000;

/** Weaker terms that work with an address: TLS versions that are out of date, or no TLS. `suspect`: its TLS died after the handshake. */
export type WeakTls = LRUCache<string, 'old' | 'none' | 'suspect'>;

/** One memory for all paths of a worker. */
export function createWeakTls(): WeakTls {
  return createLruCache<string, 'old' | 'none' | 'suspect'>(WEAK_TLS_PEERS, { ttl: WEAK_TLS_MS });
}

export interface ConnectorSettings {
  port: number;
  ehloName: string;
  /** Our addresses by family; null lets the system choose. */
  localAddress4: string | null;
  localAddress6: string | null;
  timeouts: Partial<SmtpTimeouts>;
  secureContext: SecureContext;
  /** Takes TLS 1.0 and 1.1 too; used where nothing is to be verified, after the peer has refused newer ones. */
  oldContext: SecureContext;
  weakTls: WeakTls;
  /** A random integer from 0 up to but not including `n`; default: the system's. */
  shuffle?: (n: number) => number;
  /** A smarthost's own terms, in place of what the host's policy wants. */
  smarthost?: { mode: SmtpTlsOptions['mode']; verify: boolean; auth: Credentials | null };
  onTlsResult: (host: PlannedHost, result: TlsTry) => void;
}

/** Result of TLS with one address. */
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
  /** The caller did not want it any more. */
  | { kind: 'given-up' }
  | (Failed & { kind: 'refused'; reply: Reply })
  /** `isOurs`: our own address could not be used. `isSilent`: no address gave any answer, not even a refusal. */
  | (Failed & { kind: 'unreachable'; error: string; isOurs: boolean; isSilent: boolean });

/** Why there is no session. */
export type NoSession = Exclude<Connected, { kind: 'ready' | 'given-up' }>;

export interface Connector {
  /**
   * Tries the hosts until one is ready, equal ones in random order. After a 4xx only others of the same preference are tried:
   * a worse one is not for what a better one has put off. A 5xx greeting ends nothing.
   * For mail that asks for REQUIRETLS it is the first that offers it, else the first: that mail is refused there.
   * `signal` gives it up; a session that is ready by then is still returned.
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
    /** Set by a 4xx: hosts of no other preference are tried. */
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
          // RFC 8689 section 4.2.1: the next host may take what this one does not; its other addresses are no better.
          if (second) await outcome.session.quit();
          else second = ready;
          break;
        }
        const { phase, reply, error, conversation, times, sourceFailed: isOurs } = outcome;
        const failed = { phase, host: planned.host, address, tlsPolicy, conversation, times };
        isSilent &&= !isAnswer(outcome);
        // A reply that puts the mail off says more than a host that is down.
        if (reply) last = { kind: 'refused', reply, ...failed };
        else if (only === null) last = { kind: 'unreachable', error, isOurs, isSilent, ...failed };
        // Another host may have the TLS that is missing here, whatever its preference.
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
    // A peer that is no better in clear was only unwell.
    if (plain.kind === 'ready') this.#weakTls.set(address, 'none');
    return plain;
  }

  /** For TLS reports: how TLS went, wherever it came to the question. */
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

/** The peer's machine, or one before it, has said something: whatever failed, packets come through. */
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
        // RFC 7672 section 2.2.3: the name of the records, which is not the host's behind an alias.
        ...(need.names[0] === undefined ? {} : { servername: need.names[0] }),
        check: (seen) => checkTls(need, seen),
      };
  }
}

function policyName({ need }: PlannedHost): string {
  if (need.kind === 'dane' || need.kind === 'opportunistic') return need.kind;
  return need.reason;
}
