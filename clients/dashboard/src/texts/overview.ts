// Texts of the overview.
import { catalogue } from './texts.js';

const en = {
  title: 'Overview',
  about: 'What became of the mail of this environment, and what needs a look.',
  sent: 'Sent',
  sentHint: (count: string) => `of ${count} accepted`,
  delivered: 'Delivered',
  ofSent: (rate: string) => `${rate} of sent`,
  ofDelivered: (rate: string) => `${rate} of delivered`,
  opened: 'Opened',
  clicked: 'Clicked',
  bounced: 'Bounced',
  complained: 'Complaints',
  ratesLabel: 'Bounce and complaint rate',
  bounceRate: 'Bounce rate',
  complaintRate: 'Complaint rate',
  trend: 'Trend',
  trendLabel: { hour: 'Messages by hour', day: 'Messages by day' },
  countedIn: 'Every event counts at its own time, in UTC. Opens by known machines are left out.',
  behind: 'Some events are not counted yet; the figures follow.',
  nothing: 'No mail in this time',
  nothingHint: 'Choose a longer period, or send a message.',
  attention: 'Needs attention',
  attentionNone:
    'Nothing needs attention: this machine, customers, senders, webhooks and destinations were looked at.',
  attentionUnknown: 'Some of it could not be looked at: reload the page to try again.',
  attentionNoneHere: 'Nothing needs attention: customers, senders, webhooks and destinations were looked at.',
  checksFail: (count: string) => `Failing checks of this machine: ${count}`,
  checksWarn: (count: string) => `Warnings about this machine: ${count}`,
  notChecked: 'This machine was not checked yet',
  sourceClosed: (name: string) => `Nothing leaves by the source ${name}`,
  tenant: {
    warned: (name: string) => `${name} is warned for complaints`,
    throttled: (name: string) => `${name} is throttled for complaints`,
    paused: (name: string) => `${name} is paused for a rate`,
    suspended: (name: string) => `${name} is suspended: its signing record is gone from DNS`,
  },
  senderSuspended: (name: string) => `The sender ${name} is suspended: its mail waits`,
  senderFailed: (name: string) => `The sender ${name} was not verified in time`,
  webhook: (url: string) => `A webhook is switched off: ${url}`,
  destination: {
    deferred: (domain: string, count: string) => `${domain} puts mail off (waiting: ${count})`,
    suspended: (domain: string, count: string) => `Nothing goes to ${domain} for a while (waiting: ${count})`,
    paused: (domain: string, count: string) => `${domain} is paused (waiting: ${count})`,
  },
  more: (count: string) => `and ${count} more`,
  newest: 'Newest messages',
  all: 'All messages',
  to: 'Recipient',
  subject: 'Subject',
  noSubject: '(no subject)',
  time: 'Time',
  emptyTitle: 'Nothing was sent yet',
  empty:
    'Get started shows the first message, a domain and a key, step by step. It takes a minute in the sandbox.',
  start: 'Get started',
};

export const overview = catalogue(en, () => import('./de/overview.js').then(({ de }) => de));
export type OverviewTexts = typeof en;
