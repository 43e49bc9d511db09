// Tests a fresh server whose host has no public name in the dashboard: what to set up first, and the records of a domain.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../../support/appliance.js';
import { ensureChromium, startChromium, type Browser } from '../../support/chromium.js';
import { picture } from '../../support/pictures.js';

const skipReason = ensureChromium();
if (skipReason !== null) console.warn(`skipped: a nameless host in a browser: ${skipReason}`);

const OWNER = { email: 'mira@quay.example', password: 'seven herons on the old pier' };

describe.skipIf(skipReason !== null)('a host without a public name', () => {
  let appliance: Appliance;
  let browser: Browser;
  beforeAll(async () => {
    appliance = await createAppliance({ env: { MAILKEEL_HOSTNAME: 'vm' } });
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

  it('is asked for its name and that of the organization before a domain', async () => {
    const { page } = browser;
    await page.getByText('set MAILKEEL_HOSTNAME, MAILKEEL_PUBLIC_URL in the server configuration').waitFor();
    const titles = await page.locator('.mk-step h2').allInnerTexts();
    expect(titles.slice(0, 4)).toEqual([
      'Send a test message',
      'Set up your organization',
      'Check the host',
      'Add a sending domain',
    ]);
    await picture(browser, 'nameless-get-started');
  });

  it('shows the DKIM records alone, and which settings are missing, on the page and in the zone file', async () => {
    const { page } = browser;
    const key = appliance.keys.live_key;
    const { json } = await appliance.api('POST', '/v1/senders', { key, body: { domain: 'first.example' } });
    const [, workspace = ''] = /\/(ws_\w+)/.exec(page.url()) ?? [];
    await page.goto(`${appliance.url}/${workspace}/live/senders/${json.id}`);
    await page.getByText('This server has no public name yet').waitFor();
    const values = await page.locator('.mk-dns-compare pre').allInnerTexts();
    expect(values.length).toBeGreaterThan(0);
    expect(values.every((value) => value.includes('v=DKIM1'))).toBe(true);
    await picture(browser, 'nameless-records');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Zone file' }).click(),
    ]);
    const zone = await readFile(await download.path(), 'utf8');
    expect(zone).toContain('v=DKIM1');
    // Without the keys, which are random and may contain the name of a record type.
    expect(zone.replaceAll(/p=[^;"]+(?:" "[^"]+)?/g, 'p=')).not.toMatch(
      /\bvm\b|localhost|MX|CNAME|spf1|DMARC1/,
    );
    await page.getByRole('button', { name: 'Create share link' }).click();
    await page.getByText('This link works only on this machine.').waitFor();
  });
});
