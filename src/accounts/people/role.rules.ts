// Rules for managing roles. Each role includes the rights of the roles below it.
import type { KeyPermission, Role } from '../../contract/names.js';

const RANK: Readonly<Record<Role, number>> = { viewer: 0, member: 1, admin: 2, owner: 3 };

/** Returns whether a role includes `least`. */
export function hasRole(role: Role, least: Role): boolean {
  return RANK[role] >= RANK[least];
}

/**
 * Returns the permission of a key limited by its owner's role, or null if none remains. A null role is the operator's, which
 * limits nothing.
 */
export function permissionOfMaker(role: Role | null, permission: KeyPermission): KeyPermission | null {
  if (role === null || hasRole(role, 'admin')) return permission;
  if (role === 'member') return permission === 'admin' ? 'full' : permission;
  return permission === 'send' ? null : 'read';
}

/** Returns whether a member of the organization approves messages. `isGranted` counts for the role `member`. */
export function isApprover(role: Role, isGranted: boolean): boolean {
  return hasRole(role, 'admin') || (role === 'member' && isGranted);
}

/**
 * Returns a sentence that says why a member may not change a role, or null. Only owners can add, change or remove owners. `from`
 * and `to` are null without a role before or after.
 */
export function roleChangeProblem(change: { by: Role; from: Role | null; to: Role | null }): string | null {
  const { by, from, to } = change;
  if (!hasRole(by, 'admin')) return 'Only owners and admins can manage members. Ask an owner or admin.';
  if (by !== 'owner' && (from === 'owner' || to === 'owner'))
    return 'Only an owner can change other owners. Ask an owner.';
  return null;
}
