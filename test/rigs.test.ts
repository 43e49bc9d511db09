// Tests that test/README.md names every rig, so that existing rigs are found and reused.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('the page about rigs has those that there are', () => {
  const folder = new URL('.', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const rigs = files.flatMap((file) => /[^/]+-rig\.ts$/.exec(file) ?? []);
  const page = readFileSync(new URL('README.md', folder), 'utf8');
  const named = [...page.matchAll(/^- `([a-z-]+-rig\.ts)`/gm)].map(([, name = '']) => name);
  expect(named.sort()).toEqual(rigs.sort());
});
