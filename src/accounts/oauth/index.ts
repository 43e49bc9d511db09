// Wires connected applications: the authorization server, its consent page, and the end of unused grants.
import type { Routes } from '../../http/api.js';
import type { Job } from '../../lib/concurrency/index.js';
import type { DnsResolver } from '../../lib/dns/index.js';
import { createGuardedClient, guardedLookup, resolveByDns } from '../../lib/http/index.js';
import { extraAuthorities } from '../../lib/tls/index.js';
import type { AccountContext } from '../context.js';
import { authorizePageRoutes } from './authorize.pages.js';
import { Authorizations } from './authorizations.js';
import { OauthClients } from './clients.js';
import { Grants } from './grants.js';
import { oauthRoutes } from './oauth.routes.js';

const FETCH_TIMEOUT_MS = 5_000;

type Given = Pick<AccountContext, 'store' | 'settings' | 'credentials' | 'clock'> & {
  resolver: DnsResolver;
  /** URL that access tokens are for. */
  resource: string;
};

export function createOauth(given: Given): { routes: Routes[]; jobs: Job[] } {
  const { settings, resolver, resource } = given;
  const allowPrivate = settings.webhookAllowPrivate;
  const openFetch = () =>
    createGuardedClient({
      allowPrivate,
      timeoutMs: FETCH_TIMEOUT_MS,
      lookup: guardedLookup({ allowPrivate, resolve: resolveByDns(resolver) }),
      extraCa: extraAuthorities(settings.extraCaFile),
    });
  const clients = new OauthClients({ ...given, openFetch });
  const issuer = settings.publicUrl;
  const authorizations = new Authorizations({ ...given, clients, issuer });
  const grants = new Grants(given);
  return {
    routes: [
      (api) => oauthRoutes(api, { issuer, resource, clients, authorizations, grants }),
      (api) => authorizePageRoutes(api),
    ],
    jobs: [{ name: 'unused connections', at: 'hour', run: () => grants.endUnused() }],
  };
}
