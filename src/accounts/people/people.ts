// Dependencies of the routes about people: accounts, sessions, members and invitations.
import type { CredentialCache } from '../api-keys/credential-cache.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Config } from '../../settings/settings.js';
import type { Log } from '../../lib/runtime/log.js';
import { createSealToken } from '../../lib/runtime/mailed-token.js';
import { createUnsolicitedMailLimit } from '../unsolicited-mail.js';
import type { SystemMail } from '../system-mail.js';
import { createAccount, type Account } from './account.js';
import { Invitations } from './invitations.js';
import { createMembers, type Members } from './members.js';
import { createSetupOwner, type SetupOwner } from './owner.js';
import { createPasswordResets, type PasswordResets } from './password-reset.js';
import { createPasswords } from './passwords.js';
import { createProve } from '../sign-in/prove.js';
import { createSessions, type Sessions } from '../sign-in/sessions.js';
import { createSignIn, type SignIn } from '../sign-in/sign-in.js';
import type { AccountStores } from '../stores.js';

export type PeopleSettings = Pick<
  Config,
  | 'publicUrl'
  | 'sessionLifetimeMs'
  | 'sessionIdleMs'
  | 'signInFailures'
  | 'signInLockMs'
  | 'signInRefusalMs'
  | 'invitationLifetimeMs'
  | 'passwordResetLifetimeMs'
>;

export interface PeopleDeps {
  store: Pick<AccountStores, 'people' | 'accounts' | 'commit'>;
  settings: PeopleSettings;
  masterKey: Buffer;
  systemMail: SystemMail;
  credentials: Pick<CredentialCache, 'forget'>;
  clock: Clock;
  log: Log;
  wakeUps: { queue(queueIds: readonly number[]): void; events(): void };
}

export interface People {
  sessions: Sessions;
  signIn: SignIn;
  account: Account;
  members: Members;
  invitations: Invitations;
  resets: PasswordResets;
  setupOwner: SetupOwner;
}

export function createPeople(deps: PeopleDeps): People {
  const { store, settings, masterKey, clock, log, wakeUps } = deps;
  const { publicUrl } = settings;
  const passwords = createPasswords();
  const sessions = createSessions({ store, clock, settings });
  const lockRule = { maxFailures: settings.signInFailures, lockMs: settings.signInLockMs };
  const prove = createProve({
    store,
    passwords,
    masterKey,
    clock,
    lockRule,
    refusalMs: settings.signInRefusalMs,
  });
  const mailing = {
    systemMail: deps.systemMail,
    seal: createSealToken(masterKey),
    count: createUnsolicitedMailLimit(masterKey),
  };
  const linked = { store, passwords, ...mailing, clock, wakeUps, publicUrl };
  return {
    sessions,
    signIn: createSignIn({ store, prove, sessions, settings, clock }),
    account: createAccount({ store, passwords, prove, masterKey, clock }),
    members: createMembers({ store, credentials: deps.credentials, clock }),
    invitations: new Invitations({ ...linked, prove, lifetimeMs: settings.invitationLifetimeMs }),
    resets: createPasswordResets({ ...linked, log, lifetimeMs: settings.passwordResetLifetimeMs }),
    setupOwner: createSetupOwner({ store, passwords, settings, clock }),
  };
}
