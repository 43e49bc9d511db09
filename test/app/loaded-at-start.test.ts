// Tests which packages the built server must not load at startup, because each takes megabytes of memory that many servers never
// need.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

/** Files of dist/ that are loaded with this one, itself among them. */
function loadedWith(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, path = ''] of text.matchAll(
    /(?:^|[;}\n*/])(?:import|export)\s*(?:[^"'();]*from\s*)?"(\.[^"]+)"/g,
  ))
    loadedWith(join(dirname(file), path), found);
  return found;
}

it('loads no mail parser, no templates and no HTTP client', () => {
  const [, server = ''] =
    /import\("\.\/(chunks\/run-server-[^"]+)"\)/.exec(readFileSync('dist/main.js', 'utf8')) ?? [];
  const files = [...loadedWith(join('dist', server))];
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  const holds = (name: string): boolean => texts.some((text) => text.includes(`"node_modules/${name}/`));
  expect(files.length).toBeGreaterThan(10);
  expect(holds('fastify')).toBe(true);
  for (const name of [
    'undici',
    'mailparser',
    'iconv-lite',
    'handlebars',
    'node-forge',
    'acme-client',
    'prom-client',
  ])
    expect([name, holds(name)]).toEqual([name, false]);
});
