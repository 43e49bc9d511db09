// `mailkeel admin people list | make-owner | set-password`: helps people who are locked out. Access to the data folder is
// sufficient permission, because it allows everything anyway.
import type { Command } from 'commander';
import { type OutputOptions, type Terminal, print, table } from './terminal.js';
import { randomBytes } from 'node:crypto';
import type { Role } from '../contract/names.js';
import { Refusal } from '../contract/refusal.js';
import { addressKey } from '../lib/mime/index.js';
import type { Clock } from '../lib/runtime/index.js';
import type { Config } from '../settings/settings.js';
import type { Member } from '../accounts/people/people.store.js';
import type { Store } from '../app/store.js';
import { refuseWeak } from '../accounts/people/account.js';
import { auditEntries } from '../accounts/audit/audit-entry.js';
import { planNewPassword } from '../accounts/people/password-reset.js';
import { planOwner } from '../accounts/people/owner.js';
import { Passwords } from '../accounts/people/passwords.js';
import { withAppliance } from '../app/installation/open-appliance.js';
import { remove, update } from '../database/rows.js';
import { passwordResets } from '../accounts/sign-in/sign-in.tables.js';
import { users } from '../accounts/people/people.tables.js';

const PASSWORD_BYTES = 15;
const PAGE = 100;

type PeopleAccess = Pick<Store, 'people' | 'accounts' | 'commit'>;

interface ListedPerson {
  id: string;
  email: string;
  name: string | null;
  role: Role;
  hasTotp: boolean;
}

interface PersonWithPassword {
  id: string;
  email: string;
  /** The generated password; null if one was given. */
  password: string | null;
}

interface PasswordRequest {
  email: string;
  /** Null generates a password. */
  password: string | null;
}

/** Lists the people of the first organization. Refuses with `not_found` before the first bootstrap. */
function adminListPeople(config: Config): Promise<ListedPerson[]> {
  return withAppliance(config, async ({ store }) => {
    const organizationId = await firstOrganizationId(store);
    const members: Member[] = [];
    for (let after: string | null = null; ;) {
      const page = await store.people.members(organizationId, { limit: PAGE, after });
      members.push(...page.rows);
      if (page.next === null) break;
      after = page.next;
    }
    return members.map(({ user_id: id, email, name, role, totp_confirmed_at }) => ({
      id,
      email,
      name,
      role,
      hasTotp: totp_confirmed_at !== null,
    }));
  });
}

/** Creates the account of another owner of the first organization. Refuses with `conflict` if the address has an account. */
function adminMakeOwner(config: Config, clock: Clock, request: PasswordRequest): Promise<PersonWithPassword> {
  return withAppliance(config, async ({ store }) => {
    const organizationId = await firstOrganizationId(store);
    const { email } = request;
    const password = request.password ?? newPassword();
    const { userId, plan } = await planOwner(
      new Passwords(),
      { email, password, organizationId },
      clock(),
      null,
    );
    await store.commit(plan);
    return { id: userId, email, password: request.password === null ? password : null };
  });
}

/**
 * Sets a person's password, and ends their sessions and any lock. `turnTotpOff` also removes the second factor. Refuses with
 * `not_found`, or with a 422 for `password`.
 */
function adminSetPassword(
  config: Config,
  clock: Clock,
  request: PasswordRequest & { turnTotpOff: boolean },
): Promise<PersonWithPassword> {
  return withAppliance(config, async ({ store }) => {
    const user = await store.people.userByEmail(addressKey(request.email));
    if (!user) throw new Refusal('not_found', `No account found for ${request.email}.`);
    const password = request.password ?? newPassword();
    refuseWeak(password, user.email, 'password');
    const now = clock();
    const off = { totp_sealed: null, totp_confirmed_at: null, totp_last_step: null, recovery_codes: '[]' };
    await store.commit([
      ...planNewPassword(user.id, await new Passwords().hash(password), now),
      remove(passwordResets, { where: { user_id: user.id } }),
      ...(request.turnTotpOff ? [update(users, { set: off, where: { id: user.id } })] : []),
      ...auditEntries({
        organizationIds: await store.people.organizationIdsOf(user.id),
        action: 'auth.setPassword',
        actor: { kind: 'operator' },
        targetId: user.id,
        detail: { totp_off: request.turnTotpOff },
        visitor: null,
        now,
      }),
    ]);
    return { id: user.id, email: user.email, password: request.password === null ? password : null };
  });
}

