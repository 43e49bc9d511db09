// Feedback of attempts to the shaper: reachable sites, their capacity, and limits that rules derive from replies.
import type { ShapingContext } from './context.js';
import type { AttemptResult } from '../outcome/attempt.rules.js';
import {
  automationFor,
  triggered,
  type AutomationActionKind,
  type AutomationRule,
} from './automation.rules.js';
import { type ReplyPhase } from '../outcome/bounce-class.rules.js';
import { cleanReplyText } from '../../lib/smtp-replies/index.js';
import type { PathSignal } from '../deliver/delivery-plan.rules.js';
import type { Failure } from '../outcome/failure.js';
import { type EgressPools, smarthostSite } from '../route/egress-pools.js';
import { isAboutSource } from '../outcome/source-refusal.js';
import { automationRules, type Shaping } from './shaping.rules.js';
import type { Clock } from '../../lib/runtime/index.js';
import type { Claim } from '../schedule/queue.store.js';
import type { ActiveLimits } from './active-limits.js';
import type { CircuitBreakers, SourceSite } from './circuit-breakers.js';
import type { InFlightLimit } from './in-flight-limit.js';
import type { WarmUps } from './path-limits.js';
import type { Path, Paths, PathSessions } from './paths.js';
import { siteOfKey } from '../route/router.js';

/** Missing TLS or credentials concern the messages that need them, not the destination. */
const TERMS_PHASES: readonly ReplyPhase[] = ['starttls', 'tls', 'auth'];
/** Replies in earlier phases are observed as signals of the session. */
const MAIL_PHASES: readonly (ReplyPhase | 'route')[] = ['mail', 'rcpt', 'data', 'dot'];

/** Actions after which messages already handed over must return to their queues. */
const RECALLING: readonly AutomationActionKind[] = ['suspend', 'suspend_tenant', 'rate'];

/** The path that a message in flight was planned for. */
export interface Track {
  path: Path;
  site: SourceSite;
  startedAt: number;
}

export class Feedback {
  readonly #pools: EgressPools;
  readonly #warmUps: WarmUps;
  readonly #paths: Paths;
  readonly #limits: ActiveLimits;
  readonly #breakers: CircuitBreakers;
  readonly #window: InFlightLimit;
  readonly #sessions: PathSessions;
  readonly #shaping: Shaping;
  readonly #clock: Clock;

  constructor(
    context: Pick<
      ShapingContext,
      'pools' | 'warmUps' | 'paths' | 'limits' | 'breakers' | 'window' | 'sessions' | 'shaping' | 'clock'
    >,
  ) {
    this.#pools = context.pools;
    this.#warmUps = context.warmUps;
    this.#paths = context.paths;
    this.#limits = context.limits;
    this.#breakers = context.breakers;
    this.#window = context.window;
    this.#sessions = context.sessions;
    this.#shaping = context.shaping;
    this.#clock = context.clock;
  }

  /** Learns from what happened to a session. */
  observed(signal: PathSignal): void {
    const path = this.#paths.byId(signal.pathId);
    if (!path) return;
    const site = signalSite(path, signal);
    switch (signal.kind) {
      case 'opening':
        this.#paths.opening(path, signal.tat);
        return;
      case 'ended':
        path.sessions = Math.max(0, path.sessions - 1);
        return;
      case 'opened':
        this.#paths.opened(path);
        this.#breakers.reached(site, isDirect(path) ? signal.address : undefined);
        return;
      case 'closed':
        path.openSessions = Math.max(0, path.openSessions - 1);
        return;
      case 'refused':
        this.#refused(path, site, signal);
        return;
      case 'unreachable':
        if (signal.isOurs) this.#breakers.sourceFailed(site.source, signal.error);
        else if (TERMS_PHASES.includes(signal.phase)) this.#breakers.reached(site);
        else if (path.openSessions > 0)
          this.#paths.crowded(path, { reason: 'no further connection', reply: signal.error });
        else this.#breakers.failed(site, { text: signal.error, isSilent: signal.isSilent && isDirect(path) });
        return;
    }
  }

