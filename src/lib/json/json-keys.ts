// Detects objects that repeat a key, because readers disagree about which value counts.

/** Returns whether an object in `json` repeats a key; `value` is the parsed text. */
export function repeatsKey(json: string, value: unknown): boolean {
  return writtenKeys(json) !== countKeys(value);
}

/** Counts the keys in the text. In valid JSON, exactly the strings before a colon are keys. */
function writtenKeys(json: string): number {
  let count = 0;
  for (let i = json.indexOf('"'); i >= 0; i = json.indexOf('"', i + 1)) {
    for (i++; i < json.length && json.charAt(i) !== '"'; i++) if (json.charAt(i) === '\\') i++;
    let next = i + 1;
    while (' \t\r\n'.includes(json.charAt(next)) && next < json.length) next++;
    if (json.charAt(next) === ':') count++;
  }
  return count;
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const items: unknown[] = Object.values(value);
  return items.reduce<number>((sum, item) => sum + countKeys(item), Array.isArray(value) ? 0 : items.length);
}
