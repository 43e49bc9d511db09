// GET /v1/system/activity: live figures of the server for the operator's dashboard.
import { Type } from 'typebox';
import type { Api } from '../http/api.js';
import { nameSchemas, nullable, timestamp } from '../contract/schema.js';
import { iso } from '../contract/time.js';
import type { OperationContext } from './context.js';
import { growthNow, type Growth } from './growth/growth.js';
import { createMailCounter } from './activity.js';
import { FOR_OPERATORS, refuseNonOperators } from '../accounts/access/operator.js';

const count = Type.Integer({ minimum: 0 });
const sessions = Type.Object({ provider: nullable(Type.String()), source: Type.String(), open: count });
const database = Type.Object({
  bytes: count,
  free_bytes: count,
  log_bytes: count,
  growth_bytes_per_day: nullable(
    Type.Integer({
      description: 'Median daily growth of the stored data over up to 28 days. `null` before the fourth day.',
    }),
  ),
  disk_full_at: nullable(timestamp),
});

const activity = Type.Object({
  object: Type.Literal('activity'),
  at: timestamp,
  counted_since: Type.String({
    format: 'date-time',
    description:
      'Start time of the four live mail counters. Counting starts with the first request and ends 30 seconds after the last.',
  }),
  accepted: count,
  delivered: count,
  deferred: count,
  bounced: count,
  sessions: Type.Array(sessions, { description: 'Open sessions with receiving mail servers.' }),
  limits: Type.Integer({ minimum: 0, description: 'Active limits on paths. See `GET /v1/queue/overrides`.' }),
  suspended_sources: Type.Array(Type.String()),
  routes: Type.Integer({ minimum: 0, description: 'Routes set by the operator. See `GET /v1/routes`.' }),
  uptime_seconds: Type.Number(),
  cpu_seconds: Type.Number({ description: 'CPU time of all threads since the start, in seconds.' }),
  memory_bytes: count,
  database: nullable(database),
});

nameSchemas({ Activity: activity, ActivitySessions: sessions, ActivityDatabase: database });

/** Live state of outbound mail. */
interface LiveTraffic {
  traffic: {
    sessions(): { provider: string | null; source: string; open: number }[];
    overrides(): readonly unknown[];
    sources(): readonly { name: string; suspended: unknown }[];
  };
  control: { routes(): readonly unknown[] };
}

export function activityRoute(
  app: Api,
  { store, config, clock }: Pick<OperationContext, 'store' | 'config' | 'clock'>,
  { traffic, control }: LiveTraffic,
): void {
  const counts = createMailCounter({ clock });
  app.get(
    '/v1/system/activity',
    {
      config: { permission: 'admin', role: 'viewer' },
      schema: {
        operationId: 'system.getActivity',
        tags: ['System'],
        summary: 'Retrieve server activity',
        description: `Returns live mail counters, sessions, limits, CPU, memory and database figures. To get rates, subtract the figures of two responses. ${FOR_OPERATORS}, in the live environment.`,
        response: { 200: activity },
      },
    },
    async (request) => {
      refuseNonOperators(request.caller, 'view server activity');
      const { since, accepted, delivered, deferred, bounced } = counts();
      const { user, system } = process.cpuUsage();
      const { file } = await store.size();
      return {
        object: 'activity' as const,
        at: iso(clock()),
        counted_since: iso(since),
        accepted,
        delivered,
        deferred,
        bounced,
        sessions: traffic.sessions(),
        limits: traffic.overrides().length,
        suspended_sources: traffic.sources().flatMap(({ name, suspended }) => (suspended ? [name] : [])),
        routes: control.routes().length,
        uptime_seconds: process.uptime(),
        cpu_seconds: (user + system) / 1e6,
        memory_bytes: process.memoryUsage.rss(),
        database: file && {
          bytes: file.bytes,
          free_bytes: file.freeBytes,
          log_bytes: file.logBytes,
          ...presentForecast(await growthNow(store, config, clock())),
        },
      };
    },
  );
}

function presentForecast(growth: Growth | null): {
  growth_bytes_per_day: number | null;
  disk_full_at: string | null;
} {
  if (growth?.forecast.kind !== 'known') return { growth_bytes_per_day: null, disk_full_at: null };
  const { databaseBytesPerDay, fullAt } = growth.forecast;
  return { growth_bytes_per_day: databaseBytesPerDay, disk_full_at: fullAt === null ? null : iso(fullAt) };
}
