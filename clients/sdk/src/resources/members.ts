// The people of the organization.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type { ApiKey, ApiKeyList, Member, MemberDeleted, MemberList, MemberUpdate } from '../types.js';

export class Members extends Resource {
  /**
   * Lists the members of the organization.
   *
   * @example
   * for await (const member of mailkeel.members.list()) console.log(member.email, member.role);
   */
  list(params: Query<'members.list'> = {}, options?: RequestOptions): List<Member, MemberList> {
    return this.pages('GET /v1/members', { query: params, options });
  }

  /**
   * Changes the role of a member. Only an owner can grant or remove the owner role. Fails with `last_owner`.
   *
   * @example
   * await mailkeel.members.update('usr_01kdyak3se4w5amvgkazjzkvb7', { role: 'admin' });
   */
  update(id: string, params: MemberUpdate, options?: RequestOptions): ApiPromise<Member> {
    return this.call('PATCH /v1/members/{id}', { path: [id], body: params, options });
  }

  /**
   * Lists the API keys of a member in all workspaces. Removing the member revokes these keys.
   *
   * @example
   * const { data } = await mailkeel.members.listApiKeys('usr_01kdyak3se4w5amvgkazjzkvb7');
   */
  listApiKeys(
    id: string,
    params: Query<'members.listApiKeys'> = {},
    options?: RequestOptions,
  ): List<ApiKey, ApiKeyList> {
    return this.pages('GET /v1/members/{id}/api-keys', { path: [id], query: params, options });
  }

  /**
   * Removes a member from the organization, or leaves the organization. Fails with `last_owner`.
   *
   * @example
   * await mailkeel.members.remove('usr_01kdyak3se4w5amvgkazjzkvb7');
   */
  remove(id: string, options?: RequestOptions): ApiPromise<MemberDeleted> {
    return this.call('DELETE /v1/members/{id}', { path: [id], options });
  }
}
