// Tests charts, which have all of their labels, and numbers, which agree with the page they link to.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureChromium } from '../../support/chromium.js';
import { startDashboardRig, type DashboardRig } from '../../support/dashboard-rig.js';

const skipReason = ensureChromium();

describe.skipIf(skipReason !== null)('figures of the dashboard', () => {
  let rig: DashboardRig;

  beforeAll(async () => {
    rig = await startDashboardRig();
    await rig.wear({ width: 1280, height: 800 });
    await rig.signIn();
  });
  afterAll(() => rig.close());

  /** Whole number of a figure of the page. */
  async function figure(label: string): Promise<number> {
    const stat = rig.page.locator('.mk-stat').filter({ has: rig.page.getByText(label, { exact: true }) });
    return Number((await stat.locator('.mk-stat-value').innerText()).replaceAll(/\D/g, ''));
  }

  it('a chart shows the whole label of each tick, also of high rates', async () => {
    const { page } = rig;
    await page.route('**/v1/analytics?*', async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { series: { sent: number; bounced: number }[] };
      const series = answer.series.map((step) => ({ ...step, sent: 1_000_000, bounced: 170_000 }));
      await route.fulfill({ response, json: { ...answer, series } });
    });
    await page.evaluate(`localStorage.setItem('mailkeel.language', 'de')`);
    await rig.open('/');
    await page.evaluate(`localStorage.removeItem('mailkeel.language')`);
    await page.unroute('**/v1/analytics?*');
    const labels = await page.evaluate<{ text: string; x: number }[]>(
      `[...document.querySelectorAll('.chart svg text[text-anchor="end"]')].map((label) => ({
        text: label.textContent.replace('\u00a0', ' '), x: label.getBBox().x }))`,
    );
    expect(labels.map(({ text }) => text)).toContain('15 %');
    expect(labels.filter(({ x }) => x < 0)).toEqual([]);
  });

  it('the overview and the page of bounces that it leads to count the same, by cause as well', async () => {
    await rig.open('/');
    const bounced = await figure('Bounced');
    expect(bounced).toBeGreaterThan(0);
    await rig.page.locator('.mk-stat').filter({ hasText: 'Bounced' }).getByRole('link').click();
    await rig.settled();
    expect(new URL(rig.page.url()).searchParams.get('range')).toBe('7d');
    expect(await figure('Bounces')).toBe(bounced);
    const causes = ['Recipient', 'Sender', 'Delivery'];
    const counts = [];
    for (const cause of causes) counts.push(await figure(cause));
    expect(counts.reduce((sum, n) => sum + n, 0)).toBe(bounced);
    await rig.page.locator('.mk-stat').filter({ hasText: 'Recipient' }).getByRole('link').click();
    await rig.settled();
    const caption = await rig.page.getByText('Last 7 days · Bounces:').innerText();
    expect(caption.replaceAll(/\D/g, '')).toBe(`7${counts[0]}`);
  });

  it('the figures of a sub-tenant lead to lists of the time that they cover', async () => {
    await rig.open(`/sub-tenants/${rig.world.tenants.throttled}`);
    const bounces = rig.page.locator('.mk-stat').filter({ hasText: 'Bounce rate' }).getByRole('link');
    expect(await bounces.getAttribute('href')).toContain('range=7d');
    await rig.page.locator('.mk-stat').filter({ hasText: 'Complaint rate' }).getByRole('link').click();
    await rig.settled();
    expect(new URL(rig.page.url()).searchParams.get('since')).toBe('-7d');
    expect(await rig.page.getByRole('combobox', { name: 'Time range' }).inputValue()).toBe('Last 7 days');
  });

  it('a campaign counts the same in the list, in its results and in the list of its recipients', async () => {
    const { sent } = rig.world.campaigns;
    await rig.open('/campaigns');
    const row = rig.page.locator('tr', { has: rig.page.locator(`a[href$="/campaigns/${sent}"]`) });
    const cell = async (label: string) => Number(await row.locator(`td[data-label="${label}"]`).innerText());
    const [opens, clicks, bounces] = [await cell('Opens'), await cell('Clicks'), await cell('Bounces')];
    expect(opens).toBeGreaterThan(0);
    await row.locator('td[data-label="Bounces"] a').click();
    await rig.settled();
    expect(await rig.page.locator('table.mk-rows tbody tr').count()).toBe(bounces);
    await rig.open(`/campaigns/${sent}?tab=results`);
    const funnel = await rig.page.locator('.mk-funnel strong').allInnerTexts();
    expect(funnel.slice(2).map(Number)).toEqual([opens, clicks]);
  });
});
