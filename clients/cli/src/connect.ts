// The client of a command: where it asks, with what, and in which environment. Variables of the environment win over profiles.
import type { Environment, PosthornOptions } from '@posthorn/sdk';
import { Posthorn } from '@posthorn/sdk';
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
  profileName: string;
  /** Null where the variables of the environment say everything. */
  profile: Profile | null;
  environment: Environment | null;
  options: PosthornOptions;
}

const HEADERS = { 'User-Agent': `posthorn-cli/${CLI_VERSION}` };

export function environmentOf({ test, live }: GlobalOptions): Environment | null {
  if (test === true && live === true) throw usageError('Give --test or --live, not both.');
  if (test === true) return 'test';
  return live === true ? 'live' : null;
}

/** What a call is made with. Reads the profile; asks nobody. */
export async function findConnection(world: World, globals: GlobalOptions): Promise<Connection> {
  const file = await readProfiles(world);
  const profileName = checkProfileName(globals.profile ?? world.env['POSTHORN_PROFILE'] ?? file.current);
  const profile = profileOf(file, profileName);
  const apiKey = world.env['POSTHORN_API_KEY'];
  if (globals.profile !== undefined && profile === null && !apiKey) {
    const known = Object.keys(file.profiles).join(', ') || 'none';
    throw new CommandError(
      EXIT.usage,
      'no_profile',
      `There is no profile ${profileName}; there are: ${known}.`,
    );
  }
  const environment = environmentOf(globals);
  const url = globals.url ?? (world.env['POSTHORN_URL'] || profile?.url);
  if (url === undefined) {
    throw new CommandError(
      EXIT.auth,
      'not_signed_in',
      'No appliance is known here.',
      'Sign in with "posthorn login --url https://mail.example.com", or set POSTHORN_URL and POSTHORN_API_KEY.',
    );
  }
  const credentials = apiKey
    ? { apiKey, ...(environment === null ? {} : { environment }) }
    : credentialsOf(profile, profileName, { url, environment });
  const options: PosthornOptions = {
    baseUrl: url,
    ...credentials,
    headers: HEADERS,
    ...(globals.subTenant === undefined ? {} : { subTenant: globals.subTenant }),
    ...(globals.workspace === undefined ? {} : { workspace: globals.workspace }),
  };
  return { url, profileName, profile, environment, options };
}

/** The profile's key for the environment, or its session. Its secrets go to its own appliance only. */
function credentialsOf(
  profile: Profile | null,
  name: string,
  { url, environment }: { url: string; environment: Environment | null },
): PosthornOptions {
  if (profile === null) return {};
  if (!isSameOrigin(profile.url, url)) {
    throw new CommandError(
      EXIT.auth,
      'other_url',
      `The profile ${name} is of ${profile.url}; its key is not given to ${url}.`,
      `Sign in there with "posthorn login --url ${url} --profile NAME", or set POSTHORN_API_KEY.`,
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
      `The profile ${name} has no ${wanted} key.`,
      `Make one with "posthorn login --profile ${name}${flag}".`,
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

/** The client. `extra` goes over what was found. */
export async function connect(
  world: World,
  globals: GlobalOptions,
  extra: Partial<PosthornOptions> = {},
): Promise<Posthorn> {
  const { options } = await findConnection(world, globals);
  return new Posthorn({ ...options, ...extra });
}

/** For operations that need no key: an appliance is enough. */
export function connectKeyless(url: string): Posthorn {
  return new Posthorn({ baseUrl: url, headers: HEADERS });
}
