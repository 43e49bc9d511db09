// Wires tracking: opens and clicks, with their public pages.
import type { Routes } from '../http/api.js';
import { compileShipped } from '../settings/shipped.js';
import type { TrackingContext } from './context.js';
import { compileMachineClients } from './machine-client.rules.js';
import { Tracking } from './tracking.js';
import { trackingRoutes } from './tracking.pages.js';

export function createTrackingModule(context: TrackingContext) {
  const clients = compileShipped('machine-clients', compileMachineClients);
  const tracking = new Tracking(context, { clients });
  const routes: Routes[] = [(api) => trackingRoutes(api, tracking, context.keys.tokenKeys.all)];
  return { routes, stop: () => tracking.stop() };
}
