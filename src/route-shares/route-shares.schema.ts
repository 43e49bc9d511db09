// Wire shapes of the shares of routes.
import { Type, type Static } from 'typebox';
import { count } from '../analytics/analytics.schema.js';
import { closed, nameEnums, nameSchemas, nullable, oneOf, timestamp } from '../contract/schema.js';
import { LOWER_FROM, MIN_SENT, RISE_BELOW, RISE_WAITS } from './rise.rules.js';

const SHARE_STATES = ['active', 'paused', 'lowered'] as const;
const MAX_WINDOW_DAYS = 90;
export const DEFAULT_WINDOW_DAYS = 7;

const rate = (description: string) => nullable(Type.Number({ description }));

const sideRates = Type.Object(
  {
    delivery: rate(
      'Delivered messages. `null` for a smarthost that has not reported deliveries; most report only bounces.',
    ),
    deferral: rate('Deferred attempts.'),
    bounce: rate('Bounced messages.'),
    complaint: rate('Messages reported as spam, of those that did not bounce.'),
    open: rate('Messages opened or clicked by a person.'),
  },
  { description: 'Rates per message sent. `null` if nothing was sent.' },
);

const sideFigures = Type.Object({
  via: Type.Array(Type.String(), {
    description: 'The pools or smarthosts of this side, in order of preference.',
  }),
  sent: count,
  delivered: count,
  deferred: count,
  bounced: count,
  complained: count,
  opened: count,
  rates: sideRates,
});

const rise = Type.Object(
  {
    step: Type.Integer({ description: 'Percentage points of each step.' }),
    every_days: Type.Number({ description: 'Days between two steps.' }),
    until: Type.Integer({ description: 'Percentage at which the share stops rising.' }),
    next_percent: nullable(Type.Integer({ description: 'The share after the next step.' })),
    next_at: nullable(Type.String({ format: 'date-time', description: 'Earliest time of the next step.' })),
    waits_for: nullable(
      oneOf(RISE_WAITS, {
        description: `Why the share does not rise now. \`sample\`: fewer than ${MIN_SENT} direct messages since the last change. \`bounces\`, \`complaints\`: at least ${RISE_BELOW.bounce * 100} % bounces or ${RISE_BELOW.complaint * 100} % complaints.`,
      }),
    ),
  },
  {
    description: `How the share rises. At ${LOWER_FROM.bounce * 100} % bounces or ${LOWER_FROM.complaint * 100} % complaints, the share is halved and no longer rises.`,
  },
);

export const routeShare = Type.Object(
  {
    object: Type.Literal('route_share'),
    route: Type.String({ description: 'The name of the route in the egress file, or its ID.' }),
    percent: Type.Integer({ description: "Percentage of the route's mail that is delivered directly." }),
    state: oneOf(SHARE_STATES, {
      description:
        'The state. `paused`: an operator has paused the rise. `lowered`: Mailkeel has halved the share because of bounces or complaints, and it no longer rises until an operator resumes it.',
    }),
    reason: Type.String({ description: 'Reason for the last change.' }),
    changed_at: timestamp,
    rise: nullable(rise),
    window_days: Type.Integer({ description: 'Days of the figures, including today (UTC).' }),
    direct: sideFigures,
    smarthost: sideFigures,
  },
  { description: 'The share of a route that is delivered directly, with figures of both sides.' },
);
export type RouteShareWire = Static<typeof routeShare>;
export type SideFiguresWire = Static<typeof sideFigures>;

export const shareUpdate = closed(
  {
    percent: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description: 'New share. 100 delivers all mail of the route directly.',
      }),
    ),
    state: Type.Optional(
      oneOf(['active', 'paused'] as const, {
        description: '`paused` stops automatic changes, `active` resumes them.',
      }),
    ),
    reason: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'A note for the operator. It is not visible to anyone else.',
      }),
    ),
  },
  { examples: [{ percent: 25, reason: 'No complaints last week' }] },
);

export const shareParams = Type.Object({
  route: Type.String({ maxLength: 63, description: 'The name of the route in the egress file, or its ID.' }),
});

export const shareQuery = Type.Object({
  window_days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_WINDOW_DAYS,
      default: DEFAULT_WINDOW_DAYS,
      description: 'Days of the figures, including today (UTC).',
    }),
  ),
});

nameSchemas({
  RouteShare: routeShare,
  RouteShareRise: rise,
  RouteShareSide: sideFigures,
  RouteShareRates: sideRates,
  RouteShareUpdate: shareUpdate,
});
nameEnums({ RouteShareState: SHARE_STATES, RouteShareWait: RISE_WAITS });
