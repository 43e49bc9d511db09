// Decides which targets a route may have, by the settings and this machine's own addresses.
import { networkInterfaces } from 'node:os';
import type { AddressFamily } from '../../lib/dns-answers/index.js';
import type { Config } from '../../settings/settings.js';
import type { RoutePolicy } from './mx.rules.js';

export function routePolicy(config: Config, families: readonly AddressFamily[]): RoutePolicy {
  const ownAddresses = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address }) => address),
  );
  return {
    allowPrivate: config.allowPrivateMx,
    ownAddresses,
    connectPort: config.mxPort,
    listenerPort: null,
    families,
  };
}
