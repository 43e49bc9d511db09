// Rules of what roles may do to each other. Every role may do all that those below it may.
import type { KeyPermission, Role } from '../../contract/names.js';

const RANK: Readonly<Record<Role, number>> = { viewer: 0, member: 1, admin: 2, owner: 3 };

/** Whether a role reaches `least`. */
export function hasRole(role: Role, least: Role): boolean {
  return RANK[role] >= RANK[least];
}

/**
 * Returns what is left of a key's permission with the role of its maker, or null if nothing is. A role of null is the operator's, who
 * may do everything.
 */
export function permissionOfMaker(role: Role | null, permission: KeyPermission): KeyPermission | null {
  if (role === null || hasRole(role, 'admin')) return permission;
  if (role === 'member') return permission === 'admin' ? 'full' : permission;
  return permission === 'send' ? null : 'read';
}

/**
 * Why somebody may not give a role, take it away or change it into another, as a sentence; null when they may. Only
 * owners touch owners. `from` and `to` are null where there was or will be none.
 */
export function roleChangeProblem(change: { by: Role; from: Role | null; to: Role | null }): string | null {
  const { by, from, to } = change;
  if (!hasRole(by, 'admin')) return 'Only owners and admins can manage members. Ask an owner or admin.';
  if (by !== 'owner' && (from === 'owner' || to === 'owner'))
    return 'Only an owner can change other owners. Ask an owner.';
  return null;
}
