// Sub-tenants: the customers of a platform, each with its own domain, keys and reputation.
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
   * Creates a sub-tenant and returns the DNS records to publish. Fails with `domain_taken`.
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
   * Returns a sub-tenant by ID, or by `external:` and your ID.
   *
   * @example
   * const customer = await mailkeel.subTenants.get('external:4711');
   */
  get(id: string, options?: RequestOptions): ApiPromise<SubTenant> {
    return this.call('GET /v1/sub-tenants/{id}', { path: [id], options });
  }

  /**
   * Updates the name, external ID, throttle, or the domains for bounces, replies and links of a sub-tenant.
   *
   * @example
   * await mailkeel.subTenants.update('external:4711', { name: 'Customer Ltd' });
   */
  update(id: string, params: SubTenantUpdate, options?: RequestOptions): ApiPromise<SubTenant> {
    return this.call('PATCH /v1/sub-tenants/{id}', { path: [id], body: params, options });
  }

  /**
   * Deletes a sub-tenant with its keys, senders, templates and API keys. Its queued messages fail.
   *
   * @example
   * await mailkeel.subTenants.delete('external:4711');
   */
  delete(id: string, options?: RequestOptions): ApiPromise<SubTenantDeleted> {
    return this.call('DELETE /v1/sub-tenants/{id}', { path: [id], options });
  }

  /**
   * Checks the DNS records of a sub-tenant now. Its status becomes `verified` when all required records are correct.
   *
   * @example
   * const { status } = await mailkeel.subTenants.verify('external:4711');
   */
  verify(id: string, options?: RequestOptions): ApiPromise<SubTenant> {
    return this.call('POST /v1/sub-tenants/{id}/verify', { path: [id], options });
  }

  /**
   * Returns the signing keys and the result of the last check of each DNS record, with advice.
   *
   * @example
   * const authentication = await mailkeel.subTenants.getAuthentication('external:4711');
   */
  getAuthentication(id: string, options?: RequestOptions): ApiPromise<SubTenantAuthentication> {
    return this.call('GET /v1/sub-tenants/{id}/authentication', { path: [id], options });
  }

  /**
   * Returns the audit trail of a sub-tenant in chronological order.
   *
   * @example
   * const { trail } = await mailkeel.subTenants.getAudit('external:4711');
   */
  getAudit(id: string, options?: RequestOptions): ApiPromise<SubTenantAudit> {
    return this.call('GET /v1/sub-tenants/{id}/audit', { path: [id], options });
  }

  /**
   * Creates new DKIM keys. The old keys sign messages until the new ones are published in DNS.
   *
   * @example
   * await mailkeel.subTenants.rotateDkim('external:4711');
   */
  rotateDkim(id: string, params?: DkimRotate, options?: RequestOptions): ApiPromise<SubTenant> {
    return this.call('POST /v1/sub-tenants/{id}/rotate-dkim', { path: [id], body: params ?? {}, options });
  }

  /**
   * Pauses a sub-tenant in the environment of the key. New messages are refused and queued messages are held until
   * you resume it.
   *
   * @example
   * await mailkeel.subTenants.pause('external:4711');
   */
  pause(id: string, options?: RequestOptions): ApiPromise<SubTenant> {
    return this.call('POST /v1/sub-tenants/{id}/pause', { path: [id], options });
  }

  /**
   * Resumes a paused sub-tenant.
   *
   * @example
   * await mailkeel.subTenants.resume('external:4711');
   */
  resume(id: string, options?: RequestOptions): ApiPromise<SubTenant> {
    return this.call('POST /v1/sub-tenants/{id}/resume', { path: [id], options });
  }

  /**
   * Returns complaint and bounce rates by day with their thresholds and the resulting actions.
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
   * Checks the sub-tenant's mail against the bulk sender requirements of Google, Yahoo and Microsoft.
   *
   * @example
   * const { data } = await mailkeel.subTenants.getBulkRules('external:4711');
   * for (const check of data) if (check.status === 'fail') console.log(check.provider, check.rule, check.remedy);
   */
  getBulkRules(id: string, options?: RequestOptions): ApiPromise<BulkRules> {
    return this.call('GET /v1/sub-tenants/{id}/bulk-rules', { path: [id], options });
  }
}
