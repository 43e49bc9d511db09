// Tests every page of the dashboard with a company's mail: axe finds nothing, it calls only the API, and it fits its window. In
// every check, axe examines one page of each layout, and a link leads from page to page. In full size, every page is opened.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureChromium } from '../../support/chromium.js';
import { LOOKS, startDashboardRig, type DashboardRig } from '../../support/dashboard-rig.js';
import { pagesOf } from '../../support/dashboard/pages.js';
import { picture } from '../../support/pictures.js';
import { inTurn, isFullSize } from '../../support/run-size.js';

const skipReason = ensureChromium();
if (skipReason !== null) console.warn(`skipped: every page of the dashboard: ${skipReason}`);

const REQUEST = /\b(?:GET|POST|PUT|PATCH|DELETE) \/v1\//;

describe.skipIf(skipReason !== null)('every page of the dashboard', () => {
  let rig: DashboardRig;
  beforeAll(async () => {
    rig = await startDashboardRig();
    await rig.wear({});
    await rig.signIn();
  }, 120_000);
  afterAll(() => rig.close());

  it('shows the data with a complete layout, in full size in every one', async () => {
    const faults: string[] = [];
    for (const look of LOOKS) {
      await rig.wear(look);
      for (const [turn, { name, path, shows = '', environment = 'live', isAlike }] of pagesOf(
        rig.world,
      ).entries()) {
        if (!inTurn(LOOKS, turn).includes(look)) continue;
        await rig.visit(path, { environment });
        const where = `${name} in ${look.name}`;
        await picture(rig.browser, `${name}-${look.name}`);
        const text = await rig.page.locator('main').innerText();
        if (!text.includes(shows)) faults.push(`${where}: it does not show ${shows}`);
        // The request log shows requests; elsewhere a page offers a button or a link.
        if (name !== 'requests' && REQUEST.test(text)) faults.push(`${where}: it names a request`);
        const overflow = await rig.overflow();
        if (overflow > 0) faults.push(`${where}: ${overflow} pixels too wide`);
        faults.push(...(await rig.unaligned()).map((field) => `${where}: ${field} is not on one line`));
        if (isFullSize || isAlike === undefined)
          faults.push(...(await rig.violations()).map((found) => `${where}: ${found}`));
        // External pictures of a mail are not requested, which the browser reports.
        const others = rig.complaints.filter((text) => !text.includes('img-src data:'));
        rig.complaints.splice(0, rig.complaints.length, ...others);
        try {
          rig.expectQuiet();
        } catch (error) {
          faults.push(`${where}: ${String(error)}`);
        }
      }
    }
    expect(faults).toEqual([]);
  }, 900_000);
});
