// Tests the reference and the guides in Chromium, wide and narrow, light and dark: complete without any other host, accessible
// according to axe, with a search that responds while typing.
import { source as axe } from 'axe-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../support/appliance.js';
import { ensureChromium, startChromium, type Browser, type Look } from '../support/chromium.js';
import { picture } from '../support/pictures.js';
import { inTurn } from '../support/run-size.js';
import { waitFor } from '../support/wait.js';

const skipReason = ensureChromium();
if (skipReason !== null) console.warn(`skipped: /docs in a browser: ${skipReason}`);

const LOOKS: readonly (Look & { name: string })[] = [
  { name: 'wide-light', width: 1400, height: 900 },
  { name: 'wide-dark', width: 1400, height: 900, scheme: 'dark' },
  { name: 'phone-light', width: 390, height: 800 },
  { name: 'phone-dark', width: 390, height: 800, scheme: 'dark' },
];
const PAGES = {
  introduction: '/docs',
  messages: '/docs/api/messages',
  object: '/docs/objects/MessageCreate',
  errors: '/docs/errors',
  guide: '/docs/guides/webhooks',
  search: '/docs/search?q=resend',
};

describe.skipIf(skipReason !== null)('/docs', () => {
  let appliance: Appliance;
  let browser: Browser;
  const origin = (): string => `http://127.0.0.1:${appliance.port}`;

  beforeAll(async () => {
    appliance = await createAppliance({ process: 'shared' });
    await appliance.start();
    browser = await startChromium({ hosts: [], port: appliance.port });
  });
  afterAll(async () => {
    await browser.close();
    await appliance.close();
  });

  it.each(Object.entries(PAGES).map(([name, path], turn) => ({ name, path, turn })))(
    '$name is complete, and clean in axe',
    async ({ name, path, turn }) => {
      for (const look of inTurn(LOOKS, turn)) {
        const shown = await browser.open(`${origin()}${path}`, look);
        await picture(browser, `docs-${name}-${look.name}`);
        expect(shown).toMatchObject({ status: 200, complaints: [] });
        expect(new Set(shown.requests.map((url) => new URL(url).origin))).toEqual(new Set([origin()]));
        const tooWide = await browser.evaluate('document.documentElement.scrollWidth - window.innerWidth');
        expect(tooWide, look.name).toBeLessThanOrEqual(0);
        await browser.evaluate(`${axe}; true`);
        const found = await browser.evaluate(
          `axe.run(document, { iframes: false, resultTypes: ['violations'] }).then(({ violations }) => JSON.stringify(violations.map(({ id, nodes }) =>
          id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 120)).join(' | '))))`,
        );
        expect(JSON.parse(String(found)), `${name} ${look.name}`).toEqual([]);
      }
    },
  );

  it('finds a guide while typing, and opens it', async () => {
    await browser.open(`${origin()}/docs`, {});
    await browser.evaluate(`{ const input = document.getElementById('search'); input.focus(); input.value = 'resend';
      input.dispatchEvent(new Event('input', { bubbles: true })); }`);
    const first = await waitFor(
      'something to be found',
      () => browser.evaluate(`document.querySelector('#found a')?.getAttribute('href') ?? null`),
      (href) => href !== null,
    );
    expect(first).toBe('/docs/guides/compat-resend');
  });

  it('changes its colors and remembers them', async () => {
    const theme = `document.documentElement.dataset.theme ?? 'auto'`;
    await browser.open(`${origin()}/docs`, {});
    const seen: unknown[] = [await browser.evaluate(theme)];
    for (let step = 0; step < 2; step += 1) {
      await browser.evaluate(`document.querySelector('.theme').click()`);
      seen.push(await browser.evaluate(theme));
    }
    expect(seen).toEqual(['auto', 'light', 'dark']);
    await browser.open(`${origin()}/docs/errors`, {});
    expect(await browser.evaluate(theme)).toBe('dark');
  });
});
