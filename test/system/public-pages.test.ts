// Tests the pages for recipients in Chromium: their titles, that they are complete without scripts and other hosts, that nothing
// is cut off on a phone, and that their forms work.
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleUnsubscribeUrl } from '../../src/contacts/unsubscribe.rules.js';
import { ensureChromium, startChromium, type Browser, type Look, type Shown } from '../support/chromium.js';
import { picture } from '../support/pictures.js';
import { PUBLIC_URL } from '../support/newsletters.js';
import { startMailRigWithSink, type SinkRig } from '../support/mail-rig.js';
import { firstOf, inTurn } from '../support/run-size.js';

const skipReason = ensureChromium();
if (skipReason !== null) console.warn(`skipped: pages in a browser: ${skipReason}`);

const LOOKS: readonly (Look & { name: string })[] = [
  { name: 'wide-light' },
  { name: 'wide-dark', scheme: 'dark' },
  { name: 'phone-light', width: 360, height: 740 },
  { name: 'phone-dark', width: 360, height: 740, scheme: 'dark' },
];

/** As wide as usual logos. */
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="420" height="90"><rect width="420" height="90" rx="12" fill="#0b6e4f"/></svg>';

const LONG = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnung';

describe.skipIf(skipReason !== null)('the pages for recipients', () => {
  let rig: SinkRig;
  let browser: Browser;
  const urls: Record<string, string> = {};

  beforeAll(async () => {
    rig = await startMailRigWithSink({ campaigns: true });
    browser = await startChromium({ hosts: [new URL(PUBLIC_URL).hostname], port: rig.appliance.port });
    const list = await rig.addList({
      name: 'Monthly news',
      description: 'What is new in the shop, on the first of each month.',
      double_opt_in: true,
    });
    await rig.join(list, 'ann');
    await rig.join(await rig.addList({ name: LONG, description: `${LONG} & <b>more</b>` }), 'ann');
    await rig.join(await rig.addList({ name: 'Offers' }), 'ann');
    const { oneClick } = await rig.receivedCopy('ann', await rig.sendCampaign(list));
    const { json } = await rig.appliance.api('GET', `/v1/lists/${list}`);
    const signUp = (json as { sign_up_url: string }).sign_up_url;
    await rig.fetched(signUp, { form: { email: 'new@receiver.example' } });
    const asked = await simpleParser((await rig.arrived('new')).raw);
    Object.assign(urls, {
      unsubscribe: oneClick,
      preferences: oneClick.replace('/u/', '/preferences/'),
      'sign-up': signUp,
      confirm: /http\S+\/s\/confirm\/\S+/.exec(asked.text ?? '')?.[0] ?? '',
      'not-valid': oneClick.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      'no-list': signUp.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      'no-click': `${PUBLIC_URL}/c/nonsense/0`,
      sample: sampleUnsubscribeUrl(PUBLIC_URL),
    });
  });
  afterAll(async () => {
    await browser.close();
    await rig.close();
  });

  it.each([
    ['unsubscribe', 200, 'Unsubscribe', 0],
    ['preferences', 200, 'Email preferences', 1],
    ['sign-up', 200, 'Monthly news', 2],
    ['confirm', 200, 'Confirm subscription', 3],
    ['not-valid', 404, 'Unsubscribe', 4],
    ['no-list', 404, 'Sign up', 5],
    ['no-click', 404, 'This link does not work', 6],
    ['sample', 200, 'Unsubscribe', 7],
  ])('%s is complete', async (page, status, title, turn) => {
    for (const look of inTurn(LOOKS, turn)) {
      const shown = await browser.open(urls[page] ?? '', look);
      await picture(browser, `${page}-${look.name}`);
      // The browser's console reports a missing page as an error, regardless of its content.
      const complaints = shown.complaints.filter(
        (text) => status === 200 || !text.includes(`status of ${status}`),
      );
      expect({ ...shown, complaints }).toMatchObject({ status, title, complaints: [] });
      expect(shown.requests.map((url) => new URL(url).origin)).toEqual(shown.requests.map(() => PUBLIC_URL));
      expect(
        await browser.evaluate('document.documentElement.scrollWidth - window.innerWidth'),
      ).toBeLessThanOrEqual(0);
      expect(await browser.evaluate(unnamed)).toEqual([]);
      expect(await browser.evaluate(faint)).toEqual([]);
    }
  });

  it.each(
    firstOf(1, [
      ['faint', '#ffef5c'],
      ['dark', '#1a0033'],
    ]),
  )("use the sender's branding in German, and are readable in a color that is %s", async (name, color) => {
    const branding = {
      ...{ name: LONG, color, language: 'de', website_url: 'https://customer.example' },
      logo: name === 'faint' ? Buffer.from(LOGO).toString('base64') : null,
    };
    await rig.appliance.api('PATCH', '/v1/organization', { body: { branding } });
    const pages = [
      ['unsubscribe', 'Abmelden'],
      ['preferences', 'E-Mail-Einstellungen'],
      ['sign-up', 'Monthly news'],
      ['confirm', 'Anmeldung bestätigen'],
    ] as const;
    for (const [turn, [page, title]] of pages.entries()) {
      for (const look of inTurn(LOOKS, name === 'faint' ? turn : turn + 1)) {
        const shown = await browser.open(urls[page] ?? '', look);
        await picture(browser, `${page}-${name}-${look.name}`);
        expect(shown).toMatchObject({ status: 200, title, complaints: [] });
        expect(shown.requests.map((url) => new URL(url).origin)).toEqual(
          shown.requests.map(() => PUBLIC_URL),
        );
        expect(
          await browser.evaluate('document.documentElement.scrollWidth - window.innerWidth'),
        ).toBeLessThanOrEqual(0);
        expect(await browser.evaluate(unnamed)).toEqual([]);
        expect(await browser.evaluate(faint)).toEqual([]);
      }
    }
    const none = { name: null, color: null, language: null, website_url: null, logo: null };
    await rig.appliance.api('PATCH', '/v1/organization', { body: { branding: none } });
  });

  it('have working forms, from the first visit to the last', async () => {
    const quiet = async (shown: Promise<Shown>, text: string, name: string): Promise<void> => {
      const { status, complaints } = await shown;
      await picture(browser, name);
      expect([status, complaints]).toEqual([200, []]);
      expect(await browser.evaluate('document.body.innerText')).toContain(text);
    };
    const { preferences = '', unsubscribe = '', confirm = '' } = urls;
    await browser.open(urls['sign-up'] ?? '', { width: 360, height: 740 });
    const email = 'visitor@receiver.example';
    await quiet(
      browser.press('Sign up', { email, name: 'Vi' }),
      `We have sent an email to ${email}`,
      'form-thanks',
    );
    await browser.open(confirm);
    await quiet(browser.press('Confirm subscription'), 'Subscription confirmed', 'form-confirmed');
    await browser.open(unsubscribe);
    await quiet(
      browser.press('Unsubscribe from “Monthly news” only'),
      'You have unsubscribed from “Monthly news”',
      'form-left',
    );
    await browser.open(preferences);
    expect(await browser.evaluate(checked)).toEqual(expect.not.arrayContaining(['Monthly news']));
    await browser.evaluate(
      `document.querySelectorAll('[type=checkbox]').forEach((one) => { one.checked = true; })`,
    );
    await quiet(browser.press('Save'), 'Saved.', 'form-saved');
    expect(await browser.evaluate(checked)).toEqual(expect.arrayContaining(['Monthly news', 'Offers']));
    await quiet(browser.press('Unsubscribe from all emails'), 'You have unsubscribed', 'form-none');
    expect(await rig.suppression('ann@receiver.example')).toMatchObject({ suppressed: true });
    await quiet(browser.press('Subscribe again'), 'Saved.', 'form-again');
    expect(await rig.suppression('ann@receiver.example')).toMatchObject({ suppressed: false });
    await browser.open(unsubscribe);
    await quiet(
      browser.press('Unsubscribe from everything'),
      'no longer receive emails',
      'form-unsubscribed',
    );
    expect(await rig.suppression('ann@receiver.example')).toMatchObject({ suppressed: true });
  });
});

