// Tests the translation of other vendors' templates to Handlebars.
import { describe, expect, it } from 'vitest';
import { translateBrevoTemplate } from '../../src/account-imports/dialects/brevo-templates.rules.js';
import { translateGoTemplate } from '../../src/account-imports/dialects/go-templates.rules.js';
import { translateMailchimpTemplate } from '../../src/account-imports/dialects/mailchimp-templates.rules.js';
import { translateMailgunTemplate } from '../../src/account-imports/dialects/mailgun-templates.rules.js';
import { translateMustachio } from '../../src/account-imports/dialects/mustachio-templates.rules.js';
import { translateResendTemplate } from '../../src/account-imports/dialects/resend-variables.rules.js';
import { translateSendgridTemplate } from '../../src/account-imports/dialects/sendgrid-templates.rules.js';
import { templateProblem } from '../../src/lib/templating/index.js';

describe('a Go template', () => {
  it.each([
    ['{{ .Subscriber.Email }} {{ .Subscriber.Attribs.city }}', '{{email}} {{city}}'],
    ['{{- .Tx.Data.order.id -}}', '{{order.id}}'],
    [
      '{{ if .Tx.Data.a }}x{{ else if .Tx.Data.b }}y{{ else }}z{{ end }}',
      '{{#if a}}x{{else if b}}y{{else}}z{{/if}}',
    ],
    ['{{ if not .Tx.Data.a }}x{{ end }}', '{{#unless a}}x{{/unless}}'],
    [
      '{{ range .Tx.Data.items }}{{ .name }} {{ . }}{{ end }}',
      '{{#each items}}{{this.name}} {{this}}{{/each}}',
    ],
    [
      '{{ .Subscriber.Name | default "you" }}{{ default "x" .Tx.Data.y }}',
      '{{default name "you"}}{{default y "x"}}',
    ],
    ['{{ UnsubscribeURL . }}{{ TrackView }}{{/* note */}}', '{{unsubscribe_url}}'],
    [
      '<a href="https://a.example/x@TrackLink">{{ TrackLink "https://b.example" . }}',
      '<a href="https://a.example/x">https://b.example',
    ],
  ])('%s becomes %s', (source, wanted) => {
    expect(translateGoTemplate(source)).toEqual({ text: wanted, problems: [] });
    expect(templateProblem(wanted, 'html')).toBeNull();
  });

  it('reports the line of each part that cannot be translated', () => {
    const { problems } = translateGoTemplate(
      'a\n{{ template "content" . }}\n{{ if eq .Tx.Data.a 1 }}x{{ end }}\n\n{{ .Campaign.UUID }}{{ end }}',
    );
    expect(problems.map(({ line }) => line)).toEqual([2, 3, 5, 5]);
  });
});

it.each([
  ['{{{FIRST_NAME|there}}} {{{contact.city}}}', '{{{default first_name "there"}}} {{{city}}}'],
  ['{{{ORDER}}} {{{PRICE}}}', '{{{ORDER}}} {{{default PRICE "20"}}}'],
  ['<a href="{{{RESEND_UNSUBSCRIBE_URL}}}">', '<a href="{{{unsubscribe_url}}}">'],
  [`{{{A|say "hi"}}}`, `{{{default A 'say "hi"'}}}`],
])('the variables of Resend in %s become %s', (source, wanted) => {
  const translated = translateResendTemplate(source, new Map([['PRICE', '20']]));
  expect(translated).toEqual({ text: wanted, problems: [] });
  expect(templateProblem(wanted, 'html')).toBeNull();
});

it.each([
  ['{{#if a}}{{name}}{{/if}}{{{unsubscribe}}}', '{{#if a}}{{name}}{{/if}}{{unsubscribe_url}}'],
  ['{{insert name "default=Customer"}}{{insert city}}', '{{default name "Customer"}}{{city}}'],
  ['<%asm_group_unsubscribe_raw_url%>', '{{unsubscribe_url}}'],
])('the dynamic template %s of SendGrid becomes %s', (source, wanted) => {
  expect(translateSendgridTemplate(source)).toEqual({ text: wanted, problems: [] });
  expect(templateProblem(wanted, 'html')).toBeNull();
});

