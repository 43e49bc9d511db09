// Texts of the page of the people of an organization.
import { catalogue } from './texts.js';

const en = {
  title: 'People',
  about: 'Who may sign in to this organization, and what each may do. People are of all its workspaces.',
  invite: 'Invite somebody',
  person: 'Person',
  role: 'Role',
  factor: 'Second factor',
  since: 'Since',
  you: 'you',
  emptyTitle: 'Nobody here',
  empty: 'Invite your colleagues.',
  on: 'on',
  off: 'off',
  roles: {
    title: 'What each role may do',
    owner: 'Everything, and the only one who decides about owners.',
    admin: 'Everything but what concerns owners: keys, people, settings, workspaces.',
    member: 'Mail, templates, contacts, campaigns, sequences and sub-tenants.',
    viewer: 'Looks at everything and changes nothing.',
  },
  onlyAdmins: 'Owners and admins invite people and change roles.',
  changeRole: 'Change the role',
  changeRoleOf: (name: string) => `Role of ${name}`,
  roleChanged: 'The role is changed.',
  remove: 'Remove from the organization',
  removeOf: (name: string) => `Remove ${name}?`,
  removeHint:
    'The person is signed out at once and cannot sign in to this organization any more. What they made stays; API keys keep working.',
  removed: 'The person is removed.',
  leave: 'Leave the organization',
  leaveTitle: 'Leave this organization?',
  leaveHint: 'You are signed out and need a new invitation to come back.',
  invitations: 'Invitations that are open',
  noInvitations: 'No invitation is open.',
  expires: 'Ends',
  invitedBy: 'Invited by',
  email: 'Email address',
  inviteHint:
    'The person gets a link with which they choose a password, or join with the account that they have. It works for 7 days.',
  send: 'Invite',
  mailed: (email: string) => `The invitation is on its way to ${email}.`,
  link: 'Link of the invitation',
  linkMailed: 'The mail holds the same link. It is shown only now.',
  linkNotMailed:
    'No mail was sent: the appliance has no domain to send from yet. Hand this link over yourself; it is shown only now.',
  revoke: 'Revoke',
  revokeOf: (email: string) => `Revoke the invitation of ${email}?`,
  revokeHint: 'Its link stops working. You can invite the address again.',
  revoked: 'The invitation is revoked.',
  again: 'Invite again',
};

export const people = catalogue(en, () => import('./de/people.js').then(({ de }) => de));
export type PeopleTexts = typeof en;
