// Tests that some Mantine components are only used through a wrapper, which adds what every use needs.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SOURCE = fileURLToPath(new URL('../src', import.meta.url));
const components = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.tsx'),
);

function filesWith(pattern: RegExp): string[] {
  return components.filter((name) => pattern.test(readFileSync(join(SOURCE, name), 'utf8'))).toSorted();
}

describe('parts of the dashboard', () => {
  it('search choices in one file, which says when nothing matches', () => {
    expect(filesWith(/^\s+searchable\b/m)).toEqual(['ui/search-select.tsx']);
  });

  it('open dialogs in one file, which says where the focus goes', () => {
    expect(filesWith(/<(?:Modal|Drawer)\b/)).toEqual(['ui/dialog.tsx']);
  });
});
