// Tests the conversion of SES templates to Mailkeel's syntax and back.
import { expect, it } from 'vitest';
import { fromSesHtml, toSesHtml } from '../../src/account-imports/dialects/ses-templates.rules.js';

it.each([
  ['<p>{{name}}</p>', '<p>{{{name}}}</p>'],
  ['{{ contact.name }} {{~name~}}', '{{{ contact.name }}} {{~{name}~}}'],
  ['{{#each x}}{{this}}{{else}}no{{/each}}', '{{#each x}}{{{this}}}{{else}}no{{/each}}'],
  ['{{#if a}}1{{else if b}}2{{^}}3{{/if}}', '{{#if a}}1{{else if b}}2{{^}}3{{/if}}'],
  ['{{elsewhere}}', '{{{elsewhere}}}'],
  ['{{! {{name}} a note }}{{name}}', '{{! {{name}} a note }}{{{name}}}'],
  ['{{!-- {{name}} --}}{{name}}', '{{!-- {{name}} --}}{{{name}}}'],
  ['\\{{name}} {{> part}} {{{raw}}} {{&raw}}', '\\{{name}} {{> part}} {{{raw}}} {{&raw}}'],
  ['{{name', '{{name'],
])('%j', (ses, own) => {
  expect(fromSesHtml(ses)).toBe(own);
  expect(fromSesHtml(own)).toBe(own);
  expect(fromSesHtml(toSesHtml(own))).toBe(own);
});

it.each(['{{!--', '{{! ', '{{', '{{{', '{{!-- }} '])('takes time that grows with the length: %j', (part) => {
  const html = part.repeat(1_000_000 / part.length);
  const before = process.cpuUsage();
  fromSesHtml(html);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000);
});
