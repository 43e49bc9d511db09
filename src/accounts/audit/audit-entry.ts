// Audit entries of sign-ins, of actions by a mailed link, and of actions that need the password again. There the entry cannot
// be a commit hook of the request: nobody is signed in yet, or the entry counts the attempt.
import { auditInsert } from './audit.store.js';
import type { Change } from '../../database/change.js';

/** Where a request came from. */
export interface Visitor {
  ip: string | null;
  userAgent: string | null;
  requestId: string | null;
  /** The cookie that a browser keeps after a sign-in; null without one. */
  browserToken: string | null;
}

interface PeopleAct {
  /** Every organization that it concerns gets an entry. */
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
    | 'organization.setUp';
  /** Null where nobody has proved who they are. */
  actor: { kind: 'user'; id: string } | { kind: 'operator' } | null;
  targetId: string;
  /** Without secrets. */
  detail?: Record<string, string | boolean>;
  visitor: Visitor | null;
  now: number;
}

/** The entries of an act, to be committed with it. */
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
