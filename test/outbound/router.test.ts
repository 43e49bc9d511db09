// Tests the site of a route, which decides whose sessions a message may share.
import { expect, it } from 'vitest';
import type { DaneLookup } from '../../src/lib/tls-policy/index.js';
import { compileProviders } from '../../src/outbound/route/provider.rules.js';
import { readShipped } from '../../src/settings/shipped.js';
import { Router, siteOfKey } from '../../src/outbound/route/router.js';

const host = (name: string) => ({ host: name, preference: 10, addresses: ['198.51.100.1'] });

async function siteWith(daneOfFirst: DaneLookup): Promise<string> {
  const hosts = [host('mx1.there.test'), host('mx2.there.test')];
  const router = new Router(
    {
      providers: compileProviders(readShipped('providers')),
      tlsCounts: { add: () => undefined },
      clock: () => 0,
    },
    {
      lookUpRoute: () =>
        Promise.resolve({ kind: 'route', hosts, mxHosts: hosts.map((found) => found.host), notes: [] }),
      lookUpHost: () => Promise.reject(new Error('no smarthost here')),
      stsPolicyFor: () => Promise.resolve({ kind: 'none' }),
      daneFor: (_domain, name) =>
        Promise.resolve(name === 'mx1.there.test' ? daneOfFirst : { kind: 'insecure', isMxSecure: false }),
    },
    { configuredTls: () => 'opportunistic', families: [4] },
  );
  const { route } = await router.find({ domain: 'there.test', families: [4], terms: 'policy' });
  return route.kind === 'route' ? route.site : route.kind;
}

it('does not share sessions to a host that a policy forbids', async () => {
  const free = await siteWith({ kind: 'insecure', isMxSecure: false });
  const without = await siteWith({ kind: 'bogus', reason: 'a lie' });
  expect(free).toBe('mx1.there.test mx2.there.test');
  expect(without).not.toBe(free);
  expect(siteOfKey(without)).toBe(free);
});
