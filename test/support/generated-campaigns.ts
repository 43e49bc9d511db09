// Generates random campaigns: templates, contacts, variants, splits and overrides as customers write them, and worse.
import type { Dice } from './dice.js';

/** Unknown to the API: on whose behalf objects are created. */
export type Owner = 'workspace' | 'first' | 'second';

export interface GeneratedTemplate {
  /** Is in its subject, HTML and text, and nowhere else. */
  mark: string;
  slug: string;
  /** Which of two templates with that slug is used, if the other belongs to the workspace. */
  isWorkspaces: boolean;
  subject: string | null;
  html: string | null;
  text: string | null;
  inline_css: boolean;
}

/** `ok` gets a copy, if one can be made. */
type Decision = 'ok' | 'suppressed' | 'suppressed everywhere' | 'unsubscribed' | 'off the list';

export interface GeneratedContact {
  email: string;
  name: string | null;
  phone: string | null;
  tags: string[];
  metadata: Record<string, unknown>;
  fate: Decision;
  override: { subject?: string; html?: string } | null;
  /** Their action on receiving the first campaign's copy; a second one is then sent to the same list. */
  then: 'stays' | 'unsubscribes' | 'leaves the list';
}

export interface GeneratedCampaign {
  owner: Owner;
  templates: GeneratedTemplate[];
  contacts: GeneratedContact[];
  /** Its members are selected by a tag instead of added to it. */
  isSegment: boolean;
  type: 'marketing' | 'sales';
  subject: string | null;
  segmentTag: string | null;
  /** `template` is an index of `templates`, here and below; the first is the base. */
  variants: { tag: string; template: number; subject: string | null }[];
  split: {
    test_percent: number;
    variants: { key: string; template: number | null; subject: string | null }[];
  } | null;
  track_opens: boolean | null;
  track_clicks: boolean | null;
  /** Another campaign to the same people afterwards, from this template. */
  again: number | null;
}

