// The organization.
import type { ApiPromise } from '../api-promise.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Organization, OrganizationUpdate } from '../types.js';

export class OrganizationResource extends Resource {
  /**
   * Returns the organization.
   *
   * @example
   * const { postal_address } = await mailkeel.organization.get();
   */
  get(options?: RequestOptions): ApiPromise<Organization> {
    return this.call('GET /v1/organization', { options });
  }

  /**
   * Updates the organization. Requires a live key with `admin` permission, or a user with the admin role.
   *
   * @example
   * await mailkeel.organization.update({ postal_address: 'Customer Ltd, 1 High Street, Bremen' });
   */
  update(params: OrganizationUpdate, options?: RequestOptions): ApiPromise<Organization> {
    return this.call('PATCH /v1/organization', { body: params, options });
  }
}
