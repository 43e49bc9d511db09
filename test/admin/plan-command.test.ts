// Tests `mailkeel admin plan`.
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openAppliance } from '../../src/app/installation/open-appliance.js';
import { runCommandLine } from '../../src/admin/program.js';
import { loadConfig } from '../../src/settings/load.js';
import { fixedClock } from '../support/fixed-clock.js';
import { layDataFolder } from '../support/migrated-file.js';
import { temporaryFolder } from '../support/open-engines.js';

let folder: ReturnType<typeof temporaryFolder>;
let dataDir: string;
const clock = fixedClock();
beforeEach(async () => {
  folder = temporaryFolder();
  dataDir = join(folder.path, 'data');
  await layDataFolder(dataDir);
});
afterEach(() => folder.remove());

async function run(...args: string[]) {
  let stdout = '';
  let stderr = '';
  const code = await runCommandLine(['admin', ...args], {
    stdout: { write: (text) => (stdout += text), isTTY: false },
    stderr: { write: (text) => (stderr += text) },
    readStdin: () => Promise.resolve(''),
    loadConfig: () => loadConfig({ env: { MAILKEEL_DATA_DIR: dataDir } }),
    clock: clock.now,
    exitCode: 0,
  });
  return {
    code,
    stderr,
    json: (stdout === '' ? null : JSON.parse(stdout)) as Record<string, unknown> | null,
  };
}

it('shows the plan and changes that of the organization, as the audit log records', async () => {
  expect((await run('plan')).code).toBe(4);
  await run('bootstrap');
  expect((await run('plan')).json).toMatchObject({ plan: 'unlimited', used: { day: 0, month: 0 } });
  expect((await run('plan', 'gold')).stderr).toContain('Available plans: free, unlimited');
  const changed = await run('plan', 'free');
  expect([changed.code, changed.json]).toMatchObject([0, { plan: 'free', plans: ['free', 'unlimited'] }]);
  expect((await run('plan')).json).toMatchObject({ plan: 'free' });
  await run('keys', 'create', '--mode', 'test');
  const { store } = await openAppliance({ dataDir, groupCommitMaxPlans: 10 });
  try {
    const [environment] = await store.accounts.environments();
    if (!environment) throw new Error('There is no environment.');
    const scope = { ...environment, subTenantId: null };
    const { rows } = await store.audit.entries(scope, { limit: 10, after: null }, { ofOrganization: true });
    expect(rows.map(({ action, actor_kind }) => `${actor_kind} ${action}`).sort()).toEqual([
      'operator apiKeys.create',
      'operator bootstrap',
      'operator setPlan',
    ]);
    expect(rows.find(({ action }) => action === 'setPlan')?.detail).toContain('"plan":"free"');
  } finally {
    await store.close();
  }
});