  /** Learns from what became of a message. */
  ended(
    { path, site, startedAt }: Track,
    claim: Claim,
    result: AttemptResult,
    failure: Failure | null,
  ): void {
    const { group } = path;
    switch (result.kind) {
      case 'accepted':
        this.#window.answered(group, this.#clock() - startedAt);
        this.#paths.accepted(path);
        // A kept session also proves that the site is reachable, without opening a new one.
        this.#breakers.reached(site);
        return;
      case 'refused':
      case 'unreachable':
      case 'unroutable':
      case 'ambiguous':
        if (result.kind === 'refused' && result.phase !== 'greeting') {
          this.#window.answered(group, this.#clock() - startedAt);
        } else this.#window.returned(group);
        if (failure) this.#failed(path, claim, failure);
        return;
      case 'unattempted':
        if (result.stalled) this.#window.returned(group);
        return;
      case 'suppressed':
      case 'skipped':
      case 'canceled':
      case 'held':
      case 'failed':
        return;
    }
  }

  #refused(path: Path, site: SourceSite, signal: Extract<PathSignal, { kind: 'refused' }>): void {
    const { phase, code, text, beside } = signal;
    this.#automate(path, { phase, code, enhanced: null, text }, '');
    const isAboutTerms = TERMS_PHASES.includes(phase);
    // A 421 ends the session regardless of the TLS terms.
    if (isAboutTerms && code !== 421) this.#breakers.reached(site);
    // Sessions that the peer accepts are still at their handshake when it has refused one too many.
    else if (path.openSessions > 0 || (beside > 0 && code < 500))
      this.#paths.crowded(path, { reason: 'a session was refused', reply: text });
    else if (!isAboutTerms) this.#breakers.failed(site, { text, isSilent: false });
  }

  #failed(path: Path, claim: Claim, failure: Failure): void {
    const { verdict, phase, code, enhanced, text } = failure;
    if (verdict.disposition === 'retry') this.#warmUps.count(path, 'deferred');
    if (isAboutSource(failure)) {
      this.#pools.blocked(path);
      this.#sessions.recall(path);
    }
    if (code === null || phase === 'route' || !MAIL_PHASES.includes(phase)) return;
    this.#automate(path, { phase, code, enhanced, text }, claim.subTenantId ?? '');
    if (code === 421 || (verdict.category === 'rate_limited' && verdict.disposition === 'retry')) {
      this.#paths.crowded(path, { reason: 'a reply reported too much mail', reply: cleanReplyText(text) });
    }
  }

  /** Applies the rules that match a reply. */
  #automate(
    path: Path,
    reply: { phase: ReplyPhase; code: number; enhanced: string | null; text: string },
    tenantKey: string,
  ): void {
    const { provider } = path;
    for (const rule of automationFor(
      { automation: automationRules(this.#shaping, provider) },
      { ...reply, provider },
    )) {
      const key = rule.action.kind === 'suspend_tenant' ? `${rule.name} ${tenantKey}` : rule.name;
      const { fires, counts } = triggered(rule, path.triggers.get(key), this.#clock());
      path.triggers.set(key, counts);
      if (fires) this.#enforce(path, rule, reply.text, tenantKey);
    }
  }

  #enforce(path: Path, rule: AutomationRule, text: string, subTenantKey: string): void {
    const { action } = rule;
    this.#limits.put({
      path: path.key,
      provider: path.provider,
      site: path.group,
      source: path.plan.source,
      kind: action.kind,
      value: 'rate' in action ? action.rate : 'limit' in action ? { limit: action.limit } : {},
      ...(action.kind === 'suspend_tenant' ? { subTenantKey } : {}),
      rule: rule.name,
      reason: `the rule "${rule.name}" matched the reply`,
      reply: cleanReplyText(text),
      expiresAt: this.#clock() + action.forMs,
    });
    this.#paths.refresh(path);
    if (RECALLING.includes(action.kind)) this.#sessions.recall(path);
  }
}

function isDirect(path: Path): boolean {
  return path.plan.via === 'mta';
}

function signalSite(path: Path, signal: PathSignal): SourceSite {
  const { source } = path.plan;
  const site = isDirect(path) ? siteOfKey(signal.site) : smarthostSite(source);
  return { source, site, provider: path.provider };
}
