// English texts of the pages for recipients. The catalogue of another language has the same entries.
import { html, type Html } from '../lib/http/index.js';

export const EN = {
  errors: {
    tooMany: 'Too many requests. Please try again in a few minutes.',
    failed: 'Something went wrong. Please open the link again.',
  },
  signUp: {
    title: 'Sign up',
    gone: 'This page does not exist, or your confirmation link has expired. Please sign up again.',
    badAddress: 'Please enter a valid email address.',
    address: 'Email address',
    name: 'Name (optional)',
    trap: 'Leave this field empty',
    submit: 'Sign up',
    consent: 'By signing up, you agree to the processing of your data as described in the privacy policy.',
    privacy: 'Privacy policy',
    thanks: 'Thank you',
    mailed: (email: string): Html =>
      html`We have sent an email to <strong>${email}</strong>, unless this address cannot receive mail from
        this sender. Open the link in the email to confirm your subscription.`,
    joined: (email: string): Html =>
      html`You have signed up with <strong>${email}</strong>, unless this address cannot receive mail from
        this sender. You may need to confirm your subscription by email first.`,
    failed: 'Something went wrong.',
    goBack: 'Please go back and try again.',
  },
  confirm: {
    title: 'Confirm subscription',
    ask: (email: string): Html => html`Confirm your subscription for <strong>${email}</strong>.`,
    yes: 'Confirm subscription',
    ignore: 'If you did not sign up, close this page. You will not be subscribed.',
    done: 'Subscription confirmed',
    doneText: (list: string): string =>
      `You will now receive emails from “${list}”. You can unsubscribe at any time with the link in each email.`,
  },
  confirmMail: {
    subject: (list: string): string => `Confirm your subscription: ${list}`,
    asked: (list: string, email: string): string =>
      `We received a request to subscribe ${email} to "${list}".`,
    open: 'To confirm your subscription, open this page:',
    ignore:
      'If you did not request this, ignore this email. You will not be subscribed without your confirmation.',
  },
  unsubscribe: {
    title: 'Unsubscribe',
    gone: 'This link is invalid. Please open the full link from the email.',
    ask: (email: string): Html =>
      html`Do you want to unsubscribe <strong>${email}</strong> from this sender’s emails?`,
    leaveList: (list: string): string => `Unsubscribe from “${list}” only`,
    all: 'Unsubscribe',
    fromEverything: 'Unsubscribe from everything',
    choose: 'Manage preferences',
    done: 'You have unsubscribed',
    doneText: 'You will no longer receive emails from this sender.',
    left: (list: string): string => `You have unsubscribed from “${list}”`,
    leftText: 'You will no longer receive emails from this list.',
    chooseElse: 'Manage other preferences',
    sample:
      'This is a preview link. In the sent email, the link opens a page where the recipient can unsubscribe from the list or from all emails.',
  },
  preferences: {
    title: 'Email preferences',
    gone: 'This link is invalid. Please open the full link from the email.',
    saved: 'Saved.',
    intro: (email: string): Html => html`Choose which emails this sender sends to <strong>${email}</strong>.`,
    none: 'You are not subscribed to any list.',
    save: 'Save',
    pending: '(awaiting your confirmation)',
    noMail: 'Unsubscribe from all emails',
    blocked: 'This address does not receive emails from this sender.',
    unsubscribed: 'You have unsubscribed from all emails from this sender.',
    again: 'Subscribe again',
  },
  sender: {
    title: 'Confirm sender address',
    ask: (email: string): Html => html`Allow emails to be sent from <strong>${email}</strong>?`,
    confirm: 'Confirm',
    ignore: 'If you do not agree, close this page. The address will not be used.',
    done: 'Sender confirmed',
    doneText: (email: string): Html =>
      html`<strong>${email}</strong> can now be used as a sender address. You can close this page.`,
    gone: 'This link is no longer valid',
    goneText: 'The link has already been used, has expired, or has been replaced by a newer one.',
  },
  forward: {
    title: 'Email forwarding',
    ask: (inbox: string, email: string): Html =>
      html`Forward the email that arrives at <strong>${inbox}</strong> to <strong>${email}</strong>?`,
    confirm: 'Forward',
    ignore: 'If you do not agree, close this page. Nothing will be forwarded to you.',
    done: 'Forwarding confirmed',
    doneText: (email: string): Html =>
      html`New email will be forwarded to <strong>${email}</strong>. To stop it later, open the link in the
        confirmation email again.`,
    active: (inbox: string, email: string): Html =>
      html`Email that arrives at <strong>${inbox}</strong> is forwarded to <strong>${email}</strong>.`,
    stop: 'Stop forwarding',
    stopped: 'Forwarding stopped',
    stoppedText: (email: string): Html => html`No more email is forwarded to <strong>${email}</strong>.`,
  },
  link: {
    title: 'This link does not work',
    unknown: 'The link is invalid, or the email it came from has been deleted.',
    tooMany: 'Too many invalid links were opened from your network. Please try again later.',
    unavailable: 'This link is temporarily unavailable. Please try again.',
  },
};

export type PageTexts = typeof EN;
