// Limits the size of the values that fill a template, and converts each to text.

const VARIABLE_LIMITS = { depth: 32, values: 20_000, chars: 1_048_576 } as const;

/**
 * Returns why the variables cannot be used, or `null`. Linear in their size, stops at the first limit, and
 * does not recurse, so JSON of any depth is safe.
 */
export function variablesProblem(variables: unknown): string | null {
  if (typeof variables !== 'object' || variables === null || Array.isArray(variables))
    return 'The variables must be an object.';
  let level: object[] = [variables];
  let values = 0;
  let chars = 0;
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > VARIABLE_LIMITS.depth)
      return `The variables are nested more than ${VARIABLE_LIMITS.depth} deep.`;
    const next: object[] = [];
    for (const container of level) {
      for (const key of Object.keys(container)) {
        const value: unknown = Reflect.get(container, key);
        values += 1;
        if (!Array.isArray(container)) chars += key.length;
        if (typeof value === 'string') chars += value.length;
        else if (typeof value === 'object' && value !== null) next.push(value);
        if (values > VARIABLE_LIMITS.values)
          return `The variables hold more than ${VARIABLE_LIMITS.values} values.`;
        if (chars > VARIABLE_LIMITS.chars)
          return `The variables are larger than ${VARIABLE_LIMITS.chars} characters.`;
      }
    }
    level = next;
  }
  return null;
}

/**
 * Converts a value to text like Handlebars: nothing for null, `a,b` for a list. Unlike Handlebars, never
 * calls a `toString` or `toHTML` from the data.
 */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map(toText).join(',');
  return typeof value === 'object' && value !== null ? '[object Object]' : '';
}
