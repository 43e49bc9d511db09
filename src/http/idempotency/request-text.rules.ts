// One text for one request, whatever the order of its fields: what tells a repeated request from another.

/** JSON with the keys of every object in order. The value is JSON, nested as deep as a body may be. */
export function orderedJson(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    const entries = Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return Object.fromEntries(entries);
  });
}
