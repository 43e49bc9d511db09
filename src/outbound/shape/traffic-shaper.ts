// Decides how many messages of a queue may be sent now, and the path of each message. Both follow from one list of limits.
import type { ReplanBackOff } from './queue-limits.js';
import type { ShapingContext } from './context.js';
import type { Outcome } from '../outcome/attempt.rules.js';
import type { Failure } from '../outcome/failure.js';
import type { DeliveryPlan, PathSignal, PlannedRoute } from '../deliver/delivery-plan.rules.js';
import type { LimitReason } from '../explain/explain-facts.rules.js';
import type { Admission, Admitted, InFlight } from '../schedule/admission.js';
import { typeOfRank } from '../../messages/queue-rank.rules.js';
import type { Clock } from '../../lib/runtime/index.js';
import type { Claim, QueueKey, ThrottleRow } from '../schedule/queue.store.js';
import type { WakeUp } from '../schedule/wake-up.js';
import { PORT_RULE } from './blocked-ports.js';
import type { Feedback } from './feedback.js';
import type { InFlightLimit } from './in-flight-limit.js';
import type { ActiveLimits } from './active-limits.js';
import { checkAll, Reservation, reserveAll, type Limit } from './limit.js';
import { ADAPTIVE_RULE, type Path, type Paths } from './paths.js';
import type { TenantLimits } from './tenant-limits.js';
import type { RouteLookUps } from '../route/route-look-ups.js';
import { BREAKER_RULE, type CircuitBreakers } from './circuit-breakers.js';
import type { Destination, Routed, Router } from '../route/router.js';
import type { EgressPools, EnvelopeFacts } from '../route/egress-pools.js';
import type { ShareChoice } from '../route/share.rules.js';
import type { SideChooser } from '../route/side-chooser.js';
import type { LimitOverride } from '../outbound.tables.js';

/** Number of messages of a domain that may be in flight before its hosts are known. */
const UNKNOWN_DOMAIN_CAPACITY = 20;
/** Facts about a domain that say that its mail is another node's are asked for again after this time. */
const ELSEWHERE_MS = 60_000;

const AGAIN: DeliveryPlan = { kind: 'replan', side: null };

interface TrafficShaperOptions {
  /** Limits of a queue, regardless of its path, in the order in which their reasons are shown; `replan` is one of them. */
  queueLimits: readonly Limit<QueueKey>[];
  feedback: Feedback;
  /** By name. */
  smarthostHosts: ReadonlyMap<string, string>;
  /** Most sandbox messages in flight. */
  sandboxCapacity: number;
}

export class TrafficShaper implements Admission {
  /** Limits of a queue, regardless of its path, in the order in which their reasons are shown; `replan` is one of them. */
  readonly #queueLimits: readonly Limit<QueueKey>[];
  readonly #replan: ReplanBackOff;
  readonly #tenants: TenantLimits;
  /** `null` if this node has every path. Then a domain is looked up with its first messages. */
  readonly #lookUps: RouteLookUps | null;
  readonly #window: InFlightLimit;
  readonly #router: Router;
  readonly #pools: EgressPools;
  readonly #sides: SideChooser;
  readonly #paths: Paths;
  readonly #limits: ActiveLimits;
  readonly #breakers: CircuitBreakers;
  readonly #feedback: Feedback;
  /** By name. */
  readonly #smarthostHosts: ReadonlyMap<string, string>;
  /** Most sandbox messages in flight. */
  readonly #sandboxCapacity: number;
  readonly #clock: Clock;
  readonly #wakeUp: WakeUp;