const NAMES = [
  ...['Ann Smith', 'Zoë  Müller', '  Bo ', 'Ann "The Boss" O\'Brien, Jr.', '<b>Bold</b> & Sons', 'Cher'],
  ...['{{email}}', '{{{{raw}}}}', '{{#if', '\\{{x}}', '=?utf-8?q?Ann?=', 'عائشة محمد الطويل', 'שלום עולם'],
  ...[
    '👩‍👩‍👧‍👦 Family',
    '李小龍',
    'a\u202eb\u200bc',
    'x'.repeat(200),
    'Ünïcödé '.repeat(20).trim(),
    '$& $1 $$',
    '%s %n',
  ],
  ...[
    'Ann\u00a0Nbsp',
    '"',
    '\\',
    "'; DROP TABLE contacts; --",
    'PhM4rk00000k',
    '</a></td></body></html>',
    '-->',
    ']]>',
  ],
];
const VALUES: readonly unknown[] = [
  ...NAMES,
  ...[
    '',
    ' ',
    'Bremen',
    'https://shop.example/?a=1&b=2',
    'javascript:alert(1)',
    'line one\nline two',
    'a\r\nb',
    '\t',
  ],
  ...[
    'a lone \r sign',
    '.',
    '.\n..\n',
    'From here',
    '&amp; &lt;b&gt; &#x41;',
    '<script>alert(1)</script>',
    '" onclick="x',
  ],
  ...[
    '\u2028',
    '\u0001\u001f',
    '\ufeffbom',
    'l'.repeat(3_000),
    'wörter '.repeat(300),
    '=3D=20=\r\n',
    '--=_boundary--',
    '…',
  ],
  ...[0, 1, -1.5, true, false, null, 9e15],
  ...[['a', '<b>', 3], [], { total: 9.5, label: 'Größe <XL>' }, {}],
];
const PLACEHOLDERS = [
  ...[
    '{{first_name}}',
    '{{last_name}}',
    '{{name}}',
    '{{email}}',
    '{{phone}}',
    '{{city}}',
    '{{odd}}',
    '{{missing}}',
  ],
  ...[
    '{{{odd}}}',
    '{{&name}}',
    '{{order.total}}',
    '{{order.label}}',
    '{{this.city}}',
    '{{[odd]}}',
    '{{lookup order "label"}}',
  ],
  ...['{{unsubscribe_url}}', '{{{unsubscribe_url}}}', '{{#if city}}in {{city}}{{else}}nowhere{{/if}}'],
  ...[
    '{{#each items}}{{@index}}:{{this}};{{else}}none{{/each}}',
    '{{#with order}}{{label}} {{../name}} {{unsubscribe_url}}{{/with}}',
  ],
  ...[
    '{{#unless phone}}no phone{{/unless}}',
    '{{! a comment }}',
    '{{~odd~}}',
    '\\{{not_filled}}',
    '{{"first_name"}}',
  ],
];
const WORDS = [
  ...[
    'news',
    'for you',
    'größer',
    'Angebot: 50 %',
    '100% & more',
    'a  b',
    'naïve',
    '🎉',
    'مرحبا',
    '日本語のニュース',
    '=?x?=',
  ],
  ...['"quoted"', '<angle>', '\\ ', 'a }} b { c', 'x { y } z', 'a\u00adb', 'e\u0301', '|', '…'],
];
const BODY_LINES = [
  ...[
    '.',
    '..',
    '.\r\n.',
    'From me to you',
    '=20 =3D =',
    'trailing   ',
    '\ttabs\t',
    '',
    '\r\n',
    '\n\n\n',
    'x'.repeat(1_200),
  ],
  ...[
    'ä'.repeat(700),
    '--=_not-a-boundary',
    'Subject: not a header',
    '-- ',
    '> quoted',
    '日本語'.repeat(60),
    '\u2028',
    'a\rb',
  ],
];
const TARGETS = [
  ...[
    'https://shop.example/',
    'https://shop.example/a?x=1&amp;y=2',
    'http://shop.example/b?x=1&y=2',
    'https://shop.example/#top',
  ],
  ...[
    'https://shop.example/?a=1&copy=2',
    'https://shop.example/?q=&quot;x&quot;',
    'https://shop.example/&#x61;&#98;c',
    'HTTPS://SHOP.EXAMPLE/UP',
  ],
  ...[
    ' https://shop.example/spaces ',
    'https://shop.example/\n  broken/line',
    'https://shop.example/ü?ö=ä',
    'https://bücher.example/x',
  ],
  ...[
    'https://shop.example/?e=🎉',
    '//shop.example/relative',
    '/relative',
    '#anchor',
    'mailto:a@shop.example?subject=x%20y',
    'tel:+491',
  ],
  ...[
    'javascript:void(0)',
    'cid:image1',
    'https://',
    'http:///',
    'https://shop.example:99999/',
    'ftp://shop.example/x',
    '',
    '{{odd}}',
  ],
  ...[
    'https://shop.example/?n={{name}}&amp;c={{city}}',
    'https://shop.example/{{email}}',
    '{{order.label}}',
    '{{unsubscribe_url}}',
  ],
  ...[
    'https://shop.example/&nbsp;&euro;&unknown;x',
    'https://shop.example/%zz%20',
    'http://mail.platform.example/u/own',
    'https://u:p@shop.example/',
  ],
  ...[
    'https://shop.example/?x=a&lt=b&ltx&amp',
    'https://shop.example/$&$1',
    'https:\\\\shop.example\\back',
    'https://shop.example/ a b',
  ],
];
const OPENINGS = [
  '<!doctype html><html lang="de"><head><meta charset="utf-8"><title>T {{name}} </body></title></head><body>',
  '<html><body bgcolor=#ffffff>',
  '<HTML><BODY CLASS="x">',
  '<div>',
  '<table><tr><td>',
  '<p>',
  '',
  '\ufeff<p>',
  '<!-- <body> --><body>',
];
const CLOSINGS = [
  '</body></html>',
  '</BODY >\n</HTML>\n',
  '</td></tr></table>',
  '</div>',
  '',
  '',
  '</body></html><!-- after -->',
  '</body></html></body>',
  '<!-- never closed',
  '<textarea>never closed',
  '<a href="https://shop.example/open',
  '<',
  "<p title='x",
  '<script>var x = "</body>";</script>',
  '<table><tr><td>',
];
const STYLES = [
  '<style>p { color: red } .big { font-size: 20px } a:hover { color: blue } @media (max-width: 600px) { p { color: green } }</style>',
  '<style type="text/css">\n  td, a { font-family: "Open Sans", serif; }\n  #x > p { margin: 0 !important }\n</style>',
  '<style>a[href^="https"] { color: {{city}} } p:empty { display: none } @import url(https://shop.example/x.css);</style>',
  '<style></style>',
];

const MAX_HTML = 256 * 1024;

function line(dice: Dice, pieces: number): string {
  const parts: string[] = [];
  for (let i = dice.below(pieces) + 1; i > 0; i--)
    parts.push(dice.pick(dice.chance(0.5) ? PLACEHOLDERS : WORDS));
  return parts.join(dice.pick([' ', ' ', '', ', ']));
}

