// What is learnt from how mail went: reachability, room, connections, and the limits that the rules make of peers' replies.
import type { Outcome } from '../outcome/attempt.rules.js';
import {
  automationFor,
  triggered,
  type AutomationActionKind,
  type AutomationRule,
} from './automation.rules.js';
import { type ReplyPhase } from '../outcome/bounce-class.rules.js';
import { cleanReplyText } from '../../lib/smtp/reply-text.rules.js';
import type { PathSignal } from '../deliver/delivery-plan.rules.js';
import type { ReplyVerdict } from '../outcome/disposition.rules.js';
import { isAddressBlock } from '../schedule/retry-schedule.rules.js';
import { automationOf, type Shaping } from './shaping.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Claim } from '../schedule/queue.store.js';
import type { InFlight } from './in-flight.js';
import type { LimitsInForce } from './active-limits.js';
import type { Path, Paths } from './paths.js';
import type { Place, Reachability } from './circuit-breakers.js';
import { siteOfKey } from '../route/router.js';
import type { Throttles } from './throttles.js';
import { smarthostSite, type WaysOut } from '../route/egress-pools.js';

/** What TLS or the credentials lack is for the messages that need them, not for the destination. */
const TERMS_PHASES: readonly ReplyPhase[] = ['starttls', 'tls', 'auth'];
/** Replies of the phases before these are heard as signals of the session. */
const MAIL_PHASES: readonly (ReplyPhase | 'route')[] = ['mail', 'rcpt', 'data', 'dot'];

/** After these less may leave than was handed over already. */
const RECALLING: readonly AutomationActionKind[] = ['suspend', 'suspend_tenant', 'rate'];

/** What was said against a message. */
export interface Said {
  verdict: ReplyVerdict;
  phase: ReplyPhase | 'route';
  code: number | null;
  enhanced: string | null;
  text: string;
}

/** A claimed message on its way. */
export interface Ride {
  path: Path;
  place: Place;
  group: string;
  startedAt: number;
  /** It was counted on the path; what has no route leaves by none. */
  isCounted: boolean;
  /** Also on its rate, which may be younger than the message's way. */
  isRated: boolean;
}

export interface FeedbackDeps {
  ways: Pick<WaysOut, 'count' | 'giveBack' | 'blocked'>;
  paths: Paths;
  limits: LimitsInForce;
  reachability: Reachability;
  inFlight: InFlight;
  throttles: Throttles;
  shaping: Shaping;
  clock: Clock;
  /** What waits for the path is to be planned again. */
  onRecalled: (path: Path) => void;
}

export interface Feedback {
  heard(signal: PathSignal): void;
  /** True when it gave something back that others may wait for. */
  ended(ride: Ride, claim: Claim, outcome: Outcome, said: Said | null): boolean;
}

