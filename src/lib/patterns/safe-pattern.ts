// Compiles regular expressions from data, and only accepts those whose worst case is bounded for texts of at
// most 512 characters.

const MAX_SOURCE = 400;
const MAX_GAPS = 2;
const MAX_GAP_LENGTH = 60;
const MAX_OPTIONAL = 4;

/**
 * Splits a pattern into its top-level alternatives. Each is tried on its own, so their costs add rather than
 * multiply.
 */
function splitBranches(bare: string): string[] {
  const branches = [''];
  let depth = 0;
  for (const character of bare) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === '|' && depth === 0) branches.push('');
    else branches.push(`${branches.pop() ?? ''}${character}`);
  }
  return branches;
}

/**
 * Returns why a pattern is refused, or `null`. Refuses `*`, `+`, open or long counts, repeated groups,
 * look-around, back-references, and more than 2 counts or 4 optional parts per alternative.
 */
export function patternProblem(source: string): string | null {
  if (source.length === 0 || source.length > MAX_SOURCE) return `must have 1 to ${MAX_SOURCE} characters`;
  if (/\\[1-9k]/.test(source)) return 'must not contain a backreference';
  if (/\(\?(?!:)/.test(source)) return 'must only use non-capturing groups (?: )';
  // Escaped characters and classes repeat nothing.
  const bare = source
    .replace(/\\./g, 'x')
    .replace(/\[[^\]]*\]/g, 'x')
    .replaceAll('(?:', '(');
  if (/[*+]/.test(bare)) return 'must not repeat without an upper bound';
  if (/\)\{/.test(bare)) return 'must not repeat a group';
  for (const branch of splitBranches(bare)) {
    const counts = [...branch.matchAll(/\{(\d+)(,?)(\d*)\}/g)];
    if (counts.length > MAX_GAPS) return `must have at most ${MAX_GAPS} repetitions in an alternative`;
    for (const [, from = '', comma = '', to = ''] of counts) {
      const end = comma === '' ? Number(from) : to === '' ? Infinity : Number(to);
      if (end > MAX_GAP_LENGTH) return `must not repeat more than ${MAX_GAP_LENGTH} times`;
    }
    if (branch.split('?').length - 1 > MAX_OPTIONAL) {
      return `must have at most ${MAX_OPTIONAL} optional parts in an alternative`;
    }
  }
  return null;
}

/** Compiles the pattern, ignoring case. Throws an Error that quotes it if it is invalid or refused. */
export function compileSafePattern(source: string): RegExp {
  const problem = patternProblem(source);
  if (problem !== null) throw new Error(`pattern ${JSON.stringify(source)} ${problem}`);
  return new RegExp(source, 'i');
}
