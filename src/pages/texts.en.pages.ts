// English texts of the pages for recipients. The catalogue of another language has the same entries.
import { html, type Html } from '../lib/http/html.js';

export const EN = {
  errors: {
    tooMany: 'Too many requests. Please try again in a few minutes.',
    failed: 'This did not work. Please open the link again.',
  },
  signUp: {
    title: 'Sign up',
    gone: 'This page does not exist (any more). A link of a confirmation may have expired: please sign up again.',
    badAddress: 'Please enter a valid address.',
    address: 'Address',
    name: 'Name (optional)',
    trap: 'Leave this empty',
    submit: 'Sign up',
    consent: 'By signing up you agree that your data is handled as the privacy policy describes.',
    privacy: 'Privacy policy',
    thanks: 'Thank you',
    mailed: (email: string): Html =>
      html`If this sender can write to <strong>${email}</strong>, an email is on its way. Open the link in it
        to confirm.`,
    joined: (email: string): Html =>
      html`If this sender can write to <strong>${email}</strong>, you will get the next email of this list.
        You may first get an email with a link to confirm.`,
    failed: 'This did not work.',
    goBack: 'Please go back and try again.',
  },
  confirm: {
    title: 'Confirm',
    ask: (email: string): Html => html`Shall this mail be sent to <strong>${email}</strong>?`,
    yes: 'Yes, sign me up',
    ignore: 'If you did not ask for it, close this page: nothing happens.',
    done: 'You are on the list',
    doneText: (list: string): string =>
      `You get the mail of “${list}” from now on. Each one has a link to leave.`,
  },
  confirmMail: {
    subject: (list: string): string => `Please confirm: ${list}`,
    asked: (list: string, email: string): string =>
      `Somebody, probably you, has asked for the mail of "${list}" to be sent to ${email}.`,
    open: 'If it was you, open this page and confirm:',
    ignore: 'If it was not, do nothing: without your confirmation nothing is sent.',
  },
  unsubscribe: {
    title: 'Unsubscribe',
    gone: 'This link is not valid. Please use the link exactly as it stands in the message.',
    ask: (email: string): Html => html`No more mail from this sender to <strong>${email}</strong>?`,
    leaveList: (list: string): string => `Leave only “${list}”`,
    all: 'Unsubscribe',
    fromEverything: 'Unsubscribe from everything',
    choose: 'Choose what you get',
    done: 'You are unsubscribed',
    doneText: 'This sender will not write to you again.',
    left: (list: string): string => `You have left “${list}”`,
    leftText: 'Nothing more will be sent to you from this list.',
    chooseElse: 'Choose what else you get',
    sample:
      'This is the link of a preview. In the message itself it leads each recipient to a page where they leave the list, or all mail.',
  },
  preferences: {
    title: 'Your mail',
    gone: 'This link is not valid. Please use the link exactly as it stands in the message.',
    saved: 'Saved.',
    intro: (email: string): Html => html`What this sender sends to <strong>${email}</strong>.`,
    none: 'You are on none of its lists.',
    save: 'Save',
    pending: '(waits for your confirmation)',
    noMail: 'No mail at all',
    blocked: 'This sender does not write to this address.',
    unsubscribed: 'You are unsubscribed: this sender will not write to you.',
    again: 'Subscribe again',
  },
  sender: {
    title: 'Confirm a sender',
    ask: (email: string): Html => html`May mail be sent in the name of <strong>${email}</strong>?`,
    confirm: 'Confirm',
    ignore: 'If you do not agree, close this page: nothing happens.',
    done: 'Sender confirmed',
    doneText: (email: string): Html =>
      html`<strong>${email}</strong> can be used as a sender now. You can close this page.`,
    gone: 'This link does not work',
    goneText: 'It was used already, has expired, or was replaced by a newer one.',
  },
  link: {
    title: 'This link does not work',
    unknown: 'It is not valid, or the message that it was in is gone.',
    tooMany: 'Too many links were tried from here. Please try again later.',
    unavailable: 'This link cannot be followed at the moment. Please try again.',
  },
};

export type PageTexts = typeof EN;
