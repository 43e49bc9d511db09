// Limits mail to unreachable destinations: a circuit breaker for each site as seen from each source, and for each source whose own
// address cannot be used.
import type { ShapingContext } from './context.js';
import {
  breakerFailed,
  breakerPosition,
  breakerProbing,
  breakerProbeReleased,
  breakerSucceeded,
  type BreakerPosition,
  type BreakerState,
} from './circuit-breaker.rules.js';
import type { Clock } from '../../lib/runtime/index.js';
import { PORT_RULE, type BlockedPorts, type PortStatus } from './blocked-ports.js';
import type { ActiveLimits } from './active-limits.js';
import type { WakeUp } from '../schedule/wake-up.js';
import type { Capacity, Hold, Limit } from './limit.js';
import type { PathUse } from './path-limits.js';
import type { LimitOverride } from '../outbound.tables.js';

export const BREAKER_RULE = 'circuit breaker';
const UNUSABLE = 'its address cannot be used on this machine';
/** Time (ms) that the row of an unused breaker stays. */
const STORED_MS = 86_400_000;

/** A site as seen from a source. */
export interface SourceSite {
  source: string;
  site: string;
  provider: string | null;
}

export class CircuitBreakers implements Limit<PathUse> {
  readonly name = 'circuit breaker';
  readonly #limits: ActiveLimits;
  readonly #ports: BlockedPorts;
  /** Pauses after the first, second... failure in a row; the last repeats. */
  readonly #pausesMs: readonly number[];
  readonly #sourcePausesMs: readonly number[];
  readonly #clock: Clock;
  readonly #wakeUp: WakeUp;
  readonly #states = new Map<string, BreakerState>();
  /** Of the states, by the same keys. */
  readonly #sites = new Map<string, SourceSite>();

  constructor(
    { limits, ports, wakeUp, clock }: Pick<ShapingContext, 'limits' | 'ports' | 'wakeUp' | 'clock'>,
    { pausesMs, sourcePausesMs }: { pausesMs: readonly number[]; sourcePausesMs: readonly number[] },
  ) {
    this.#limits = limits;
    this.#ports = ports;
    this.#pausesMs = pausesMs;
    this.#sourcePausesMs = sourcePausesMs;
    this.#clock = clock;
    this.#wakeUp = wakeUp;
  }

  check({ path, site, hasOther }: PathUse, now: number): Capacity {
    const { source, via } = path.plan;
    const isDirect = via === 'mta';
    const bySite = this.#position(siteKey(site), now);
    const bySource = isDirect ? this.#sourceStatus(source, now) : ({ kind: 'closed' } as const);
    // A few dead domains can look like a blocked network. This is only a guess, and not a reason to stop all mail.
    if (bySource.kind === 'open' && (!bySource.isGuess || bySite.kind === 'open')) {
      const detail = `${source} is temporarily not used because ${bySource.detail}.`;
      const reason = { code: 'source_unreachable', until: bySource.until, detail } as const;
      return { kind: 'closed', reason, isSourceDown: !bySource.isGuess };
    }
    if (bySite.kind === 'open') {
      const what = isDirect ? site.site : `smarthost ${source}`;
      const detail = `${what} could not be reached from ${source}.`;
      const reason = { code: 'circuit_open', until: bySite.until, detail } as const;
      return { kind: 'closed', reason, isSourceDown: !isDirect };
    }
    const isProbe = bySite.kind === 'probe' || (hasOther && bySource.kind === 'probe');
    return { kind: 'open', capacity: isProbe ? 1 : Infinity, isDoubtful: bySource.kind === 'open' };
  }

