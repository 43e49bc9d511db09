// Wires messages: how they are accepted, their routes, their files and proofs, and the explanation of what became of them.
import type { Routes } from '../api/api.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { DiskGuard } from '../lib/runtime/disk-space.js';
import type { Keys } from '../lib/runtime/key-files.js';
import { composeSettings } from '../outbound/deliver/compose.js';
import type { KeyGeneration } from '../domains/keys/key-generation.js';
import { createRawMessages } from '../outbound/deliver/raw-message.js';
import { createSigningKeys } from '../outbound/deliver/signing-keys.js';
import type { TrafficView } from '../outbound/traffic-view.js';
import type { Config } from '../settings/settings.js';
import type { Store } from '../store/store.js';
import { createAccept, type Submission } from './accept/accept.js';
import type { WakeUps } from '../events/wake-ups.js';
import type { QuotaCheck } from './accept/quota-check.js';
import { messageFileRoutes } from './files.routes.js';
import { createExplain, messageInsightRoutes, type ExplainMessage } from './insight.routes.js';
import { messageRoutes } from './messages.routes.js';
import { proofPageRoutes } from './proof/proof.pages.js';
import { proofRoutes } from './proof/proof.routes.js';
import { createReconsider } from './reconsider.js';
import type { Renderer } from './rendering/renderer.js';

export interface MessagesDeps {
  store: Store;
  config: Config;
  keys: Keys;
  keyGeneration: KeyGeneration;
  renderer: Renderer;
  quota: QuotaCheck;
  traffic: TrafficView;
  disk: Pick<DiskGuard, 'isFull'>;
  clock: Clock;
  wakeUps: WakeUps;
}

export interface Messages {
  /** Accepts every message, also those of the relay, of campaigns and sequences. */
  submission: Submission;
  explain: ExplainMessage;
  /** The octets of a message as it left. */
  rawMessage: ReturnType<typeof createRawMessages>;
  routes: Routes[];
}

export function createMessages(deps: MessagesDeps): Messages {
  const { store, config, keys, renderer, quota, traffic, disk, clock, wakeUps } = deps;
  const { attempts, queueView } = store;
  const tokenKey = keys.tokenKeys.active;
  const submission = createAccept({ store, renderer, quota, disk, config, tokenKey, clock, wakeUps });
  const reconsider = createReconsider({ store, lifetimes: config, clock, wakeUps });
  const rawMessage = createRawMessages({
    store,
    signingKeys: createSigningKeys(store, keys.masterKey, clock, deps.keyGeneration),
    settings: composeSettings(config, tokenKey),
  });
  const insight = { store, attempts, queueView, traffic, wakeUps, clock, settings: config };
  return {
    submission,
    explain: createExplain(insight),
    rawMessage,
    routes: [
      (api) => messageRoutes(api, { store, submission, reconsider, rawMessage, settings: config }),
      (api) => messageFileRoutes(api, { store }),
      (api) => messageInsightRoutes(api, insight),
      (api) => proofPageRoutes(api),
      (api) => proofRoutes(api, { store, proofKeys: keys.proofKeys, clock }),
    ],
  };
}
