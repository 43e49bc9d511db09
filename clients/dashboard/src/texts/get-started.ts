// Texts of the first page of a new appliance.
import { catalogue } from './texts.js';

const en = {
  title: 'Get started',
  about: 'From nothing to mail that arrives. Every step is checked from what is really there.',
  done: (done: number, all: number) => `${done} of ${all} done`,
  isDone: 'done',
  isOpen: 'to do',
  keys: {
    title: 'Your keys, shown only now',
    hint: 'Keep them where your program keeps its secrets. The test key runs in the sandbox, the live key sends real mail.',
    test: 'Test key',
    live: 'Live key',
    gone: 'I have kept them',
  },
  send: {
    title: 'Send a test message',
    hint: 'It needs no domain and reaches nobody. Send it from your terminal, or from here.',
    button: 'Send it from here',
    again: 'Send another',
    keyHint: 'Put your test key in place of $MAILKEEL_API_KEY.',
    makeKey: 'Make a test key',
    waiting: 'On its way…',
    arrived: 'It was delivered, in the sandbox. That is the whole way of a message.',
    subject: 'Hello from Mailkeel',
    text: 'It works.',
    open: 'Look at the message',
    route: 'The way of the test message',
  },
  organization: {
    title: 'Name your organization',
    hint: 'Recipients see the name and postal address on public pages and in marketing mail.',
    action: 'Settings',
  },
  domain: {
    title: 'Add a sending domain',
    hint: 'Live mail is signed with its DKIM key. You publish a few DNS records; this appliance checks them.',
    action: 'Add a domain',
    done: (domain: string) => `${domain} is verified.`,
    pending: (domain: string) => `${domain} waits for its DNS records.`,
  },
  host: {
    title: 'Name and check this host',
    hint: 'Its public name, port 25, reverse DNS, clock and disk decide whether real mail leaves.',
    action: 'See the checks',
    good: 'Everything that was checked is right.',
    bad: (count: number) => (count === 1 ? 'One check fails.' : `${count} checks fail.`),
    unknown: 'Not everything could be checked.',
    unnamed: (settings: string) =>
      `The server has no public name yet. Set ${settings} in its configuration and restart it before you add a domain, because DNS records and links contain the name.`,
    forOwners: 'Only admins and owners see the checks of the host.',
  },
  key: {
    title: 'Make a live key',
    hint: 'For the program that will send real mail.',
    action: 'API keys',
    done: 'There is a live key.',
  },
  webhook: {
    title: 'Be notified of what becomes of your mail',
    hint: 'A webhook posts every delivery, bounce, complaint and reply to your program.',
    action: 'Add a webhook',
    done: 'There is a webhook.',
  },
  customer: {
    title: 'Add a customer',
    hint: 'Do you send for others? Each sub-tenant has a domain, a key and a reputation of its own.',
    action: 'Add a sub-tenant',
    done: 'There is a sub-tenant.',
    optional: 'optional',
  },
};

export const getStarted = catalogue(en, () => import('./de/get-started.js').then(({ de }) => de));
export type GetStartedTexts = typeof en;
