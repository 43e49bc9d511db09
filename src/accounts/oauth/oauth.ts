// Creates the parts of the authorization server for connected applications.
import type { DnsResolver } from '../../lib/dns/index.js';
import { createGuardedClient, guardedLookup, resolveByDns } from '../../lib/http/index.js';
import { extraAuthorities } from '../../lib/tls/index.js';
import type { AccountContext } from '../context.js';
import { Authorizations } from './authorizations.js';
import { OauthClients } from './clients.js';
import { Grants } from './grants.js';

const FETCH_TIMEOUT_MS = 5_000;

type Given = Pick<AccountContext, 'store' | 'settings' | 'credentials' | 'clock'> & {
  resolver: DnsResolver;
  /** URL that access tokens are for. */
  resource: string;
};

export function createOauth(given: Given) {
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
  return { issuer, resource, clients, authorizations, grants };
}
