// Health: is the appliance up, and fit to send?
import type { ApiPromise } from '../api-promise.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Health, HealthReport, Readiness } from '../types.js';

export class HealthResource extends Resource {
  /**
   * Asks whether the process is up; needs no key.
   *
   * @example
   * const { status } = await mailkeel.health.get();
   */
  get(options?: RequestOptions): ApiPromise<Health> {
    return this.call('GET /healthz', { options, isPublic: true });
  }

  /**
   * Asks whether it can take work; needs no key. Fails with a ServerError while it cannot.
   *
   * @example
   * await mailkeel.health.getReadiness({ maxRetries: 0 });
   */
  getReadiness(options?: RequestOptions): ApiPromise<Readiness> {
    return this.call('GET /readyz', { options, isPublic: true });
  }

  /**
   * Reads whether the machine is fit to send: reverse DNS, SPF, DKIM, port 25, disk. Takes a key of
   * permission admin of the operator.
   *
   * @example
   * const { status, data: checks } = await mailkeel.health.getChecks();
   */
  getChecks(options?: RequestOptions): ApiPromise<HealthReport> {
    return this.call('GET /v1/health/checks', { options });
  }

  /**
   * Looks at all of it now, which takes some seconds. Refused with `rate_limited` within a minute of the
   * last time.
   *
   * @example
   * const { status, data: checks } = await mailkeel.health.runChecks();
   */
  runChecks(options?: RequestOptions): ApiPromise<HealthReport> {
    return this.call('POST /v1/health/checks', { options });
  }
}
