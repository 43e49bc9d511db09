// Audit entries of sign-ins, of actions by a mailed link, and of actions that require the password. They cannot be attached to the
// request's commit, because no one is signed in yet, or because the entry counts the attempt.
import { auditInsert } from './audit.store.js';
import type { Change } from '../../database/change.js';

/** The origin of a request. */
export interface Visitor {
  ip: string | null;
  userAgent: string | null;
  requestId: string | null;
  /** The cookie of a browser that has signed in before. Null without one. */
  browserToken: string | null;
}

interface PeopleAct {
  /** Each organization involved gets an entry. */
  organizationIds: readonly string[];
  action:
    | 'auth.signIn'
    | 'auth.signInFailed'
    | 'auth.changePassword'
    | 'auth.beginTotp'
    | 'auth.disableTotp'
    | 'invitations.accept'
    | 'auth.resetPassword'
    | 'auth.pollDevice'
    | 'members.makeOwner'
    | 'auth.setPassword'
    | 'organization.setUp'
    | 'oauth.connect'
    | 'oauth.disconnect';
  /** Null if the person is not authenticated. */
  actor: { kind: 'user'; id: string } | { kind: 'operator' } | null;
  targetId: string;
  /** Contains no secrets. */
  detail?: Record<string, string | boolean>;
  visitor: Visitor | null;
  now: number;
}

/** Returns the entries of an act, to be committed with it. */
export function auditEntries(act: PeopleAct): Change[] {
  const { actor, visitor, now, action, targetId, detail } = act;
  return act.organizationIds.map((organizationId) =>
    auditInsert({
      at: now,
      organizationId,
      workspaceId: null,
      actor: { kind: actor?.kind ?? 'user', id: actor?.kind === 'user' ? actor.id : null },
      action,
      targetId,
      ...(detail === undefined ? {} : { detail }),
      ip: visitor?.ip ?? null,
      requestId: visitor?.requestId ?? null,
    }),
  );
}
