// Texts of the first page of a new appliance.
import { catalogue } from './texts.js';

const en = {
  title: 'Get started',
  about: 'Set up sending, step by step. Progress is detected automatically.',
  done: (done: number, all: number) => `${done} of ${all} done`,
  isDone: 'done',
  isOpen: 'to do',
  keys: {
    title: 'Save your API keys',
    hint: 'Store these keys somewhere safe. You won’t be able to see them again. The test key works in the sandbox, and the live key sends real email.',
    test: 'Test key',
    live: 'Live key',
    gone: 'I’ve saved my keys',
  },
  send: {
    title: 'Send a test message',
    hint: 'Sandbox only: no domain needed, nothing is delivered. Send from your terminal or from this page.',
    button: 'Send test message',
    again: 'Send another',
    keyHint: 'Replace $MAILKEEL_API_KEY with your test key.',
    makeKey: 'Create test key',
    waiting: 'Sending…',
    arrived: 'Delivered in the sandbox.',
    subject: 'Hello from Mailkeel',
    text: 'It works.',
    open: 'View message',
    route: 'Test message progress',
  },
  organization: {
    title: 'Set up your organization',
    hint: 'Your name and postal address appear on public pages and in marketing email.',
    action: 'Open settings',
  },
  domain: {
    title: 'Add a sending domain',
    hint: 'Publish a few DNS records so that Mailkeel can sign live email with DKIM. Mailkeel checks the records for you.',
    action: 'Add domain',
    done: (domain: string) => `${domain} is verified.`,
    pending: (domain: string) => `${domain} is waiting for DNS records.`,
  },
  host: {
    title: 'Check the host',
    hint: 'Live delivery needs a public hostname, outbound port 25, reverse DNS, a correct clock and free disk space.',
    action: 'View checks',
    good: 'All checks passed.',
    bad: (count: number) => (count === 1 ? '1 check failed.' : `${count} checks failed.`),
    unknown: 'Some checks could not be completed.',
    unnamed: (settings: string) =>
      `The server has no public name yet. DNS records and links include this name, so set ${settings} in the server configuration and restart before you add a domain.`,
    forOwners: 'Only owners and admins can view host checks.',
  },
  key: {
    title: 'Create a live API key',
    hint: 'Use it in the application that sends live email.',
    action: 'View API keys',
    done: 'Live API key created.',
  },
  webhook: {
    title: 'Get notified about deliveries and bounces',
    hint: 'Mailkeel posts each delivery, bounce, complaint and reply to your webhook endpoint.',
    action: 'Add endpoint',
    done: 'Webhook endpoint added.',
  },
  customer: {
    title: 'Add a sub-tenant',
    hint: 'If you send on behalf of customers, give each one its own domain, API keys and reputation.',
    action: 'Add sub-tenant',
    done: 'Sub-tenant added.',
  },
};

export const getStarted = catalogue(en, () => import('./de/get-started.js').then(({ de }) => de));
export type GetStartedTexts = typeof en;
