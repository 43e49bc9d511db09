// Invitations into an organization: a link by mail, and in the answer for who invites; whoever opens it chooses a
// password, or signs in with the account that the address has.
import { Refusal, invalidFields } from '../../contract/refusal.js';
import type { Role } from '../../contract/names.js';
import { addressKey, addressProblem } from '../../lib/mime/address.js';
import { roleChangeProblem } from './role.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { newId } from '../../lib/runtime/ids.js';
import type { Member } from './people.store.js';
import type { SealToken } from '../../lib/runtime/mailed-token.js';
import type { CountUnsolicited } from '../unsolicited-mail.js';
import { refuseWeak } from './account.js';
import type { SystemMail } from '../system-mail.js';
import { invitationMail } from './account-mail.js';
import { auditEntries, type Visitor } from '../audit/audit-entry.js';
import { refuseUnlessMay, type ActingMember } from './members.js';
import type { Passwords } from './passwords.js';
import { planMember, planPerson } from './person.js';
import type { Factors, Prove } from '../sign-in/prove.js';
import { newToken, tokenHashOf } from '../sign-in/tokens.js';
import { type Invitation, invitations, users } from './people.tables.js';
import { update, insert } from '../../database/rows.js';
import type { Change } from '../../database/change.js';
import type { AccountStores } from '../stores.js';

const AGAIN_AFTER_MS = 60_000;

const GONE = 'This invitation has expired, or has already been accepted, revoked or replaced.';

export interface Invited {
  invitation: Invitation;
  link: string;
  /** False while the appliance has no domain to send mail from. */
  isMailed: boolean;
}

/** Content of the page of a link. */
export interface InvitationView {
  organizationName: string;
  email: string;
  role: Role;
  /** The password of that account is asked for, instead of a new one. */
  hasAccount: boolean;
  expiresAt: number;
}

export interface Acceptance {
  token: string;
  name: string | null;
  /** A second factor belongs to an account that the address has already. */
  factors: Factors;
}

export interface InvitationsDeps {
  store: Pick<AccountStores, 'people' | 'accounts' | 'commit'>;
  passwords: Passwords;
  prove: Prove;
  systemMail: SystemMail;
  /** Seals the token of the link in the stored mail. */
  seal: SealToken;
  count: CountUnsolicited;
  clock: Clock;
  wakeUps: { queue(queueIds: readonly number[]): void; events(): void };
  /** Base of the link, without a slash at the end. */
  publicUrl: string;
  lifetimeMs: number;
}

export class Invitations {
  readonly #deps: InvitationsDeps;

  constructor(deps: InvitationsDeps) {
    this.#deps = deps;
  }

  /**
   * A new invitation takes the place of an open one. Refuses with `forbidden` where the role is not the acting member's to
   * give, with `already_member`, and with `rate_limited` within a minute of the last and when too many were mailed.
   */
  async invite(acting: ActingMember, { email, role }: { email: string; role: Role }): Promise<Invited> {
    const { store, systemMail, clock, wakeUps, publicUrl, lifetimeMs } = this.#deps;
    const problem = addressProblem(email);
    if (problem !== null) throw invalidFields([{ path: 'email', message: problem }]);
    refuseUnlessMay(roleChangeProblem({ by: acting.role, from: null, to: role }));
    const now = clock();
    const emailKey = addressKey(email);
    await this.#refuseKnown(acting, emailKey, now);
    const { organizationId } = acting;
    const { token, tokenHash } = newToken();
    const invitation: Invitation = {
      id: newId('inv', now),
      organization_id: organizationId,
      email,
      email_key: emailKey,
      role,
      token_hash: tokenHash,
      // Revoked with the rights of that person, whether they or their key invited.
      invited_by: acting.personId ?? acting.id,
      expires_at: now + lifetimeMs,
      accepted_at: null,
      revoked_at: null,
      created_at: now,
    };
    const link = `${publicUrl}/invitation#${token}`;
    const { name: organizationName } = await store.accounts.organization({ organizationId });
    const mailed = `${publicUrl}/invitation#${this.#deps.seal(token, emailKey)}`;
    const message = invitationMail({ to: email, organizationName, link: mailed, lifeMs: lifetimeMs });
    const isMailed = (await systemMail.problem('invitations')) === null;
    const mail = isMailed
      ? [
          this.#deps.count({ kind: 'invitation', emailKey, askedBy: organizationId, now }),
          ...(await systemMail.plan({ ...message, now })),
        ]
      : [];
    const { queueIds } = await store.commit([
      update(invitations, {
        set: { revoked_at: now },
        where: {
          organization_id: organizationId,
          email_key: emailKey,
          accepted_at: null,
          revoked_at: null,
        },
      }),
      insert(invitations, {
        row: invitation,
        conflict: { code: 'conflict', message: 'Another request is already inviting this address.' },
      }),
      ...mail,
    ]);
    wakeUps.queue(queueIds);
    wakeUps.events();
    return { invitation, link, isMailed };
  }

