// Invitations into an organization. The link is mailed, and returned to the inviting member. Invitees choose a password there, or
// sign in with an existing account.
import { Refusal, invalidFields } from '../../contract/refusal.js';
import type { Role } from '../../contract/names.js';
import { addressKey, addressProblem } from '../../lib/mime/index.js';
import { roleChangeProblem } from './role.rules.js';
import { type Clock, newId } from '../../lib/runtime/index.js';
import type { Member } from './people.store.js';
import { createSealToken, type SealToken } from '../../lib/secrets/index.js';
import { createUnsolicitedMailLimit, type CountUnsolicited } from '../unsolicited-mail.js';
import { refuseWeak } from './account.js';
import { invitationMail } from './account-mail.js';
import { auditEntries, type Visitor } from '../audit/audit-entry.js';
import { refuseUnlessMay, type ActingMember } from './members.js';
import { planMember, planPerson } from './person.js';
import { verifyFactors, type Factors } from '../sign-in/verify-factors.js';
import { newToken, hashToken } from '../sign-in/tokens.js';
import { type Invitation, invitations, users } from './people.tables.js';
import { update, insert } from '../../database/rows.js';
import type { Change } from '../../database/change.js';
import type { AccountContext } from '../context.js';
import type { AccountStores } from '../stores.js';

const AGAIN_AFTER_MS = 60_000;

const GONE = 'This invitation has expired, or has already been accepted, revoked or replaced.';

interface Invited {
  invitation: Invitation;
  link: string;
  /** False while the server has no domain to send mail from. */
  isMailed: boolean;
}

/** Content of the page of a link. */
interface InvitationView {
  organizationName: string;
  email: string;
  role: Role;
  /** True if the address has an account, whose password is required. */
  hasAccount: boolean;
  expiresAt: number;
}

interface Acceptance {
  token: string;
  name: string | null;
  /** The second factor is for an existing account. */
  factors: Factors;
}

export class Invitations {
  readonly #context: AccountContext;
  readonly #store: AccountStores;
  readonly #clock: Clock;
  /** Encrypts the token of the link in the stored mail. */
  readonly #seal: SealToken;
  readonly #count: CountUnsolicited;

  constructor(context: AccountContext) {
    this.#context = context;
    this.#store = context.store;
    this.#clock = context.clock;
    this.#seal = createSealToken(context.masterKey);
    this.#count = createUnsolicitedMailLimit(context.masterKey);
  }

