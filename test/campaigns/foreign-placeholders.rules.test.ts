// Tests which texts are placeholders of other programs, and which only look like them.
import { describe, expect, it } from 'vitest';
import { foreignPlaceholders } from '../../src/campaigns/foreign-placeholders.rules.js';

const inText = (text: string): string[] => foreignPlaceholders({ subject: '', html: null, text });
const inHtml = (html: string): string[] => foreignPlaceholders({ subject: '', html, text: null });

describe('placeholders of other services', () => {
  it.each([
    '*|FNAME|*',
    '*|MC:SUBJECT|*',
    '*|IF:FNAME|*',
    '{{ contact.FIRSTNAME }}',
    '{% if contact %}',
    '{% endif %}',
    '<%= first_name %>',
    '{contactfield=firstname}',
    '{contactfield=firstname|there}',
    '[[name]]',
    '[[ FirstName ]]',
    '$[FNAME|Customer]$',
    '{$name}',
    '{!firstname_fix}',
    '[Name,fallback=]',
    '[firstname,fallback=there]',
    '[% member:first_name %]',
    '%recipient.name%',
    '%recipient_email%',
    '%unsubscribe_url%',
    '%%first_name%%',
    '%%=v(@name)=%%',
    '${name}',
    '#{user.name}',
    '%(name)s',
    '-name-',
    '-first_name-',
    '-order_no-',
    '%first_name%',
    '%FIRSTNAME%',
    '{name}',
    '{first_name}',
    '[NAME]',
    '[First Name]',
    '##NAME##',
    '@@email@@',
    '<<FirstName>>',
  ])('are found in %s', (placeholder) => {
    expect(inText(`Dear ${placeholder}, hello`)).toEqual([placeholder]);
    expect(foreignPlaceholders({ subject: `For ${placeholder}`, html: null, text: null })).toEqual([
      placeholder,
    ]);
  });

  it.each([
    'A follow-up-mail about the check-in-desk, well-known-',
    'Tea -today- only, - name - and e-mail-address',
    '50% off, 100%safe% or 20 % of all',
    'Save 10%-20% on name-brand shoes',
    'https://x.example/a%20name%20b?q=%5Bname%5D&x=%C3%A4%E2%82%AC',
    'https://x.example/first-name-last-name',
    'The set {a, b}, {1}, {}, f(x) = {x}',
    'A footnote [1], a link [here](https://x.example), [sic] and [name](mailto:a@x.example)',
    '[[1]] and [2][3], * | *, **bold**, a|b',
    'if a < b <c and d> e; 5 << 2 >> 1; <3',
    'C# and ##heading, @@ -1,2 +3,4 @@, user@@host',
    'Price: $5, ${}, US$[5]',
    ':-) -- yes -- --name-- a-name-b',
    'snake_case_name and -o -v --first_name',
    '100%% sure',
  ])('are not found in ordinary text such as %s', (text) => {
    expect(inText(text)).toEqual([]);
  });

  it('are found in visible HTML text and in links', () => {
    expect(inHtml('<p>Dear *|<b>FNAME</b>|*</p>')).toEqual(['*|FNAME|*']);
    expect(inHtml('<p>&#42;|LNAME|&#42;</p><a href="*|UNSUB|*">x</a><img alt="[[name]]">')).toEqual([
      ...['*|LNAME|*', '*|UNSUB|*', '[[name]]'],
    ]);
    expect(inHtml('<style>a{name}.b{color:red}</style><!-- *|X|* --><p>x</p>')).toEqual([]);
    expect(inHtml('<p>*|</p><p>FNAME|*</p>')).toEqual([]);
  });

  it('are limited to 20, and found in linear time', () => {
    expect(inText(Array.from({ length: 30 }, (_none, at) => `*|F${at}|*`).join(' '))).toHaveLength(20);
    for (const piece of ['*|', '{{', '[[a', '-a_', '%%a', '<%=a', '{a=', '%', '[', '-name', '[a,fallback='])
      expect(inText(piece.repeat(40_000)).length).toBeLessThanOrEqual(20);
  });
});
