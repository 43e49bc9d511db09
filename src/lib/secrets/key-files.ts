// Keeps the key files in <data folder>/keys. They are created once at the first start, whole or not at all,
// even if several processes start together. Each is JSON with a checksum, which distinguishes damage from a
// wrong key.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../runtime/index.js';
import { createFileOnce, readIfThere, replaceFile } from '../files/index.js';

/** An HMAC key. Tokens contain the id of their key. */
interface TokenKey {
  /** 0 to 31, because tokens have five bits for it. */
  id: number;
  secret: Buffer;
}

interface TokenKeyRing {
  /** The key for new tokens. */
  active: TokenKey;
  /** All keys including the active one, newest first. */
  all: readonly TokenKey[];
}

interface ProofKey {
  /** The first 16 hex digits of the SHA-256 of the public key's 32 octets. */
  keyId: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
  /** ISO 8601. */
  createdAt: string;
  retiredAt: string | null;
}

interface ProofKeyRing {
  active: ProofKey;
  /** All keys except the sandbox's, newest first. */
  all: readonly ProofKey[];
  /** Only signs proofs of sandbox mail. */
  sandbox: ProofKey & { isSandbox: true };
}

export interface Keys {
  /** 32 bytes, for `sealSecret`. */
  masterKey: Buffer;
  tokenKeys: TokenKeyRing;
  proofKeys: ProofKeyRing;
  /** 32 bytes. */
  sessionSecret: Buffer;
}

interface OpenKeyFilesOptions {
  /**
   * Whether there is data already, so that missing keys mean a loss rather than a first start. Default false.
   */
  databaseExists?: boolean;
  /** Path of the master key if the supervisor keeps it outside the folder. Default `null`. */
  masterKeyFile?: string | null;
}

/** A key file is missing, damaged or unreadable. The message says what to do. */
export class KeyFileError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'KeyFileError';
  }
}

// The master key comes last. If it exists, the first start was completed, so the others must exist too.
const FILES = ['tokens', 'proof', 'session', 'master'] as const;
type FileName = (typeof FILES)[number];
/** Files that may contain several keys, so keys can be added. */
export const ROTATABLE_KEYS = ['tokens', 'proof'] as const;
export type RotatableKeys = (typeof ROTATABLE_KEYS)[number];

interface StoredKey {
  id: number;
  /** Base64 of 32 random bytes, or of a PKCS #8 private key for proofs. */
  key: string;
  created_at: string;
  retired_at: string | null;
}

const FORMAT = 1;
const SECRET_BYTES = 32;
const MAX_TOKEN_KEYS = 32;
const MAX_SECRET_FILE_CHARS = 4096;
const MASTER_KEY_ID = 'master.id';
const MASTER_KEY_ID_INFO = 'service master key id';
const SANDBOX_KEY_INFO = 'service sandbox proof key';
// PKCS #8 of Ed25519 before the 32 octets of the seed (RFC 8410).
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const ADVICE =
  'Restore the keys folder from the backup of this database. Without these keys, stored DKIM keys cannot be decrypted and links in sent messages stop working. Only if the data is not needed, move the database away as well and start from scratch.';

/**
 * Opens the keys of this installation, and creates them at the first start. Processes that start together get
 * the same keys. Throws a KeyFileError if a file is damaged, or missing although there is data.
 */
export async function openKeyFiles(dataDir: string, options: OpenKeyFilesOptions = {}): Promise<Keys> {
  const folder = join(dataDir, 'keys');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const given = await givenMasterKey(folder, options.masterKeyFile ?? null);
  const isFirstStart =
    given === null ? (await readKeys(folder, 'master')) === null : options.databaseExists !== true;
  if (isFirstStart) {
    if (options.databaseExists === true) throw missing(folder, 'master');
    const createdAt = new Date(systemClock()).toISOString();
    for (const name of FILES) {
      if (name === 'master' && given !== null) continue;
      await createFileOnce(filePath(folder, name), keyFileText(name, [newKey(name, 0, createdAt)]));
    }
  }
  const masterKey = given ?? onlySecret(await mustReadKeys(folder, 'master'));
  await checkMasterKeyId(folder, masterKey, options.databaseExists === true);
  return {
    masterKey,
    tokenKeys: tokenKeyRing(await mustReadKeys(folder, 'tokens'), filePath(folder, 'tokens')),
    proofKeys: proofKeyRing(await mustReadKeys(folder, 'proof'), filePath(folder, 'proof'), masterKey),
    sessionSecret: onlySecret(await mustReadKeys(folder, 'session')),
  };
}

