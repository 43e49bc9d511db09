// Refuses request headers that are misspelt forms of Mailkeel's own, because ignoring them would ignore what they ask for.
import type { onRequestHookHandler } from 'fastify';
import { Refusal } from '../../contract/refusal.js';

/** Prefixes of Mailkeel's headers. Clients often omit or add a leading `x-`. */
const OURS: readonly (readonly [beginning: string, header: string])[] = [
  ['sub-tenant', 'X-Sub-Tenant-Id'],
  ['subtenant', 'X-Sub-Tenant-Id'],
  ['workspace', 'X-Workspace-Id'],
  ['environment', 'X-Environment'],
  ['idempotency', 'Idempotency-Key'],
  ['idempotent', 'Idempotency-Key'],
  ['service-version', 'Service-Version'],
];
/** Gateways send their own workspace and environment headers, so of these only near misspellings are refused. */
const LIKELY =
  /^(?:(?:x-)?(?:sub-?tenant|idempoten|service-version)|(?:x-workspace|(?:x-)?workspace-?id|x-environment-(?:id|mode))$)/;
const KNOWN: ReadonlySet<string> = new Set(OURS.map(([, header]) => header.toLowerCase()));

/** Returns the header that a lower-case name stands for; null if the name is correct or unrelated. */
function meantHeader(name: string): string | null {
  if (KNOWN.has(name) || !LIKELY.test(name)) return null;
  const bare = name.replace(/^x-/, '');
  return OURS.find(([beginning]) => bare.startsWith(beginning))?.[1] ?? null;
}

/** Cached results, since clients repeat the same few names. */
const meant = new Map<string, string | null>();
const MOST_NAMES = 500;
const MOST_CHARACTERS = 64;

function rememberedMeaning(name: string): string | null {
  if (name.length > MOST_CHARACTERS) return meantHeader(name);
  const known = meant.get(name);
  if (known !== undefined) return known;
  const header = meantHeader(name);
  if (meant.size >= MOST_NAMES) meant.clear();
  meant.set(name, header);
  return header;
}

/** Refuses requests to /v1 with such a header by a 400 that suggests the right name. */
export const refuseMisspeltHeaders: onRequestHookHandler = (request, _reply, done) => {
  if (request.routeOptions.url?.startsWith('/v1/') === true) {
    for (const name in request.headers) {
      const header = rememberedMeaning(name);
      if (header === null) continue;
      const shown = name.slice(0, 60);
      done(
        new Refusal('bad_request', `Unknown header ${shown}. Did you mean ${header}?`, {
          param: shown,
        }),
      );
      return;
    }
  }
  done();
};
