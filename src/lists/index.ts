// Wires lists: their members, segments, sign-up forms and confirmations.
import type { Routes } from '../http/api.js';
import { createLooks } from '../pages/look.pages.js';
import type { ListContext } from './context.js';
import { listRoutes } from './lists.routes.js';
import { listMemberRoutes } from './members.routes.js';
import { SegmentCounts } from './segment-counts.js';
import { writeConfirmation } from './sign-up/confirmation-mail.pages.js';
import { createSignUpLimit } from './sign-up/sign-up-limit.pages.js';
import { signUpRoutes } from './sign-up/sign-up.pages.js';
import { SignUps } from './sign-up/sign-up.js';
import { subscribeFormRoutes } from './sign-up/subscribe-form.pages.js';
import { subscribeRoutes } from './sign-up/subscribe.routes.js';

export function createListsModule(context: ListContext) {
  const { store, config, clock } = context;
  const signUps = new SignUps(context, writeConfirmation);
  const segmentCounts = new SegmentCounts(context);
  const pages = {
    signUps,
    limit: createSignUpLimit(config.signUpRate, clock),
    lookOf: createLooks(store.brandings),
  };
  const routes: Routes[] = [
    (api) => listRoutes(api, context, { segmentCounts, signUps }),
    (api) => listMemberRoutes(api, context),
    (api) => subscribeRoutes(api, context, signUps),
    (api) => subscribeFormRoutes(api, pages),
    (api) => signUpRoutes(api, pages),
  ];
  return {
    routes,
    /** Address of a list's sign-up page. */
    pageUrl: (...asked: Parameters<SignUps['pageUrl']>) => signUps.pageUrl(...asked),
    stop: () => segmentCounts.stop(),
  };
}
