// Wires sequences: the loop that moves enrollments, with their routes.
import type { Routes } from '../http/api.js';
import type { Keys } from '../lib/runtime/key-files.js';
import type { WakeUps } from '../events/wake-ups.js';
import { createResendInDoubt } from '../messages/accept/resend-in-doubt.js';
import type { Config } from '../settings/settings.js';
import type { SequenceStores } from './stores.js';
import { sequenceRoutes } from './sequences.routes.js';
import { createSequences, type SequencesDeps } from './sequences.js';

export interface SequencesModuleDeps extends Omit<SequencesDeps, 'settings' | 'publicUrl' | 'tokenKey'> {
  store: SequenceStores;
  config: Config;
  keys: Keys;
  wakeUps: WakeUps;
}

export function createSequencesModule(deps: SequencesModuleDeps) {
  const { store, config, keys, clock, wakeUps } = deps;
  const sequences = createSequences({
    ...deps,
    settings: config,
    publicUrl: config.publicUrl,
    tokenKey: keys.tokenKeys.active,
  });
  const resendInDoubt = createResendInDoubt({ store, lifetimes: config, clock, wakeUps });
  const routes: Routes[] = [
    (api) =>
      sequenceRoutes(api, {
        store,
        clock,
        minIntervalMs: config.sequenceMinIntervalMs,
        resendInDoubt,
        notifySequences: () => sequences.ring(),
      }),
  ];
  return { routes, sequences, start: () => sequences.start(), stop: () => sequences.stop() };
}
