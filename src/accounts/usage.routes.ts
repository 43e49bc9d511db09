// Usage of the organization's plan, and messages per API key of the workspace.
import { wireOf } from '../contract/codec.js';
import { listOf, orderedQueryWith } from '../contract/lists.js';
import { Refusal } from '../contract/refusal.js';
import {
  noSends,
  usageDays,
  type PlanLimits,
  resetTime,
  sumSends,
  type Period,
  type PlanUsage,
} from './quota.rules.js';
import type { AccountContext } from './context.js';
import type { Api } from '../http/api.js';
import { listAnswer, readPage } from '../http/lists/pages.js';
import { MESSAGE_TYPES, type Mode, KEY_PERMISSIONS, MODES } from '../contract/names.js';
import type { KeyDay } from './api-keys/key-usage.store.js';
import { iso } from '../contract/time.js';
import { Type, type Static } from 'typebox';
import { nameSchemas, nullable, oneOf, timestamp, timestampWith } from '../contract/schema.js';
import type { ApiKey } from './api-keys/api-keys.tables.js';

// Usage of a plan: sends of the current day and month, in total and by type, and messages per API key.
const count = Type.Integer({ minimum: 0 });
const share = {
  used: count,
  limit: nullable(count),
  remaining: nullable(
    Type.Integer({
      minimum: 0,
      description: 'Messages that can still be sent in the period. `null` if there is no limit.',
    }),
  ),
};

const periodSchema = Type.Object({
  starts_at: timestamp,
  resets_at: timestamp,
  ...share,
  workspace_used: Type.Integer({ minimum: 0, description: 'Messages sent by this workspace.' }),
  types: Type.Array(Type.Object({ type: oneOf(MESSAGE_TYPES), ...share }), {
    description: 'Usage by message type. A type can have its own limit within the overall limit.',
  }),
});

const usage = Type.Object(
  {
    object: Type.Literal('usage'),
    plan: Type.String(),
    day: periodSchema,
    month: periodSchema,
  },
  {
    description:
      'Live messages of all workspaces of the organization. Each message is counted once when it is accepted, and no longer counted if it is never sent. Days and months are in UTC. Sandbox messages are not counted.',
  },
);
export type UsageWire = Static<typeof usage>;

const keyUsage = Type.Object(
  {
    object: Type.Literal('api_key_usage'),
    api_key_id: Type.String(),
    name: Type.String(),
    permission: oneOf(KEY_PERMISSIONS),
    mode: oneOf(MODES),
    sub_tenant_id: nullable(Type.String()),
    last_used_at: nullable(
      timestampWith({
        description:
          'Time of the last request of any kind, to the minute. `null` if the key has never been used.',
      }),
    ),
    messages: Type.Integer({ description: 'Total for the requested days.' }),
    days: Type.Array(
      Type.Object({
        date: Type.String({ format: 'date', description: 'The day (UTC).' }),
        messages: Type.Integer(),
      }),
      { description: 'Figures per day, oldest first. Days without messages are omitted.' },
    ),
  },
  {
    description:
      'Messages accepted through requests and SMTP relay with this key, counted once per recipient and including sandbox messages. Campaigns and sequences are not attributed to a key.',
  },
);

const keyUsageQuery = orderedQueryWith({
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 365,
      default: 30,
      description: 'Number of days, including today.',
    }),
  ),
});

nameSchemas({
  ApiKeyUsage: keyUsage,
  ApiKeyUsageDay: keyUsage.properties.days.items,
  Usage: usage,
  UsagePeriod: periodSchema,
  UsageOfType: periodSchema.properties.types.items,
});

// Usage of a plan as /v1 shows it.
const DAY_MS = 86_400_000;

interface UsageFacts {
  plan: string;
  limits: PlanLimits;
  /** Usage of the organization, to which the limits apply. */
  used: PlanUsage;
  /** Usage of the caller's workspace. */
  ofWorkspace: PlanUsage;
  now: number;
}

function presentUsage(facts: UsageFacts): UsageWire {
  return {
    object: 'usage',
    plan: facts.plan,
    day: presentPeriod(facts, 'day'),
    month: presentPeriod(facts, 'month'),
  };
}