/** Returns `null` if no file is named. Throws a KeyFileError if the folder has a different master key. */
async function givenMasterKey(folder: string, file: string | null): Promise<Buffer | null> {
  if (file === null) return null;
  const named = `MAILKEEL_MASTER_KEY_FILE (${file})`;
  let text: string | null;
  try {
    text = await readIfThere(file);
  } catch (error) {
    throw new KeyFileError(`Can't read ${named}. Check its owner and permissions.`, { cause: error });
  }
  if (text === null) throw new KeyFileError(`${named} does not exist.`);
  const key = parseMasterKey(text.trim());
  if (key === null) {
    throw new KeyFileError(
      `${named} does not contain a master key. It must contain 32 bytes in base64 (openssl rand -base64 32), 64 hex digits, or the master.json of a keys folder.`,
    );
  }
  const kept = await readKeys(folder, 'master');
  if (kept !== null && !timingSafeEqual(onlySecret(kept), key)) {
    throw new KeyFileError(
      `${named} and ${filePath(folder, 'master')} contain different master keys, and the database was encrypted with one of them. To use an external key, copy master.json to the location of the secret. To use the key in the folder, unset MAILKEEL_MASTER_KEY_FILE.`,
    );
  }
  return key;
}

function parseMasterKey(text: string): Buffer | null {
  if (text.length > MAX_SECRET_FILE_CHARS) return null;
  const kept = parseKeys(text, 'master');
  if (kept !== null) return onlySecret(kept);
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  return /^[A-Za-z0-9+/]{43}=$/.test(text) ? Buffer.from(text, 'base64') : null;
}

/** Records in the folder which master key sealed its data, and throws a KeyFileError for a different one. */
async function checkMasterKeyId(folder: string, masterKey: Buffer, hasData: boolean): Promise<void> {
  const path = join(folder, MASTER_KEY_ID);
  const id = Buffer.from(hkdfSync('sha256', masterKey, '', MASTER_KEY_ID_INFO, SECRET_BYTES)).toString('hex');
  const kept = (await readIfThere(path)) ?? (await createFileOnce(path, `${id}\n`));
  if (kept.trim() === id) return;
  // Nothing is sealed yet, so the id comes from an abandoned first start.
  if (!hasData) return replaceFile(path, `${id}\n`);
  throw new KeyFileError(
    `The master key does not match the secrets of this data folder (${path}). ${ADVICE}`,
  );
}

/**
 * Adds a key that replaces the active one, and returns its id. Older keys still verify. `keep` gets the
 * content of the file before it is written. Stop the server first, since it would not know the key.
 */
export async function rotateKey(
  folder: string,
  name: RotatableKeys,
  { now = systemClock(), keep = () => Promise.resolve() }: RotateOptions = {},
): Promise<number> {
  const keys = await mustReadKeys(folder, name);
  const at = new Date(now).toISOString();
  const id = Math.max(...keys.map((key) => key.id)) + 1;
  if (name === 'tokens' && id >= MAX_TOKEN_KEYS) {
    throw new KeyFileError(
      `${filePath(folder, name)} already contains the maximum of ${MAX_TOKEN_KEYS} token keys.`,
    );
  }
  const older = keys.map((key) => ({ ...key, retired_at: key.retired_at ?? at }));
  const content = keyFileText(name, [...older, newKey(name, id, at)]);
  await keep(content);
  await replaceFile(filePath(folder, name), content);
  return id;
}

interface RotateOptions {
  now?: number;
  keep?: (content: string) => Promise<void>;
}

/** Returns whether a key file contains all keys of an older one. False for damaged content. */
export function hasKeysOf(file: string, newer: string, older: string): boolean {
  const name = FILES.find((one) => `${one}.json` === file);
  const [after, before] = name === undefined ? [] : [parseKeys(newer, name), parseKeys(older, name)];
  return (
    before?.every(({ id, key }) => after?.some((other) => other.id === id && other.key === key)) ?? false
  );
}

/**
 * Reads all key files by name, without the master key if the supervisor keeps it. Throws a KeyFileError if
 * one is missing or damaged.
 */
export async function readKeyFiles(
  folder: string,
  masterKeyFile: string | null,
): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const name of FILES) {
    if (name === 'master' && masterKeyFile !== null) continue;
    const keys = await mustReadKeys(folder, name);
    files[`${name}.json`] = keyFileText(name, keys);
  }
  return files;
}

/**
 * Writes the result of `readKeyFiles` into a folder, replacing its files. Throws a KeyFileError for anything
 * else.
 */
export async function writeKeyFiles(folder: string, files: Readonly<Record<string, unknown>>): Promise<void> {
  const wanted = FILES.filter((name) => name !== 'master' || files['master.json'] !== undefined);
  for (const name of wanted) {
    const text = files[`${name}.json`];
    if (typeof text !== 'string' || parseKeys(text, name) === null) throw damaged(filePath(folder, name));
  }
  for (const name of wanted) await replaceFile(filePath(folder, name), String(files[`${name}.json`]));
}

/**
 * Reads the master key of a keys folder or of the supervisor; `null` if there is none yet. Throws a
 * KeyFileError.
 */
export async function masterKeyIn(folder: string, masterKeyFile: string | null): Promise<Buffer | null> {
  const given = await givenMasterKey(folder, masterKeyFile);
  if (given !== null) return given;
  const found = await readKeys(folder, 'master');
  return found === null ? null : onlySecret(found);
}

/** Derives a name for a set of keys that reveals nothing about them, to match a keys folder with a backup. */
function keySetId(masterKey: Buffer): string {
  return Buffer.from(hkdfSync('sha256', masterKey, '', 'service key set id', 8)).toString('hex');
}

