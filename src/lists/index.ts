// Wires lists: their members, segments, sign-up forms and confirmations.
import type { Routes } from '../http/api.js';
import type { Clock } from '../lib/runtime/clock.js';
import type { Keys } from '../lib/runtime/key-files.js';
import type { Log } from '../lib/runtime/log.js';
import type { Submission } from '../messages/accept/accept.js';
import { createSealToken } from '../lib/runtime/mailed-token.js';
import { createUnsolicitedMailLimit } from '../accounts/unsolicited-mail.js';
import { createLooks } from '../pages/look.pages.js';
import type { Config } from '../settings/settings.js';
import type { ListStores } from './stores.js';
import { listFormKeyRoutes } from './form-key.routes.js';
import { listRoutes } from './lists.routes.js';
import { createListMembers } from './members.js';
import { listMemberRoutes } from './members.routes.js';
import { createSegmentCounts } from './segment-counts.js';
import { writeConfirmation } from './sign-up/confirmation-mail.pages.js';
import { createSignUpLimit } from './sign-up/sign-up-limit.pages.js';
import { createSignUp } from './sign-up/sign-up.js';
import { signUpRoutes } from './sign-up/sign-up.pages.js';
import { subscribeFormRoutes } from './sign-up/subscribe-form.pages.js';
import { subscribeRoutes } from './sign-up/subscribe.routes.js';

export interface ListsModuleDeps {
  store: ListStores;
  config: Config;
  keys: Keys;
  submission: Submission;
  clock: Clock;
  log: Log;
}

export function createListsModule({ store, config, keys, submission, clock, log }: ListsModuleDeps) {
  const { publicUrl, confirmationLifetimeMs } = config;
  const limit = createSignUpLimit(config.signUpRate, clock);
  const signUp = createSignUp({
    store,
    submission,
    clock,
    log,
    publicUrl,
    tokenKeys: keys.tokenKeys,
    seal: createSealToken(keys.masterKey),
    count: createUnsolicitedMailLimit(keys.masterKey),
    writeConfirmation,
    confirmationLifetimeMs,
  });
  const segmentCounts = createSegmentCounts({ store, clock, log });
  const members = createListMembers({ store, clock });
  const lookOf = createLooks(store.brandings);
  const routes: Routes[] = [
    (api) => listRoutes(api, { store, segmentCounts, signUp, clock }),
    (api) => listFormKeyRoutes(api, { store, signUp, clock }),
    (api) => listMemberRoutes(api, { store, members }),
    (api) => subscribeRoutes(api, { store, signUp }),
    (api) => subscribeFormRoutes(api, { signUp, limit, lookOf }),
    (api) => signUpRoutes(api, { signUp, limit, lookOf }),
  ];
  return { routes, stop: () => segmentCounts.stop() };
}
