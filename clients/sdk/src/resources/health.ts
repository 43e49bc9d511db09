// Health: is the appliance up, and fit to send?
import type { ApiPromise } from '../api-promise.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Health, HealthReport, Readiness, Replica } from '../types.js';

export class HealthResource extends Resource {
  /**
   * Checks whether the server process is running. No key required.
   *
   * @example
   * const { status } = await mailkeel.health.get();
   */
  get(options?: RequestOptions): ApiPromise<Health> {
    return this.call('GET /healthz', { options, isPublic: true });
  }

  /**
   * Checks whether the server can accept work. No key required. Throws ServerError if it cannot.
   *
   * @example
   * await mailkeel.health.getReadiness({ maxRetries: 0 });
   */
  getReadiness(options?: RequestOptions): ApiPromise<Readiness> {
    return this.call('GET /readyz', { options, isPublic: true });
  }

  /**
   * Returns the results of the last host checks: reverse DNS, SPF, DKIM, port 25, disk. Requires an operator key
   * with `admin` permission.
   *
   * @example
   * const { status, data: checks } = await mailkeel.health.getChecks();
   */
  getChecks(options?: RequestOptions): ApiPromise<HealthReport> {
    return this.call('GET /v1/health/checks', { options });
  }

  /**
   * Runs the host checks now, which takes several seconds. Fails with `rate_limited` if they ran within the last
   * minute.
   *
   * @example
   * const { status, data: checks } = await mailkeel.health.runChecks();
   */
  runChecks(options?: RequestOptions): ApiPromise<HealthReport> {
    return this.call('POST /v1/health/checks', { options });
  }

  /**
   * Returns the state of the embedded database's replica. Requires an operator key with `admin` permission.
   *
   * @example
   * const { status, lag_seconds: lag } = await mailkeel.health.getReplica();
   */
  getReplica(options?: RequestOptions): ApiPromise<Replica> {
    return this.call('GET /v1/replica', { options });
  }
}
