// Tests the footer in a browser: HTML that tries to hide it, by accident or by intent, does not succeed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withHtmlFooter } from '../../src/templates/rendering/compliance-footer.rules.js';
import { ensureChromium, startChromium, type Browser } from '../support/chromium.js';

const skipReason = ensureChromium();
if (skipReason !== null) console.warn(`skipped: the footer in a browser: ${skipReason}`);

const URL_OF_LINK = 'https://mail.example/u/abc?a=1&b=2';
const FOOTER = { postalAddress: 'Ada & Sons\n1 High Street', unsubscribeUrl: URL_OF_LINK };
const LINK = `<a href="https://mail.example/u/abc?a=1&amp;b=2">leave</a>`;
const ADDRESS = 'Ada &amp; Sons<br>1 High Street';
const HIDE = 'style="display:none"';

const TRICKS: readonly [what: string, html: string][] = [
  ['nothing', '<p>Hi</p>'],
  ['a hidden page', '<html hidden><body><p>Hi</p></body></html>'],
  ['a hidden body', '<body hidden><p>Hi</p></body>'],
  ['a second body with a style', `<body><p>Hi</p><body ${HIDE}>`],
  ['a second body that is hidden', '<p>Hi</p><body hidden>'],
  ['a second page with a style', `<html><body><p>Hi</p><html ${HIDE}>`],
  ['a style of the body', '<body style="display:none !important">Hi</body>'],
  ['an escaped style', '<body style="d\\69splay:none">Hi</body>'],
  ['a style with a comment', '<body style="display:/**/none">Hi</body>'],
  ['an unquoted style', '<body style=display:none>Hi</body>'],
  ['a style that stays open', '<body style="display:none;background:url(x">Hi</body>'],
  ['an invisible body', '<body style="opacity:0.01">Hi</body>'],
  ['a body of no height', '<body style="height:0;overflow:hidden">Hi</body>'],
  ['a moved body', '<body style="position:absolute;left:-9999px">Hi</body>'],
  ['a body with a margin', '<body style="margin-left:-5000px">Hi</body>'],
  ['a small body', '<body style="transform:scale(0)">Hi</body>'],
  ['a cut body', '<body style="clip-path:inset(50%)">Hi</body>'],
  ['a filtered body', '<body style="filter:opacity(0)">Hi</body>'],
  ['a rule for the page', '<style>html{display:none!important}</style>Hi'],
  ['a rule for the root', '<style>:root{opacity:0}</style>Hi'],
  [
    'a rule for all',
    '<style>*{display:none!important;visibility:hidden!important;font-size:0!important}</style>Hi',
  ],
  ['a rule for the class of the body', '<style>.x{display:none!important}</style><body class="x">Hi</body>'],
  ['a rule for the attribute of the body', '<style>[id=x]{display:none}</style><body id="x">Hi</body>'],
  ['a rule in a media query', '<style>@media screen{body{display:none}}</style>Hi'],
  ['an animation', '<style>@keyframes x{from,to{opacity:0}}body,div{animation:x 1s infinite}</style>Hi'],
  [
    'a rule for blocks and links',
    '<style>div,a{position:absolute!important;left:-9999px!important;zoom:0.01}</style>Hi',
  ],
  [
    'a rule for the last block',
    '<style>div:last-child{content-visibility:hidden;scale:0;translate:-9999px}</style>Hi',
  ],
  ['white on white', '<style>*{color:#fff!important;background:#fff!important}</style>Hi'],
  ['an open block', `<div ${HIDE}>Hi`],
  ['an open table in a block', `<div ${HIDE}><table></div>`],
  ['an open span around a block', `<span ${HIDE}><div>x</span></div>`],
  ['a block that a bold text crosses', `<div ${HIDE}><b><div></b></div>`],
  ['a bold text that goes on', `<p><b ${HIDE}>x</p>`],
  ['a link that goes on', `<p><a ${HIDE}>x</p>`],
  ['an open paragraph', `<p ${HIDE}>Hi`],
  ['an open paragraph around a button', `<p ${HIDE}><button>Hi`],
  ['closed details', '<details><summary>Hi</summary>'],
  ['a dialog', '<dialog>Hi'],
  ['a body that ends in a template', '<template></body></html></template>'],
  ['an open template', '<p>Hi</p><template></body>'],
  ['an open selection', '<p>Hi</p><select><option>'],
  ['an open drawing', '<p>Hi</p><svg width="0" height="0"><g>'],
  ['an open comment', '<p>Hi</p><!-- </body>'],
  ['open raw text', '<p>Hi</p><textarea></body>'],
  ['a cover', '<div style="position:fixed;inset:0;background:#fff;z-index:2147483647">Hi</div>'],
  [
    'a cover behind the body',
    '<body>Hi</body><div style="position:fixed;inset:0;background:#fff;z-index:2147483647">',
  ],
  [
    'a large margin',
    '<div style="height:9px;margin-bottom:-9px;background:#fff;position:relative;z-index:5">Hi</div>',
  ],
  ['a hidden footer of its own', `<div ${HIDE}>${LINK}${ADDRESS}</div>`],
  [
    'a footer of its own by a hiding class',
    `<style>.f{display:none}</style><div class="f">${LINK}${ADDRESS}</div>`,
  ],
  ['a footer of its own in small print', `<div style="font-size:0">${LINK}${ADDRESS}</div>`],
  ['a footer of its own in a comment', `<!-- ${LINK}${ADDRESS} -->`],
  ['a link of its own without words', `${LINK.replace('leave', '')}${ADDRESS}`],
  ['an address in an attribute', `${LINK}<p title="Ada &amp; Sons 1 High Street">x</p>`],
];

describe.skipIf(skipReason !== null)('the footer of HTML in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium({ hosts: [], port: 9 });
  });
  afterAll(() => browser.close());

  it.each(TRICKS)('is visible in spite of %s', async (_what, html) => {
    await browser.page.setContent(withHtmlFooter(html, FOOTER));
    const shown = await browser.page.evaluate(SHOWN_IN_PAGE);
    expect(shown).toEqual({ link: true, address: true });
  });
});

/** Whether a person can click the unsubscribe link and read the address. */
const SHOWN_IN_PAGE = `(() => {
  const isSeen = (rect, element) => {
    if (rect.width < 2 || rect.height < 8) return false;
    element.scrollIntoView({ block: 'center' });
    const at = element.getBoundingClientRect();
    const top = document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2);
    if (top === null || !(element.contains(top) || top.contains(element))) return false;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })) return false;
    for (let up = element; up !== null; up = up.parentElement) {
      const style = getComputedStyle(up);
      if (Number(style.opacity) < 0.3 || style.filter !== 'none' || style.clipPath !== 'none') return false;
    }
    const { color, backgroundColor } = getComputedStyle(element);
    return color !== 'rgb(255, 255, 255)' && parseFloat(getComputedStyle(element).fontSize) > 8;
  };
  const seenLink = (a) => a.href === ${JSON.stringify(URL_OF_LINK)} && a.textContent.trim() !== '' && isSeen(a.getBoundingClientRect(), a);
  const link = [...document.querySelectorAll('a')].some(seenLink);
  const texts = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
  const lines = { 'Ada & Sons': false, '1 High Street': false };
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    for (const line of Object.keys(lines)) {
      if (!node.data.includes(line)) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      lines[line] ||= isSeen(range.getBoundingClientRect(), node.parentElement);
    }
  }
  return { link, address: Object.values(lines).every(Boolean) };
})()`;
