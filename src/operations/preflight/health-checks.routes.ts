// GET and POST /v1/health/checks: the results of the last host checks, and a new run.
import { healthReport } from './health-check.schema.js';
import { Refusal } from '../../contract/refusal.js';
import type { Clock } from '../../lib/runtime/index.js';
import type { PreflightReport, PreflightRunner } from './runner.js';
import type { Api } from '../../http/api.js';
import { refuseCustomers } from '../../accounts/access/operator.js';
import { iso } from '../../contract/time.js';

/** Shortest time (ms) between the end of a run and the next request, because block lists and mail hosts count lookups. */
const PAUSE_MS = 60_000;
const tags = ['Health'];

export function healthCheckRoutes(app: Api, preflight: PreflightRunner, clock: Clock): void {
  app.get(
    '/v1/health/checks',
    {
      config: { permission: 'admin', role: 'viewer' },
      schema: {
        operationId: 'health.getChecks',
        tags,
        summary: 'Retrieve host checks',
        description:
          "Returns the results of the checks for reverse DNS, SPF, DKIM, port 25, disk space and more, which run at startup and every hour. Requires a user or an `admin` key of the operator's workspace, not limited to a sub-tenant.",
        response: { 200: healthReport },
      },
    },
    (request) => {
      refuseCustomers(request.caller.scope, 'view host checks');
      return presentReport(preflight.latest);
    },
  );

  app.post(
    '/v1/health/checks',
    {
      config: { permission: 'admin', role: 'admin', audit: false },
      schema: {
        operationId: 'health.runChecks',
        tags,
        summary: 'Run host checks',
        description:
          'Runs all checks and returns the results after a few seconds. Requests during a run get the same result; within a minute after it, they fail with `rate_limited` and `Retry-After`.',
        response: { 200: healthReport },
      },
    },
    async (request, reply) => {
      refuseCustomers(request.caller.scope, 'view host checks');
      const last = preflight.latest;
      const waitMs = last === null || preflight.isRunning ? 0 : last.checkedAt + PAUSE_MS - clock();
      // A clock that was set back must not block requests.
      if (waitMs > 0 && waitMs <= PAUSE_MS) {
        reply.header('Retry-After', String(Math.ceil(waitMs / 1000)));
        throw new Refusal(
          'rate_limited',
          'The checks ran less than a minute ago. Use their results, or run them again later.',
        );
      }
      return presentReport(await preflight.run());
    },
  );
}

function presentReport(report: PreflightReport | null) {
  return {
    object: 'health_report' as const,
    status: report?.status ?? ('unknown' as const),
    checked_at: report ? iso(report.checkedAt) : null,
    data: (report?.results ?? []).map((result) => ({ object: 'health_check' as const, ...result })),
  };
}
