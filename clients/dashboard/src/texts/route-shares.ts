// Texts of the shares of routes: the two sides, and the plan by which a share rises.
import { catalogue } from './texts.js';

const en = {
  about:
    'Routes that deliver a share of their email directly and the rest through a smarthost. Compare both sides, and raise the share step by step.',
  forOperator: 'Only the operator can view shares',
  forOperatorHint:
    'Shares belong to the server, not to a workspace. Only members and admin keys of the operator’s workspace can view them.',
  emptyTitle: 'No route has a share',
  empty:
    'To leave another email service gradually, give a route a share in the egress file. See the guide “Leave another service”.',
  states: { active: 'active', paused: 'paused', lowered: 'lowered', finished: 'finished' },
  split: (direct: string, rest: string) => `${direct} direct, ${rest} through the smarthost`,
  changed: 'Last change',
  plan: 'Plan',
  noPlan: 'Changes only when you change it.',
  rises: (step: string, days: string, until: string) =>
    `Rises by ${step} points every ${days === '1' ? 'day' : `${days} days`} up to ${until}.`,
  next: (percent: string) => `Next: ${percent}, not before`,
  waits: {
    time: 'Waiting for the next step.',
    sample: 'Waiting for 100 direct messages since the last change.',
    bounces: 'Waiting until fewer than 2 % of direct messages bounce.',
    complaints: 'Waiting until fewer than 0.1 % of direct messages are reported as spam.',
  },
  paused: 'Paused. The share does not change until you resume it.',
  lowered: 'Mailkeel has halved the share. It does not rise until you resume it.',
  finished:
    'All email on this route is delivered directly. You can remove the smarthost from the egress file.',
  figures: (days: string) => `Last ${days} days`,
  direct: 'Direct',
  smarthost: 'Smarthost',
  sent: 'Sent',
  delivered: 'Delivered',
  deferred: 'Deferred',
  bounced: 'Bounced',
  complained: 'Complaints',
  opened: 'Opened',
  deliveredHint: 'Smarthosts report deliveries only for messages with a delivery report.',
  change: 'Change share',
  changeTitle: (route: string) => `Change the share of ${route}`,
  percent: 'Direct share in percent',
  percentHint: 'Recipients stay on the direct side while the share rises.',
  reason: 'Reason',
  reasonHint: 'Only visible to the operator.',
  changedTo: (percent: string) => `Share changed to ${percent}.`,
  pause: 'Pause',
  pausedDone: 'Rise paused.',
  resume: 'Resume',
  resumedDone: 'Rise resumed.',
  finish: 'Finish',
  finishTitle: (route: string) => `Deliver all email of ${route} directly?`,
  finishAbout:
    'The share becomes 100 %. Messages that were already attempted through the smarthost stay there. You can lower the share again.',
  finishedDone: 'All email on the route is now delivered directly.',
};

export const routeShares = catalogue(en, () => import('./de/route-shares.js').then(({ de }) => de));
export type RouteShareTexts = typeof en;
