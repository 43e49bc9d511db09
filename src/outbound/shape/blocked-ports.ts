// Detects that port 25 is blocked for a source. After many silent sites in a row, it connects to hosts that have answered the
// source before or are known to answer. The block is certain only if these are silent too; without such hosts, it remains a guess.
import type { ShapingContext } from './context.js';
import {
  isSuspicious,
  siteSilent,
  type HostAnswer,
  portVerdict,
  type SilentSites,
} from './port-block.rules.js';
import type { Clock, Log } from '../../lib/runtime/index.js';
import type { ActiveLimits } from './active-limits.js';
import type { PersistedCounters } from './persisted-counters.js';
import type { WakeUp } from '../schedule/wake-up.js';

export const PORT_RULE = 'port 25 blocked';
const REASONS = {
  suspected: 'no server has responded for some time, so outbound port 25 may be blocked',
  blocked: 'servers that are known to be reachable do not respond, so outbound port 25 is blocked',
} as const;
/** Time (ms) that the row of an unused source stays. */
const STORED_MS = 86_400_000;
/** Number of hosts remembered per source that have answered it. */
const ANSWERED_HOSTS = 5;
/** Time (ms) after which another answer of a host is noted. */
const NOTED_MS = 3_600_000;

/** Stored while the source is closed. */
interface Closing {
  certainty: keyof typeof REASONS;
  /** Epoch ms. */
  until: number;
  /** Times in a row. */
  times: number;
}

interface Answered {
  address: string;
  at: number;
}

/** `open` as in a circuit breaker: no mail should leave. A guess does not stop mail that has no other path. */
export type PortStatus =
  | { kind: 'closed' }
  | { kind: 'open'; until: number; isGuess: boolean; detail: string };

/** Connects from the source to these addresses and, if there are few, to others that are known to answer. */
export type TryHosts = (source: string, addresses: readonly string[]) => Promise<readonly HostAnswer[]>;

export class BlockedPorts {
  readonly #limits: ActiveLimits;
  readonly #counters: PersistedCounters;
  readonly #clock: Clock;
  readonly #wakeUp: WakeUp;
  /** The first is also how long the silence must have lasted; milliseconds. */
  readonly #pausesMs: readonly number[];
  readonly #tryHosts: TryHosts;
  readonly #log: Log;
  readonly #silences = new Map<string, SilentSites>();
  /** Checks in progress, by source. */
  readonly #checks = new Map<string, object>();

  constructor(
    context: Pick<ShapingContext, 'limits' | 'counters' | 'wakeUp' | 'clock' | 'log'>,
    { pausesMs, tryHosts }: { pausesMs: readonly number[]; tryHosts: TryHosts },
  ) {
    this.#limits = context.limits;
    this.#counters = context.counters;
    this.#clock = context.clock;
    this.#wakeUp = context.wakeUp;
    this.#pausesMs = pausesMs;
    this.#tryHosts = tryHosts;
    this.#log = context.log;
  }

  check(source: string, now: number): PortStatus {
    const closing = this.#findClosing(source);
    if (!closing) return { kind: 'closed' };
    if (now >= closing.until) this.#checkOnce(source, '');
    // The limit is checked again when the port check has ended.
    return {
      kind: 'open',
      until: Math.max(closing.until, now + 1_000),
      isGuess: closing.certainty === 'suspected',
      detail: REASONS[closing.certainty],
    };
  }

  /** Notes that a host has answered, even by refusing. `address` is set if it opened a session. */
  answered(source: string, address?: string): void {
    this.#open(source);
    if (address === undefined) return;
    const hosts = this.#answeredHosts(source);
    const now = this.#clock();
    if (hosts.some((host) => host.address === address && host.at > now - NOTED_MS)) return;
    const others = hosts.filter((host) => host.address !== address);
    this.#counters.put(hostsKey(source), [{ address, at: now }, ...others].slice(0, ANSWERED_HOSTS));
  }

  silent(source: string, site: string, text: string): void {
    const now = this.#clock();
    this.#silences.set(source, siteSilent(this.#silences.get(source) ?? new Map(), site, now));
    if (!this.#findClosing(source) && this.#isSilent(source)) this.#checkOnce(source, text);
  }

  /** Called when an operator has removed the row. */
  forget(source: string): void {
    this.#silences.delete(source);
    this.#checks.delete(source);
  }

  #findClosing(source: string): Closing | undefined {
    const found = this.#limits.of(sourceKey(source)).find(({ row }) => row.rule === PORT_RULE);
    return found?.value as Closing | undefined;
  }

  #open(source: string): void {
    this.#silences.delete(source);
    this.#checks.delete(source);
    if (!this.#findClosing(source)) return;
    this.#limits.drop(sourceKey(source), 'suspend', PORT_RULE);
    this.#wakeUp.notify();
  }

  #close(source: string, certainty: Closing['certainty'], text: string): void {
    const times = (this.#findClosing(source)?.times ?? 0) + 1;
    const pauseMs = this.#pausesMs[Math.min(times, this.#pausesMs.length) - 1] ?? 0;
    const until = this.#clock() + pauseMs;
    this.#limits.put({
      source,
      site: '*',
      provider: null,
      path: sourceKey(source),
      kind: 'suspend',
      value: { certainty, until, times } satisfies Closing,
      rule: PORT_RULE,
      reason: REASONS[certainty],
      reply: text,
      expiresAt: until + STORED_MS,
    });
  }

  #answeredHosts(source: string): readonly Answered[] {
    return (this.#counters.get(hostsKey(source)) as readonly Answered[] | undefined) ?? [];
  }

  /** Opens or closes the source depending on known hosts. An answer to a message in the meantime ends the check. */
  async #probeHosts(source: string, text: string): Promise<void> {
    const own = {};
    this.#checks.set(source, own);
    const hosts = this.#answeredHosts(source).map(({ address }) => address);
    const answers = await this.#tryHosts(source, hosts);
    if (this.#checks.get(source) !== own) return;
    this.#checks.delete(source);
    const found = portVerdict(answers);
    if (found === 'blocked') this.#close(source, found, text);
    else if (found === 'suspected' && this.#isSilent(source)) this.#close(source, found, text);
    else this.#open(source);
  }

  #checkOnce(source: string, text: string): void {
    if (this.#checks.has(source)) return;
    this.#probeHosts(source, text).catch((error: unknown) => {
      this.#checks.delete(source);
      this.#log.error({ err: error, source }, 'port check failed');
    });
  }

  #isSilent(source: string): boolean {
    const sites = this.#silences.get(source);
    return sites !== undefined && isSuspicious(sites, this.#clock(), this.#pausesMs[0] ?? 0);
  }
}

function sourceKey(source: string): string {
  return `${source} > *`;
}

function hostsKey(source: string): string {
  return `answered ${source}`;
}
