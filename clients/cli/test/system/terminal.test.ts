// Tests the command line in a tmux terminal against the running program, and completion in zsh and fish.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../../../../test/support/appliance.js';
import { ensurePackages } from '../../../../test/support/apt.js';
import { waitFor } from '../../../../test/support/wait.js';

const run = promisify(execFile);
const PACKAGES = ['tmux', 'zsh', 'fish'];
const SOCKET = `mailkeel-test-${process.pid}`;

let appliance: Appliance;
let home: string;
let env: Record<string, string>;
beforeAll(async () => {
  const isThere = (): boolean => PACKAGES.every((name) => spawnSync('which', [name]).status === 0);
  const missing = ensurePackages({ packages: PACKAGES, isThere });
  if (missing !== null) throw new Error(missing);
  appliance = await createAppliance({ process: 'shared' });
  await appliance.start();
  home = await mkdtemp(join(tmpdir(), 'mailkeel-cli-home-'));
  await symlink(join(process.cwd(), 'clients/cli/bin/mailkeel.js'), join(home, 'mailkeel'));
  env = {
    HOME: home,
    PATH: `${home}:${process.env['PATH'] ?? ''}`,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    PS1: '$ ',
  };
  await tmux('new-session', '-d', '-s', 'cli', '-x', '120', '-y', '40', 'bash --norc');
});
afterAll(async () => {
  spawnSync('tmux', ['-L', SOCKET, 'kill-server']);
  await appliance.close();
  await rm(home, { recursive: true, force: true });
});

const tmux = (...args: string[]) => run('tmux', ['-L', SOCKET, ...args], { env });
const screen = async () => (await tmux('capture-pane', '-p', '-t', 'cli')).stdout;
const shows = (text: RegExp) => waitFor(`${text.source} on the screen`, screen, (now) => text.test(now));

async function type(text: string): Promise<void> {
  await tmux('send-keys', '-t', 'cli', '-l', text);
  await tmux('send-keys', '-t', 'cli', 'Enter');
}

async function command(text: string): Promise<void> {
  await tmux('send-keys', '-t', 'cli', '-l', 'clear');
  await tmux('send-keys', '-t', 'cli', 'Enter');
  await type(text);
}

it('signs in with a hidden key', async () => {
  await command(`mailkeel login --url ${appliance.url} --key -`);
  await shows(/API key/);
  await type(appliance.keys.test_key);
  const now = await shows(/Signed in to .* with a test key/);
  expect(now).not.toContain(appliance.keys.test_key);
});

it('prints tables, plain errors and the reason of a bounce', async () => {
  await command(
    'mailkeel send --from me@customer.example --to bounced@example.com --subject Hi --text Hi --wait',
  );
  const bounced = await shows(/The message was not delivered/);
  expect(bounced).toContain('Bounced: the mailbox does not exist.');
  expect(bounced).toContain('Suggestions:');
  await command('mailkeel messages list; mailkeel messages get nothing; echo "code $?"');
  const listed = await shows(/code 4/);
  expect(listed).toMatch(/^id +.*status/m);
  expect(listed).toMatch(/^msg_\w+ +bounced@example\.com .*bounced/m);
  expect(listed).toMatch(/^Error: The object does not exist/m);
});

it('shows the progress of an import and the refused rows', async () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => (i === 7 ? 'nobody' : `p${i}@example.com`));
  await writeFile(join(home, 'people.csv'), `email\n${rows.join('\n')}\n`);
  await command(`mailkeel contacts import ${join(home, 'people.csv')}; echo "code $?"`);
  await shows(/█/);
  const done = await shows(/code 8/);
  expect(done).toMatch(/created +19999/);
  expect(done).toMatch(/The address has no @/);
});

it('tails events until Ctrl-C', async () => {
  await command('mailkeel messages tail; echo "code $?"');
  const beside = { env, cwd: home };
  await waitFor(
    'an event on the screen',
    async () => {
      await run('mailkeel', ['trigger', 'clicked', '--from', 'me@customer.example'], beside);
      return screen();
    },
    (now) => /clicked +msg_/.test(now),
  );
  await tmux('send-keys', '-t', 'cli', 'C-c');
  await shows(/code 130/);
});

it('asks before it deletes', async () => {
  const { stdout } = await run('mailkeel', ['lists', 'create', '--name', 'Readers'], { env });
  const { id } = JSON.parse(stdout) as { id: string };
  await command(`mailkeel lists delete ${id}; echo "code $?"`);
  await shows(/Delete .*\?/);
  await tmux('send-keys', '-t', 'cli', 'y');
  await shows(/code 0/);
});

it('completes in bash, zsh and fish', async () => {
  await command('source <(mailkeel completion bash)');
  await tmux('send-keys', '-t', 'cli', '-l', 'clear; mailkeel messages list-att');
  await tmux('send-keys', '-t', 'cli', 'Tab');
  await shows(/mailkeel messages list-attempts/);
  await tmux('send-keys', '-t', 'cli', 'C-u');
  await command('PS1="% " zsh -f');
  await type('autoload -U compinit; compinit -D; source <(mailkeel completion zsh)');
  await tmux('send-keys', '-t', 'cli', '-l', 'mailkeel messages list-del');
  await tmux('send-keys', '-t', 'cli', 'Tab');
  await shows(/mailkeel messages list-deliveries/);
  const asked = 'mailkeel completion fish | source; complete -C "mailkeel queue retry"';
  const { stdout } = await run('fish', ['-c', asked], { env });
  expect(stdout).toMatch(/^retry-destination\t/);
});
