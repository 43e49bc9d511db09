// Tests which source the editor of a copy starts with.
import { expect, it } from 'vitest';
import { asSource, paragraphsOf } from '../src/pages/campaigns/copy-start.js';

it('keeps braces of the text and the placeholder of the unsubscribe link', () => {
  const filled = '<p>Dear {{nobody}}</p><a href="mailkeel-keeps-unsubscribe-url">Leave</a>';
  expect(asSource(filled)).toBe('<p>Dear &#123;&#123;nobody}}</p><a href="{{unsubscribe_url}}">Leave</a>');
});

it('makes paragraphs of a plain text', () => {
  expect(paragraphsOf('Hello <Ann>,\n\none\ntwo & three\n')).toBe(
    '<p>Hello &lt;Ann&gt;,</p>\n<p>one<br>\ntwo &amp; three</p>',
  );
});
