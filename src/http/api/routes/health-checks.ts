// GET /v1/health/checks: whether the appliance is fit to send, as the hourly preflight checks saw it.
import { healthReport, type CheckStatus } from '../../../contract/health-check.js';
import { Refusal } from '../../../contract/refusal.js';
import type { CheckResult } from '../../../rules/preflight.js';
import type { Scope } from '../../../store/scope.js';
import type { Api } from '../api.js';
import { iso } from '../present/time.js';

/** The workspace that the first start made: its keys are the operator's. */
const OPERATOR_WORKSPACE = 1;

export interface HealthChecksDeps {
  /** The last run; null before the first has ended. */
  latest: () => { status: CheckStatus; checkedAt: number; results: readonly CheckResult[] } | null;
}

export function healthCheckRoutes(app: Api, { latest }: HealthChecksDeps): void {
  app.get(
    '/v1/health/checks',
    {
      config: { permission: 'admin', role: 'viewer' },
      schema: {
        operationId: 'health.getChecks',
        tags: ['Health'],
        summary: 'Is the appliance fit to send mail?',
        description:
          'Reverse DNS, SPF, DKIM, port 25, disk and the like, looked at when the server starts and every hour. ' +
          "Only for people and keys of permission `admin` in the operator's own workspace, not narrowed to a sub-tenant.",
        response: { 200: healthReport },
      },
    },
    (request) => {
      refuseCustomers(request.caller.scope);
      const report = latest();
      return {
        object: 'health_report' as const,
        status: report?.status ?? ('unknown' as const),
        checked_at: report ? iso(report.checkedAt) : null,
        data: (report?.results ?? []).map((result) => ({ object: 'health_check' as const, ...result })),
      };
    },
  );
}

function refuseCustomers(scope: Scope): void {
  if (scope.subTenantId === null && scope.workspaceNumber === OPERATOR_WORKSPACE) return;
  throw new Refusal('forbidden', 'The health of the appliance is for the one who runs it.');
}
