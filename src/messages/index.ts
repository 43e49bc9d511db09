// Wires messages: how they are accepted, their routes, their files and proofs.
import type { Routes } from '../http/api.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { DiskGuard } from '../lib/runtime/disk-space.js';
import type { Keys } from '../lib/runtime/key-files.js';
import type { Config } from '../settings/settings.js';
import type { WakeUps } from '../events/wake-ups.js';
import { createAccept } from './accept/accept.js';
import type { QuotaCheck } from './accept/quota-check.js';
import { messageFileRoutes } from './files.routes.js';
import { messageRoutes } from './messages.routes.js';
import { proofPageRoutes } from './proof/proof.pages.js';
import { proofRoutes } from './proof/proof.routes.js';
import { createReconsider } from './reconsider.js';
import type { Renderer } from '../templates/rendering/renderer.js';
import { threadRoutes } from './threads/threads.routes.js';
import type { MessageStores } from './stores.js';

export interface MessagesDeps {
  store: MessageStores;
  config: Config;
  keys: Keys;
  renderer: Renderer;
  quota: QuotaCheck;
  disk: Pick<DiskGuard, 'isFull'>;
  clock: Clock;
  wakeUps: WakeUps;
}

export function createMessages(deps: MessagesDeps) {
  const { store, config, keys, renderer, quota, disk, clock, wakeUps } = deps;
  const tokenKey = keys.tokenKeys.active;
  const submission = createAccept({ store, renderer, quota, disk, config, tokenKey, clock, wakeUps });
  const reconsider = createReconsider({ store, lifetimes: config, clock, wakeUps });
  const routes: Routes[] = [
    (api) => messageRoutes(api, { store, submission, reconsider, settings: config }),
    (api) => messageFileRoutes(api, { store }),
    (api) => proofPageRoutes(api),
    (api) => proofRoutes(api, { store, proofKeys: keys.proofKeys, clock }),
    (api) => threadRoutes(api, { store, submission, clock, settings: config }),
  ];
  return { submission, routes };
}
