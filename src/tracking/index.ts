// Wires tracking: opens and clicks, with their public pages.
import type { Routes } from '../http/api.js';
import type { Keys } from '../lib/runtime/key-files.js';
import type { Config } from '../settings/settings.js';
import { compileShipped } from '../settings/shipped.js';
import { compileMachineClients } from './machine-client.rules.js';
import { createTracking, type TrackingDeps } from './tracking.js';
import { trackingRoutes } from './tracking.pages.js';

export interface TrackingModuleDeps extends Omit<TrackingDeps, 'clients' | 'entriesPerMessage'> {
  config: Pick<Config, 'trackingEventsPerMessage'>;
  keys: Keys;
}

export function createTrackingModule({ config, keys, ...deps }: TrackingModuleDeps) {
  const tracking = createTracking({
    ...deps,
    clients: compileShipped('machine-clients', compileMachineClients),
    entriesPerMessage: config.trackingEventsPerMessage,
  });
  const routes: Routes[] = [(api) => trackingRoutes(api, { tracking, tokenKeys: keys.tokenKeys.all })];
  return { routes, stop: () => tracking.stop() };
}
