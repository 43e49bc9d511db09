// Invitations into the organization.
import type { ApiPromise } from '../api-promise.js';
import type { List } from '../list.js';
import type { RequestOptions } from '../request.js';
import { Resource } from '../resource.js';
import type { Query } from '../routes.js';
import type {
  Invitation,
  InvitationAccept,
  InvitationCreate,
  InvitationCreated,
  InvitationDeleted,
  InvitationList,
  InvitationView,
  Member,
  OpenInvitation,
} from '../types.js';

export class Invitations extends Resource {
  /**
   * Lists invitations.
   *
   * @example
   * const invitations = await mailkeel.invitations.list();
   */
  list(params: Query<'invitations.list'> = {}, options?: RequestOptions): List<Invitation, InvitationList> {
    return this.pages('GET /v1/invitations', { query: params, options });
  }

  /**
   * Invites a person by email or with the link in the response. Replaces an open invitation. Fails with
   * `already_member`.
   *
   * @example
   * await mailkeel.invitations.create({ email: 'ann@example.com', role: 'member' });
   */
  create(params: InvitationCreate, options?: RequestOptions): ApiPromise<InvitationCreated> {
    return this.call('POST /v1/invitations', { body: params, options });
  }

  /**
   * Revokes an invitation. Its link stops working.
   *
   * @example
   * await mailkeel.invitations.revoke('inv_01kdyak3se4w5amvgkazjzkvb7');
   */
  revoke(id: string, options?: RequestOptions): ApiPromise<InvitationDeleted> {
    return this.call('DELETE /v1/invitations/{id}', { path: [id], options });
  }

  /**
   * Returns the invitation a link belongs to. No key required.
   *
   * @example
   * const invitation = await mailkeel.invitations.view({ token: 'kJ3v…' });
   */
  view(params: InvitationView, options?: RequestOptions): ApiPromise<OpenInvitation> {
    return this.call('POST /v1/invitations/view', { body: params, options, isKeyless: true, isPublic: true });
  }

  /**
   * Accepts an invitation by creating an account or with the existing account for the address. No key required.
   *
   * @example
   * await mailkeel.invitations.accept({ token: 'kJ3v…', name: 'Ann Smith', password: 'four words of your own' });
   */
  accept(params: InvitationAccept, options?: RequestOptions): ApiPromise<Member> {
    return this.call('POST /v1/invitations/accept', {
      body: params,
      options,
      isKeyless: true,
      isPublic: true,
    });
  }
}
