// Whether outgoing port 25 is blocked for one of our addresses. Silence of many sites is only a guess, since any domain may
// be dead; it is certain when hosts that are known to answer are silent as well.

/** Sites whose silence makes a guess. */
const SILENT_SITES = 3;
/** Known hosts that must be silent to make it certain. */
export const SILENT_HOSTS = 2;
/** Silence that was observed longer ago says nothing of now. */
const REMEMBERED_MS = 3_600_000;
const MAX_SITES = 50;

/** Per site: when it was silent first and last, in epoch ms. Starts anew with every answer that the source gets. */
export type SilentSites = ReadonlyMap<string, { first: number; last: number }>;

/** After one more connect attempt that nothing answered: not even a refusal came. */
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

/** `open`: a host answers. `suspected`: too few known hosts were silent to tell. */
export type PortVerdict = 'open' | 'suspected' | 'blocked';

export function portVerdict(answers: readonly HostAnswer[]): PortVerdict {
  if (answers.includes('answered')) return 'open';
  return answers.filter((answer) => answer === 'silent').length >= SILENT_HOSTS ? 'blocked' : 'suspected';
}