/** Returns the same for a folder and the supervisor's master key; `null` if the folder has no keys. */
export async function readKeySetId(folder: string, masterKeyFile: string | null): Promise<string | null> {
  if ((await readKeys(folder, 'session')) === null) return null;
  const masterKey = await masterKeyIn(folder, masterKeyFile);
  return masterKey === null ? null : keySetId(masterKey);
}

function newKey(name: FileName, id: number, at: string): StoredKey {
  const octets =
    name === 'proof'
      ? generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' })
      : randomBytes(SECRET_BYTES);
  return { id, key: octets.toString('base64'), created_at: at, retired_at: null };
}

function keyFileText(name: FileName, keys: readonly StoredKey[]): string {
  const content = { kind: `${name}-keys`, format: FORMAT, keys, checksum: checksum(name, keys) };
  return `${JSON.stringify(content, null, 2)}\n`;
}

async function mustReadKeys(folder: string, name: FileName): Promise<StoredKey[]> {
  const keys = await readKeys(folder, name);
  if (keys === null) throw missing(folder, name);
  return keys;
}

/** Returns `null` if there is no such file. */
async function readKeys(folder: string, name: FileName): Promise<StoredKey[] | null> {
  const path = filePath(folder, name);
  let text: string | null;
  try {
    text = await readIfThere(path);
  } catch (error) {
    throw new KeyFileError(`Can't read the key file ${path}. Check its owner and permissions (0600).`, {
      cause: error,
    });
  }
  if (text === null) return null;
  const keys = parseKeys(text, name);
  if (keys === null) throw damaged(path);
  return keys;
}

function parseKeys(text: string, name: FileName): StoredKey[] | null {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof content !== 'object' || content === null || !('keys' in content)) return null;
  if (!('kind' in content) || content.kind !== `${name}-keys`) return null;
  const { keys } = content;
  if (!Array.isArray(keys) || keys.length === 0 || !keys.every(isStoredKey)) return null;
  return 'checksum' in content && content.checksum === checksum(name, keys) ? keys : null;
}

function isStoredKey(value: unknown): value is StoredKey {
  if (typeof value !== 'object' || value === null) return false;
  const { id, key, created_at, retired_at } = value as Partial<Record<keyof StoredKey, unknown>>;
  return (
    typeof id === 'number' &&
    typeof key === 'string' &&
    typeof created_at === 'string' &&
    (retired_at === null || typeof retired_at === 'string')
  );
}

function checksum(name: FileName, keys: readonly StoredKey[]): string {
  const fields = keys.map((key) => [key.id, key.key, key.created_at, key.retired_at]);
  return createHash('sha256')
    .update(JSON.stringify([name, fields]))
    .digest('hex');
}

function filePath(folder: string, name: FileName): string {
  return join(folder, `${name}.json`);
}

function missing(folder: string, name: FileName): KeyFileError {
  return new KeyFileError(`The key file ${filePath(folder, name)} is missing. ${ADVICE}`);
}

function damaged(path: string): KeyFileError {
  return new KeyFileError(`The key file ${path} is damaged. ${ADVICE}`);
}

function newestFirst(keys: readonly StoredKey[]): StoredKey[] {
  return [...keys].sort((a, b) => b.id - a.id);
}

function onlySecret(keys: readonly StoredKey[]): Buffer {
  return Buffer.from(newestFirst(keys)[0]?.key ?? '', 'base64');
}

function tokenKeyRing(keys: readonly StoredKey[], path: string): TokenKeyRing {
  const all = newestFirst(keys).map(({ id, key }) => ({ id, secret: Buffer.from(key, 'base64') }));
  const [active] = all;
  if (active === undefined) throw damaged(path);
  return { active, all };
}

function proofKeyRing(keys: readonly StoredKey[], path: string, masterKey: Buffer): ProofKeyRing {
  const all = newestFirst(keys).map((key) => proofKey(key, path));
  const [active] = all;
  const oldest = all.at(-1);
  if (active === undefined || oldest === undefined) throw damaged(path);
  return { active, all, sandbox: sandboxKey(masterKey, oldest.createdAt) };
}

/** Derived from the master key, so that installations of earlier releases have it without a file. */
function sandboxKey(masterKey: Buffer, createdAt: string): ProofKeyRing['sandbox'] {
  const seed = Buffer.from(hkdfSync('sha256', masterKey, '', SANDBOX_KEY_INFO, SECRET_BYTES));
  const key = Buffer.concat([PKCS8_PREFIX, seed]).toString('base64');
  const stored = { id: 0, key, created_at: createdAt, retired_at: null };
  return { ...proofKey(stored, 'master'), isSandbox: true };
}

function proofKey({ key, created_at, retired_at }: StoredKey, path: string): ProofKey {
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' });
  } catch (error) {
    throw new KeyFileError(`The key file ${path} contains an invalid key. ${ADVICE}`, {
      cause: error,
    });
  }
  const publicKey = createPublicKey(privateKey);
  const octets = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  const keyId = createHash('sha256').update(octets).digest('hex').slice(0, 16);
  return { keyId, privateKey, publicKey, createdAt: created_at, retiredAt: retired_at };
}
