// Tests that the product's former name, which it had before its first release, does not reappear in a file, a path or on the
// wire.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const FORMER_NAME = new RegExp(['post', 'horn'].join(''), 'i');
/** Created by git, npm, builds and runs. */
const NOT_OURS = /^(?:\.git|coverage|data|dist(?:-\w+)?|node_modules)$/;
const PICTURES = /\.(?:gif|ico|jpe?g|png|webp|woff2?)$/;

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (NOT_OURS.test(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
  });
}

it('finds the former name in no file and no path', () => {
  const files = filesBelow('.');
  expect(files.length).toBeGreaterThan(1_000);
  const found = files.filter(
    (file) =>
      FORMER_NAME.test(file) || (!PICTURES.test(file) && FORMER_NAME.test(readFileSync(file, 'latin1'))),
  );
  expect(found).toEqual([]);
});
