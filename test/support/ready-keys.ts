// RSA-2048 keys that were generated once for this machine and are reused in turn, because generating one takes a fifth of a
// second of a core and tests request thousands. Keys of other sizes, and keys of separate programs, are generated as usual.
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/mailkeel-tests/', import.meta.url));
/** A prime, so that objects created in twos and fours do not soon get the same key again. */
const COUNT = 31;
export const READY_BITS = 2048;
const FILE = `${FOLDER}rsa-${READY_BITS}-${COUNT}.json`;

/** Generates missing keys, as PEM. Call it before they are used. */
export async function makeReadyKeys(): Promise<void> {
  if (existsSync(FILE)) return;
  const make = promisify(generateKeyPair);
  const pairs = await Promise.all(
    Array.from({ length: COUNT }, () => make('rsa', { modulusLength: READY_BITS })),
  );
  const keys = pairs.map(({ privateKey }) => privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
  await mkdir(FOLDER, { recursive: true });
  // Atomic, for a simultaneous run.
  const unfinished = `${FILE}.${process.pid}`;
  await writeFile(unfinished, JSON.stringify(keys), { mode: 0o600 });
  await rename(unfinished, FILE);
}

/** As a set-up of vitest. */
export const setup = makeReadyKeys;

export interface KeyPair {
  privateKey: KeyObject;
  publicKey: KeyObject;
}

let keys: KeyPair[] | null = null;
let next = 0;

/** The next one. */
export function readyKey(): KeyPair {
  keys ??= (JSON.parse(readFileSync(FILE, 'utf8')) as string[]).map((pem) => {
    const privateKey = createPrivateKey(pem);
    return { privateKey, publicKey: createPublicKey(privateKey) };
  });
  const pair = keys[next % keys.length];
  next += 1;
  if (!pair) throw new Error('No keys were made.');
  return pair;
}