function presentPeriod({ limits, used, ofWorkspace, now }: UsageFacts, period: Period): UsageWire['day'] {
  const field = period === 'day' ? 'dailySends' : 'monthlySends';
  const { today, monthStart } = usageDays(now);
  return {
    starts_at: iso((period === 'day' ? today : monthStart) * DAY_MS),
    resets_at: iso(resetTime(period, now)),
    ...usedShare(sumSends(used[period]), limits[field]),
    workspace_used: sumSends(ofWorkspace[period]),
    types: MESSAGE_TYPES.map((type) => ({
      type,
      ...usedShare(used[period][type], limits.types[type]?.[field] ?? null),
    })),
  };
}

function usedShare(used: number, limit: number | null) {
  return { used, limit, remaining: limit === null ? null : Math.max(0, limit - used) };
}

/** `days` are those of this key, oldest first. */
const presentKeyUsage = wireOf(keyUsage).from<ApiKey & { mode: Mode }, { days: readonly KeyDay[] }>({
  api_key_id: 'id',
  messages: (_row, { days }) => days.reduce((sum, { messages }) => sum + messages, 0),
  days: (_row, { days }) =>
    days.map(({ day, messages }) => ({ date: iso(day * DAY_MS).slice(0, 10), messages })),
});

type UsageContext = Pick<AccountContext, 'store' | 'plans' | 'clock'>;

const NO_LIMITS: PlanLimits = { dailySends: null, monthlySends: null, types: {} };
const DEFAULT_DAYS = 30;
const tags = ['Usage'];

export function usageRoutes(app: Api, context: UsageContext): void {
  planRoute(app, context);
  keysRoute(app, context);
}

function planRoute(app: Api, { store, plans, clock }: UsageContext): void {
  app.get(
    '/v1/usage',
    {
      schema: {
        operationId: 'usage.get',
        tags,
        summary: 'Retrieve usage',
        description:
          'Returns the limits of the plan and their usage today and this month. Sandbox messages are not counted.',
        response: { 200: usage },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      if (scope.subTenantId !== null) {
        throw new Refusal(
          'forbidden',
          'Requests scoped to a sub-tenant cannot access the plan. Send the request for the whole workspace, with a key that is not pinned to a sub-tenant.',
        );
      }
      const now = clock();
      const { plan } = await store.accounts.organization(scope);
      if (scope.mode === 'test') {
        const none = { day: noSends(), month: noSends() };
        return presentUsage({ plan, limits: NO_LIMITS, used: none, ofWorkspace: none, now });
      }
      const limits = plans.get(plan);
      if (!limits) throw new Error(`There is no plan ${plan} in config/plans.json.`);
      const days = usageDays(now);
      const [used, ofWorkspace] = await Promise.all([
        store.usage.ofOrganization(scope.organizationId, days),
        store.usage.ofEnvironment(scope.environmentId, days),
      ]);
      return presentUsage({ plan, limits, used, ofWorkspace, now });
    },
  );
}

function keysRoute(app: Api, { store, clock }: UsageContext): void {
  app.get(
    '/v1/usage/api-keys',
    {
      // Same access as the list of keys.
      config: { role: 'admin' },
      schema: {
        operationId: 'usage.listApiKeys',
        tags,
        summary: 'List usage by API key',
        description:
          'Returns the number of messages sent with each API key of the workspace, by day. Users need the role `admin`.',
        querystring: keyUsageQuery,
        response: { 200: listOf(keyUsage) },
      },
    },
    async (request) => {
      const page = await store.accounts.apiKeys(request.caller.scope, readPage(request));
      const { today } = usageDays(clock());
      const from = today - (request.query.days ?? DEFAULT_DAYS) + 1;
      const ids = page.rows.map(({ id }) => id);
      const days = await store.keyUsage.days(ids, from, today);
      return listAnswer(request, page, (row) =>
        presentKeyUsage(row, { days: days.filter(({ keyId }) => keyId === row.id) }),
      );
    },
  );
}
