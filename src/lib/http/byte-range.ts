// Reads a range request for a part of a file (RFC 9110 section 14).

/** `end` is exclusive. */
interface ByteRange {
  start: number;
  end: number;
  isWhole: boolean;
}

/**
 * Returns the requested part, or the whole for an absent or unknown request; `null` if the part does not
 * exist.
 */
export function readRange(header: string | undefined, size: number): ByteRange | null {
  const whole = { start: 0, end: size, isWhole: true };
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return whole;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  return start < end ? { start, end, isWhole: false } : null;
}
