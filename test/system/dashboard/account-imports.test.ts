// Tests account imports in a browser: a workspace export is checked in a dry run, and then imported.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureChromium } from '../../support/chromium.js';
import { startDashboardRig, type DashboardRig } from '../../support/dashboard-rig.js';

const skipReason = ensureChromium();
if (skipReason !== null) console.warn(`skipped: account imports in a browser: ${skipReason}`);

const SLOWEST_MS = 8_000;
const SUPPRESSION = {
  ...{ id: 'sup_01k0000000000000000000000a', object: 'suppression', email: 'left@old.example' },
  ...{ reason: 'unsubscribe', sub_tenant_id: null, message_id: null, created_at: '2026-01-02T03:04:05.000Z' },
};
const EXPORT = [
  { object: 'workspace_export', format: 1, environment: 'live', sub_tenant_id: null },
  SUPPRESSION,
  { object: 'workspace_export_end', counts: { suppression: 1 } },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');

describe.skipIf(skipReason !== null)('account imports', () => {
  let rig: DashboardRig;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'export-'));
    writeFileSync(join(folder, 'workspace.ndjson'), EXPORT);
    rig = await startDashboardRig();
    await rig.wear({});
    rig.page.setDefaultTimeout(SLOWEST_MS);
    await rig.signIn();
  }, 120_000);
  beforeEach(() => rig.wear({}));
  afterAll(async () => {
    await rig.close();
    rmSync(folder, { recursive: true });
  });

  const button = (name: string) => rig.page.getByRole('button', { name, exact: true });
  const counts = () => rig.page.locator('main tbody tr', { hasText: 'Suppressions' }).innerText();

  async function chooseFile(): Promise<void> {
    await rig.page.locator('input[type=file]').setInputFiles(join(folder, 'workspace.ndjson'));
  }

  it('check a file first, and import it with the same form', async () => {
    const { page } = rig;
    await rig.visit('/account-imports/new');
    await page.getByRole('combobox', { name: 'Source' }).or(page.getByLabel('Source')).first().click();
    await page.getByRole('option', { name: 'Mailkeel (workspace export)' }).click();
    await chooseFile();
    await button('Start dry run').click();
    await page.getByText('The dry run changed nothing.').waitFor();
    expect((await counts()).split(/\s+/)).toEqual(['Suppressions', '1', '1', '0', '0', '0']);
    await rig.expectNoViolations();

    await page.getByRole('link', { name: 'Import now' }).click();
    await chooseFile();
    await page.getByRole('checkbox', { name: 'Dry run' }).uncheck();
    await button('Start import').click();
    await page.getByText('completed').first().waitFor();
    expect((await counts()).split(/\s+/)).toEqual(['Suppressions', '1', '1', '0', '0', '0']);
    await rig.visit('/suppressions?q=left%40old.example');
    await page.getByText('left@old.example').first().waitFor();
    rig.expectQuiet();
  }, 60_000);

  it('take a dump of Postal, and ask for the server if it has several', async () => {
    const { page } = rig;
    await rig.visit('/account-imports/new?source=postal');
    const dump = join(import.meta.dirname, '../../account-imports/dumps/postal.sql');
    await page.locator('input[type=file]').setInputFiles(dump);
    await button('Start dry run').click();
    await page.getByText('fernhill/main, fernhill/test').first().waitFor();
    await page.getByLabel('Server').fill('fernhill/main');
    await button('Start dry run').click();
    await page.getByText('The dry run changed nothing.').waitFor();
    expect((await counts()).split(/\s+/)).toEqual(['Suppressions', '2', '2', '0', '0', '0']);
    await rig.expectNoViolations();
  }, 60_000);

  it('offer the API and the dump of listmonk', async () => {
    const { page } = rig;
    await rig.visit('/account-imports/new?source=listmonk');
    await page.getByLabel('Server URL').waitFor();
    await page.getByText('Database dump', { exact: true }).click();
    expect(await page.getByLabel('Server URL').count()).toBe(0);
    const dump = join(import.meta.dirname, '../../account-imports/dumps/listmonk-copy.sql');
    await page.locator('input[type=file]').setInputFiles(dump);
    await button('Start dry run').click();
    await page.getByText('The dry run changed nothing.').waitFor();
    expect((await counts()).split(/\s+/)).toEqual(['Suppressions', '3', '2', '0', '1', '0']);
  }, 60_000);

  it('shows problems of the connection at their fields', async () => {
    const { page } = rig;
    await rig.visit('/account-imports/new?source=listmonk');
    await page.getByLabel('Server URL').fill('not a url');
    await page.getByLabel('API user').fill('mailkeel');
    await page.getByLabel('API token', { exact: true }).fill('secret');
    await button('Start dry run').click();
    await page.getByText('Server URL', { exact: false }).first().waitFor();
    await expect
      .poll(() => page.locator('main [role=alert], main .mantine-InputWrapper-error').count())
      .toBeGreaterThan(0);
  }, 60_000);
});
