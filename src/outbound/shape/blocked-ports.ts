// Whether port 25 is blocked for a source. Many silent sites in a row are a reason to check: hosts that answered the source
// before, or are known to answer, are tried. Only their silence makes it certain; without such hosts it stays a guess.
import {
  isSuspicious,
  siteSilent,
  type HostAnswer,
  portVerdict,
  type SilentSites,
} from './port-block.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Log } from '../../lib/runtime/log.js';
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
/** Hosts that have answered a source, the latest first. */
const ANSWERED_HOSTS = 5;
/** A host's answer is noted again after so long. */
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

/** `open`: as a circuit is, so that no mail should leave. A guess stops no mail that has no other path. */
export type PortStatus =
  | { kind: 'closed' }
  | { kind: 'open'; until: number; isGuess: boolean; detail: string };

export interface BlockedPorts {
  check(source: string, now: number): PortStatus;
  /** A host answered, if only to refuse. `address`: of one that opened a session. */
  answered(source: string, address?: string): void;
  silent(source: string, site: string, text: string): void;
  /** An operator removed its row. */
  forget(source: string): void;
}

export interface BlockedPortsDeps {
  limits: ActiveLimits;
  counters: Pick<PersistedCounters, 'get' | 'put'>;
  /** The first is also how long the silence must have lasted; milliseconds. */
  pausesMs: readonly number[];
  /** Connects from the source to these addresses, and to others that are known to answer where there are few. */
  tryHosts: (source: string, addresses: readonly string[]) => Promise<readonly HostAnswer[]>;
  clock: Clock;
  log: Log;
  wakeUp: WakeUp;
}

export function createBlockedPorts(deps: BlockedPortsDeps): BlockedPorts {
  const { limits, counters, clock } = deps;
  const silences = new Map<string, SilentSites>();
  /** Checks in progress, by source. */
  const checks = new Map<string, object>();

  function closingOf(source: string): Closing | undefined {
    const found = limits.of(keyOf(source)).find(({ row }) => row.rule === PORT_RULE);
    return found?.value as Closing | undefined;
  }

  function open(source: string): void {
    silences.delete(source);
    checks.delete(source);
    if (!closingOf(source)) return;
    limits.drop(keyOf(source), 'suspend', PORT_RULE);
    deps.wakeUp.notify();
  }

  function close(source: string, certainty: Closing['certainty'], text: string): void {
    const times = (closingOf(source)?.times ?? 0) + 1;
    const pauseMs = deps.pausesMs[Math.min(times, deps.pausesMs.length) - 1] ?? 0;
    const until = clock() + pauseMs;
    limits.put({
      source,
      site: '*',
      provider: null,
      path: keyOf(source),
      kind: 'suspend',
      value: { certainty, until, times } satisfies Closing,
      rule: PORT_RULE,
      reason: REASONS[certainty],
      reply: text,
      expiresAt: until + STORED_MS,
    });
  }

  function answeredOf(source: string): readonly Answered[] {
    return (counters.get(hostsKey(source)) as readonly Answered[] | undefined) ?? [];
  }

  /** Opens or closes the source by what known hosts do. An answer that a message gets meanwhile ends the check. */
  async function probeHosts(source: string, text: string): Promise<void> {
    const own = {};
    checks.set(source, own);
    const hosts = answeredOf(source).map(({ address }) => address);
    const answers = await deps.tryHosts(source, hosts);
    if (checks.get(source) !== own) return;
    checks.delete(source);
    const found = portVerdict(answers);
    if (found === 'blocked') close(source, found, text);
    else if (found === 'suspected' && isSilent(source)) close(source, found, text);
    else open(source);
  }

  function checkOnce(source: string, text: string): void {
    if (checks.has(source)) return;
    probeHosts(source, text).catch((error: unknown) => {
      checks.delete(source);
      deps.log.error({ err: error, source }, 'port check failed');
    });
  }

  function isSilent(source: string): boolean {
    const sites = silences.get(source);
    return sites !== undefined && isSuspicious(sites, clock(), deps.pausesMs[0] ?? 0);
  }

  return {
    check(source, now) {
      const closing = closingOf(source);
      if (!closing) return { kind: 'closed' };
      if (now >= closing.until) checkOnce(source, '');
      // Asked again when the check has its answer.
      return {
        kind: 'open',
        until: Math.max(closing.until, now + 1_000),
        isGuess: closing.certainty === 'suspected',
        detail: REASONS[closing.certainty],
      };
    },
    answered(source, address) {
      open(source);
      if (address === undefined) return;
      const hosts = answeredOf(source);
      const now = clock();
      if (hosts.some((host) => host.address === address && host.at > now - NOTED_MS)) return;
      const others = hosts.filter((host) => host.address !== address);
      counters.put(hostsKey(source), [{ address, at: now }, ...others].slice(0, ANSWERED_HOSTS));
    },
    silent(source, site, text) {
      const now = clock();
      silences.set(source, siteSilent(silences.get(source) ?? new Map(), site, now));
      if (!closingOf(source) && isSilent(source)) checkOnce(source, text);
    },
    forget(source) {
      silences.delete(source);
      checks.delete(source);
    },
  };
}

function keyOf(source: string): string {
  return `${source} > *`;
}

function hostsKey(source: string): string {
  return `answered ${source}`;
}