/** For a subject: no line breaks, and not empty. */
const subjectLine = (dice: Dice, mark: string): string =>
  dice.pick([
    () => `${mark} ${line(dice, 3)}`,
    () => `${line(dice, 3)} ${mark}`,
    () => `${mark}${' long'.repeat(dice.below(60))} {{first_name}}`,
    () => `${mark} {{odd}}`,
  ])();

function text(dice: Dice, mark: string): string {
  const lines = [`${mark} ${line(dice, 3)}`];
  for (let i = dice.below(6); i > 0; i--)
    lines.push(dice.chance(0.4) ? dice.pick(BODY_LINES) : line(dice, 4));
  return lines.join(dice.pick(['\n', '\r\n', '\n\n'])) + dice.pick(['', '\n', '\r\n', '  \n']);
}

function link(dice: Dice): string {
  const target = dice.pick(TARGETS);
  const label = dice.chance(0.3) ? target : line(dice, 2);
  return dice.pick([
    `<a href="${target}">${label}</a>`,
    `<a href='${target}' class="big">${label}</a>`,
    `<A HREF = "${target}" >${label}</A>`,
    `<a\n  style="color:red"\n  href="${target}"\n>${label}</a\n>`,
    `<a href=${target.replace(/[\s>"']/g, '') || 'x'}>${label}</a>`,
    `<a data-track="false" href="${target}">${label}</a>`,
    `<a href="${target}" href="https://shop.example/second">${label}</a>`,
    `<a title="a > b" href="${target}">${label}<a href="${target}">again</a>`,
    `<map name=m><area href="${target}" alt=x></map>`,
    `<a href="${target}"><img src="https://shop.example/i.png?x=1&amp;y=2" alt="{{name}}"></a>`,
    `<a href=“${target}”>${label}</a>`,
    `<a/href="${target}"/>${label}`,
  ]);
}

function piece(dice: Dice): string {
  return dice.pick<() => string>([
    () => `<p>${line(dice, 4)}</p>`,
    () => `<p class="big" title="{{odd}}">${line(dice, 3)} ${link(dice)}`,
    () => `<td style='color:{{city}}'>${link(dice)}</td>`,
    () => `<br/>${dice.pick(BODY_LINES)}<br>`,
    () => `<img src={{odd}} alt='{{name}}'>`,
    () => `<!-- {{name}} <a href="https://shop.example/comment">no</a> -->`,
    () => `<script>var a = '<a href="https://shop.example/script">';</script>`,
    () => `<ul><li>${line(dice, 2)}<li>${line(dice, 2)}</ul>`,
    () => `<![if !mso]><b>${line(dice, 2)}</b><![endif]>`,
    () => `<!--[if mso]><a href="https://shop.example/mso">x</a><![endif]-->`,
    () => `</p></div></b> 1 < 2 & 3 > 2 <3 </ x>`,
    () => `<form action="https://shop.example/f"><input value="{{odd}}"><select><option>1</select></form>`,
    () => `<b onclick='x("{{name}}")'>${line(dice, 2)}</b>`,
    () => `<svg><a href="https://shop.example/svg"><title>t</title></a></svg>`,
    () => `<div style="display:none">${line(dice, 2)}</div>`,
    () => `<pre>\n  ${dice.pick(BODY_LINES)}\n</pre>`,
    () => `${dice.pick(WORDS)} `.repeat(dice.below(200)),
  ])();
}

function html(dice: Dice, mark: string): string {
  const parts = [dice.pick(OPENINGS)];
  if (dice.chance(0.35)) parts.push(dice.pick(STYLES));
  parts.push(`<p id=x>${mark} ${line(dice, 3)}</p>`);
  for (let i = dice.below(9); i > 0; i--) parts.push(dice.chance(0.5) ? link(dice) : piece(dice));
  const glue = dice.pick(['', '\n', '\r\n', '\n  ']);
  const page = parts.join(glue);
  const end = glue + dice.pick(CLOSINGS);
  if (!dice.chance(0.02)) return page + end;
  // At the size limit: where parsing it ends depends on the length of the filled-in links.
  const links = '{{unsubscribe_url}} '.repeat(20);
  return page + links + 'wide '.repeat((MAX_HTML - page.length - links.length - end.length) / 5) + end;
}

function template(dice: Dice, key: string, isWorkspaces: boolean): GeneratedTemplate {
  const mark = `t${key}t`;
  const form = dice.pick(['html', 'html', 'html', 'both', 'both', 'both', 'text']);
  return {
    mark,
    slug: `s${key}`,
    isWorkspaces,
    subject: dice.chance(0.1) ? null : subjectLine(dice, mark),
    html: form === 'text' ? null : html(dice, mark),
    text: form === 'html' ? null : text(dice, mark),
    inline_css: dice.chance(0.35),
  };
}

