// Generates texts of any code points. The unit 'binary' of fast-check means the same, but builds a table of all of them for
// shrinking, which takes a second of a core in each worker.
import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

/** Without lone surrogates. Half of them are among the first 256, because most rules are about control characters. */
export const anyCodePoint = fc
  .oneof(fc.integer({ min: 0, max: 0xff }), fc.integer({ min: 0, max: 0x10ffff - SURROGATES.count }))
  .map((n) => String.fromCodePoint(n < SURROGATES.first ? n : n + SURROGATES.count));

/** A tenth of the texts is ASCII, in which fast-check puts names such as `__proto__`. */
export function anyText(length: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 9, arbitrary: fc.string({ ...length, unit: anyCodePoint }) },
    { weight: 1, arbitrary: fc.string(length) },
  );
}