const checked = `Array.from(document.querySelectorAll(':checked')).map((one) => one.labels[0].querySelector('strong').textContent)`;

/** Finds fields without an accessible name, and other missing parts of a page. */
const unnamed = `[
  ...Array.from(document.querySelectorAll('input:not([type=hidden])')).filter((one) => !one.labels?.length).map((one) => one.outerHTML),
  ...(document.documentElement.lang ? [] : ['no language']),
  ...(document.querySelectorAll('main').length === 1 ? [] : ['no main']),
  ...(document.querySelectorAll('h1').length === 1 ? [] : ['no heading']),
]`;

/** Finds text whose contrast with its background is below 4.5 (WCAG 2.2, 1.4.3), and buttons too small for a finger. */
const faint = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const rgb = (color, under) => {
    canvas.fillStyle = under; canvas.fillRect(0, 0, 1, 1);
    canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
    return Array.from(canvas.getImageData(0, 0, 1, 1).data.slice(0, 3));
  };
  const css = (one) => 'rgb(' + one.join(',') + ')';
  const ground = (node) => {
    if (!node) return dark ? [15, 18, 22] : [255, 255, 255];
    const { backgroundColor } = getComputedStyle(node);
    return rgb(backgroundColor, css(ground(node.parentElement)));
  };
  const light = (one) => one.map((value) => value / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const faults = [];
  for (const node of document.querySelectorAll('body *')) {
    if (!Array.from(node.childNodes).some((one) => one.nodeType === 3 && one.textContent.trim())) continue;
    if (!node.checkVisibility()) continue;
    const under = ground(node);
    const [a, b] = [light(under), light(rgb(getComputedStyle(node).color, css(under)))].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < 4.5) faults.push(node.tagName + ' ' + node.textContent.trim().slice(0, 40) + ' ' + contrast.toFixed(1));
  }
  for (const node of document.querySelectorAll('button')) {
    const { width, height } = node.getBoundingClientRect();
    if (width < 24 || height < 24) faults.push('small ' + node.outerHTML);
  }
  return faults;
})()`;