it('a dynamic template of SendGrid with its own helpers names their lines', () => {
  const { problems } = translateSendgridTemplate('\n{{#equals a b}}x{{/equals}}\n{{formatDate d "YYYY"}}');
  expect(problems.map(({ line }) => line)).toEqual([2, 3]);
});

describe('a template of Mailgun', () => {
  it.each([
    [
      '{{name}} {{{html}}} {{#each items}}{{this.a}}{{/each}}',
      '{{name}} {{{html}}} {{#each items}}{{this.a}}{{/each}}',
    ],
    ['%recipient.city% %recipient% %recipient_name%', '{{city}} {{email}} {{name}}'],
    ['%mailing_list_unsubscribe_url% 100%', '{{unsubscribe_url}} 100%'],
  ])('%s becomes %s', (source, wanted) => {
    expect(translateMailgunTemplate(source)).toEqual({ text: wanted, problems: [] });
    expect(templateProblem(wanted, 'html')).toBeNull();
  });

  it('reports blocks and variables that Mailkeel does not have', () => {
    const { problems } = translateMailgunTemplate('{{#equal a b}}x{{/equal}}\n%recipient.a.b%');
    expect(problems.map(({ line }) => line)).toEqual([1, 2]);
  });
});

describe('a Mustachio template', () => {
  it.each([
    ['{{ a.b }} {{{c}}} {{& d}}', '{{a.b}} {{{c}}} {{{d}}}'],
    ['{{#a}}{{b}}{{../c}}{{/a}}', '{{#with a}}{{b}}{{../c}}{{/with}}'],
    ['{{^a}}x{{/a}}{{! note }}', '{{#unless a}}x{{/unless}}'],
    ['{{#each items}}{{name}} {{.}}{{/each}}', '{{#each items}}{{name}} {{this}}{{/each}}'],
    ['{{#if a}}x{{else}}y{{/if}}', '{{#if a}}x{{else}}y{{/if}}'],
    ['<a href="{{{ pm:unsubscribe }}}">', '<a href="{{unsubscribe_url}}">'],
  ])('%s becomes %s', (source, wanted) => {
    expect(translateMustachio(source)).toEqual({ text: wanted, problems: [] });
    expect(templateProblem(wanted, 'html')).toBeNull();
  });

  it('reports partials, conditions and ends that cannot be translated', () => {
    const { problems } = translateMustachio('{{> a}}\n{{#a b c}}x{{/a}}\n{{/b}}');
    expect(problems.map(({ line }) => line)).toEqual([1, 2, 3]);
  });
});

describe('a template of a megabyte', () => {
  const SIZE = 1024 * 1024;
  const filledWith = (part: string): string => part.repeat(SIZE / part.length);
  const RESEND = (source: string) => translateResendTemplate(source, new Map());

  it.each([
    ['Go', translateGoTemplate, ['{{', 'http://', '{{if .Tx.Data.a}}']],
    ['Brevo', translateBrevoTemplate, ['{{', '{%', '{#']],
    ['Mailchimp', translateMailchimpTemplate, ['*| ', ' ', ' mc:a="']],
    ['Mailgun', translateMailgunTemplate, ['{{', '%recipient']],
    ['Postmark', translateMustachio, ['{{']],
    ['Resend', RESEND, ['{{{']],
    ['SendGrid', translateSendgridTemplate, ['{{', '<% ']],
  ])('of %s is translated at once, also if nothing in it ends', (_vendor, translate, parts) => {
    for (const part of parts) expect(translate(filledWith(part)).text).not.toBe('');
  });

  it('is refused when it is longer', () => {
    expect(translateGoTemplate('x'.repeat(SIZE + 1)).problems).toEqual([
      { line: null, problem: 'The template is larger than 1 MiB.' },
    ]);
  });
});
