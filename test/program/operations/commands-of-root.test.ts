// Tests that files which commands of root create in the data folder still belong to the user of the server, who can open them.
import { spawnSync } from 'node:child_process';
import {
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { adminJson, COMMAND_LINE, createAppliance, type Appliance } from '../../support/appliance.js';
import { IS_ON_POSTGRES } from '../../support/postgres-databases.js';

const SERVER_USER = 65_534;
const canSwitch =
  process.getuid?.() === 0 && spawnSync('setpriv', [`--reuid=${SERVER_USER}`, 'true']).status === 0;
if (!canSwitch) console.warn('skipped: commands of root: needs root, and setpriv');

let folder: string;
let outside: string;
let appliance: Appliance;

function rootsFilesIn(path: string): string[] {
  return readdirSync(path, { recursive: true })
    .map(String)
    .filter((name) => lstatSync(join(path, name)).uid === 0);
}

beforeAll(async () => {
  if (!canSwitch) return;
  folder = mkdtempSync(join(tmpdir(), 'mailkeel-of-root-'));
  const dataDir = join(folder, 'data');
  outside = join(folder, 'outside');
  mkdirSync(dataDir, { mode: 0o700 });
  writeFileSync(outside, 'of root');
  const user = [`--reuid=${SERVER_USER}`, `--regid=${SERVER_USER}`, '--clear-groups'];
  appliance = await createAppliance({
    dataDir,
    within: ['setpriv', ...user],
    env: { MAILKEEL_TLS_CERT: '', MAILKEEL_TLS_KEY: '' },
  });
  spawnSync('chmod', ['755', folder]);
  spawnSync('chown', ['-R', `${SERVER_USER}:${SERVER_USER}`, dataDir]);
  symlinkSync(outside, join(dataDir, 'link'));
  linkSync(outside, join(dataDir, 'name'));
  chownSync(folder, 0, 0);
});
afterAll(async () => {
  if (!canSwitch) return;
  await appliance.close();
  rmSync(folder, { recursive: true, force: true });
});

it.skipIf(!canSwitch || IS_ON_POSTGRES)(
  'backup, restore and vacuum by root leave all files accessible to the server',
  async () => {
    await appliance.start();
    await appliance.end();
    const env = { MAILKEEL_DATA_DIR: appliance.dataDir };
    const commands = [
      ['backup'],
      ['restore', 'latest', '--force'],
      ['vacuum'],
      ['restore', 'nothing', '--force'],
    ];
    for (const command of commands) {
      const { code, error } = await adminJson(env, ...command);
      expect([command, code === 0, code === 0 ? '' : error]).toEqual([
        command,
        command[1] !== 'nothing',
        expect.stringContaining(command[1] === 'nothing' ? 'not found' : ''),
      ]);
      // Mailkeel must not change the owner of a file that has another name outside the folder.
      expect(rootsFilesIn(appliance.dataDir)).toEqual(['name']);
    }
    expect(lstatSync(outside).uid).toBe(0);
    await appliance.start();
    expect((await appliance.api('POST', '/v1/contacts', { body: { email: 'a@x.example' } })).status).toBe(
      201,
    );
  },
);

it.skipIf(!canSwitch || IS_ON_POSTGRES).each(['systemctl', 'docker'])(
  "the runbook's commands for %s restore and vacuum",
  async (supervisor) => {
    await appliance.end();
    const bin = join(folder, supervisor);
    mkdirSync(bin);
    const scripts = {
      systemctl: 'exit 0',
      mailkeel: `exec '${process.execPath}' '${COMMAND_LINE}' "$@"`,
      // compose stop …, compose up -d, compose run --rm mailkeel …, compose exec mailkeel …
      docker: 'shift; case $1 in run) shift 3; exec "$@";; exec) shift 2; exec "$@";; esac',
    };
    for (const [name, script] of Object.entries(scripts)) {
      writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    }
    const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, MAILKEEL_DATA_DIR: appliance.dataDir };
    expect((await adminJson(env, 'backup')).code).toBe(0);
    const { status, stderr } = spawnSync('sh', ['-euc', linesOfRunbook(supervisor)], {
      env,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
    expect(rootsFilesIn(appliance.dataDir)).toEqual(['name']);
    await appliance.start();
  },
);

/** The block of the runbook that starts with this supervisor, up to its move, which needs a server. */
function linesOfRunbook(supervisor: string): string {
  const text = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8');
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  const block = blocks.find((one) => one.includes('restore latest') && one.includes(`${supervisor} `));
  if (block === undefined) throw new Error(`The runbook has no block for ${supervisor}.`);
  const lines = block.split('\n');
  return lines
    .slice(
      0,
      lines.findIndex((line) => line.includes('# move')),
    )
    .join('\n');
}
