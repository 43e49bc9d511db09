// The appliance itself.
import type { ApiPromise } from '../api-promise.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Activity, Reload, ReloadRequest, System } from '../types.js';

export class SystemResource extends Resource {
  /**
   * Reads the release, where the relay is, the limits, the plan, and what is new.
   *
   * @example
   * const { version } = await mailkeel.system.get();
   */
  get(options?: RequestOptions): ApiPromise<System> {
    return this.call('GET /v1/system', { options });
  }

  /**
   * Reads sources, routes, limits and rule data again, without a restart. With `dry_run` it says what would change.
   *
   * @example
   * const { changes } = await mailkeel.system.reload({ dry_run: true });
   * if (changes.length > 0) await mailkeel.system.reload();
   */
  reload(params?: ReloadRequest, options?: RequestOptions): ApiPromise<Reload> {
    return this.call('POST /v1/system/reload', { body: params ?? {}, options });
  }

  /**
   * Reads what the server is doing: live mail, sessions, limits, processor, memory and database.
   *
   * @example
   * const { delivered, memory_bytes } = await mailkeel.system.getActivity();
   */
  getActivity(options?: RequestOptions): ApiPromise<Activity> {
    return this.call('GET /v1/system/activity', { options });
  }
}