async function firstOrganizationId(store: PeopleAccess): Promise<string> {
  const organization = await store.accounts.firstOrganization();
  if (organization) return organization.id;
  throw new Refusal('not_found', 'No organization exists yet. Run "mailkeel admin bootstrap" first.');
}

/** Generates 120 bits in 20 characters. */
function newPassword(): string {
  return randomBytes(PASSWORD_BYTES).toString('base64url');
}

interface PasswordOptions extends OutputOptions {
  email: string;
  passwordStdin?: boolean;
}

export function addAdminPeople(admin: Command, terminal: Terminal): void {
  const people = admin
    .command('people')
    .description('Manage accounts of the first organization, for example after a lockout');
  addList(people, terminal);
  addMakeOwner(people, terminal);
  addSetPassword(people, terminal);
}

function addList(people: Command, terminal: Terminal): void {
  people
    .command('list')
    .description('List accounts and their roles')
    .option('--json', 'Output JSON')
    .action(async (options: OutputOptions) => {
      const rows = await adminListPeople(terminal.loadConfig().config);
      const text = table(
        rows.map(({ email, role, hasTotp }) => [email, role, hasTotp ? 'two-factor enabled' : '']),
      );
      const data = rows.map(({ id, email, name, role, hasTotp }) => ({
        id,
        email,
        name,
        role,
        totp: hasTotp,
      }));
      print(terminal, options, { object: 'list', data }, rows.length === 0 ? 'No accounts yet.' : text);
    });
}

function addMakeOwner(people: Command, terminal: Terminal): void {
  withPassword(people.command('make-owner').description('Create another owner account')).action(
    async (options: PasswordOptions) => {
      const request = { email: options.email, password: await readPassword(options, terminal) };
      const made = await adminMakeOwner(terminal.loadConfig().config, terminal.clock, request);
      printPerson(terminal, options, made);
    },
  );
}

function addSetPassword(people: Command, terminal: Terminal): void {
  const described = 'Set a new password; ends all sessions and removes a sign-in lock';
  withPassword(people.command('set-password').description(described))
    .option('--totp-off', 'Disable two-factor authentication if the app and recovery codes are lost')
    .action(async (options: PasswordOptions & { totpOff?: boolean }) => {
      const changed = await adminSetPassword(terminal.loadConfig().config, terminal.clock, {
        email: options.email,
        password: await readPassword(options, terminal),
        turnTotpOff: options.totpOff === true,
      });
      printPerson(terminal, options, changed);
    });
}

function withPassword(command: Command): Command {
  return command
    .requiredOption('--email <address>', 'Email address of the account')
    .option('--password-stdin', 'Read the password from standard input (default: generate one)')
    .option('--json', 'Output JSON');
}

/** Reads the password from standard input, or returns null. It is never an argument, because all users of the machine can see those. */
async function readPassword(options: PasswordOptions, terminal: Terminal): Promise<string | null> {
  return options.passwordStdin === true ? (await terminal.readStdin()).replace(/\r?\n$/, '') : null;
}

function printPerson(terminal: Terminal, options: OutputOptions, person: PersonWithPassword): void {
  const { id, email, password } = person;
  const text = table([['id', id], ['email', email], ...(password === null ? [] : [['password', password]])]);
  const value = { id, object: 'user', email, password };
  print(
    terminal,
    options,
    value,
    password === null ? text : `${text}\nStore this password now. You won't be able to see it again.`,
  );
}
