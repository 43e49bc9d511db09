// Request headers that look like ours and are not: what they ask for must not be passed over.
import type { onRequestHookHandler } from 'fastify';
import { Refusal } from '../../contract/refusal.js';

/** Prefixes of our own headers. A leading `x-` is often forgotten, or written where there is none. */
const OURS: readonly (readonly [beginning: string, header: string])[] = [
  ['sub-tenant', 'X-Sub-Tenant-Id'],
  ['subtenant', 'X-Sub-Tenant-Id'],
  ['workspace', 'X-Workspace-Id'],
  ['environment', 'X-Environment'],
  ['idempotency', 'Idempotency-Key'],
  ['idempotent', 'Idempotency-Key'],
  ['service-version', 'Service-Version'],
];
/** Gateways add headers about their own workspaces and environments: of these only what is one step from ours. */
const LIKELY =
  /^(?:(?:x-)?(?:sub-?tenant|idempoten|service-version)|(?:x-workspace|(?:x-)?workspace-?id|x-environment-(?:id|mode))$)/;
const KNOWN: ReadonlySet<string> = new Set(OURS.map(([, header]) => header.toLowerCase()));

/** The header that is meant by a name in lower case; null where it is ours as it stands, or nobody's. */
function meantHeader(name: string): string | null {
  if (KNOWN.has(name) || !LIKELY.test(name)) return null;
  const bare = name.replace(/^x-/, '');
  return OURS.find(([beginning]) => bare.startsWith(beginning))?.[1] ?? null;
}

/** Answers by name: clients send the same few again and again. */
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

/** Refuses operations of /v1 with such a header by a 400 that has the right name. */
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
