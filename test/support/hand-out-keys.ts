// Set up in each worker. Makes node:crypto return the keys of ready-keys.ts. It replaces randomness, as a fixed clock replaces
// time.
import crypto, { type KeyObject } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { promisify } from 'node:util';
import { READY_BITS, readyKey } from './ready-keys.js';

interface Wish {
  modulusLength?: number;
  publicKeyEncoding?: object;
  privateKeyEncoding?: object;
}
type Made = { publicKey: unknown; privateKey: unknown };
type Told = (error: Error | null, publicKey?: unknown, privateKey?: unknown) => void;

const isReady = (type: string, wish: Wish): boolean => type === 'rsa' && wish.modulusLength === READY_BITS;

function ready(wish: Wish): Made {
  const { publicKey, privateKey } = readyKey();
  const encoded = (key: KeyObject, encoding?: object): unknown =>
    encoding === undefined ? key : key.export(encoding as { format: 'der'; type: 'pkcs8' });
  return {
    publicKey: encoded(publicKey, wish.publicKeyEncoding),
    privateKey: encoded(privateKey, wish.privateKeyEncoding),
  };
}

const HANDS_OUT = Symbol.for('mailkeel.test.hands-out-keys');
const patched = crypto as unknown as Record<PropertyKey, unknown>;

if (patched[HANDS_OUT] !== true) {
  patched[HANDS_OUT] = true;
  const real = crypto.generateKeyPair as unknown as (type: string, wish: Wish, told: Told) => void;
  const realPromised = promisify(crypto.generateKeyPair) as unknown as (
    type: string,
    wish: Wish,
  ) => Promise<Made>;
  const realSync = crypto.generateKeyPairSync as unknown as (type: string, wish: Wish) => Made;

  const generate = (type: string, wish: Wish, told: Told): void => {
    if (!isReady(type, wish)) {
      real(type, wish, told);
      return;
    }
    const { publicKey, privateKey } = ready(wish);
    setImmediate(told, null, publicKey, privateKey);
  };
  const promised = (type: string, wish: Wish): Promise<Made> =>
    isReady(type, wish) ? Promise.resolve(ready(wish)) : realPromised(type, wish);
  patched['generateKeyPair'] = Object.assign(generate, { [promisify.custom]: promised });
  patched['generateKeyPairSync'] = (type: string, wish: Wish): Made =>
    isReady(type, wish) ? ready(wish) : realSync(type, wish);
  syncBuiltinESMExports();
}
