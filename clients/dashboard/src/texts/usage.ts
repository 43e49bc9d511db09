// Texts of usage: what is used of the plan.
import { catalogue } from './texts.js';

const en = {
  title: 'Usage',
  about:
    'What was sent of what the plan allows, of the whole organization. Mail of the sandbox is not counted.',
  plan: (name: string) => `Plan: ${name}`,
  plans: { unlimited: 'unlimited' },
  day: 'This day',
  month: 'This month',
  resets: (time: string) => `Begins anew ${time}`,
  all: 'All mail',
  noLimit: 'no limit',
  ofWhich: (count: string, workspace: string) => `${count} of it from ${workspace}`,
  meter: (name: string, used: string, limit: string) => `${name}: ${used} of ${limit} used`,
  of: (used: string, limit: string) => `${used} of ${limit}`,
  near: 'nearly used up',
  out: 'used up: more is refused until it begins anew',
  upgrade: 'Who runs the appliance gives an organization its plan: mailkeel admin plan.',
  keys: 'Messages by API key',
  keysAbout: 'Of this workspace, by days in UTC.',
  key: 'API key',
  environment: 'Environment',
  lastUsed: 'Last used',
  messages: 'Messages',
  chart: 'Messages by API key and day',
  others: 'Other keys',
  none: 'No messages by a key in these days',
  noneHint: 'Send with a key, and its messages are counted here.',
};

export const usage = catalogue(en, () => import('./de/usage.js').then(({ de }) => de));
export type UsageTexts = typeof en;
