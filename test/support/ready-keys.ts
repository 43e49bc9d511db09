// RSA-2048 keys that were made once for the whole run, handed out in turn: making one takes a core for a fifth of a second, and
// tests ask for thousands. Those of another size, and those that programs of their own make, are made as ever.
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const READY_KEYS_FILE = 'rsa-2048.json';
/** A prime, so that things made in twos and fours do not meet the same key again soon. */
const COUNT = 31;
export const READY_BITS = 2048;

/** As PEM. Call it before the keys are handed out. */
export async function makeReadyKeys(): Promise<string[]> {
  const make = promisify(generateKeyPair);
  const pairs = await Promise.all(
    Array.from({ length: COUNT }, () => make('rsa', { modulusLength: READY_BITS })),
  );
  return pairs.map(({ privateKey }) => privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
}

export interface KeyPair {
  privateKey: KeyObject;
  publicKey: KeyObject;
}

let keys: KeyPair[] | null = null;
let next = 0;

/** The next one. */
export function readyKey(): KeyPair {
  keys ??= (JSON.parse(readFileSync(join(tmpdir(), READY_KEYS_FILE), 'utf8')) as string[]).map((pem) => {
    const privateKey = createPrivateKey(pem);
    return { privateKey, publicKey: createPublicKey(privateKey) };
  });
  const pair = keys[next % keys.length];
  next += 1;
  if (!pair) throw new Error('No keys were made for this run.');
  return pair;
}
