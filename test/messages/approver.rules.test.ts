import { describe, expect, it } from 'vitest';
import {
  type ApprovalAction,
  type ApprovalFacts,
  type Approver,
  approverProblem,
} from '../../src/messages/approvals/approver.rules.js';

const OWNER: Approver = { id: 'usr_1', role: 'owner', canApprove: false };
const FACTS: ApprovalFacts = { isTwoPerson: false, ownerId: 'usr_2', editedBy: null };

describe('an approver', () => {
  it.each<[string, Partial<Approver>, Partial<ApprovalFacts>, ApprovalAction, RegExp | null]>([
    ['an owner', {}, {}, 'approve', null],
    ['an admin', { role: 'admin' }, {}, 'approve', null],
    ['no member without the permission', { role: 'member' }, {}, 'reject', /cannot approve/],
    ['a member with the permission', { role: 'member', canApprove: true }, {}, 'approve', null],
    ['no viewer, even with it', { role: 'viewer', canApprove: true }, {}, 'approve', /cannot approve/],
    ['the owner of the key', {}, { ownerId: 'usr_1' }, 'approve', null],
    ['the author of the version', {}, { editedBy: 'usr_1' }, 'approve', null],
    [
      'not the owner of the key, of two',
      {},
      { isTwoPerson: true, ownerId: 'usr_1' },
      'approve',
      /your API key/,
    ],
    ['nor as its editor', {}, { isTwoPerson: true, ownerId: 'usr_1' }, 'edit', /your API key/],
    ['but to reject it', {}, { isTwoPerson: true, ownerId: 'usr_1' }, 'reject', null],
    [
      'not the author of the version, of two',
      {},
      { isTwoPerson: true, editedBy: 'usr_1' },
      'approve',
      /this version/,
    ],
    ['who may edit it again', {}, { isTwoPerson: true, editedBy: 'usr_1' }, 'edit', null],
    [
      'another one, for a key of the operator',
      {},
      { isTwoPerson: true, ownerId: null, editedBy: 'usr_2' },
      'approve',
      null,
    ],
  ])('is %s', (_name, person, facts, action, problem) => {
    const found = approverProblem({ ...OWNER, ...person }, { ...FACTS, ...facts }, action);
    if (problem === null) expect(found).toBeNull();
    else expect(found).toMatch(problem);
  });
});
