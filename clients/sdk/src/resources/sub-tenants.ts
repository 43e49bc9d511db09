// Sub-tenants: the customers of a platform, each with a domain, keys and reputation of its own.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type {
  BulkRules,
  DkimRotate,
  SubTenant,
  SubTenantAudit,
  SubTenantAuthentication,
  SubTenantCreate,
  SubTenantDeleted,
  SubTenantList,
  SubTenantReputation,
  SubTenantUpdate,
} from '../types.js';

export class SubTenants extends Resource {
  /**
   * Sets up a sub-tenant; the answer holds the DNS records to publish. Refused with `domain_taken`.
   *
   * @example
   * const customer = await mailkeel.subTenants.create({ name: 'Customer', sending_domain: 'customer.example', external_id: '4711' });
   * for (const record of customer.dns_records) console.log(record.type, record.host, record.value);
   */
  create(params: SubTenantCreate, options?: RequestOptions): ApiPromise<SubTenant> {
    return this.call('POST /v1/sub-tenants', { body: params, options });
  }

  /**
   * Lists sub-tenants.
   *
   * @example
   * for await (const customer of mailkeel.subTenants.list({ status: ['verified'] })) console.log(customer.name);
   */
  list(params: Query<'subTenants.list'> = {}, options?: RequestOptions): List<SubTenant, SubTenantList> {
    return this.pages('GET /v1/sub-tenants', { query: params, options });
  }

  /**
   * Reads a sub-tenant, by its id or as `external:` and its external id.
   *
   * @example
   * const customer = await mailkeel.subTenants.get('external:4711');
   */
  get(id: string, options?: RequestOptions): ApiPromise<SubTenant> {
    return this.call('GET /v1/sub-tenants/{id}', { path: [id], options });
  }

  /**
   * Changes name, external id, the throttle, or its names for bounces, replies and links.
   *
   * @example
   * await mailkeel.subTenants.update('external:4711', { name: 'Customer Ltd' });
   */
  update(id: string, params: SubTenantUpdate, options?: RequestOptions): ApiPromise<SubTenant> {
    return this.call('PATCH /v1/sub-tenants/{id}', { path: [id], body: params, options });
  }

  /**
   * Removes a sub-tenant with its keys, senders, templates and API keys; its queued mail fails.
   *
   * @example
   * await mailkeel.subTenants.delete('external:4711');
   */
  delete(id: string, options?: RequestOptions): ApiPromise<SubTenantDeleted> {
    return this.call('DELETE /v1/sub-tenants/{id}', { path: [id], options });
  }

  /**
   * Checks the DNS records now; `verified` when the required ones are right.
   *
   * @example
   * const { status } = await mailkeel.subTenants.verify('external:4711');
   */
  verify(id: string, options?: RequestOptions): ApiPromise<SubTenant> {
    return this.call('POST /v1/sub-tenants/{id}/verify', { path: [id], options });
  }

  /**
   * Reads its signing keys, and what the last check found for each DNS record, with advice.
   *
   * @example
   * const authentication = await mailkeel.subTenants.getAuthentication('external:4711');
   */
  getAuthentication(id: string, options?: RequestOptions): ApiPromise<SubTenantAuthentication> {
    return this.call('GET /v1/sub-tenants/{id}/authentication', { path: [id], options });
  }

  /**
   * Reads what happened to the sub-tenant, in time order.
   *
   * @example
   * const { trail } = await mailkeel.subTenants.getAudit('external:4711');
   */
  getAudit(id: string, options?: RequestOptions): ApiPromise<SubTenantAudit> {
    return this.call('GET /v1/sub-tenants/{id}/audit', { path: [id], options });
  }

  /**
   * Makes new DKIM keys; the old ones sign until DNS shows the new ones.
   *
   * @example
   * await mailkeel.subTenants.rotateDkim('external:4711');
   */
  rotateDkim(id: string, params?: DkimRotate, options?: RequestOptions): ApiPromise<SubTenant> {
    return this.call('POST /v1/sub-tenants/{id}/rotate-dkim', { path: [id], body: params ?? {}, options });
  }

  /**
   * Refuses its sends and holds its queued mail in the key's environment, until it is resumed.
   *
   * @example
   * await mailkeel.subTenants.pause('external:4711');
   */
  pause(id: string, options?: RequestOptions): ApiPromise<SubTenant> {
    return this.call('POST /v1/sub-tenants/{id}/pause', { path: [id], options });
  }

  /**
   * Lets its mail go again.
   *
   * @example
   * await mailkeel.subTenants.resume('external:4711');
   */
  resume(id: string, options?: RequestOptions): ApiPromise<SubTenant> {
    return this.call('POST /v1/sub-tenants/{id}/resume', { path: [id], options });
  }

  /**
   * Reads its complaint and bounce rates against the levels, by day, and what followed from them.
   *
   * @example
   * const reputation = await mailkeel.subTenants.getReputation('external:4711', { days: 7 });
   */
  getReputation(
    id: string,
    params: Query<'subTenants.getReputation'> = {},
    options?: RequestOptions,
  ): ApiPromise<SubTenantReputation> {
    return this.call('GET /v1/sub-tenants/{id}/reputation', { path: [id], query: params, options });
  }

  /**
   * Checks its mail against what Google, Yahoo and Microsoft ask of bulk senders.
   *
   * @example
   * const { data } = await mailkeel.subTenants.getBulkRules('external:4711');
   * for (const check of data) if (check.status === 'fail') console.log(check.provider, check.rule, check.remedy);
   */
  getBulkRules(id: string, options?: RequestOptions): ApiPromise<BulkRules> {
    return this.call('GET /v1/sub-tenants/{id}/bulk-rules', { path: [id], options });
  }
}
