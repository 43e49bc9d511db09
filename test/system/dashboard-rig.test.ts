// Tests the rig of the dashboard's tests: the owner signs in on the real page, pages become idle, and faults are found.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureChromium } from '../support/chromium.js';
import { LOOKS, startDashboardRig, type DashboardRig } from '../support/dashboard-rig.js';
import { picture } from '../support/pictures.js';

const skipReason = ensureChromium();
if (skipReason !== null) console.warn(`skipped: the dashboard in a browser: ${skipReason}`);

describe.skipIf(skipReason !== null)('the rig of the dashboard', () => {
  let rig: DashboardRig;
  beforeAll(async () => {
    rig = await startDashboardRig();
    await rig.wear({});
    await rig.signIn();
  }, 120_000);
  afterAll(() => rig.close());

  it('shows a page of the filled workspace in every look', async () => {
    for (const look of LOOKS) {
      await rig.wear(look);
      await rig.open('/messages');
      await picture(rig.browser, `dashboard-messages-${look.name}`);
      expect(await rig.page.evaluate('innerWidth'), look.name).toBe(look.width);
      expect(await rig.page.evaluate(`matchMedia('(prefers-color-scheme: dark)').matches`)).toBe(
        look.scheme === 'dark',
      );
      expect(await rig.page.locator('body').innerText()).toContain('Raku for beginners');
      expect(await rig.overflow(), look.name).toBeLessThanOrEqual(0);
      rig.expectQuiet();
    }
  });

  it('goes from page to page as a link does, and shows the page that is meant', async () => {
    await rig.open('/messages');
    await rig.visit('/lists');
    expect(new URL(rig.page.url()).pathname).toMatch(/\/live\/lists$/);
    expect(await rig.page.locator('main').innerText()).toContain('Potters in Halden');
    await rig.visit('/messages', { environment: 'test' });
    expect(new URL(rig.page.url()).pathname).toMatch(/\/test\/messages$/);
    expect(await rig.page.locator('h1').innerText()).toBe('Messages');
    rig.expectQuiet();
  });

  it('finds forbidden behavior of a page', async () => {
    await rig.open('/messages', { environment: 'test' });
    await rig.page.evaluate(`fetch('/v1/no-such-thing').then((it) => it.text())`);
    expect(() => rig.expectQuiet({ answers: [404] })).toThrow('GET /v1/no-such-thing');
    await rig.page.evaluate(`fetch('https://tracker.example/').catch(() => null)`);
    expect(() => rig.expectQuiet()).toThrow('tracker.example');
    await rig.page.evaluate(
      `{ const script = document.createElement('script'); script.textContent = '1'; document.body.append(script); }`,
    );
    expect(() => rig.expectQuiet()).toThrow('Content Security Policy');
    await rig.page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<img src="/favicon.svg">')`);
    await expect(rig.expectNoViolations()).rejects.toThrow('image-alt');
    rig.expectQuiet();
  });
});