export function createFeedback(deps: FeedbackDeps): Feedback {
  const { ways, paths, limits, reachability, inFlight, throttles, clock } = deps;

  function siteOf(path: Path, signal: PathSignal): Place {
    const site = path.plan.via === 'smarthost' ? smarthostSite(path.plan.source) : siteOfKey(signal.site);
    return { source: path.plan.source, site, provider: path.provider };
  }

  function heard(signal: PathSignal): void {
    const path = paths.byId(signal.pathId);
    if (!path) return;
    const place = siteOf(path, signal);
    switch (signal.kind) {
      case 'opened':
        paths.opened(path);
        reachability.reached(place, isDirect(path) ? signal.address : undefined);
        return;
      case 'closed':
        path.openSessions = Math.max(0, path.openSessions - 1);
        return;
      case 'refused':
        automate(path, { phase: signal.phase, code: signal.code, enhanced: null, text: signal.text }, '');
        // A 421 closes the door to whatever terms.
        if (TERMS_PHASES.includes(signal.phase) && signal.code !== 421) {
          reachability.reached(place);
          return;
        }
        // Those that the peer lets in are still at their handshake when it has refused the one too many.
        if (path.openSessions > 0 || (signal.beside > 0 && signal.code < 500))
          paths.crowded(path, { reason: 'a session was refused', reply: signal.text });
        else if (!TERMS_PHASES.includes(signal.phase)) {
          reachability.failed(place, { text: signal.text, isSilent: false });
        }
        return;
      case 'unreachable':
        if (signal.isOurs) reachability.sourceFailed(place, signal.error);
        else if (TERMS_PHASES.includes(signal.phase)) reachability.reached(place);
        else if (path.openSessions > 0)
          paths.crowded(path, { reason: 'no further connection', reply: signal.error });
        else reachability.failed(place, { text: signal.error, isSilent: signal.isSilent && isDirect(path) });
        return;
    }
  }

  function isDirect(path: Path): boolean {
    return path.plan.via === 'mta';
  }

  /** What the rules make of a reply. */
  function automate(
    path: Path,
    reply: { phase: ReplyPhase; code: number; enhanced: string | null; text: string },
    tenantKeyOfMail: string,
  ): void {
    const { provider } = path;
    const rules = automationFor({ automation: automationOf(deps.shaping, provider) }, { ...reply, provider });
    for (const rule of rules) {
      const key = rule.action.kind === 'suspend_tenant' ? `${rule.name} ${tenantKeyOfMail}` : rule.name;
      const { fires, counts } = triggered(rule, path.triggers.get(key), clock());
      path.triggers.set(key, counts);
      if (fires) enforce(path, rule, reply.text, tenantKeyOfMail);
    }
  }

  function enforce(path: Path, rule: AutomationRule, text: string, subTenantKey: string): void {
    const { action } = rule;
    limits.put({
      path: path.key,
      provider: path.provider,
      site: path.group,
      source: path.plan.source,
      kind: action.kind,
      value: 'rate' in action ? action.rate : 'limit' in action ? { limit: action.limit } : {},
      ...(action.kind === 'suspend_tenant' ? { subTenantKey } : {}),
      rule: rule.name,
      reason: `the rule "${rule.name}" holds for the peer's reply`,
      reply: cleanReplyText(text),
      expiresAt: clock() + action.forMs,
    });
    paths.refresh(path);
    if (RECALLING.includes(action.kind)) deps.onRecalled(path);
  }

  function ended(ride: Ride, claim: Claim, outcome: Outcome, said: Said | null): boolean {
    const { path, place, group, startedAt } = ride;
    const { result } = outcome;
    switch (result.kind) {
      case 'accepted':
        inFlight.settled(group, clock() - startedAt);
        paths.accepted(path);
        // Kept sessions reach it too, and open no new one that would tell.
        reachability.reached(place);
        return false;
      case 'refused':
      case 'unreachable':
      case 'unroutable':
      case 'ambiguous':
        if (result.kind === 'refused' && result.phase !== 'greeting')
          inFlight.settled(group, clock() - startedAt);
        else inFlight.returned(group);
        if (said) answered(path, claim, said);
        return false;
      case 'unattempted':
        if (result.stalled) inFlight.returned(group);
        return unused(ride, claim);
      case 'suppressed':
      case 'skipped':
      case 'held':
      case 'failed':
        return unused(ride, claim);
    }
  }

  /** It did not come to an attempt: what it took is free again. */
  function unused({ path, place, isCounted, isRated }: Ride, claim: Claim): boolean {
    const { environmentId, subTenantId } = claim;
    const isWayFree = isCounted && ways.giveBack(path, isRated);
    if (isCounted) reachability.probeUnused(place);
    const isThrottled = throttles.giveBack({ environmentId, subTenantKey: subTenantId ?? '' }, 1);
    return isWayFree || isThrottled;
  }

  function answered(path: Path, claim: Claim, { verdict, phase, code, enhanced, text }: Said): void {
    if (verdict.disposition === 'retry') ways.count(path, 'deferred');
    if (verdict.disposition === 'retry' && isAddressBlock(verdict.category, code)) {
      ways.blocked(path);
      deps.onRecalled(path);
    }
    if (code === null || phase === 'route' || !MAIL_PHASES.includes(phase)) return;
    automate(path, { phase, code, enhanced, text }, claim.subTenantId ?? '');
    if (code === 421 || (verdict.category === 'rate_limited' && verdict.disposition === 'retry')) {
      paths.crowded(path, { reason: 'a reply said that there is too much', reply: cleanReplyText(text) });
    }
  }

  return { heard, ended };
}