function metadata(dice: Dice): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const key of [
    'city',
    'odd',
    'odd',
    'first_name',
    'email',
    'unsubscribe_url',
    'x y',
    '__proto__',
    'toString',
  ]) {
    if (dice.chance(key === 'city' || key === 'odd' ? 0.7 : 0.12)) values[key] = dice.pick(VALUES);
  }
  if (dice.chance(0.4))
    values['order'] = dice.pick<unknown>([{ total: 9.5, label: dice.pick(VALUES) }, 'none', null]);
  if (dice.chance(0.4)) values['items'] = dice.some(VALUES, dice.below(4));
  return values;
}

interface ContactTerms {
  key: string;
  tags: readonly string[];
  isSegment: boolean;
}

function contact(dice: Dice, index: number, { key, tags, isSegment }: ContactTerms): GeneratedContact {
  const fate = dice.pick<Decision>([
    ...Array<Decision>(14).fill('ok'),
    ...(['suppressed', 'suppressed everywhere', 'unsubscribed', 'off the list'] as const),
  ]);
  const override = dice.chance(0.25) && fate !== 'off the list';
  const words = dice.pick(['subject', 'html', 'both']);
  const mark = `o${key}x${index}o`;
  return {
    email: `${dice.pick(['c', 'C.', "o'", 'a+b', 'x_'])}${key}-${index}@receiver.example`,
    name: dice.chance(0.15) ? null : dice.pick(NAMES),
    phone: dice.chance(0.5) ? null : dice.pick(['+49 421 1', '', '<i>1</i>']),
    tags: [...new Set([...dice.some(tags, dice.below(3)), ...(isSegment ? [`g${key}`] : [])])],
    metadata: metadata(dice),
    fate: isSegment && fate === 'off the list' ? 'unsubscribed' : fate,
    override: override
      ? {
          ...(words === 'html' ? {} : { subject: subjectLine(dice, mark) }),
          ...(words === 'subject' ? {} : { html: html(dice, mark) }),
        }
      : null,
    then: dice.pick(['stays', 'stays', 'stays', 'unsubscribes', 'leaves the list']),
  };
}

/** Campaign `index` of a run; its names and addresses contain that number. */
export function generateCampaign(dice: Dice, index: number): GeneratedCampaign {
  const owner = dice.pick<Owner>(['workspace', 'first', 'first', 'second']);
  const templates: GeneratedTemplate[] = [];
  const newTemplate = (): number => {
    const isWorkspaces = owner !== 'workspace' && dice.chance(0.2);
    return templates.push(template(dice, `${index}v${templates.length}`, isWorkspaces)) - 1;
  };
  newTemplate();
  const tags = ['vip', 'größe', 'b c', `g${index}`];
  const subjectOr = (mark: string): string | null => (dice.chance(0.5) ? subjectLine(dice, mark) : null);
  const variants = dice.chance(0.5)
    ? dice.some(tags, 1 + dice.below(4)).map((tag, at) => ({
        tag,
        template: dice.chance(0.7) ? newTemplate() : 0,
        subject: subjectOr(`v${index}x${at}v`),
      }))
    : [];
  const split = dice.chance(0.3)
    ? {
        test_percent: dice.pick([100, 100, 100, 50]),
        variants: ['A', 'B', 'C'].slice(0, 2 + dice.below(2)).map((key, at) => ({
          key,
          template: dice.chance(0.6) ? newTemplate() : null,
          subject: subjectOr(`k${index}x${at}k`),
        })),
      }
    : null;
  const isSegment = dice.chance(0.2);
  const contacts: GeneratedContact[] = [];
  for (let i = dice.below(8) + 1; i > 0; i--) {
    contacts.push(contact(dice, i, { key: String(index), tags, isSegment }));
  }
  const isAgain = split?.test_percent !== 50 && dice.chance(0.25);
  return {
    owner,
    templates,
    contacts,
    isSegment,
    type: dice.pick(['marketing', 'sales']),
    // A campaign without a subject is not sent; a variant's template without one is attempted.
    subject: templates[0]?.subject === null || dice.chance(0.2) ? subjectLine(dice, `c${index}c`) : null,
    segmentTag: dice.chance(0.2) ? dice.pick(tags) : null,
    variants,
    split,
    track_opens: dice.pick([null, null, true, false]),
    track_clicks: dice.pick([null, null, true, true, false]),
    again: isAgain ? newTemplate() : null,
  };
}
