// API keys.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type {
  ApiKey,
  ApiKeyCreate,
  ApiKeyCreated,
  ApiKeyDeleted,
  ApiKeyList,
  ApiKeyRotate,
  ApiKeyUpdate,
  SesCredentials,
} from '../types.js';

export class ApiKeys extends Resource {
  /**
   * Lists the API keys of the workspace in both environments, without their secrets.
   *
   * @example
   * for await (const key of mailkeel.apiKeys.list()) console.log(key.name);
   */
  list(params: Query<'apiKeys.list'> = {}, options?: RequestOptions): List<ApiKey, ApiKeyList> {
    return this.pages('GET /v1/api-keys', { query: params, options });
  }

  /**
   * Creates an API key. The secret is only returned by this call.
   *
   * @example
   * const created = await mailkeel.apiKeys.create({ name: 'Web shop', permission: 'send' });
   */
  create(params: ApiKeyCreate, options?: RequestOptions): ApiPromise<ApiKeyCreated> {
    return this.call('POST /v1/api-keys', { body: params, options });
  }

  /**
   * Returns an API key, without its secret.
   *
   * @example
   * const key = await mailkeel.apiKeys.get('key_01kdyak3se4w5amvgkazjzkvb7');
   */
  get(id: string, options?: RequestOptions): ApiPromise<ApiKey> {
    return this.call('GET /v1/api-keys/{id}', { path: [id], options });
  }

  /**
   * Updates the name, allowed IP addresses, expiration or send policy of an API key. Changes apply immediately.
   *
   * @example
   * await mailkeel.apiKeys.update('key_01kdyak3se4w5amvgkazjzkvb7', { allowed_ips: ['192.0.2.0/24'] });
   */
  update(id: string, params: ApiKeyUpdate, options?: RequestOptions): ApiPromise<ApiKey> {
    return this.call('PATCH /v1/api-keys/{id}', { path: [id], body: params, options });
  }

  /**
   * Revokes an API key. The key stops working immediately.
   *
   * @example
   * await mailkeel.apiKeys.revoke('key_01kdyak3se4w5amvgkazjzkvb7');
   */
  revoke(id: string, options?: RequestOptions): ApiPromise<ApiKeyDeleted> {
    return this.call('DELETE /v1/api-keys/{id}', { path: [id], options });
  }

  /**
   * Creates a replacement for an API key. Both keys work until the overlap ends. The new secret is only returned by
   * this call.
   *
   * @example
   * const next = await mailkeel.apiKeys.rotate('key_01kdyak3se4w5amvgkazjzkvb7', { overlap: '24h' });
   */
  rotate(id: string, params?: ApiKeyRotate, options?: RequestOptions): ApiPromise<ApiKeyCreated> {
    return this.call('POST /v1/api-keys/{id}/rotate', { path: [id], body: params ?? {}, options });
  }

  /**
   * Creates the credentials with which Amazon SES clients sign requests to `/compat/ses` as an API key. Earlier ones of
   * the key stop working. The secret is only returned by this call.
   *
   * @example
   * const credentials = await mailkeel.apiKeys.createSesCredentials('key_01kdyak3se4w5amvgkazjzkvb7');
   */
  createSesCredentials(id: string, options?: RequestOptions): ApiPromise<SesCredentials> {
    return this.call('POST /v1/api-keys/{id}/ses-credentials', { path: [id], options });
  }
}
