// Tests the first minutes with a new server as its owner sees them: the setup link, the first message delivered, live mail, and
// the page for a setup link that was already used.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../../support/appliance.js';
import { ensureChromium, startChromium, type Browser } from '../../support/chromium.js';
import { picture } from '../../support/pictures.js';

const skipReason = ensureChromium();
if (skipReason !== null) console.warn(`skipped: the first run in a browser: ${skipReason}`);

const OWNER = { email: 'mira@quay.example', password: 'seven herons on the old pier' };

describe.skipIf(skipReason !== null)('the first run', () => {
  let appliance: Appliance;
  let browser: Browser;
  let link: string;
  beforeAll(async () => {
    appliance = await createAppliance();
    await appliance.start();
    const token = /\/setup#([\w-]+)/.exec(appliance.output())?.[1] ?? '';
    link = `${appliance.url}/setup#${token}`;
    browser = await startChromium({ hosts: [], port: Number(new URL(appliance.url).port) });
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await appliance.close();
  });

  it('leads from the link to a delivered message', async () => {
    const { page } = browser;
    await browser.wear({});
    await page.goto(link);
    await page.locator('#email').fill(OWNER.email);
    await page.locator('#password').fill(OWNER.password);
    await page.locator('#make').click();
    await page.getByRole('heading', { name: 'Get started' }).waitFor();
    const key = await page
      .getByText(/^svc_test_/)
      .first()
      .innerText();
    expect(key).toMatch(/^svc_test_[\w-]{20,}$/);
    expect(await page.locator('pre').first().innerText()).toContain(key);
    await picture(browser, 'first-run');
    await page.getByRole('button', { name: 'Send test message' }).click();
    await page.getByText('Delivered in the sandbox.').waitFor();
    await picture(browser, 'first-run-delivered');
    await page.reload();
    await page.getByText('Delivered in the sandbox.').waitFor();
    await page.getByRole('button', { name: 'Send another' }).waitFor();
    await page.getByRole('link', { name: 'View message' }).click();
    await page.getByRole('heading', { name: 'Hello from Mailkeel' }).waitFor();
    await page.goBack();
    await page.getByText('Delivered in the sandbox.').waitFor();
  });

  it('shows the keys once', async () => {
    const { page } = browser;
    await page.goto(appliance.url);
    await page.waitForURL(/\/ws_/);
    await page.getByRole('link', { name: 'Get started' }).click();
    await page.getByRole('heading', { name: 'Get started' }).waitFor();
    expect(await page.getByText(/^svc_test_/).count()).toBe(0);
  });

  it('opens the dialog of a step', async () => {
    const { page } = browser;
    await page.getByRole('link', { name: 'Add endpoint' }).click();
    await page.getByRole('dialog', { name: 'Add endpoint' }).waitFor();
    await page.waitForURL(/\/webhooks$/);
  });

  it('says that the link has ended', async () => {
    const { page } = browser;
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByText('This server already has an owner').waitFor();
    expect(await page.locator('form').count()).toBe(0);
  });
});
