// Commands login, logout, whoami and profiles: obtain, store and revoke a person's API key.
import { hostname } from 'node:os';
import type { Command } from 'commander';
import { Mailkeel, type Environment } from '@mailkeel/sdk';
import { addGlobals, confirm, globalsOf, running, type Running } from '../command.js';
import { connect, connectKeyless, environmentOf, findConnection } from '../connect.js';
import { CommandError, EXIT, usageError } from '../exit-code.js';
import { table, type Row } from '../output.js';
import { meText } from '../presenters.js';
import {
  checkProfileName,
  DEFAULT_PROFILE,
  profileOf,
  profilePath,
  readProfiles,
  writeProfiles,
  type Profile,
  type StoredKey,
} from '../profiles.js';
import type { World } from '../world.js';

interface LoginOptions {
  key?: string;
  email?: string;
  browser?: boolean;
}

const KEY = /^svc_(live|test)_/;
const SESSION_COOKIE = /^(?:__Host-)?mailkeel_session=([^;]+)/;
const HIGHEST_INTERVAL_S = 60;

export function addAccounts(program: Command, world: World): void {
  const login = program
    .command('login')
    .description('Sign in with a browser, an API key or a password')
    .option('--key <key>', 'API key to sign in with; must be -, which prompts for it or reads standard input')
    .option(
      '--email <address>',
      'Sign in as a user with email and password, for actions API keys cannot perform',
    )
    .option('--no-browser', 'Print the sign-in URL instead of opening a browser');
  addGlobals(login).addHelpText(
    'after',
    `
Examples:
  mailkeel login --url https://mail.example.com
  mailkeel login --live
  pass show mailkeel | mailkeel login --url https://mail.example.com --key -`,
  );
  login.action(async (options: LoginOptions) => signIn(world, options, running(world, login)));

  const logout = addGlobals(program.command('logout'))
    .description('Sign out: delete the profile and revoke its API key')
    .option('--revoke', 'Also revoke a key that was added with --key')
    .addHelpText('after', '\nExample:\n  mailkeel logout --profile staging');
  logout.action(async (options: { revoke?: boolean }) => signOut(world, options, running(world, logout)));

  const whoami = addGlobals(program.command('whoami'))
    .description('Show the current API key or user, and the server')
    .addHelpText('after', '\nExample:\n  mailkeel whoami --json');
  whoami.action(async () => {
    const { globals, printer } = running(world, whoami);
    const { url, profileName } = await findConnection(world, globals);
    const me = await (await connect(world, globals)).me.get({ signal: world.signal });
    const from = profileName === null ? 'the environment' : `profile ${profileName}`;
    printer.show(me, () => `${meText(printer, me)}\n${printer.paint('dim', `${url} (from ${from})`)}`);
  });
  addProfiles(program, world);
}

async function signIn(world: World, options: LoginOptions, run: Running): Promise<void> {
  const { globals, printer } = run;
  const file = await readProfiles(world);
  const name = checkProfileName(globals.profile ?? world.env['MAILKEEL_PROFILE'] ?? file.current);
  const before = profileOf(file, name);
  const variable = world.env['MAILKEEL_URL'];
  // A named profile keeps its server, regardless of the environment variables.
  const known = globals.profile === undefined ? variable || before?.url : (before?.url ?? variable);
  const url = await urlOf(world, globals.url ?? known);
  refuseForgetting(name, before, url);
  const environment = environmentOf(globals);
  if (options.key !== undefined && options.email !== undefined)
    throw usageError('Use either --key or --email, not both.');
  const found =
    options.email !== undefined
      ? await bySession(world, url, options.email)
      : options.key !== undefined
        ? await byKey(world, { url, given: options.key, environment })
        : await byDevice(world, {
            url,
            environment: environment ?? 'test',
            run,
            hasBrowser: options.browser !== false,
          });
  const environmentNow = 'environment' in found ? found.environment : (environment ?? 'live');
  const replaced = await keep(world, { name, url, environment: environmentNow, found });
  if (replaced !== null) {
    const problem = await revokeKey(world, url, replaced.secret);
    if (problem !== null) printer.note(`The previous key could not be revoked: ${problem}`);
  }
  if (before?.session !== undefined && !('session' in found)) {
    await endSession(world, before.url, before.session, printer);
  }
  const { mailkeel, ...said } = found;
  const me = await mailkeel.me.get({ signal: world.signal });
  const answer = {
    object: 'signed_in',
    profile: name,
    url,
    environment: environmentNow,
    workspace: me.workspace,
  };
  printer.show(answer, () => {
    const place = me.workspace.name ?? me.workspace.id;
    const what = 'session' in said ? 'as a user' : `with a ${environmentNow} key`;
    return `${printer.paint('green', 'Signed in')} to ${url} ${what} (workspace ${place}).\nSaved as profile "${name}" in ${profilePath(world)}.`;
  });
}

