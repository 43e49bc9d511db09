// Tests the output of node dist/main.js for arguments with which it does not start.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serverEnds } from '../../support/appliance.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mailkeel-arguments-'));
});
afterEach(async () => {
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true, force: true });
});

const ended = (...args: string[]) => serverEnds({ MAILKEEL_DATA_DIR: folder, MAILKEEL_HTTP_PORT: '0' }, args);

describe('node dist/main.js', () => {
  it('prints its usage', async () => {
    const { code, stdout, stderr } = await ended('--help');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: node dist\/main\.js \[--roles NAMES\]\n/);
    for (const named of ['--version', 'mailkeel -- admin', 'docs/config.md']) expect(stdout).toContain(named);
  });

  it('prints its version', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect(await ended('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each(['--roles', '--roles api mta'])('requires one list of roles after %s', async (given) => {
    const { code, stderr } = await ended(...given.split(' '));
    expect([code, stderr]).toEqual([
      2,
      'mailkeel: --roles requires a comma-separated list, for example --roles api,mta.\n',
    ]);
  });

  it('refuses to omit work that no other node does', async () => {
    const { code, stderr } = await ended('--roles', 'api,mta');
    expect(code).toBe(2);
    expect(stderr).toContain('MAILKEEL_ROLES requires several nodes');
  });

  it.each(['--port=1', 'admin', 'start --help'])('does not start with %s', async (given) => {
    const args = given.split(' ');
    const { code, stdout, stderr } = await ended(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(`mailkeel: Unknown argument: ${String(args[0])}. Run with --help for usage.\n`);
  });
});
