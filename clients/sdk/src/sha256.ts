// SHA-256 (FIPS 180-4) and HMAC (RFC 2104) in plain JavaScript, to verify a webhook synchronously: edge runtimes offer only
// asynchronous functions.

const BLOCK = 64;
const ROUNDS = 64;
const { constants: K, start: START } = fractions();

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes, and of the square roots of eight. */
function fractions(): { constants: Uint32Array; start: Uint32Array } {
  const constants = new Uint32Array(ROUNDS);
  const start = new Uint32Array(8);
  const bits = (root: number): number => (root - Math.floor(root)) * 2 ** 32;
  for (let number = 2, found = 0; found < ROUNDS; number += 1) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= number; divisor += 1)
      if (number % divisor === 0) isPrime = false;
    if (!isPrime) continue;
    constants[found] = bits(Math.cbrt(number));
    if (found < start.length) start[found] = bits(Math.sqrt(number));
    found += 1;
  }
  return { constants, start };
}

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

export function sha256(octets: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((octets.length + 9) / BLOCK) * BLOCK);
  padded.set(octets);
  padded[octets.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor((octets.length * 8) / 2 ** 32));
  view.setUint32(padded.length - 4, octets.length * 8);
  const state = Uint32Array.from(START);
  const words = new Uint32Array(ROUNDS);
  for (let at = 0; at < padded.length; at += BLOCK) {
    for (let i = 0; i < 16; i += 1) words[i] = view.getUint32(at + i * 4);
    digestBlock(state, words);
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => digest.setUint32(i * 4, word));
  return new Uint8Array(digest.buffer);
}

function digestBlock(state: Uint32Array, words: Uint32Array): void {
  const at = (array: Uint32Array, i: number): number => array[i] ?? 0;
  for (let i = 16; i < ROUNDS; i += 1) {
    const [far, near] = [at(words, i - 15), at(words, i - 2)];
    const first = turned(far, 7) ^ turned(far, 18) ^ (far >>> 3);
    const second = turned(near, 17) ^ turned(near, 19) ^ (near >>> 10);
    words[i] = at(words, i - 16) + first + at(words, i - 7) + second;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < ROUNDS; i += 1) {
    const upper = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const one = (h + upper + ((e & f) ^ (~e & g)) + at(K, i) + at(words, i)) | 0;
    const lower = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const two = (lower + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = at(state, i) + word));
}

export function hmacSha256(key: Uint8Array, octets: Uint8Array): Uint8Array {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256(key) : key);
  const keyed = (pad: number, rest: Uint8Array): Uint8Array => {
    const joined = new Uint8Array(BLOCK + rest.length);
    joined.set(block.map((octet) => octet ^ pad));
    joined.set(rest, BLOCK);
    return sha256(joined);
  };
  return keyed(0x5c, keyed(0x36, octets));
}

/** Compares octets in a time that depends only on their length. */
export function isSameOctets(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length;
  for (let i = 0; i < one.length; i += 1) difference |= (one[i] ?? 0) ^ (other[i] ?? 0);
  return difference === 0;
}