/** A key that `login` created is revoked on its server, or stays in the profile. A forgotten key would remain valid. */
function refuseForgetting(name: string, before: Profile | null, url: string): void {
  if (before === null || sameUrl(before.url, url)) return;
  if (before.session === undefined && !Object.values(before.keys).some(({ is_own }) => is_own)) return;
  throw usageError(
    `Profile "${name}" is already signed in to ${before.url}.`,
    `Run "mailkeel logout --profile ${name}" first, or pass --profile with a different name to keep both.`,
  );
}

/** Writes the profile and makes it the current one. Returns the key created by `login` that it replaces. */
async function keep(
  world: World,
  { name, url, environment, found }: { name: string; url: string; environment: Environment; found: Found },
): Promise<StoredKey | null> {
  // Reads the file again, because another profile may have been added while the command waited.
  const file = await readProfiles(world);
  const before = profileOf(file, name);
  // Keys of another appliance are of no use at this one.
  const isSame = before !== null && sameUrl(before.url, url);
  const profile: Profile = { url, environment, keys: isSame ? { ...before.keys } : {} };
  const replaced = profile.keys[environment];
  if ('session' in found) profile.session = found.session;
  else profile.keys[environment] = found.key;
  file.profiles[name] = profile;
  file.current = name;
  await writeProfiles(world, file);
  const isGone = 'key' in found && replaced?.is_own === true && replaced.secret !== found.key.secret;
  return isGone ? replaced : null;
}

