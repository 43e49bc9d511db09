// Tests the installed package: a single file without dependencies that starts quickly, and completion in the shells of this
// machine.
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstOf, isFullSize } from '../../../test/support/run-size.js';
import { answering, startScriptedServer } from '../../sdk/test/support/scripted-server.js';

const run = promisify(execFile);
const FOLDER = 'clients/cli';
const SCRIPT = join(process.cwd(), FOLDER, 'bin/mailkeel.js');
const MOST_OCTETS = 512 * 1024;

let home: string;
let env: Record<string, string>;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'mailkeel-cli-home-'));
  await symlink(SCRIPT, join(home, 'mailkeel'));
  env = { HOME: home, PATH: `${home}:${process.env['PATH'] ?? ''}` };
});
afterAll(() => rm(home, { recursive: true, force: true }));

describe('the package', () => {
  it('has no dependencies, and is one small file', async () => {
    const manifest = JSON.parse(await readFile(`${FOLDER}/package.json`, 'utf8')) as Record<string, unknown>;
    expect(manifest['dependencies']).toBeUndefined();
    expect(manifest['files']).toEqual(['bin', 'dist', 'README.md', 'LICENSE']);
    expect((await readdir(`${FOLDER}/dist`)).toSorted()).toEqual(['LICENSES.txt', 'mailkeel.js']);
    expect(await readFile(`${FOLDER}/dist/LICENSES.txt`, 'utf8')).toMatch(/^## commander /m);
    expect((await stat(`${FOLDER}/dist/mailkeel.js`)).size).toBeLessThan(MOST_OCTETS);
  });

  it.runIf(isFullSize)('contains only its files', async () => {
    const pack = ['pack', '--dry-run', '--json', '--ignore-scripts'];
    const { stdout } = await run('npm', pack, { cwd: FOLDER });
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    const paths = [
      'LICENSE',
      'README.md',
      'bin/mailkeel.js',
      'dist/LICENSES.txt',
      'dist/mailkeel.js',
      'package.json',
    ];
    expect(files.map(({ path }) => path).sort()).toEqual(paths);
  });

  it('shows usage and errors without a stack', async () => {
    const { stdout } = await run('mailkeel', ['--version'], { env });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const { status, stderr } = spawnSync('mailkeel', ['whoami'], { env, encoding: 'utf8' });
    expect(status).toBe(3);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'not_signed_in' } });
  });

  it("passes admin to the server's command line, and explains where it is if missing", () => {
    const own = { ...env, MAILKEEL_API_KEY: 'a', MAILKEEL_URL: 'b', MAILKEEL_DATA_DIR: home };
    const beside = spawnSync('mailkeel', ['admin', 'config'], { env: own, encoding: 'utf8' });
    expect([beside.stderr, beside.status]).toEqual(['', 0]);
    expect(beside.stdout).toContain(home);
    const away = { ...env, MAILKEEL_SERVER_CLI: '/nowhere/main.js' };
    const without = spawnSync('mailkeel', ['admin', 'backup'], { env: away, encoding: 'utf8' });
    expect([without.status, without.stderr]).toEqual([
      1,
      expect.stringContaining('requires the Mailkeel server'),
    ]);
  });

  it('ends when its pipe is closed', async () => {
    const { stdout } = await run(
      'bash',
      ['-c', 'mailkeel messages --help | head -1; echo ${PIPESTATUS[0]}'],
      { env },
    );
    expect(stdout).toMatch(/^Usage: .*\n0\n$/);
  });

  it.runIf(existsSync('/dev/full'))('reports in one sentence that its output cannot be written', async () => {
    const server = await startScriptedServer(answering(200, { object: 'list', data: [], has_more: false }));
    const own = { ...env, MAILKEEL_URL: server.url, MAILKEEL_API_KEY: `svc_test_${'a'.repeat(43)}` };
    try {
      for (const args of firstOf(1, ['messages list', '--help'])) {
        const script = `mailkeel ${args} >/dev/full; echo $?; mailkeel ${args} >/dev/full 2>/dev/full; echo $?`;
        const { stdout, stderr } = await run('bash', ['-c', script], { env: own });
        expect(stdout).toBe('1\n1\n');
        expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'output_failed' } });
      }
    } finally {
      await server.close();
    }
  });
});

describe('completion', () => {
  it('includes commands, options and values', async () => {
    await mkdir(join(home, '.config/mailkeel'), { recursive: true });
    const profile = { url: 'https://staging.example', environment: 'test', keys: {} };
    const profiles = JSON.stringify({ current: 'staging', profiles: { staging: profile } });
    await writeFile(join(home, '.config/mailkeel/config.json'), profiles, { mode: 0o600 });
    const complete = async (...words: string[]) => {
      const { stdout } = await run('mailkeel', ['__complete', '--', ...words], { env });
      return stdout.split('\n').map((line) => line.split('\t')[0]);
    };
    const cases = [
      [
        ['messages', 'list-a'],
        ['list-attempts', ''],
      ],
      [
        ['messages', 'list', '--type', 's'],
        ['sales', ''],
      ],
      [
        ['messages', 'list', '--stat'],
        ['--status', ''],
      ],
      [['mess'], ['messages', '']],
      [
        ['trigger', 'message.op'],
        ['message.opened', ''],
      ],
      [
        ['messages', 'tail', '--events', 'message.sent,message.op'],
        ['message.sent,message.opened', ''],
      ],
      [
        ['open', 'do'],
        ['docs', ''],
      ],
      [
        ['messages', 'list', '--profile', 'st'],
        ['staging', ''],
      ],
      [
        ['webhooks', 'create', '--events', 'message.bou'],
        ['message.bounced', ''],
      ],
    ];
    for (const [words = [], offered] of cases) expect(await complete(...words)).toEqual(offered);
    if (isFullSize) expect(await complete('webhooks', 'lis')).toContain('listen');
  });

  // In CI the shells complete in a terminal: test/system/terminal.test.ts.
  it.runIf(isFullSize)('loads in bash', async () => {
    const script = `source <(mailkeel completion bash); COMP_WORDS=(mailkeel queue retry); COMP_CWORD=2; _mailkeel; echo "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = await run('bash', ['--norc', '-c', script], { env });
    expect([stdout, stderr]).toEqual(['retry-destination\n', '']);
  });

  it.runIf(isFullSize)('has a script for zsh and fish, and for no other shell', async () => {
    expect((await run('mailkeel', ['completion', 'zsh'], { env })).stdout).toMatch(/^#compdef mailkeel\n/);
    expect((await run('mailkeel', ['completion', 'fish'], { env })).stdout).toContain('complete -c mailkeel');
    expect(spawnSync('mailkeel', ['completion', 'tcsh'], { env }).status).toBe(2);
  });
});