  constructor(
    context: Pick<
      ShapingContext,
      | 'tenants'
      | 'lookUps'
      | 'replan'
      | 'window'
      | 'router'
      | 'pools'
      | 'sides'
      | 'paths'
      | 'limits'
      | 'breakers'
      | 'wakeUp'
      | 'clock'
    >,
    { queueLimits, feedback, smarthostHosts, sandboxCapacity }: TrafficShaperOptions,
  ) {
    this.#queueLimits = queueLimits;
    this.#replan = context.replan;
    this.#tenants = context.tenants;
    this.#lookUps = context.lookUps;
    this.#window = context.window;
    this.#router = context.router;
    this.#pools = context.pools;
    this.#sides = context.sides;
    this.#paths = context.paths;
    this.#limits = context.limits;
    this.#breakers = context.breakers;
    this.#feedback = feedback;
    this.#smarthostHosts = smarthostHosts;
    this.#sandboxCapacity = sandboxCapacity;
    this.#clock = context.clock;
    this.#wakeUp = context.wakeUp;
  }

  // ---- what the scheduler asks ----

  check(queue: QueueKey, now: number): Admitted {
    return this.#check(queue, now, true);
  }

  /** `isAsking`: whether to look up an unknown domain. */
  #check(queue: QueueKey, now: number, isAsking: boolean): Admitted {
    const found = checkAll(this.#queueLimits, queue, now);
    if (found.kind === 'closed') return { kind: 'closed', reason: found.reason };
    const { domain, rank } = queue;
    if (queue.mode === 'test') {
      return this.#within('sandbox', rank, this.#sandboxCapacity, found.capacity);
    }
    const destination = this.#router.known(domain);
    if (!destination) return this.#checkUnknown(queue, found.capacity, isAsking);
    const envelope = { tenantKey: queue.subTenantKey, rank, type: typeOfRank(rank), tags: [] };
    const choice = this.#pools.find(envelope, destination, now, queue.side);
    if (choice.kind === 'closed') {
      if (!choice.isElsewhere) return { kind: 'closed', reason: choice.reason };
      // Its servers may have changed, and the node with them.
      const isOld = Math.abs(now - destination.lookedUpAt) > ELSEWHERE_MS;
      return isOld && isAsking ? this.#checkUnknown(queue, found.capacity, true) : { kind: 'elsewhere' };
    }
    const group = choice.paths[0]?.use.path.group ?? destination.group;
    const open = choice.paths.reduce((sum, { capacity }) => sum + capacity, 0);
    return this.#within(group, rank, null, Math.min(found.capacity, open));
  }

  #checkUnknown(queue: QueueKey, others: number, isAsking: boolean): Admitted {
    const { domain, rank } = queue;
    if (this.#lookUps?.isNeeded() !== true || !isAsking)
      return this.#within(`domain ${domain}`, rank, UNKNOWN_DOMAIN_CAPACITY, others);
    const until = this.#lookUps.ask(queue);
    const reason = {
      code: 'concurrency_limited',
      until,
      detail: 'The mail servers are being looked up.',
    } as const;
    return until === null
      ? { kind: 'at_limit', group: lookUpGroup(domain), reason }
      : { kind: 'closed', reason };
  }

