// Texts of the designs that a template may begin with.
import { catalogue } from './texts.js';

const en = {
  label: 'Starter',
  names: { blank: 'Blank', newsletter: 'Newsletter', welcome: 'Welcome', receipt: 'Receipt' },
  newsletter: {
    heading: 'News for {{first_name}}',
    intro: 'The short version of what happened this month.',
    first: 'First story',
    firstText: 'Two sentences that say why it matters.',
    second: 'Second story',
    secondText: 'Two sentences that say why it matters.',
    more: 'Read more',
  },
  welcome: {
    heading: 'Welcome, {{first_name}}',
    intro: 'Your account is ready. Here is how to begin:',
    steps: 'Complete your profile\nInvite your team\nSend your first message',
    action: 'Get started',
  },
  receipt: {
    heading: 'Your receipt',
    intro: 'Thank you for your order **{{order_number}}**.',
    details: '**Date:** {{date}}\n**Amount:** {{amount}}\n**Paid by:** {{payment_method}}',
    action: 'View order',
  },
  footer: 'Questions? Just reply to this email.',
};

export const starters = catalogue(en, () => import('./de/starters.js').then(({ de }) => de));
export type StarterTexts = typeof en;
