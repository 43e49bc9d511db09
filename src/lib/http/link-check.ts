// Checks whether the links of a mail work, with guarded addresses at every redirect and one deadline. Tries
// HEAD first, because a GET may have effects. Failures are values, never exceptions.
import type { LookupFunction } from 'node:net';
import { getDomain } from 'tldts';
import { gcraCapacity, gcraTake, type RateLimit } from '../rate-limits/index.js';
import { createLruCache, monotonicMs, rethrowProgrammingError } from '../runtime/index.js';
import { connectionProblem, ForbiddenAddressError, guardedLookup } from './address-guard.js';
import { createAgent } from './agent.js';
import { urlProblem } from './outside-url.js';

const MAX_REDIRECTS = 5;
/**
 * Number and lifetime of remembered results, because most previews of a campaign check the same links again.
 */
const REMEMBERED = 5_000;
const REMEMBERED_MS = 10 * 60_000;
/** A slow or busy server may respond soon. */
const UNKNOWN_REMEMBERED_MS = 60_000;
const MAX_TEXT = 200;
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f]/g;
/** The link is dead for everyone. */
const GONE = new Set([404, 410]);
/** Errors that a browser would also show. */
const DEAD_ENDS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name does not exist',
  ECONNREFUSED: 'the connection is refused',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
};

export type LinkState =
  | { kind: 'works'; status: number }
  /** A reader who clicks the link sees an error. */
  | { kind: 'dead'; reason: string }
  /** Cannot be determined: a private address, a slow or busy server, or one that expects a browser. */
  | { kind: 'unknown'; reason: string };

export interface LinkCheckOptions {
  /** Allows loopback and private addresses. */
  allowPrivate: boolean;
  /** Limit per link, including redirects. */
  timeoutMs: number;
  /** Replaces the guarded system look-up; it must refuse forbidden addresses itself (`guardedLookup`). */
  lookup?: LookupFunction;
  /** PEM certificates trusted in addition to the public ones. */
  extraCa?: readonly string[];
  /** Milliseconds; by default since the process started. */
  clock?: () => number;
}

export interface LinkCheck {
  /**
   * Checks an absolute http or https URL. `owner` is the workspace whose budget pays for it unless the result
   * is remembered.
   */
  check(url: string, owner: string): Promise<LinkState>;
  close(): Promise<void>;
}

export function createLinkCheck(options: LinkCheckOptions): LinkCheck {
  const { allowPrivate, timeoutMs, clock = monotonicMs } = options;
  const budget = createLinkBudget(clock);
  const known = createLruCache<string, { state: Promise<LinkState>; until: number }>(REMEMBERED);
  const agent = createAgent({
    connections: 4,
    connect: {
      lookup: options.lookup ?? guardedLookup({ allowPrivate }),
      timeout: timeoutMs,
    },
    extraCa: options.extraCa ?? [],
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: 1_000,
    maxHeaderSize: 16 * 1024,
  });

  async function ask(url: string, method: 'HEAD' | 'GET', signal: AbortSignal) {
    if (!budget.takeRequest(url)) throw new OverBudget(`${new URL(url).hostname} was asked too often lately`);
    const { statusCode, headers, body } = await agent.request(url, {
      method,
      signal,
      headers: { accept: 'text/html,*/*', 'user-agent': 'Mailkeel link check' },
    });
    // The body is not read, and destroying it ends the connection.
    body.on('error', () => undefined).destroy();
    const { location } = headers;
    return { status: statusCode, location: typeof location === 'string' ? location : null };
  }

  async function follow(start: string, signal: AbortSignal): Promise<LinkState> {
    let url = start;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      // Node does not call `lookup` for IP literals, so each redirect checks them here.
      const problem = urlProblem(url, { allowPrivate });
      if (problem !== null) return { kind: 'unknown', reason: problem };
      let answer = await ask(url, 'HEAD', signal);
      if (answer.status >= 400) answer = await ask(url, 'GET', signal);
      const isRedirect = answer.status >= 300 && answer.status < 400 && answer.location !== null;
      if (!isRedirect) return toLinkState(answer.status);
      const next = answer.location ?? '';
      if (!URL.canParse(next, url))
        return { kind: 'dead', reason: 'it redirects to something that is no URL' };
      url = new URL(next, url).href;
    }
    return { kind: 'dead', reason: `it redirects more than ${MAX_REDIRECTS} times` };
  }

  async function stateNow(url: string): Promise<LinkState> {
    try {
      return await follow(url, AbortSignal.timeout(timeoutMs));
    } catch (error) {
      rethrowProgrammingError(error);
      return failure(error);
    }
  }

  return {
    async check(url, owner) {
      const remembered = known.get(url);
      if (remembered !== undefined && remembered.until > clock()) return remembered.state;
      if (!budget.takeLink(owner)) return { kind: 'unknown', reason: 'too many links were checked lately' };
      const entry = { state: stateNow(url), until: clock() + REMEMBERED_MS };
      known.set(url, entry);
      const state = await entry.state;
      if (state.kind === 'unknown') entry.until = clock() + UNKNOWN_REMEMBERED_MS;
      return state;
    },
    close: () => agent.close(),
  };
}

