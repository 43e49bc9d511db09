// Chooses the server, the credentials and the environment of a command. A named profile overrides environment variables, which
// override the current profile.
import type { Environment, MailkeelOptions } from '@mailkeel/sdk';
import { Mailkeel } from '@mailkeel/sdk';
import { CommandError, EXIT, usageError } from './exit-code.js';
import { checkProfileName, profileOf, readProfiles, type Profile } from './profiles.js';
import { CLI_VERSION } from './version.js';
import type { World } from './world.js';

export interface GlobalOptions {
  json?: boolean;
  profile?: string;
  url?: string;
  subTenant?: string;
  workspace?: string;
  test?: boolean;
  live?: boolean;
  yes?: boolean;
  color?: boolean;
}

export interface Connection {
  url: string;
  /** `null` if the environment variables are sufficient. */
  profileName: string | null;
  profile: Profile | null;
  environment: Environment | null;
  options: MailkeelOptions;
}

/** Default for a key in the environment without a URL: a server on this machine. */
const DEFAULT_URL = 'http://localhost:8080';
const HEADERS = { 'User-Agent': `mailkeel-cli/${CLI_VERSION}` };

export function environmentOf({ test, live }: GlobalOptions): Environment | null {
  if (test === true && live === true) throw usageError('Use either --test or --live, not both.');
  if (test === true) return 'test';
  return live === true ? 'live' : null;
}

/** Returns the client options of a call. Reads the profile if one is used, and never prompts. */
export async function findConnection(world: World, globals: GlobalOptions): Promise<Connection> {
  const environment = environmentOf(globals);
  const apiKey = world.env['MAILKEEL_API_KEY'];
  // Uses a named profile as a whole, and so the variables, because the key of one must never be sent to the server of the other.
  if (globals.profile === undefined && apiKey) {
    const url = globals.url ?? (world.env['MAILKEEL_URL'] || DEFAULT_URL);
    const credentials = { apiKey, ...(environment === null ? {} : { environment }) };
    return {
      url,
      profileName: null,
      profile: null,
      environment,
      options: optionsOf(world, { globals, url, credentials }),
    };
  }
  const { profileName, profile } = await chosenProfile(world, globals);
  const named = globals.profile === undefined ? world.env['MAILKEEL_URL'] : undefined;
  const url = globals.url ?? (named || profile?.url);
  if (url === undefined) {
    throw new CommandError(
      EXIT.auth,
      'not_signed_in',
      'You are not signed in.',
      'Run "mailkeel login --url https://mail.example.com", or set MAILKEEL_URL and MAILKEEL_API_KEY.',
    );
  }
  const credentials = credentialsOf(profile, profileName, { url, environment });
  return { url, profileName, profile, environment, options: optionsOf(world, { globals, url, credentials }) };
}

async function chosenProfile(
  world: World,
  globals: GlobalOptions,
): Promise<{ profileName: string; profile: Profile | null }> {
  const file = await readProfiles(world);
  const profileName = checkProfileName(globals.profile ?? world.env['MAILKEEL_PROFILE'] ?? file.current);
  const profile = profileOf(file, profileName);
  if (globals.profile !== undefined && profile === null) {
    const known = Object.keys(file.profiles).join(', ') || 'none';
    throw new CommandError(
      EXIT.usage,
      'no_profile',
      `Profile "${profileName}" not found. Available profiles: ${known}.`,
    );
  }
  return { profileName, profile };
}

function optionsOf(
  world: World,
  { globals, url, credentials }: { globals: GlobalOptions; url: string; credentials: MailkeelOptions },
): MailkeelOptions {
  return {
    baseUrl: url,
    ...credentials,
    headers: HEADERS,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      const release = response.headers.get('service-release');
      if (release !== null) world.server = { url, release };
      return response;
    },
    ...(globals.subTenant === undefined ? {} : { subTenant: globals.subTenant }),
    ...(globals.workspace === undefined ? {} : { workspace: globals.workspace }),
  };
}

/** The profile's key for the environment, or its session. Its secrets are only sent to its own server. */
function credentialsOf(
  profile: Profile | null,
  name: string,
  { url, environment }: { url: string; environment: Environment | null },
): MailkeelOptions {
  if (profile === null) return {};
  if (!isSameOrigin(profile.url, url)) {
    throw new CommandError(
      EXIT.auth,
      'other_url',
      `Profile "${name}" belongs to ${profile.url}. Its credentials can't be used with ${url}.`,
      `Run "mailkeel login --url ${url} --profile NAME", or set MAILKEEL_URL and MAILKEEL_API_KEY.`,
    );
  }
  const wanted = environment ?? profile.environment;
  const { session } = profile;
  const key = profile.keys[wanted];
  if (session !== undefined) {
    return { session: { token: session.token, csrfToken: session.csrf_token }, environment: wanted };
  }
  if (key === undefined) {
    const flag = wanted === 'live' ? ' --live' : ' --test';
    throw new CommandError(
      EXIT.auth,
      'no_key',
      `Profile "${name}" has no ${wanted} key.`,
      `To create one, run "mailkeel login --profile ${name}${flag}".`,
    );
  }
  return { apiKey: key.secret };
}

function isSameOrigin(one: string, other: string): boolean {
  try {
    return new URL(one).origin === new URL(other).origin;
  } catch {
    return false;
  }
}

/** Creates the client. `extra` overrides the chosen options. */
export async function connect(
  world: World,
  globals: GlobalOptions,
  extra: Partial<MailkeelOptions> = {},
): Promise<Mailkeel> {
  const { options } = await findConnection(world, globals);
  return new Mailkeel({ ...options, ...extra });
}

/** For operations that need no key: an appliance is enough. */
export function connectKeyless(url: string): Mailkeel {
  return new Mailkeel({ baseUrl: url, headers: HEADERS });
}
