// Tests the dashboard with the keyboard alone and on a phone: shortcuts, dialogs that return the focus, folded filters, rows as
// cards.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureChromium } from '../../support/chromium.js';
import { startDashboardRig, type DashboardRig } from '../../support/dashboard-rig.js';
import { pagesOf } from '../../support/dashboard/pages.js';
import { isFullSize } from '../../support/run-size.js';

const skipReason = ensureChromium();
if (skipReason !== null) console.warn(`skipped: keys and telephones: ${skipReason}`);

const PHONE = { width: 390, height: 844 };
/** Pages whose dialogs are visited in small size. */
const WALKED = ['messages', 'contact', 'list', 'webhook', 'sender', 'queue', 'people', 'api-keys', 'account'];

const IS_FOCUS_IN_BODY = `document.activeElement.closest('.mk-dialog-body') !== null`;

describe.skipIf(skipReason !== null)('the dashboard', () => {
  let rig: DashboardRig;
  beforeAll(async () => {
    rig = await startDashboardRig();
    await rig.wear({});
    await rig.signIn();
  }, 120_000);
  beforeEach(() => rig.wear({}));
  afterAll(() => rig.close());

  const focused = () => rig.page.evaluate<string>('document.activeElement?.textContent ?? ""');

  it('moves in a list by j, k and arrows, opens a row by Enter, and lists its keys', async () => {
    const { page } = rig;
    await rig.open('/messages');
    const rows = page.locator('#page .mk-table tbody tr');
    const names = await rows.locator('a').allTextContents();
    await page.keyboard.press('j');
    expect(await focused()).toBe(names[0]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    expect(await focused()).toBe(names[1]);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe(names[1]);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/messages\/msg_/);
    // Letters in a field are text.
    await rig.open('/messages');
    const search = page.getByRole('search').getByRole('textbox').first();
    await search.fill('');
    await search.press('j');
    expect(await search.inputValue()).toBe('j');
  }, 60_000);

  it('finds pages with typos, and actions, by Ctrl-K', async () => {
    const { page } = rig;
    await rig.open('/');
    await page.keyboard.press('Control+k');
    const field = page.getByRole('dialog').getByRole('textbox');
    await field.fill('tmeplates');
    await page.getByRole('dialog').getByText('Templates', { exact: true }).waitFor();
    await field.fill('new camp');
    await page.getByRole('dialog').getByText('New campaign').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/campaigns\/new/);
    await rig.open('/');
    await page.keyboard.press('Control+k');
    await field.fill('new list');
    await page.getByRole('dialog').getByText('New list', { exact: true }).click();
    await page.getByRole('dialog', { name: 'New list' }).waitFor();
    await page.waitForURL(/\/lists$/);
  }, 60_000);

  it('opens every dialog with the focus inside, not on its X, and gives it back after Escape', async () => {
    const { page } = rig;
    // Actions without a confirmation do not reach the server.
    await page.route('**/v1/**', (route) =>
      route.request().method() === 'GET' ? route.fallback() : route.abort(),
    );
    const walked = pagesOf(rig.world).filter(({ name }) => isFullSize || WALKED.includes(name));
    const lost: string[] = [];
    let dialogs = 0;
    for (const { name, path, environment } of walked) {
      await rig.open(path, environment === undefined ? {} : { environment });
      const buttons = page.locator('#page button:visible:enabled');
      for (let at = 0; at < (await buttons.count()); at += 1) {
        const button = buttons.nth(at);
        const text = (await button.getAttribute('aria-label')) ?? (await button.textContent()) ?? '';
        if ((await button.getAttribute('type')) === 'submit') continue;
        // The menu of the button before closes, and fades out.
        const menu = page.getByRole('menu');
        await page.keyboard.press('Escape');
        await menu.first().waitFor({ state: 'detached' });
        await button.focus();
        await page.keyboard.press('Enter');
        if ((await menu.count()) > 0) {
          const item = menu.getByRole('menuitem').first();
          if ((await item.getAttribute('href')) === null) await item.click();
        }
        const dialog = page.getByRole('dialog');
        const isOpen = await dialog
          .first()
          .waitFor({ timeout: 400 })
          .then(() => true)
          .catch(() => false);
        if (isOpen) {
          dialogs += 1;
          const isSafe = await expect
            .poll(() => page.evaluate<boolean>(IS_FOCUS_IN_BODY), { timeout: 2_000 })
            .toBe(true)
            .then(() => true)
            .catch(() => false);
          if (!isSafe) lost.push(`${name}: ${text} opens without a focus or on its X`);
          await page.keyboard.press('Escape');
          await dialog.first().waitFor({ state: 'detached' });
          const isBack = await expect
            .poll(() => page.evaluate<boolean>('document.activeElement !== document.body'), {
              timeout: 2_000,
            })
            .toBe(true)
            .then(() => true)
            .catch(() => false);
          if (!isBack) lost.push(`${name}: ${text}`);
        }
        if (!page.url().includes(path.split('?')[0] ?? '')) await rig.open(path);
      }
    }
    await page.unroute('**/v1/**');
    expect(lost).toEqual([]);
    expect(dialogs).toBeGreaterThan(walked.length);
    rig.complaints.length = 0;
  }, 600_000);

  it('folds filters on a telephone, and shows rows as cards whose actions are in reach', async () => {
    const { page } = rig;
    await rig.wear(PHONE);
    await rig.open('/messages?status=bounced');
    const toggle = page.getByRole('button', { name: 'Filters (1)' });
    expect(await page.getByRole('combobox', { name: 'Time range' }).isVisible()).toBe(false);
    await toggle.click();
    await page.getByRole('combobox', { name: 'Time range' }).waitFor();
    expect(await rig.overflow()).toBe(0);
    await rig.open('/contacts?q=a&status=active');
    await page.getByRole('button', { name: 'Filters (2)' }).click();
    await page.getByRole('button', { name: 'Export results' }).waitFor();
    for (const path of ['/messages', '/suppressions', '/webhooks', '/api-keys', '/people']) {
      await rig.open(path);
      const wide = await page.evaluate<number>(
        `Math.max(0, ...[...document.querySelectorAll('.mk-rows td > *, .mk-rows button')].map((one) => one.getBoundingClientRect().right)) - window.innerWidth`,
      );
      expect([path, wide <= 0]).toEqual([path, true]);
    }
  }, 60_000);

  it('never cuts the switch of the environment, and shows every stop of a message', async () => {
    const { page } = rig;
    for (const width of [320, 390]) {
      await rig.wear({ width, height: 700 });
      await rig.open(`/messages/${rig.world.live.delivered}`);
      for (const place of ['.mk-place [role=radiogroup]', '.mk-route li:last-child']) {
        const box = await page.locator(place).first().boundingBox();
        expect([width, place, box !== null && box.x >= 0 && box.x + box.width <= width]).toEqual([
          width,
          place,
          true,
        ]);
      }
      expect(await rig.overflow()).toBe(0);
    }
  }, 60_000);

  it('keeps tabs on one line on a telephone, in German too', async () => {
    const { page } = rig;
    await rig.wear(PHONE);
    await page.evaluate(`localStorage.setItem('mailkeel.language', 'de')`);
    const lines: number[] = [];
    for (const path of [`/messages/${rig.world.live.delivered}`, `/sub-tenants/${rig.world.tenants.good}`]) {
      await rig.open(path);
      const counts = await page.evaluate<number[]>(
        `[...document.querySelectorAll('.mk-tabs')].map((list) => new Set([...list.children].map((tab) => tab.offsetTop)).size)`,
      );
      lines.push(counts.length, ...counts);
    }
    const overflow = await rig.overflow();
    await page.evaluate(`localStorage.setItem('mailkeel.language', 'en')`);
    expect([lines, overflow]).toEqual([[1, 1, 1, 1], 0]);
  }, 60_000);

  it('keeps a range of days in the address', async () => {
    const { page } = rig;
    await rig.open('/messages?created_after=-7d');
    expect(await page.getByRole('combobox', { name: 'Time range' }).inputValue()).toBe('Last 7 days');
    const asked = rig.requests.findLast(({ url }) => url.includes('created_after='))?.url ?? '';
    expect(decodeURIComponent(asked)).toMatch(/created_after=\d{4}-\d\d-\d\dT\d\d:00:00\.000Z/);
    for (const path of ['/', '/bounces', '/usage']) {
      await rig.open(path);
      await page.getByRole('combobox', { name: 'Time range' }).first().waitFor();
    }
  }, 60_000);
});
