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
} from '../types.js';

export class ApiKeys extends Resource {
  /**
   * Lists the API keys of the workspace, both environments, without their secrets.
   *
   * @example
   * for await (const key of mailkeel.apiKeys.list()) console.log(key.name);
   */
  list(params: Query<'apiKeys.list'> = {}, options?: RequestOptions): List<ApiKey, ApiKeyList> {
    return this.pages('GET /v1/api-keys', { query: params, options });
  }

  /**
   * Makes an API key; the answer shows its secret, once.
   *
   * @example
   * const created = await mailkeel.apiKeys.create({ name: 'Web shop', permission: 'send' });
   */
  create(params: ApiKeyCreate, options?: RequestOptions): ApiPromise<ApiKeyCreated> {
    return this.call('POST /v1/api-keys', { body: params, options });
  }

  /**
   * Reads an API key, without its secret.
   *
   * @example
   * const key = await mailkeel.apiKeys.get('key_01kdyak3se4w5amvgkazjzkvb7');
   */
  get(id: string, options?: RequestOptions): ApiPromise<ApiKey> {
    return this.call('GET /v1/api-keys/{id}', { path: [id], options });
  }

  /**
   * Changes the name, the addresses or the end of an API key; in force at once.
   *
   * @example
   * await mailkeel.apiKeys.update('key_01kdyak3se4w5amvgkazjzkvb7', { allowed_ips: ['192.0.2.0/24'] });
   */
  update(id: string, params: ApiKeyUpdate, options?: RequestOptions): ApiPromise<ApiKey> {
    return this.call('PATCH /v1/api-keys/{id}', { path: [id], body: params, options });
  }

  /**
   * Revokes an API key; it stops working at once.
   *
   * @example
   * await mailkeel.apiKeys.revoke('key_01kdyak3se4w5amvgkazjzkvb7');
   */
  revoke(id: string, options?: RequestOptions): ApiPromise<ApiKeyDeleted> {
    return this.call('DELETE /v1/api-keys/{id}', { path: [id], options });
  }

  /**
   * Makes a key that takes the place of this one; both work for a while. Its secret is shown here only.
   *
   * @example
   * const next = await mailkeel.apiKeys.rotate('key_01kdyak3se4w5amvgkazjzkvb7', { overlap: '24h' });
   */
  rotate(id: string, params?: ApiKeyRotate, options?: RequestOptions): ApiPromise<ApiKeyCreated> {
    return this.call('POST /v1/api-keys/{id}/rotate', { path: [id], body: params ?? {}, options });
  }
}
