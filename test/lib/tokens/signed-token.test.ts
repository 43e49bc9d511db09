// Compares the signature of tokens with the platform's HMAC.
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readTextToken, signTextToken } from '../../../src/lib/tokens/signed-token.js';

const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';

/** Five bits per character, from the highest bit on, padded with 0. */
function inBase32(octets: Buffer): string {
  const bits = [...octets].map((octet) => octet.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[parseInt(five.padEnd(5, '0'), 2)]).join('');
}

it('a token ends with the HMAC-SHA256 of its parts, for secrets of any length', () => {
  const secret = fc.uint8Array({ minLength: 0, maxLength: 150 }).map((octets) => Buffer.from(octets));
  const text = fc
    .array(fc.constantFrom(...BASE32.split('')), { maxLength: 80 })
    .map((letters) => letters.join(''));
  const token = fc.tuple(secret, fc.nat(31), fc.string(), text, fc.integer({ min: 1, max: 32 }));
  fc.assert(
    fc.property(fc.array(token, { minLength: 1, maxLength: 4 }), (tokens) => {
      // Twice, to use the remembered pads of a key.
      for (const [key, id, label, value, macBytes] of [...tokens, ...tokens]) {
        const kind = { label, macBytes };
        const signed = signTextToken(kind, { id, secret: key }, value);
        const mac = createHmac('sha256', key).update(`${label}\0${id}\0\0${value}`).digest();
        expect(signed).toBe(`${value}${BASE32[id] ?? ''}${inBase32(mac.subarray(0, macBytes))}`);
        expect(readTextToken(kind, [{ id, secret: key }], value.length, signed)).toBe(value);
      }
    }),
  );
});
