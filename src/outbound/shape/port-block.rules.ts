// Decides whether outbound port 25 is blocked for one of the server's addresses. Silence of many sites is only a guess, because any
// domain may name hosts that never answer. Silence of hosts that are known to answer makes it certain.

/** Number of silent sites that suggest a block. */
const SILENT_SITES = 3;
/** Known hosts that must be silent to make it certain. */
export const SILENT_HOSTS = 2;
/** Silence observed longer ago than this is ignored. */
const REMEMBERED_MS = 3_600_000;
const MAX_SITES = 50;

/** First and last silence of each site, in epoch ms. Cleared by every answer that the source gets. */
export type SilentSites = ReadonlyMap<string, { first: number; last: number }>;

/** Applies one more connect attempt without any answer, not even a refusal. */
export function siteSilent(sites: SilentSites, site: string, now: number): SilentSites {
  const next = new Map<string, { first: number; last: number }>();
  for (const [name, times] of sites) {
    // Later than now: the clock was set back.
    if (name !== site && times.last > now - REMEMBERED_MS && times.last <= now) next.set(name, times);
  }
  const known = sites.get(site);
  const isRecent = known !== undefined && known.last > now - REMEMBERED_MS && known.last <= now;
  if (isRecent || next.size < MAX_SITES) next.set(site, { first: isRecent ? known.first : now, last: now });
  return next;
}

/** Several sites, over at least `silenceMs`. */
export function isSuspicious(sites: SilentSites, now: number, silenceMs: number): boolean {
  const first = Math.min(...[...sites.values()].map((times) => times.first));
  return sites.size >= SILENT_SITES && now - first >= silenceMs;
}

/** Answer of a known host to a connection; `unknown`: it could not be tried. */
export type HostAnswer = 'answered' | 'silent' | 'unknown';

/** `open`: a host answers. `suspected`: too few known hosts were silent for certainty. */
export type PortVerdict = 'open' | 'suspected' | 'blocked';

export function portVerdict(answers: readonly HostAnswer[]): PortVerdict {
  if (answers.includes('answered')) return 'open';
  return answers.filter((answer) => answer === 'silent').length >= SILENT_HOSTS ? 'blocked' : 'suspected';
}
