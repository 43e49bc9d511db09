// Serializes a request independently of the order of its fields, to recognize repeated requests.

/** Returns JSON with sorted object keys. The value is JSON, nested at most as deeply as a body may be. */
export function orderedJson(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    const entries = Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return Object.fromEntries(entries);
  });
}