/** The link was not requested. */
class OverBudget extends Error {}

function toLinkState(status: number): LinkState {
  if (status < 400) return { kind: 'works', status };
  const reason = `the server answers ${status}`;
  return GONE.has(status) ? { kind: 'dead', reason } : { kind: 'unknown', reason };
}

function failure(error: unknown): LinkState {
  const cause =
    error instanceof AggregateError && error.errors.length > 0 ? (error.errors[0] as unknown) : error;
  if (!(cause instanceof Error)) return { kind: 'unknown', reason: 'no response' };
  if (cause instanceof ForbiddenAddressError || cause instanceof OverBudget) {
    return { kind: 'unknown', reason: cleaned(cause.message) };
  }
  const code = (cause as NodeJS.ErrnoException).code ?? '';
  const dead = DEAD_ENDS[code];
  if (dead !== undefined) return { kind: 'dead', reason: dead };
  const isLate = cause.name === 'TimeoutError' || /TIMEOUT/.test(code);
  return { kind: 'unknown', reason: isLate ? 'no answer in time' : cleaned(connectionProblem(cause)) };
}

function cleaned(text: string): string {
  return text.replace(CONTROL_CHARACTERS, ' ').slice(0, MAX_TEXT);
}

const WINDOW_MS = 10 * 60_000;
/** Links of one workspace: this many immediately, and as many again per window. */
const OF_OWNER: RateLimit = { count: 300, perMs: WINDOW_MS, burst: 300 };
/** Requests to one site, including redirects, for all workspaces together. */
const OF_SITE: RateLimit = { count: 60, perMs: WINDOW_MS, burst: 60 };
/** Owners and sites that are remembered. */
const REMEMBERED_KEYS = 10_000;

interface LinkBudget {
  /** Returns false if the workspace has used up its links. */
  takeLink(owner: string): boolean;
  /** Returns false if the URL's site was asked too often. */
  takeRequest(url: string): boolean;
}

/**
 * Creates a budget for link requests per workspace and per site, so that a campaign cannot flood another site. `clock`
 * returns milliseconds.
 */
function createLinkBudget(clock: () => number): LinkBudget {
  const take = (limit: RateLimit) => {
    const arrivals = createLruCache<string, number>(REMEMBERED_KEYS);
    return (key: string): boolean => {
      const now = clock();
      const before = arrivals.get(key);
      if (gcraCapacity(before, limit, now) === 0) return false;
      arrivals.set(key, gcraTake(before, limit, now));
      return true;
    };
  };
  const [takeLink, takeOfSite] = [take(OF_OWNER), take(OF_SITE)];
  return { takeLink, takeRequest: (url) => takeOfSite(registrableDomain(url)) };
}

/** Returns the registrable domain, because many names may lead to one server. */
function registrableDomain(url: string): string {
  const { hostname } = new URL(url);
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}
