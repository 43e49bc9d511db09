// Settings of mail to many: imports, sign-up, campaigns, sequences, tracking, and what is counted of them.
import { count, time, timeOrNone, type Setting } from '../lib/config/setting.js';

export const AUDIENCE_SETTINGS = {
  importSizeLimitBytes: {
    env: 'POSTHORN_IMPORT_SIZE_LIMIT',
    kind: 'bytes',
    default: '50MiB',
    meaning: 'Largest file of contacts that an import takes.',
  },
  transferKeepMs: {
    env: 'POSTHORN_TRANSFER_KEEP',
    ...time,
    default: '7d',
    meaning: 'How long the files of finished imports and exports are kept.',
  },
  signUpRate: {
    env: 'POSTHORN_SIGN_UP_RATE',
    kind: 'rate',
    default: '10/min',
    meaning: 'Sign-ups that one client address may send; 0 is off.',
  },
  confirmationLifetimeMs: {
    env: 'POSTHORN_CONFIRMATION_LIFETIME',
    ...time,
    default: '7d',
    meaning: 'How long the link of a sign-up confirmation works.',
  },
  campaignIntervalMs: {
    env: 'POSTHORN_CAMPAIGN_INTERVAL',
    ...time,
    default: '1s',
    meaning: 'How often scheduled and sending campaigns are looked at when nothing wakes them.',
  },
  campaignBatch: {
    env: 'POSTHORN_CAMPAIGN_BATCH',
    ...count,
    default: '50',
    meaning: 'Recipients of a campaign whose copies are made and committed together.',
  },
  sequenceIntervalMs: {
    env: 'POSTHORN_SEQUENCE_INTERVAL',
    ...time,
    default: '1s',
    meaning: 'How often due steps of sequences are looked for.',
  },
  sequenceBatch: {
    env: 'POSTHORN_SEQUENCE_BATCH',
    ...count,
    default: '100',
    meaning: 'Due enrolments of one sequence that are taken together, before another sequence has its turn.',
  },
  sequenceMaxSteps: {
    env: 'POSTHORN_SEQUENCE_MAX_STEPS',
    ...count,
    default: '1000',
    meaning: 'Steps that one enrolment may take in all, so that a circle of branches ends.',
  },
  sequenceMinIntervalMs: {
    env: 'POSTHORN_SEQUENCE_MIN_INTERVAL',
    ...timeOrNone,
    default: '1h',
    meaning:
      'Shortest time between two mails of one sequence to one person, and the least that a circle of its steps must wait; 0 is off.',
  },
  clipLimitBytes: {
    env: 'POSTHORN_CLIP_LIMIT',
    kind: 'bytes',
    default: '102KiB',
    meaning: 'HTML beyond this size is cut off by Gmail; the check before a campaign warns of it.',
  },
  linkChecks: {
    env: 'POSTHORN_LINK_CHECKS',
    kind: 'int',
    min: 0,
    max: 1000,
    default: '50',
    meaning: 'Different links of a campaign that are asked whether they work before it is sent; 0 asks none.',
  },
  linkCheckTimeoutMs: {
    env: 'POSTHORN_LINK_CHECK_TIMEOUT',
    ...time,
    default: '5s',
    meaning: 'How long a checked link may take to answer.',
  },
  trackingEventsPerMessage: {
    env: 'POSTHORN_TRACKING_EVENTS_PER_MESSAGE',
    ...count,
    default: '1000',
    meaning: 'Opens and clicks of one message that are recorded; more are answered and forgotten.',
  },
  tenantTrackingDomains: {
    env: 'POSTHORN_TENANT_TRACKING_DOMAINS',
    kind: 'bool',
    default: 'true',
    meaning: "Puts tracked links on a sub-tenant's own click domain once that leads here.",
  },
  rollupIntervalMs: {
    env: 'POSTHORN_ROLLUP_INTERVAL',
    ...time,
    default: '1s',
    meaning: 'How often new events are added to the counted statistics.',
  },
} as const satisfies Record<string, Setting>;
