// How often links may be asked: each workspace and each site has a budget, so that a campaign cannot make this server send many
// requests to a site of somebody else.
import { getDomain } from 'tldts';
import { gcraCapacity, gcraTake, type RateLimit } from '../rate-limits/index.js';
import { createLruCache } from '../runtime/index.js';

const WINDOW_MS = 10 * 60_000;
/** Links that one workspace may have asked: so many at once, and as many in each window after that. */
const OF_OWNER: RateLimit = { count: 300, perMs: WINDOW_MS, burst: 300 };
/** Requests to one site, those of redirects included, for all workspaces together. */
const OF_SITE: RateLimit = { count: 60, perMs: WINDOW_MS, burst: 60 };
/** Owners and sites that are remembered. */
const REMEMBERED = 10_000;

export interface LinkBudget {
  /** False when the workspace has used up its links. */
  takeLink(owner: string): boolean;
  /** False when the site of the URL was asked too often. */
  takeRequest(url: string): boolean;
}

/** `clock`: ms. */
export function createLinkBudget(clock: () => number): LinkBudget {
  const take = (limit: RateLimit) => {
    const arrivals = createLruCache<string, number>(REMEMBERED);
    return (key: string): boolean => {
      const now = clock();
      const before = arrivals.get(key);
      if (gcraCapacity(before, limit, now) === 0) return false;
      arrivals.set(key, gcraTake(before, limit, now));
      return true;
    };
  };
  const [takeLink, takeOfSite] = [take(OF_OWNER), take(OF_SITE)];
  return { takeLink, takeRequest: (url) => takeOfSite(siteOf(url)) };
}

/** Many names may lead to one server: those below a registrable domain count as one. */
function siteOf(url: string): string {
  const { hostname } = new URL(url);
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}
