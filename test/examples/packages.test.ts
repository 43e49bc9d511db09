// Tests that the examples tell people to install the same versions that they are tested with.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const files = readdirSync('examples', { recursive: true, encoding: 'utf8' });

function installed(name: string): string {
  const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')) as {
    version: string;
  };
  return version;
}

it('each folder with a program is an ES module package that runs anywhere', () => {
  const programs = files.filter((file) => /^[^/]+\/[^/]+\.ts$/.test(file)).map((file) => file.split('/')[0]);
  expect(new Set(programs).size).toBe(3);
  for (const folder of programs) {
    const text = readFileSync(`examples/${folder ?? ''}/package.json`, 'utf8');
    expect(JSON.parse(text), folder).toMatchObject({ private: true, type: 'module' });
  }
});

it('package.json of an example has the versions of this repository', () => {
  const named = files
    .filter((file) => file.endsWith('package.json'))
    .flatMap((file) => {
      const { dependencies = {}, devDependencies = {} } = JSON.parse(
        readFileSync(`examples/${file}`, 'utf8'),
      ) as { dependencies?: Record<string, string>; devDependencies?: Record<string, string> };
      return Object.entries({ ...dependencies, ...devDependencies });
    });
  expect(named.length).toBeGreaterThan(0);
  expect(named).toEqual(named.map(([name]) => [name, installed(name)]));
});

it('the install commands of the READMEs have them too', () => {
  const named = files
    .filter((file) => file.endsWith('README.md'))
    .flatMap((file) => [...readFileSync(`examples/${file}`, 'utf8').matchAll(/(@?[\w/-]+)@(\d+\.\d+\.\d+)/g)])
    .map(([, name = '', version = '']) => [name, version] as const);
  expect(named.length).toBeGreaterThan(0);
  expect(named).toEqual(named.map(([name]) => [name, installed(name)]));
});
