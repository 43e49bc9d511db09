// Tests the dashboard during an outage of its server: the status light shows it, the shell stays, and everything recovers without
// a reload.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../../support/appliance.js';
import { ensureChromium, startChromium, type Browser } from '../../support/chromium.js';

const skipReason = ensureChromium();
if (skipReason !== null) console.warn(`skipped: outages in a browser: ${skipReason}`);

const OWNER = { email: 'mira@quay.example', password: 'seven herons on the old pier' };

describe.skipIf(skipReason !== null)('the dashboard in an outage', () => {
  let appliance: Appliance;
  let browser: Browser;
  beforeAll(async () => {
    appliance = await createAppliance();
    await appliance.start();
    const token = /\/setup#([\w-]+)/.exec(appliance.output())?.[1] ?? '';
    browser = await startChromium({ hosts: [], port: Number(new URL(appliance.url).port) });
    const { page } = browser;
    await browser.wear({});
    await page.goto(`${appliance.url}/setup#${token}`);
    await page.locator('#email').fill(OWNER.email);
    await page.locator('#password').fill(OWNER.password);
    await page.locator('#make').click();
    await page.getByRole('heading', { name: 'Get started' }).waitFor();
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await appliance.close();
  });

  it('names the command in place of a mail that cannot leave', async () => {
    const { page } = browser;
    const other = await page.context().browser()?.newPage();
    if (other === undefined) throw new Error('There is no browser.');
    await other.goto(`${appliance.url}/sign-in`);
    await other.getByRole('button', { name: /forgot/i }).click();
    await other.locator('[name="email"]').fill(OWNER.email);
    await other.locator('button[type="submit"]').click();
    const alert = await other.getByRole('alert').innerText();
    expect(alert).toContain('can’t send email yet');
    expect(alert).toContain('mailkeel admin people set-password');
    await other.close();
  });

  it('shows that it is not live and since when, keeps the shell on a click, and recovers automatically', async () => {
    const { page } = browser;
    const light = page.locator('.mk-live');
    await page.locator('.mk-live[data-live="live"]').waitFor();
    const loads: string[] = [];
    page.on('load', () => loads.push(page.url()));
    await appliance.end();
    await page.locator('.mk-live[data-live="retrying"]').waitFor();
    expect(await page.locator('.mk-live-sign').innerText()).toMatch(/^as of \d/);
    await page.getByRole('link', { name: 'Suppressions' }).click();
    // The code of that page is not loaded yet.
    expect(await page.getByRole('heading', { name: 'Suppressions', exact: true }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Host health' }).isVisible()).toBe(true);
    await appliance.start();
    await page.getByRole('heading', { name: 'Suppressions', exact: true }).waitFor();
    await page.locator('.mk-live[data-live="live"]').waitFor();
    expect(await light.getAttribute('aria-label')).toContain('Live');
    await page.getByText('No suppressions yet').or(page.getByRole('table')).first().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(loads).toEqual([]);
  }, 60_000);
});
