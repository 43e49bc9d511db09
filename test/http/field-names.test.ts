import { expect, it } from 'vitest';
import { nearestField } from '../../src/http/body/field-names.rules.js';

const MESSAGE = [
  ...[
    'to',
    'cc',
    'bcc',
    'subject',
    'html',
    'text',
    'template',
    'template_id',
    'variables',
    'from',
    'reply_to',
  ],
  ...[
    'type',
    'send_at',
    'expires_at',
    'tags',
    'metadata',
    'attachments',
    'headers',
    'sub_tenant_id',
    'track_opens',
  ],
];

it.each([
  ['scheduled_at', 'send_at'],
  ['scheduledAt', 'send_at'],
  ['sned_at', 'send_at'],
  ['sendAt', 'send_at'],
  ['replyTo', 'reply_to'],
  ['reply-to', 'reply_to'],
  ['ReplyTo', 'reply_to'],
  ['from_email', 'from'],
  ['subject_line', 'subject'],
  ['HtmlBody', 'html'],
  ['TemplateModel', 'variables'],
  ['dynamic_template_data', 'variables'],
  ['tag', 'tags'],
  ['atachments', 'attachments'],
  ['subtenant_id', 'sub_tenant_id'],
  ['trackOpens', 'track_opens'],
  ['cC', 'cc'],
  ['colour', null],
  ['x', null],
  ['', null],
  ['__proto__', null],
  ['constructor', null],
  ['s'.repeat(5000), null],
])('suggests %s as %s', (given, meant) => {
  expect(nearestField(given, MESSAGE)).toBe(meant);
});

it('an alias applies only where its field exists', () => {
  expect(nearestField('scheduled_at', ['name', 'email'])).toBeNull();
  expect(nearestField('recipient', ['name', 'email'])).toBe('email');
});
