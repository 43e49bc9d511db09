// Wires account imports: their loop, routes, and the deletion of old ones.
import type { Routes } from '../http/api.js';
import type { DnsResolver } from '../lib/dns/index.js';
import { createGuardedClient, guardedLookup, resolveByDns } from '../lib/http/index.js';
import { extraAuthorities } from '../lib/tls/index.js';
import type { Config } from '../settings/settings.js';
import { createUrlCheck } from '../webhooks/webhooks.js';
import { AccountImports } from './account-imports.js';
import { accountImportRoutes } from './account-imports.routes.js';
import type { AccountImportContext } from './context.js';

/** Limit of one exchange with a vendor. */
const TIMEOUT_MS = 30_000;

interface Given extends Omit<AccountImportContext, 'config' | 'client' | 'checkUrl'> {
  config: Config;
  resolver: DnsResolver;
}

export function createAccountImports(given: Given) {
  const { config, resolver, store } = given;
  const allowPrivate = config.webhookAllowPrivate;
  const imports = new AccountImports({
    ...given,
    checkUrl: createUrlCheck(given),
    client: createGuardedClient({
      allowPrivate,
      timeoutMs: TIMEOUT_MS,
      lookup: guardedLookup({ allowPrivate, resolve: resolveByDns(resolver) }),
      extraCa: extraAuthorities(config.extraCaFile),
    }),
  });
  const routes: Routes[] = [(api) => accountImportRoutes(api, { store, config }, imports)];
  return {
    routes,
    forgetFinished: (before: number, limit: number) => imports.forgetFinished(before, limit),
    start: () => imports.startLoop(),
    stop: () => imports.stop(),
  };
}