  reserve(queue: QueueKey, group: string, count: number): Reservation {
    const holds = reserveAll(this.#queueLimits, queue, count, this.#clock());
    holds.push(this.#window.reserve({ group }, count));
    return new Reservation(group, holds, count);
  }

  sharedThrottleOf(queue: QueueKey): ThrottleRow | null {
    return this.#tenants.throttleOf(queue);
  }

  throttleCounted(key: string, tat: number): void {
    this.#tenants.learn(key, tat);
  }

  /** Whether this node knows why the queue's mail waits: it delivers by one of its paths. */
  mayJudge(queue: QueueKey): boolean {
    if (this.#lookUps?.isNeeded() !== true || queue.mode === 'test') return true;
    if (this.#router.known(queue.domain) === undefined) {
      this.#lookUps.ask(queue);
      return false;
    }
    return this.#check(queue, this.#clock(), false).kind !== 'elsewhere';
  }

  /** Why nothing of the queue may go now; null when it may, as far as this node knows. */
  reasonFor(queue: QueueKey): LimitReason | null {
    const found = this.#check(queue, this.#clock(), false);
    return found.kind === 'at_limit' || found.kind === 'closed' ? found.reason : null;
  }

  /** The message could not be sent after all, so the queue is not claimed from again immediately. */
  backOff(queueId: number): void {
    this.#replan.add(queueId, this.#clock());
  }

  /** `most` is the fixed number of the group; `null` uses its window. `others` is what the other limits permit. */
  #within(group: string, rank: number, most: number | null, others: number): Admitted {
    const found = this.#window.check({ group, rank, most });
    if (found.kind === 'closed') return { kind: 'at_limit', group, reason: found.reason };
    return { kind: 'open', capacity: Math.min(found.capacity, others), group };
  }

  // ---- what the transport asks ----

  /** Reserves the path and route of a claimed message and returns them, immediately if they are cached. */
  plan(entry: InFlight): DeliveryPlan | Promise<DeliveryPlan> {
    const { domain, tlsTerms: terms } = entry.claim;
    const found = this.#router.find({ domain, families: this.#pools.families, terms });
    return found instanceof Promise
      ? found.then((routed) => this.#choose(entry, routed))
      : this.#choose(entry, found);
  }

  /** Learns from what happened to sessions. */
  observe(signals: readonly PathSignal[]): void {
    for (const signal of signals) this.#feedback.observed(signal);
  }

  /** Learns from what became of a message. To be called before its outcome is recorded. */
  ended({ claim, track }: InFlight, { result }: Outcome, failure: Failure | null): void {
    if (!track) return;
    // The last check before delivery found that the sub-tenant is stopped.
    if (result.kind === 'held' && result.reason === 'tenant') this.backOff(claim.queueId);
    this.#feedback.ended(track, claim, result, failure);
  }

  /** Another source that the message may leave by; null without one. To be called after `ended`. */
  otherSource({ claim, track }: InFlight): string | null {
    const destination = this.#router.known(claim.domain);
    if (!track || !destination) return null;
    return this.#pools.otherSource(track.path, envelopeOf(claim), destination);
  }

  /** A worker has died with its sessions. */
  workerEnded(pathIds: Iterable<number>): void {
    for (const id of pathIds) {
      const path = this.#paths.byId(id);
      if (!path) continue;
      path.openSessions = 0;
      path.sessions = 0;
    }
  }

  #choose(entry: InFlight, routed: Routed): DeliveryPlan | Promise<DeliveryPlan> {
    const { claim } = entry;
    const envelope = envelopeOf(claim);
    const share = this.#pools.shareFor(envelope, routed.destination, this.#clock());
    if (share === null) return this.#choosePath(entry, routed, envelope, null);
    const choice = this.#sides.choose(claim, share);
    return choice instanceof Promise
      ? choice.then((chosen) => this.#choosePath(entry, routed, envelope, chosen))
      : this.#choosePath(entry, routed, envelope, choice);
  }

  #choosePath(
    entry: InFlight,
    { destination, route }: Routed,
    envelope: EnvelopeFacts,
    share: ShareChoice | null,
  ): DeliveryPlan | Promise<DeliveryPlan> {
    const { claim } = entry;
    const now = this.#clock();
    const choice = this.#pools.find(envelope, destination, now, share?.side ?? null);
    const chosen = choice.kind === 'open' ? this.#pools.pick(choice.paths, claim.source) : undefined;
    if (choice.kind === 'closed' || !chosen) {
      // The other side may be open, so the message waits in its side's queue.
      if (share !== null && claim.side !== share.side) return { kind: 'replan', side: share.side };
      this.backOff(claim.queueId);
      return AGAIN;
    }
    const { path, site } = chosen.use;
    // A smarthost finds its own route to the domain, even if this server finds none.
    if (path.plan.via === 'mta' && route.kind !== 'route')
      return this.#unroutable(entry, destination, route, share);
    entry.track = { path, site, startedAt: now };
    entry.reservation.add(this.#pools.reserve(chosen, now));
    const { note } = choice;
    const exact = this.#exactRoute(claim, path, route);
    return exact instanceof Promise
      ? exact.then((found) =>
          // Its source may have been suspended during the look-up.
          this.#pools.isSuspended(path, this.#clock()) ? AGAIN : planFor(path, found.route, note, share),
        )
      : planFor(path, exact, note, share);
  }

  /** A message without a route uses no path and reserves nothing; it is recorded under a path. */
  #unroutable(
    entry: InFlight,
    destination: Destination,
    route: PlannedRoute,
    share: ShareChoice | null,
  ): DeliveryPlan {
    const path = this.#pools.anyPath(destination);
    const { site } = destination;
    const { source } = path.plan;
    entry.track = { path, site: { source, site, provider: path.provider }, startedAt: this.#clock() };
    return planFor(path, route, null, share);
  }

  /** The route with the families of the chosen source, or to the smarthost. */
  #exactRoute(claim: Claim, path: Path, route: PlannedRoute): PlannedRoute | Promise<Routed> {
    const { via, source } = path.plan;
    if (via === 'smarthost') {
      const found = this.#router.findHost({ name: source, host: this.#smarthostHosts.get(source) ?? source });
      return found instanceof Promise ? found : found.route;
    }
    const families = this.#pools.familiesOf(path);
    if (
      families.length === this.#pools.families.length &&
      families.every((family, i) => family === this.#pools.families[i])
    ) {
      return route;
    }
    const found = this.#router.find({ domain: claim.domain, families, terms: claim.tlsTerms });
    return found instanceof Promise ? found : found.route;
  }

  // ---- what the operator asks ----

  /** The last route to the domain, however old; undefined before the first. */
  destinationOf(domain: string): Destination | undefined {
    return this.#router.known(domain);
  }

  /** The limits that replies have set, with what each is now. */
  overrides(): LimitOverride[] {
    return this.#paths.overrides();
  }

  /** False for an unknown id. */
  async removeOverride(id: string): Promise<boolean> {
    const row = await this.#limits.remove(id);
    if (!row) return this.#limits.removeStored(id);
    this.#lifted(row);
    this.#wakeUp.notify();
    return true;
  }

  /** Called when another node has removed the limit. */
  overrideRemoved(id: string): void {
    const row = this.#limits.forget(id);
    if (!row) return;
    this.#lifted(row);
    this.#wakeUp.notify();
  }

  /** Retries an unreachable destination with one message now. */
  probe(domain: string): void {
    const destination = this.#router.known(domain);
    if (!destination) return;
    this.#breakers.probeNow(destination.site);
    this.#wakeUp.notify();
  }

  // ---- by the clock ----

  /** Lifts limits that have expired. */
  tick(): void {
    const expired = this.#limits.expire();
    for (const row of expired) this.#lifted(row);
    if (expired.length > 0) this.#wakeUp.notify();
  }

  /** Drops paths that were not used lately. */
  forgetIdle(): void {
    this.#paths.forgetIdle();
  }

  #lifted(row: LimitOverride): void {
    if (row.rule === BREAKER_RULE || row.rule === PORT_RULE) {
      this.#breakers.forget(row);
      return;
    }
    const path = this.#paths.byKey(row.path);
    if (!path) return;
    if (row.rule === ADAPTIVE_RULE) this.#paths.restart(path);
    else this.#paths.refresh(path);
  }
}

/** Queues whose domain is being looked up wait for this group. */
export function lookUpGroup(domain: string): string {
  return `look-up ${domain}`;
}

function envelopeOf({ subTenantId, rank, type, tags }: Claim): EnvelopeFacts {
  return {
    tenantKey: subTenantId ?? '',
    rank,
    type,
    tags: tags === '[]' ? [] : (JSON.parse(tags) as string[]),
  };
}

function planFor(
  path: Path,
  route: PlannedRoute,
  note: string | null,
  share: ShareChoice | null,
): DeliveryPlan {
  return { kind: 'go', path: path.plan, group: path.group, route, note, share };
}
