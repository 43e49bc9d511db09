// Sentences for refusals whose own sentence names parts of the API, and the labels of fields that refusals name.
import { catalogue } from './texts.js';

const en = {
  /** By code. */
  codes: {
    sub_tenant_mismatch: 'This page and the request refer to different sub-tenants. Reload the page.',
    totp_required:
      'Your account uses two-factor authentication. Enter a code from your app or a recovery code.',
    csrf_token_invalid: 'Your session has changed. Reload the page and try again.',
    precondition_failed:
      'Someone has changed this in the meantime. Reload the page and make your change again.',
    idempotency_key_mismatch: 'The request could not be repeated. Reload the page and try again.',
    idempotency_answer_lost: 'This was already done, but the result was lost. Reload the page to see it.',
    policy_violation: 'The send policy of the API key does not allow this message.',
    contact_left_list:
      'The contact unsubscribed from this list. Add them again only if they have asked you to.',
    campaign_incomplete: 'The campaign needs a list and a template.',
    template_in_use: 'The template is used by sequences, unfinished campaigns or confirmation emails.',
    validation_error: 'Some entries are not valid. Check the form.',
    content_required: 'The message has no content. Write some text or choose a template.',
    sender_required: 'No sender is chosen, and there is no default sender. Choose a sender.',
    rate_limited: 'Too many requests. Wait a moment and try again.',
    headers_too_large: 'The request was too large. Reload the page and try again.',
  },
  /** By the names of the fields in requests. */
  fields: {
    audience: 'Recipients',
    email: 'Email address',
    events: 'Event types',
    from: 'Sender',
    html: 'HTML part',
    list_id: 'List',
    password: 'Password',
    reply_to: 'Reply address',
    scheduled_at: 'Start time',
    send_at: 'Send time',
    steps: 'Steps',
    sub_tenant_id: 'Sub-tenant',
    subject: 'Subject',
    template: 'Template',
    template_id: 'Template',
    text: 'Text part',
    to: 'Recipient',
    url: 'Address',
    variables: 'Variables',
  },
};

export const refusals = catalogue(en, () => import('./de/refusals.js').then(({ de }) => de));
export type RefusalTexts = typeof en;
