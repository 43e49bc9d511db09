// Tests under which links the clicks on a template's links are counted.
import { describe, expect, it } from 'vitest';
import { findLinkForm, linkFormsIn } from '../../src/analytics/link-forms.rules.js';

const shownIn = (html: string): string[] => linkFormsIn(html).map(({ shown }) => shown);

describe('the links with placeholders of a template', () => {
  it.each<[string, string, string[]]>([
    ['a value in the query', '<a href="https://x.example/?id={{id}}">', ['https://x.example/?id={{id}}']],
    [
      'quotes in a placeholder',
      '<a href="https://x.example/{{default id "no"}}">',
      ['https://x.example/{{default id "no"}}'],
    ],
    ['an unescaped value', "<area href='https://x.example/{{{id}}}/b'>", ['https://x.example/{{{id}}}/b']],
    [
      'a block',
      '<a href="https://x.example/{{#if a}}b{{else}}c{{/if}}?d">',
      ['https://x.example/{{#if a}}b{{else}}c{{/if}}?d'],
    ],
    [
      'references',
      '<a href="https://x.example/?a={{a}}&amp;b={{b}}">',
      ['https://x.example/?a={{a}}&b={{b}}'],
    ],
    [
      'the same twice',
      '<a href="https://x.example/{{a}}"></a><a href="https://x.example/{{a}}">',
      ['https://x.example/{{a}}'],
    ],
    ['no placeholder', '<a href="https://x.example/">{{name}}</a>', []],
    ['a placeholder alone', '<a href="{{url}}">x</a><a href="{{base}}/x">y</a>', []],
    [
      'a host with a value',
      '<a href="https://{{shop}}.example/">x</a><a href="https://x.example{{path}}">y</a>',
      [],
    ],
    ['another scheme', '<a href="mailto:{{email}}">x</a>', []],
    ['no link', '<img src="https://x.example/{{id}}"><!-- <a href="https://x.example/{{id}}"> -->', []],
  ])('%s', (_what, html, forms) => {
    expect(shownIn(html)).toEqual(forms);
  });

  it('name the clicked link, the one with the longest literals first', () => {
    const forms = linkFormsIn(
      '<a href="https://x.example/{{a}}"></a><a href="https://x.example/p/{{b}}/q?c={{c}}">',
    );
    expect(findLinkForm('https://x.example/p/17/q?c=1', forms)).toBe('https://x.example/p/{{b}}/q?c={{c}}');
    expect(findLinkForm('https://x.example/p/17', forms)).toBe('https://x.example/{{a}}');
    expect(findLinkForm('https://x.example/p/q?c=', forms)).toBe('https://x.example/{{a}}');
    expect(findLinkForm('https://y.example/1', forms)).toBeNull();
    expect(findLinkForm('https://x.example', forms)).toBeNull();
  });

  it('name a link to which a campaign added UTM parameters', () => {
    const forms = linkFormsIn('<a href="https://x.example/?id={{id}}&amp;page=1#top"></a>');
    expect(findLinkForm('https://x.example/?id=17&page=1&utm_source=news&utm_term=a%20b#top', forms)).toBe(
      'https://x.example/?id={{id}}&page=1#top',
    );
  });

  it('are parsed in linear time', () => {
    for (const piece of ['{{', '{{#a}}', '<a href="{{', '{{{', '<a href="https://x.example/{{a}}{{b}}">'])
      expect(linkFormsIn(piece.repeat(20_000)).length).toBeLessThanOrEqual(200);
  });
});