  /** A message that probes closes the breaker behind it until it has ended. */
  reserve({ site }: PathUse, _count: number, now: number): Hold | null {
    const probed = [siteKey(site), sourceKey(site.source)].filter((key) => {
      const state = this.#readState(key);
      if (!state || breakerPosition(state, now).kind !== 'probe') return false;
      this.#states.set(key, breakerProbing(state, now));
      return true;
    });
    if (probed.length === 0) return null;
    return (_ended, isSent) => !isSent && probed.filter((key) => this.#probeReleased(key)).length > 0;
  }

  /** A session works. `address`: the peer's, of one that was opened directly. */
  reached(site: SourceSite, address?: string): void {
    this.#succeed(siteKey(site));
    this.#succeed(sourceKey(site.source));
    this.#ports.answered(site.source, address);
  }

  /** Notes that no session could be opened. `isSilent`: no address answered, not even by refusing. */
  failed(site: SourceSite, { text, isSilent }: { text: string; isSilent: boolean }): void {
    this.#fail(siteKey(site), site, { reason: 'cannot be reached', text }, this.#pausesMs);
    if (isSilent) this.#ports.silent(site.source, site.site, text);
    else this.#ports.answered(site.source);
  }

  /** Notes that the source's own address cannot be used. */
  sourceFailed(source: string, text: string): void {
    const everywhere = { source, site: '*', provider: null };
    this.#fail(sourceKey(source), everywhere, { reason: UNUSABLE, text }, this.#sourcePausesMs);
  }

  /** Lets one message through the site's breakers now. */
  probeNow(site: string): void {
    const now = this.#clock();
    for (const [key, state] of this.#states) {
      if (key.endsWith(` > ${site}`) && state.openUntil !== null) {
        this.#states.set(key, { ...state, openUntil: now, probing: false });
      }
    }
  }

  /** Called when an operator has removed the row, or it has expired. */
  forget({ rule, path, source }: Pick<LimitOverride, 'rule' | 'path' | 'source'>): void {
    if (rule === PORT_RULE) this.#ports.forget(source);
    else this.#drop(path);
  }

  #drop(key: string): void {
    this.#states.delete(key);
    this.#sites.delete(key);
  }

  /** Forgets sites that other nodes have delivered to in the meantime, so that their rows are read again. */
  forgetSites(isMeant: (site: SourceSite) => boolean): void {
    for (const [key, site] of this.#sites) {
      if (!isMeant(site)) continue;
      this.#drop(key);
    }
  }

  /** `open`: no mail should leave from the source now. */
  #sourceStatus(source: string, now: number): PortStatus | Exclude<BreakerPosition, { kind: 'open' }> {
    const own = this.#position(sourceKey(source), now);
    if (own.kind === 'open') return { ...own, isGuess: false, detail: UNUSABLE };
    const port = this.#ports.check(source, now);
    return port.kind === 'open' ? port : own;
  }

  /** The state in memory, or in the row of a former process. */
  #readState(key: string): BreakerState | undefined {
    const known = this.#states.get(key);
    if (known) return known;
    const stored = this.#limits.of(key).find(({ row }) => row.rule === BREAKER_RULE);
    // A former version stored its guesses about port 25 in this form.
    if (!stored || (stored.row.site === '*' && stored.row.reason !== UNUSABLE)) return undefined;
    const state = stored.value as BreakerState;
    this.#states.set(key, state);
    this.#sites.set(key, stored.row);
    return state;
  }

  #position(key: string, now: number): BreakerPosition {
    const state = this.#readState(key);
    return state ? breakerPosition(state, now) : { kind: 'closed' };
  }

  #fail(
    key: string,
    site: SourceSite,
    why: { reason: string; text: string },
    pausesMs: readonly number[],
  ): void {
    const now = this.#clock();
    const before = this.#readState(key) ?? breakerSucceeded();
    const state = breakerFailed(before, now, { rounds: 1, pausesMs });
    if (state === before || state.openUntil === null) return;
    this.#states.set(key, state);
    this.#sites.set(key, site);
    // The probe has ended, so queues no longer wait for it.
    if (before.probing) this.#wakeUp.notify();
    this.#limits.put({
      ...site,
      path: key,
      kind: 'suspend',
      value: state,
      rule: BREAKER_RULE,
      reason: why.reason,
      reply: why.text,
      expiresAt: state.openUntil + STORED_MS,
    });
  }

  #succeed(key: string): void {
    if (this.#readState(key) === undefined) return;
    this.#drop(key);
    this.#limits.drop(key, 'suspend', BREAKER_RULE);
    this.#wakeUp.notify();
  }

  #probeReleased(key: string): boolean {
    const state = this.#readState(key);
    if (state?.probing !== true) return false;
    this.#states.set(key, breakerProbeReleased(state, this.#clock()));
    return true;
  }
}

function siteKey({ source, site }: SourceSite): string {
  return `${source} > ${site}`;
}

function sourceKey(source: string): string {
  return `${source} > *`;
}