  /**
   * Invites an address, in place of an open invitation. Refuses with `forbidden` if the acting member may not give the role,
   * with `already_member`, and with `rate_limited` within a minute of the last one or if too many were mailed.
   */
  async invite(acting: ActingMember, { email, role }: { email: string; role: Role }): Promise<Invited> {
    const { systemMail, wakeUps, settings } = this.#context;
    const { publicUrl, invitationLifetimeMs: lifetimeMs } = settings;
    const problem = addressProblem(email);
    if (problem !== null) throw invalidFields([{ path: 'email', message: problem }]);
    refuseUnlessMay(roleChangeProblem({ by: acting.role, from: null, to: role }));
    const now = this.#clock();
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
      // The invitation is revoked with the rights of this person, whether they or their key invited.
      invited_by: acting.personId ?? acting.id,
      expires_at: now + lifetimeMs,
      accepted_at: null,
      revoked_at: null,
      created_at: now,
    };
    const link = `${publicUrl}/invitation#${token}`;
    const { name: organizationName } = await this.#store.accounts.organization({ organizationId });
    const mailed = `${publicUrl}/invitation#${this.#seal(token, emailKey)}`;
    const message = invitationMail({ to: email, organizationName, link: mailed, lifeMs: lifetimeMs });
    const isMailed = (await systemMail.problem('invitations')) === null;
    const mail = isMailed
      ? [
          this.#count({ kind: 'invitation', emailKey, askedBy: organizationId, now }),
          ...(await systemMail.plan({ ...message, now })),
        ]
      : [];
    const { queueIds } = await this.#store.commit([
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
    const invitation = await this.#store.people.invitation(acting.organizationId, id);
    if (!invitation) throw new Refusal('not_found');
    refuseUnlessMay(roleChangeProblem({ by: acting.role, from: null, to: invitation.role }));
    await this.#store.commit([
      update(invitations, {
        set: { revoked_at: this.#clock() },
        where: { id, accepted_at: null, revoked_at: null },
        otherwise: { code: 'conflict', message: 'The invitation has already been accepted or revoked.' },
      }),
    ]);
  }

  /** Refuses with `not_found` like `accept`. */
  async view(token: string): Promise<InvitationView> {
    const { organization_id, email, email_key, role, expires_at } = await this.#open(token);
    const organization = await this.#store.accounts.organization({ organizationId: organization_id });
    const hasAccount = (await this.#store.people.userByEmail(email_key)) !== null;
    return { organizationName: organization.name, email, role, hasAccount, expiresAt: expires_at };
  }

  /**
   * Makes the person a member. Refuses with `not_found` if the link is not or no longer valid. For an existing account,
   * refuses with `sign_in_failed` or `totp_required`, as signing in does.
   */
  async accept(acceptance: Acceptance, visitor: Visitor): Promise<Member> {
    const invitation = await this.#open(acceptance.token);
    const { userId, plan } = await this.#planEntry(invitation, acceptance, visitor);
    const now = this.#clock();
    const { id, organization_id: organizationId } = invitation;
    await this.#store.commit([
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
    const member = await this.#store.people.member(organizationId, userId);
    if (!member) throw new Error(`The new member ${userId} is gone.`);
    return member;
  }

  async #open(token: string): Promise<Invitation> {
    const tokenHash = hashToken(token);
    const found = tokenHash === null ? null : await this.#store.people.invitationByToken(tokenHash);
    if (!found || invitationStatus(found, this.#clock()) !== 'pending') throw new Refusal('not_found', GONE);
    return found;
  }

  async #refuseKnown({ organizationId, role }: ActingMember, emailKey: string, now: number): Promise<void> {
    if (await this.#store.people.memberByEmail(organizationId, emailKey)) {
      throw new Refusal('already_member', undefined, { param: 'email' });
    }
    const earlier = await this.#store.people.openInvitation(organizationId, emailKey);
    if (!earlier) return;
    // The new invitation replaces the earlier one. Only a member who may give the earlier role may end that.
    refuseUnlessMay(roleChangeProblem({ by: role, from: null, to: earlier.role }));
    if (now - earlier.created_at < AGAIN_AFTER_MS) {
      throw new Refusal('rate_limited', 'This address was invited less than a minute ago. Try again later.');
    }
  }

  /** Plans the membership, with a new account or with the existing one that the password opens. */
  async #planEntry(
    invitation: Invitation,
    { name, factors }: Acceptance,
    visitor: Visitor,
  ): Promise<{ userId: string; plan: Change[] }> {
    const { email, email_key, organization_id, role } = invitation;
    if (await this.#store.people.userByEmail(email_key)) {
      const proof = await verifyFactors(this.#context, { emailKey: email_key, factors }, { visitor });
      if (proof.kind === 'totp_required') throw new Refusal('totp_required');
      if (proof.kind !== 'proven') throw new Refusal('sign_in_failed');
      const { user, change } = proof;
      return {
        userId: user.id,
        plan: [update(users, change), planMember(organization_id, user.id, role, this.#clock())],
      };
    }
    const { password } = factors;
    refuseWeak(password, email, 'password');
    const person = { email, name, passwordHash: await this.#context.passwords.hash(password), role };
    return planPerson({ ...person, organizationId: organization_id }, this.#clock());
  }
}

type InvitationStatus = 'pending' | 'accepted' | 'revoked' | 'expired';

export function invitationStatus(invitation: Invitation, now: number): InvitationStatus {
  if (invitation.accepted_at !== null) return 'accepted';
  if (invitation.revoked_at !== null) return 'revoked';
  return invitation.expires_at > now ? 'pending' : 'expired';
}