  async revoke(acting: ActingMember, id: string): Promise<void> {
    const { store, clock } = this.#deps;
    const invitation = await store.people.invitation(acting.organizationId, id);
    if (!invitation) throw new Refusal('not_found');
    refuseUnlessMay(roleChangeProblem({ by: acting.role, from: null, to: invitation.role }));
    await store.commit([
      update(invitations, {
        set: { revoked_at: clock() },
        where: { id, accepted_at: null, revoked_at: null },
        otherwise: { code: 'conflict', message: 'The invitation has already been accepted or revoked.' },
      }),
    ]);
  }

  /** Refuses with `not_found` like `accept`. */
  async view(token: string): Promise<InvitationView> {
    const { store } = this.#deps;
    const { organization_id, email, email_key, role, expires_at } = await this.#open(token);
    const organization = await store.accounts.organization({ organizationId: organization_id });
    const hasAccount = (await store.people.userByEmail(email_key)) !== null;
    return { organizationName: organization.name, email, role, hasAccount, expiresAt: expires_at };
  }

  /**
   * Makes the person a member. Refuses with `not_found` when the link does not work (any more), and where the address
   * has an account as signing in does: with `sign_in_failed` and `totp_required`.
   */
  async accept(acceptance: Acceptance, visitor: Visitor): Promise<Member> {
    const { store, clock } = this.#deps;
    const invitation = await this.#open(acceptance.token);
    const { userId, plan } = await this.#planEntry(invitation, acceptance, visitor);
    const now = clock();
    const { id, organization_id: organizationId } = invitation;
    await store.commit([
      update(invitations, {
        set: { accepted_at: now },
        where: { id, accepted_at: null, revoked_at: null },
        otherwise: { code: 'not_found', message: GONE },
      }),
      ...plan,
      ...auditEntries({
        organizationIds: [organizationId],
        action: 'invitations.accept',
        actor: { kind: 'user', id: userId },
        targetId: id,
        detail: { role: invitation.role },
        visitor,
        now,
      }),
    ]);
    const member = await store.people.member(organizationId, userId);
    if (!member) throw new Error(`The new member ${userId} is gone.`);
    return member;
  }

  async #open(token: string): Promise<Invitation> {
    const { store, clock } = this.#deps;
    const tokenHash = tokenHashOf(token);
    const found = tokenHash === null ? null : await store.people.invitationByToken(tokenHash);
    if (!found || invitationStatus(found, clock()) !== 'pending') throw new Refusal('not_found', GONE);
    return found;
  }

  async #refuseKnown({ organizationId, role }: ActingMember, emailKey: string, now: number): Promise<void> {
    const { store } = this.#deps;
    if (await store.people.memberByEmail(organizationId, emailKey)) {
      throw new Refusal('already_member', undefined, { param: 'email' });
    }
    const earlier = await store.people.openInvitation(organizationId, emailKey);
    if (!earlier) return;
    // The new invitation replaces the earlier one. Only a member who may give the earlier role may end that.
    refuseUnlessMay(roleChangeProblem({ by: role, from: null, to: earlier.role }));
    if (now - earlier.created_at < AGAIN_AFTER_MS) {
      throw new Refusal('rate_limited', 'This address was invited less than a minute ago. Try again later.');
    }
  }

  /** The changes that make the person a member: a new account, or the one that the password opens. */
  async #planEntry(
    invitation: Invitation,
    { name, factors }: Acceptance,
    visitor: Visitor,
  ): Promise<{ userId: string; plan: Change[] }> {
    const { store, passwords, prove, clock } = this.#deps;
    const { email, email_key, organization_id, role } = invitation;
    if (await store.people.userByEmail(email_key)) {
      const proof = await prove(email_key, factors, { visitor });
      if (proof.kind === 'totp_required') throw new Refusal('totp_required');
      if (proof.kind !== 'proven') throw new Refusal('sign_in_failed');
      const { user, change } = proof;
      return {
        userId: user.id,
        plan: [update(users, change), planMember(organization_id, user.id, role, clock())],
      };
    }
    const { password } = factors;
    refuseWeak(password, email, 'password');
    const person = { email, name, passwordHash: await passwords.hash(password), role };
    return planPerson({ ...person, organizationId: organization_id }, clock());
  }
}

export type InvitationStatus = 'pending' | 'accepted' | 'revoked' | 'expired';

export function invitationStatus(invitation: Invitation, now: number): InvitationStatus {
  if (invitation.accepted_at !== null) return 'accepted';
  if (invitation.revoked_at !== null) return 'revoked';
  return invitation.expires_at > now ? 'pending' : 'expired';
}
