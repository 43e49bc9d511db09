// Tests that no key loses typed text, and that a tab older than the server says so.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureChromium } from '../../support/chromium.js';
import { startDashboardRig, type DashboardRig } from '../../support/dashboard-rig.js';
import { picture } from '../../support/pictures.js';

const skipReason = ensureChromium();
if (skipReason !== null) console.warn(`skipped: dialogs and builds in the dashboard: ${skipReason}`);

describe.skipIf(skipReason !== null)('the dashboard', () => {
  let rig: DashboardRig;
  beforeAll(async () => {
    rig = await startDashboardRig();
    await rig.signIn();
  }, 120_000);
  afterAll(() => rig.close());

  it('asks before Escape discards the input of a dialog', async () => {
    const { page } = rig;
    const dialog = page.getByRole('dialog');
    const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
    await rig.open('/contacts');
    await page.getByRole('button', { name: 'Add contact', exact: true }).click();
    const field = dialog.getByRole('textbox').first();
    await field.fill('ann@example.com');
    await page.keyboard.press('Escape');
    await dialog.getByRole('alert').waitFor();
    await picture(rig.browser, 'dialog-discard');
    await rig.expectNoViolations();
    await press('Keep editing');
    expect(await field.inputValue()).toBe('ann@example.com');
    await page.keyboard.press('Escape');
    await press('Discard');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Add contact', exact: true }).click();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  it('says that the server has another build, and is quiet about its own', async () => {
    const { page } = rig;
    const notice = page.getByRole('status').filter({ hasText: 'The server has been updated.' });
    await rig.open('/messages');
    expect(await notice.count()).toBe(0);
    const body = '<script type="module" crossorigin src="/assets/index-newer.js"></script>';
    await page.route('**/sign-in', (route) => route.fulfill({ contentType: 'text/html', body }));
    await rig.open('/messages');
    await notice.waitFor();
    await picture(rig.browser, 'new-build');
    await page.unroute('**/sign-in');
    await notice.getByRole('button', { name: 'Reload page' }).click();
    await rig.settled();
    expect(await notice.count()).toBe(0);
  });
});