async function urlOf(world: World, known: string | undefined): Promise<string> {
  const given =
    known ??
    (world.isInteractive ? await world.prompts.text('Mailkeel server URL:', 'http://127.0.0.1:8080') : null);
  if (given === null)
    throw usageError('No server URL given.', 'Run "mailkeel login --url https://mail.example.com".');
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    throw usageError(
      `"${given}" is not a valid URL.`,
      'Enter the full URL, for example https://mail.example.com.',
    );
  }
  if (!['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    throw usageError('The URL must start with https:// or http:// and must not contain credentials.');
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

const sameUrl = (one: string, other: string): boolean =>
  one.replace(/\/+$/, '') === other.replace(/\/+$/, '');

type Found = KeyFound | Awaited<ReturnType<typeof bySession>>;

interface KeyFound {
  mailkeel: Mailkeel;
  key: StoredKey;
  environment: Environment;
}

/** Checks the key before storing it. The key is never an argument, because other users of the machine could read it. */
async function byKey(
  world: World,
  { url, given, environment }: { url: string; given: string; environment: Environment | null },
): Promise<KeyFound> {
  if (given !== '-') {
    throw usageError(
      "An API key can't be passed as an argument because other users and your shell history can see it.",
      'Pass --key - and enter the key at the prompt or on standard input.',
    );
  }
  const secret = world.isInteractive
    ? await world.prompts.secret('API key')
    : (await world.readStdin()).toString('utf8').trim();
  const mode = KEY.exec(secret)?.[1];
  const mailkeel = new Mailkeel({
    apiKey: secret,
    baseUrl: url,
    ...(environment === null ? {} : { environment }),
  });
  await mailkeel.me.get({ signal: world.signal });
  return { mailkeel, key: { secret, is_own: false }, environment: mode === 'live' ? 'live' : 'test' };
}

async function bySession(world: World, url: string, email: string) {
  const mailkeel = connectKeyless(url);
  const password = world.isInteractive
    ? await world.prompts.secret(`Password for ${email}`)
    : (await world.readStdin()).toString('utf8').replace(/\r?\n$/, '');
  const ask = (totp?: string) =>
    mailkeel.auth
      .signIn({ email, password, ...(totp === undefined ? {} : { totp }) }, { signal: world.signal })
      .withResponse();
  const { data, response } = await ask().catch(async (error: unknown) => {
    const isTotp = error instanceof Error && 'code' in error && error.code === 'totp_required';
    if (!isTotp || !world.isInteractive) throw error;
    return ask(await world.prompts.text('Two-factor code'));
  });
  const token = response.headers
    .getSetCookie()
    .map((cookie) => SESSION_COOKIE.exec(cookie)?.[1])
    .find((one) => one !== undefined);
  if (token === undefined)
    throw new CommandError(EXIT.other, 'no_session', 'The server did not return a session.');
  const session = { token, csrf_token: data.csrf_token };
  return {
    mailkeel: new Mailkeel({ baseUrl: url, session: { token, csrfToken: session.csrf_token } }),
    session,
  };
}

/** Shows a device code (RFC 8628) and waits until it is approved. */
async function byDevice(
  world: World,
  {
    url,
    environment,
    run,
    hasBrowser,
  }: { url: string; environment: Environment; run: Running; hasBrowser: boolean },
): Promise<KeyFound> {
  const { printer } = run;
  const mailkeel = connectKeyless(url);
  const { signal } = world;
  const client = `mailkeel on ${hostname()}`.slice(0, 60);
  const started = await mailkeel.auth.startDevice({ client_name: client, mode: environment }, { signal });
  const isOpened =
    hasBrowser && world.isInteractive && (await world.openBrowser(started.verification_uri_complete));
  printer.note(isOpened ? 'Opened this page in your browser:' : 'Open this page in a browser:');
  printer.note(`\n  ${started.verification_uri_complete}\n`);
  printer.note(`Check that the page shows this code: ${printer.paint('bold', started.user_code)}`);
  printer.note(`Waiting for approval (expires in ${Math.round(started.expires_in / 60)} minutes)…`);
  const params = { device_code: started.device_code };
  for (;;) {
    await world.sleep(Math.min(started.interval, HIGHEST_INTERVAL_S) * 1000);
    signal.throwIfAborted();
    const { status, api_key: key } = await mailkeel.auth.pollDevice(params, { signal });
    if (status === 'approved' && key !== null) {
      const secret = key.secret;
      const opened = new Mailkeel({ apiKey: secret, baseUrl: url });
      return { mailkeel: opened, key: { secret, is_own: true }, environment: key.mode };
    }
    if (status === 'denied') throw new CommandError(EXIT.auth, 'denied', 'The sign-in request was denied.');
    if (status === 'expired') {
      throw new CommandError(
        EXIT.auth,
        'expired',
        'The sign-in request expired.',
        'Run "mailkeel login" again.',
      );
    }
  }
}

async function signOut(
  world: World,
  { revoke }: { revoke?: boolean },
  { globals, printer }: Running,
): Promise<void> {
  const file = await readProfiles(world);
  const name = checkProfileName(globals.profile ?? world.env['MAILKEEL_PROFILE'] ?? file.current);
  const profile = profileOf(file, name);
  if (profile === null) throw usageError(`Profile "${name}" not found. You are not signed in.`);
  const revoked: string[] = [];
  for (const [mode, key] of Object.entries(profile.keys)) {
    if (!key.is_own && revoke !== true) continue;
    const problem = await revokeKey(world, profile.url, key.secret);
    if (problem === null) revoked.push(mode);
    else printer.note(`The ${mode} key could not be revoked: ${problem} Revoke it in the dashboard.`);
  }
  if (profile.session !== undefined) {
    await endSession(world, profile.url, profile.session, printer);
  }
  file.profiles = Object.fromEntries(Object.entries(file.profiles).filter(([other]) => other !== name));
  if (file.current === name) file.current = Object.keys(file.profiles)[0] ?? DEFAULT_PROFILE;
  await writeProfiles(world, file);
  printer.show({ object: 'signed_out', profile: name, revoked }, () => {
    const kept = Object.keys(profile.keys).filter((mode) => !revoked.includes(mode));
    const about = [
      ...(revoked.length > 0
        ? [`Revoked the ${revoked.join(' and ')} ${revoked.length === 1 ? 'key' : 'keys'}.`]
        : []),
      ...(kept.length > 0
        ? [
            `The ${kept.join(' and ')} ${kept.length === 1 ? 'key is' : 'keys are'} still valid; only this profile was deleted.`,
          ]
        : []),
    ];
    return [`Signed out of ${profile.url} and deleted profile "${name}".`, ...about].join('\n');
  });
}

async function endSession(
  world: World,
  baseUrl: string,
  { token, csrf_token: csrfToken }: NonNullable<Profile['session']>,
  printer: Running['printer'],
): Promise<void> {
  const mailkeel = new Mailkeel({ baseUrl, session: { token, csrfToken } });
  await mailkeel.auth.signOut({ signal: world.signal }).catch((error: unknown) => {
    printer.note(`The session could not be ended: ${error instanceof Error ? error.message : String(error)}`);
  });
}

/** Returns null if the key is revoked, now or before; otherwise the reason why not. */
async function revokeKey(world: World, url: string, apiKey: string): Promise<string | null> {
  const mailkeel = new Mailkeel({ apiKey, baseUrl: url });
  const { signal } = world;
  try {
    const { api_key: key } = await mailkeel.me.get({ signal });
    if (key !== null) await mailkeel.apiKeys.revoke(key.id, { signal });
    return null;
  } catch (error) {
    if (error instanceof Error && error.name === 'AuthenticationError') return null;
    return error instanceof Error ? error.message : String(error);
  }
}

function addProfiles(program: Command, world: World): void {
  const profiles = addGlobals(program.command('profiles'))
    .description('List and manage profiles')
    .addHelpText('after', '\nExamples:\n  mailkeel profiles\n  mailkeel profiles use staging');
  profiles.action(async () => {
    const { printer } = running(world, profiles);
    const file = await readProfiles(world);
    // Never the secrets themselves.
    const rows: Row[] = Object.entries(file.profiles).map(([name, { url, environment, keys, session }]) => ({
      name,
      current: name === file.current,
      url,
      environment,
      signed_in_with: session === undefined ? Object.keys(keys).map((mode) => `${mode} key`) : ['session'],
    }));
    printer.show({ object: 'list', data: rows }, () =>
      rows.length === 0
        ? 'No profiles yet. Run "mailkeel login" to create one.'
        : table(
            printer,
            ['', 'name', 'url', 'environment', 'signed in with'],
            rows.map((row) => [
              row['current'] === true ? '*' : ' ',
              row['name'],
              row['url'],
              row['environment'],
              row['signed_in_with'],
            ]),
          ),
    );
  });
  const use = addGlobals(profiles.command('use <name>')).description('Set the current profile');
  use.action(async (name: string) => {
    const file = await readProfiles(world);
    if (profileOf(file, name) === null) throw usageError(`Profile "${name}" not found.`);
    await writeProfiles(world, { ...file, current: name });
    running(world, use).printer.show({ object: 'profile', name }, () => `Switched to profile "${name}".`);
  });
  const remove = addGlobals(profiles.command('remove <name>')).description(
    'Delete a profile without revoking its keys',
  );
  remove.action(async (name: string) => {
    const file = await readProfiles(world);
    if (profileOf(file, name) === null) throw usageError(`Profile "${name}" not found.`);
    await confirm(world, globalsOf(remove), `Delete profile "${name}"? Its API keys remain valid.`);
    const rest = Object.fromEntries(Object.entries(file.profiles).filter(([other]) => other !== name));
    const current = file.current === name ? (Object.keys(rest)[0] ?? DEFAULT_PROFILE) : file.current;
    await writeProfiles(world, { current, profiles: rest });
    running(world, remove).printer.show(
      { object: 'profile', name, removed: true },
      () => `Deleted profile "${name}".`,
    );
  });
}
