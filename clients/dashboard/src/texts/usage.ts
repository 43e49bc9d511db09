// Texts of the page of usage.
import { catalogue } from './texts.js';

const en = {
  title: 'Usage',
  about: 'Messages sent by your organization, compared with its plan. Sandbox messages don’t count.',
  plan: (name: string) => `Plan: ${name}`,
  plans: { unlimited: 'unlimited' },
  day: 'Today',
  month: 'This month',
  resets: (time: string) => `Resets ${time}`,
  all: 'All messages',
  noLimit: 'no limit',
  ofWhich: (count: string, workspace: string) => `${count} from ${workspace}`,
  meter: (name: string, used: string, limit: string) => `${name}: ${used} of ${limit} used`,
  of: (used: string, limit: string) => `${used} of ${limit}`,
  near: 'almost used up',
  out: 'limit reached: new messages are rejected until the limit resets',
  upgrade: 'To change the plan, ask the operator to run mailkeel admin plan.',
  keys: 'Messages by API key',
  keysAbout: 'This workspace, by day (UTC).',
  key: 'API key',
  environment: 'Environment',
  lastUsed: 'Last used',
  messages: 'Messages',
  chart: 'Messages by API key and day',
  others: 'Other keys',
  none: 'No messages sent with an API key in this period',
  noneHint: 'Messages you send with an API key are counted here.',
};

export const usage = catalogue(en, () => import('./de/usage.js').then(({ de }) => de));
export type UsageTexts = typeof en;
