// posthorn admin people list | make-owner | set-password
import type { Command } from 'commander';
import {
  adminListPeople,
  adminMakeOwner,
  adminSetPassword,
  type PersonWithPassword,
} from '../admin/people.js';
import type { OutputOptions, Terminal } from './terminal.js';
import { print, table } from './terminal.js';

interface PasswordOptions extends OutputOptions {
  email: string;
  passwordStdin?: boolean;
}

export function addAdminPeople(admin: Command, terminal: Terminal): void {
  const people = admin
    .command('people')
    .description('people of the first organization, for who is locked out');
  addList(people, terminal);
  addMakeOwner(people, terminal);
  addSetPassword(people, terminal);
}

function addList(people: Command, terminal: Terminal): void {
  people
    .command('list')
    .description('list accounts with their roles')
    .option('--json', 'print JSON')
    .action(async (options: OutputOptions) => {
      const rows = await adminListPeople(terminal.loadConfig().config);
      const text = table(
        rows.map(({ email, role, hasTotp }) => [email, role, hasTotp ? 'with a second factor' : '']),
      );
      const data = rows.map(({ id, email, name, role, hasTotp }) => ({
        id,
        email,
        name,
        role,
        totp: hasTotp,
      }));
      print(terminal, options, { object: 'list', data }, rows.length === 0 ? 'Nobody yet.' : text);
    });
}

function addMakeOwner(people: Command, terminal: Terminal): void {
  withPassword(people.command('make-owner').description('make the account of another owner')).action(
    async (options: PasswordOptions) => {
      const wish = { email: options.email, password: await readPassword(options, terminal) };
      const made = await adminMakeOwner(terminal.loadConfig().config, terminal.clock, wish);
      printPerson(terminal, options, made);
    },
  );
}

function addSetPassword(people: Command, terminal: Terminal): void {
  const described = 'set a new password; ends the sessions of the person and a lock';
  withPassword(people.command('set-password').description(described))
    .option('--totp-off', 'ask for the password alone again, for who has lost the app and the recovery codes')
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
    .requiredOption('--email <address>', 'address of the account')
    .option('--password-stdin', 'read the password from standard input; one is made otherwise')
    .option('--json', 'print JSON');
}

/** Never an argument: those are seen by every user of the machine. */
async function readPassword(options: PasswordOptions, terminal: Terminal): Promise<string | null> {
  return options.passwordStdin === true ? (await terminal.readStdin()).replace(/\r?\n$/, '') : null;
}

function printPerson(terminal: Terminal, options: OutputOptions, person: PersonWithPassword): void {
  const { id, email, password } = person;
  const text = table([['id', id], ['email', email], ...(password === null ? [] : [['password', password]])]);
  const value = { id, object: 'user', email, password };
  print(terminal, options, value, password === null ? text : `${text}\nIt is not shown again.`);
}
