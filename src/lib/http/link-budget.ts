// Limits how often links are requested, per workspace and per site, so that a campaign cannot flood another
// site with requests.
import { getDomain } from 'tldts';
import { gcraCapacity, gcraTake, type RateLimit } from '../rate-limits/index.js';
import { createLruCache } from '../runtime/index.js';

const WINDOW_MS = 10 * 60_000;
/** Links of one workspace: this many at once, and as many again per window. */
const OF_OWNER: RateLimit = { count: 300, perMs: WINDOW_MS, burst: 300 };
/** Requests to one site, including redirects, for all workspaces together. */
const OF_SITE: RateLimit = { count: 60, perMs: WINDOW_MS, burst: 60 };
/** Owners and sites that are remembered. */
const REMEMBERED = 10_000;

export interface LinkBudget {
  /** Returns false if the workspace has used up its links. */
  takeLink(owner: string): boolean;
  /** Returns false if the URL's site was asked too often. */
  takeRequest(url: string): boolean;
}

/** Creates a budget. `clock` returns milliseconds. */
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

/** Returns the registrable domain, because many names may lead to one server. */
function siteOf(url: string): string {
  const { hostname } = new URL(url);
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}
