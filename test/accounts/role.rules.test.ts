import { expect, it } from 'vitest';
import { ROLES, type Role } from '../../src/contract/names.js';
import { hasRole, roleChangeProblem } from '../../src/accounts/people/role.rules.js';

it('orders roles', () => {
  const reached = ROLES.map((role) => ROLES.filter((least) => hasRole(role, least)).length);
  expect(reached).toEqual([4, 3, 2, 1]);
});

it.each<[Role, Role | null, Role | null, boolean]>([
  ['owner', 'owner', 'viewer', true],
  ['owner', null, 'owner', true],
  ['owner', 'owner', null, true],
  ['admin', 'admin', 'member', true],
  ['admin', 'member', 'admin', true],
  ['admin', 'admin', null, true],
  ['admin', null, 'admin', true],
  ['admin', null, 'owner', false],
  ['admin', 'owner', 'admin', false],
  ['admin', 'owner', null, false],
  ['admin', 'admin', 'owner', false],
  ['member', 'viewer', null, false],
  ['member', null, 'viewer', false],
  ['viewer', 'viewer', 'member', false],
])('%s: from %s to %s: %s', (by, from, to, may) => {
  expect(roleChangeProblem({ by, from, to }) === null).toBe(may);
});
