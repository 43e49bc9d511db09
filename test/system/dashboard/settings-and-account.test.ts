// Tests settings, people and the person's own account in the dashboard: the main tasks as a person does them.
import { generateSync } from 'otplib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureChromium } from '../../support/chromium.js';
import { startDashboardRig, type DashboardRig } from '../../support/dashboard-rig.js';
import { OWNER } from '../../support/dashboard/program.js';
import { isFullSize } from '../../support/run-size.js';

const skipReason = ensureChromium();
if (skipReason !== null) console.warn(`skipped: the organization in the dashboard: ${skipReason}`);

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="18"/></svg>';

describe.skipIf(skipReason !== null)('the organization in the dashboard', () => {
  let rig: DashboardRig;
  beforeAll(async () => {
    rig = await startDashboardRig();
    await rig.wear({});
    await rig.signIn();
  }, 120_000);
  beforeEach(() => rig.wear({}));
  afterAll(() => rig.close());

  const button = (name: string) => rig.page.getByRole('button', { name, exact: true });
  const inDialog = (name: string) => rig.page.getByRole('dialog').getByRole('button', { name, exact: true });
  const group = (name: string) => rig.page.getByRole('group', { name, exact: true });

  it('changes the settings and the look of public pages', async () => {
    const { page } = rig;
    await rig.visit('/settings');
    await group('Organization').getByLabel('Postal address').fill('Quay Street 1, Halden');
    await group('Organization').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').first().waitFor();
    const branding = group('Public pages');
    await branding.getByLabel('Accent color').fill('blue');
    await branding.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => branding.getByLabel('Accent color').getAttribute('aria-invalid')).toBe('true');
    await branding.getByLabel('Accent color').fill('#176b37');
    await branding
      .locator('input[type=file]')
      .setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(LOGO) });
    await branding.getByRole('button', { name: 'Save' }).click();
    await page.getByAltText('Current logo').waitFor();
    await page.reload();
    await rig.settled();
    expect(await branding.getByLabel('Accent color').inputValue()).toBe('#176b37');
    rig.expectQuiet({ answers: [422] });
  }, 30_000);

  it('chooses alerts and quiet hours, and shows the secret of a new webhook once', async () => {
    const { page } = rig;
    await rig.visit('/account/alerts');
    await page.getByLabel('Backup failed: Email').check();
    await page.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:9/hook');
    await page.getByLabel('Disk filling up: Webhook').check();
    await page.getByLabel('Hold alerts during quiet hours').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('whsec_').waitFor();
    await page.reload();
    await rig.settled();
    expect(await page.getByLabel('Backup failed: Email').isChecked()).toBe(true);
    expect(await page.getByLabel('Disk filling up: Webhook').isChecked()).toBe(true);
    expect(await page.locator('input[type=time]').first().inputValue()).toBe('22:00');
    expect(await page.getByText('whsec_').count()).toBe(0);
    await rig.page.getByRole('button', { name: 'Send test webhook' }).click();
    await page.getByText('connection refused').waitFor();
    rig.expectQuiet();
  }, 30_000);

  it.runIf(isFullSize)('renames the workspace, and the switcher shows the new name', async () => {
    await rig.visit('/settings');
    await group('This workspace').getByLabel('Name').fill('Fernhill Mail');
    await group('This workspace').getByRole('button', { name: 'Save' }).click();
    await rig.page.locator('.mk-workspace-name', { hasText: 'Fernhill Mail' }).waitFor();
  });

  it.runIf(isFullSize)('makes a workspace and shows its first keys once', async () => {
    await rig.visit('/settings');
    await button('New workspace').click();
    await rig.page.getByRole('dialog').getByLabel('Name').fill('Fernhill North');
    await inDialog('New workspace').click();
    await rig.page.getByText(/^svc_live_/).waitFor();
    await rig.page.getByText(/^svc_test_/).waitFor();
    await inDialog('Close').last().click();
    await rig.page.getByRole('link', { name: 'Fernhill North' }).waitFor();
  });

  it('invites a person, changes a role, and removes a person', async () => {
    const { page } = rig;
    await rig.visit('/people');
    await button('Invite member').click();
    await page.getByRole('dialog').getByLabel('Email address').fill('nora@fernhill.example');
    await inDialog('Send invitation').click();
    await page.getByText(/\/invitation#/).waitFor();
    await inDialog('Close').last().click();
    await button('Revoke: nora@fernhill.example').click();
    await inDialog('Revoke').click();
    await button('Revoke: nora@fernhill.example').waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Role for Mara Lindgren' }).click();
    await page.getByRole('option', { name: 'viewer' }).click();
    await page.getByText('Role updated.').waitFor();
    await button('Remove: Mara Lindgren').click();
    await page.getByRole('dialog').getByText('This person has no API keys.').waitFor();
    await rig.expectNoViolations();
    await inDialog('Remove').click();
    await button('Remove: Mara Lindgren').waitFor({ state: 'detached' });
    rig.expectQuiet();
  }, 30_000);

  it('signs a device out', async () => {
    await fetch(`${rig.url}/v1/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'curl/8.0' },
      body: JSON.stringify(OWNER),
    });
    await rig.open('/account');
    await rig.page
      .getByRole('button', { name: /^Sign out: curl/ })
      .first()
      .click();
    await rig.page.getByText('Session signed out.').waitFor();
    await button('Sign out of all other sessions').click();
    await inDialog('Sign out of all other sessions').click();
    await expect.poll(() => rig.page.getByRole('button', { name: /^Sign out: / }).count()).toBe(0);
  }, 30_000);

  it('sets up a second factor, is asked for it, and switches it off', async () => {
    const { page } = rig;
    await rig.visit('/account');
    await button('Set up').click();
    await page.getByRole('dialog').getByLabel('Current password').fill(OWNER.password);
    await inDialog('Continue').click();
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
    const secret = await page.getByRole('dialog').locator('.mk-mono').first().innerText();
    await page.getByRole('dialog').getByLabel('Authentication code').fill(generateSync({ secret }));
    await inDialog('Turn on').click();
    await page.getByText('Save your recovery codes').waitFor();
    const codes = await page.locator('.mk-codes li').allInnerTexts();
    expect(codes.length).toBeGreaterThan(5);
    await inDialog('Close').last().click();
    await page.getByText(`Recovery codes left: ${codes.length}.`).waitFor();
    await button('Turn off').click();
    await page.getByRole('dialog').getByLabel('Current password').fill(OWNER.password);
    await page
      .getByRole('dialog')
      .getByLabel('Authentication or recovery code')
      .fill(codes[0] ?? '');
    await inDialog('Turn off').click();
    await button('Set up').waitFor();
    rig.expectQuiet();
  }, 30_000);

  it('explains why settings are locked for people who may not change them', async () => {
    await rig.page.context().clearCookies();
    await rig.signIn('viewer');
    await rig.visit('/settings');
    await rig.page.getByText('Only owners and admins can change these settings.').waitFor();
    expect(await group('Organization').getByLabel('Postal address').isDisabled()).toBe(true);
    expect(await button('Save').count()).toBe(0);
    rig.expectQuiet();
  });
});
