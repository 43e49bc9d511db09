// The server: its release and limits, and reloading its configuration.
import type { ApiPromise } from '../api-promise.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Activity, Reload, ReloadRequest, System } from '../types.js';

export class SystemResource extends Resource {
  /**
   * Returns the server's release, relay address, limits, plan and recent changes.
   *
   * @example
   * const { version } = await mailkeel.system.get();
   */
  get(options?: RequestOptions): ApiPromise<System> {
    return this.call('GET /v1/system', { options });
  }

  /**
   * Reloads sources, routes, limits and rule data without a restart. With `dry_run`, returns the changes without
   * applying them.
   *
   * @example
   * const { changes } = await mailkeel.system.reload({ dry_run: true });
   * if (changes.length > 0) await mailkeel.system.reload();
   */
  reload(params?: ReloadRequest, options?: RequestOptions): ApiPromise<Reload> {
    return this.call('POST /v1/system/reload', { body: params ?? {}, options });
  }

  /**
   * Returns current server activity: live messages, sessions, limits, CPU, memory and database.
   *
   * @example
   * const { delivered, memory_bytes } = await mailkeel.system.getActivity();
   */
  getActivity(options?: RequestOptions): ApiPromise<Activity> {
    return this.call('GET /v1/system/activity', { options });
  }
}
