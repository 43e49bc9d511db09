// Decides who may approve, reject and edit messages that wait for approval.
import { isApprover } from '../../accounts/people/role.rules.js';
import type { Role } from '../../contract/names.js';

export type ApprovalAction = 'approve' | 'reject' | 'edit';

export interface Approver {
  id: string;
  role: Role;
  /** Granted to a member. */
  canApprove: boolean;
}

export interface ApprovalFacts {
  /** Whether the organization requires two-person approval. */
  isTwoPerson: boolean;
  /** Owner of the API key that sent the message; null for an operator's key. */
  ownerId: string | null;
  /** The author of this version; null for the submitted one. */
  editedBy: string | null;
}

/** Returns why the person may not decide, as a sentence; null if they may. */
export function approverProblem(
  approver: Approver,
  { isTwoPerson, ownerId, editedBy }: ApprovalFacts,
  action: ApprovalAction,
): string | null {
  if (!isApprover(approver.role, approver.canApprove)) {
    return 'You cannot approve messages. Ask an owner or admin for the permission.';
  }
  if (!isTwoPerson || action === 'reject') return null;
  if (ownerId === approver.id) {
    return 'The organization requires two-person approval, and the message was sent with your API key. Ask another approver.';
  }
  if (action === 'approve' && editedBy === approver.id) {
    return 'The organization requires two-person approval, and you edited this version. Ask another approver.';
  }
  return null;
}
