// Profiles: the servers and their credentials, in one file that only its owner can read.
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '@mailkeel/sdk';
import { CommandError, EXIT, usageError } from './exit-code.js';
import type { World } from './world.js';

export interface StoredKey {
  secret: string;
  /** Created for this profile by `mailkeel login`, so signing out revokes it. */
  is_own: boolean;
}

export interface Profile {
  url: string;
  /** The profile of commands that name none. */
  environment: Environment;
  keys: Partial<Record<Environment, StoredKey>>;
  session?: { token: string; csrf_token: string };
}

export interface ProfileFile {
  current: string;
  profiles: Record<string, Profile>;
}

const NAME = /^[\w.-]{1,64}$/;
export const DEFAULT_PROFILE = 'default';

function folderOf({ env }: World): string {
  const base = env['XDG_CONFIG_HOME'];
  return join(
    base !== undefined && base.startsWith('/') ? base : join(env['HOME'] ?? homedir(), '.config'),
    'mailkeel',
  );
}

export function profilePath(world: World): string {
  return join(folderOf(world), 'config.json');
}

/** Returns no profiles if the file does not exist. Throws if the file is invalid, so that it is never overwritten. */
export async function readProfiles(world: World): Promise<ProfileFile> {
  const path = profilePath(world);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (!(error instanceof Error)) throw error;
    if ('code' in error && error.code === 'ENOENT') return null;
    throw new CommandError(EXIT.other, 'profiles_unreadable', `Can't read ${path}: ${error.message}.`);
  });
  if (text === null) return { current: DEFAULT_PROFILE, profiles: {} };
  try {
    const file: unknown = JSON.parse(text);
    if (isProfileFile(file)) return file;
  } catch {
    // Said below.
  }
  const remedy = 'Fix the file, or delete it and run "mailkeel login" again.';
  throw new CommandError(EXIT.other, 'profiles_unreadable', `${path} is not a valid profiles file.`, remedy);
}

function isProfileFile(file: unknown): file is ProfileFile {
  if (!isObject(file) || !isObject(file['profiles'])) return false;
  return typeof file['current'] === 'string' && Object.values(file['profiles']).every(isProfile);
}

/** Any part of a file edited by hand can be missing or empty. */
function isProfile(one: unknown): boolean {
  if (!isObject(one) || typeof one['url'] !== 'string' || !isObject(one['keys'])) return false;
  const { environment, keys, session } = one;
  return (
    (environment === 'test' || environment === 'live') &&
    Object.values(keys).every((key) => isObject(key) && typeof key['secret'] === 'string') &&
    (session === undefined ||
      (isObject(session) &&
        typeof session['token'] === 'string' &&
        typeof session['csrf_token'] === 'string'))
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Writes a temporary file and renames it, so that readers see either the old or the new file. */
export async function writeProfiles(world: World, file: ProfileFile): Promise<void> {
  const folder = folderOf(world);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const temporary = join(folder, `config-${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeFile(temporary, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(temporary, profilePath(world));
  } finally {
    await rm(temporary, { force: true });
  }
}

export function checkProfileName(name: string): string {
  if (!NAME.test(name) || name === '__proto__') {
    throw usageError(
      'A profile name can contain letters, digits, dots, dashes and underscores (64 characters maximum).',
    );
  }
  return name;
}

export function profileOf(file: ProfileFile, name: string): Profile | null {
  return Object.hasOwn(file.profiles, name) ? (file.profiles[name] ?? null) : null;
}
