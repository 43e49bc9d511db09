// Wire shapes of /v1/sequences: what begins them, their steps, and who is in them.
import { Type, type Static } from 'typebox';
import { anyOf, createdQueryWith, listOf, orderedQueryWith, partOf } from '../contract/lists.js';
import {
  BRANCH_EVENTS,
  ENROLLMENT_STATUSES,
  EXIT_EVENTS,
  MESSAGE_TYPES,
  SEQUENCE_STATUSES,
} from '../contract/names.js';
import {
  closed,
  emailText,
  idParams,
  MAX_TAG,
  named,
  nameSchemas,
  nullable,
  oneOf,
  timestamp,
} from '../contract/schema.js';

const MAX_STEPS = 50;
const MAX_HOURS = 8760;

const mailbox = Type.Union(
  [Type.String(), closed({ email: Type.String(), name: Type.Optional(nullable(Type.String())) })],
  { description: 'An address, `Name <address>`, or {email, name}.' },
);
named('MailboxInput', mailbox);
named('MailboxObject', mailbox.anyOf[1]);
const shownMailbox = nullable(Type.Object({ email: emailText, name: nullable(Type.String()) }));

const tag = Type.String({ minLength: 1, maxLength: MAX_TAG });
const trigger = Type.Union(
  [
    closed({ type: Type.Literal('manual') }),
    closed({ type: Type.Literal('contact_created') }),
    closed({ type: Type.Literal('contact_tagged'), tag }),
    closed({ type: Type.Literal('list_joined'), list_id: Type.String() }),
  ],
  {
    description:
      'What enrols a contact, once ever; `manual`: only `POST …/enroll` does, which works with every trigger. A ' +
      "sub-tenant's sequence takes the sub-tenant's contacts, the workspace's takes the workspace's own.",
  },
);
named('SequenceTrigger', trigger);
export type SequenceTrigger = Static<typeof trigger>;

const hours = (description: string) => Type.Number({ minimum: 0, maximum: MAX_HOURS, description });
const variables = Type.Record(Type.String(), Type.Unknown());
const waitFields = { hours: hours('Fractions are allowed. Contacts who wait keep the time that was set.') };
const branchFields = {
  event: oneOf(BRANCH_EVENTS, {
    description: 'Of the last message that the sequence sent to them; opens and clicks by people.',
  }),
  within_hours: hours('Counted from the arrival at this step; without the event the next step follows.'),
  next_step_id: Type.String({
    description:
      'Id of the step that follows when the event happens in that time. A circle must hold `wait` steps of an hour at least.',
  }),
};

const stepId = {
  id: Type.Optional(
    Type.String({
      description: 'Lower-case letters, digits, - and _; at most 40. Made when missing; it stays for good.',
    }),
  ),
};
const givenStep = Type.Union([
  closed({ ...stepId, type: Type.Literal('wait'), ...waitFields }),
  closed({
    ...stepId,
    type: Type.Literal('send'),
    template: Type.String({ description: "A template's slug or id; its version of the moment is sent." }),
    subject: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 998 }))),
    variables: Type.Optional(variables),
  }),
  closed({ ...stepId, type: Type.Literal('branch'), ...branchFields }),
  closed({ ...stepId, type: Type.Literal('exit') }),
]);

const shownStep = Type.Union([
  Type.Object({ id: Type.String(), type: Type.Literal('wait'), ...waitFields }),
  Type.Object({
    id: Type.String(),
    type: Type.Literal('send'),
    template: Type.String(),
    subject: nullable(Type.String()),
    variables,
  }),
  Type.Object({ id: Type.String(), type: Type.Literal('branch'), ...branchFields }),
  Type.Object({ id: Type.String(), type: Type.Literal('exit') }),
]);

const goal = Type.Union(
  [
    closed({ event: oneOf(['opened', 'clicked', 'replied']) }),
    closed({ event: Type.Literal('contact_tagged'), tag }),
  ],
  { description: 'Reaching it ends the enrolment with the reason `goal`.' },
);

const name = Type.String({ minLength: 1, maxLength: 200 });
const steps = Type.Array(givenStep, {
  minItems: 1,
  maxItems: MAX_STEPS,
  description:
    'A contact at a step that is taken out goes on with the one that came after it, when the time of the old one is up. ' +
    'Nobody gets two mails of one sequence within an hour: the second waits.',
});
const exitOn = Type.Array(oneOf(EXIT_EVENTS), {
  maxItems: EXIT_EVENTS.length,
  description:
    'What ends an enrolment. A bounce always does, unless a branch asks for `bounced` and the address is not ' +
    'suppressed; opting out and complaining always end marketing and sales sequences.',
});

const editable = {
  exit_on: Type.Optional(exitOn),
  goal: Type.Optional(nullable(goal)),
  from: Type.Optional(nullable(mailbox)),
  reply_to: Type.Optional(nullable(mailbox)),
};

export const sequenceCreate = closed(
  {
    name,
    type: Type.Optional(oneOf(MESSAGE_TYPES, { default: 'marketing' })),
    trigger,
    steps,
    ...editable,
    status: Type.Optional(oneOf(SEQUENCE_STATUSES, { default: 'active' })),
    sub_tenant_id: Type.Optional(nullable(Type.String())),
  },
  {
    examples: [
      {
        name: 'Welcome',
        trigger: { type: 'contact_created' },
        steps: [
          { id: 'hello', type: 'send', template: 'welcome' },
          { id: 'read', type: 'branch', event: 'clicked', within_hours: 72, next_step_id: 'done' },
          { id: 'again', type: 'send', template: 'welcome-again' },
          { id: 'done', type: 'exit' },
        ],
      },
    ],
  },
);
export type SequenceCreate = Static<typeof sequenceCreate>;

export const sequenceUpdate = closed(
  {
    name: Type.Optional(name),
    trigger: Type.Optional(trigger),
    steps: Type.Optional(steps),
    ...editable,
  },
  { examples: [{ name: 'Welcome, new', exit_on: ['replied', 'unsubscribed'] }] },
);
export type SequenceUpdate = Static<typeof sequenceUpdate>;

export const sequence = Type.Object({
  id: Type.String(),
  object: Type.Literal('sequence'),
  name: Type.String(),
  type: oneOf(MESSAGE_TYPES),
  status: oneOf(SEQUENCE_STATUSES),
  problem: nullable(
    Type.Object(
      { code: Type.String(), message: Type.String() },
      {
        description:
          'Of a paused sequence: why it paused by itself, such as `template_not_found`; repair that, and resume it. Of an active one: `quota_exceeded`, the plan has no sends left; it continues by itself when sends are available again.',
      },
    ),
  ),
  trigger,
  steps: Type.Array(shownStep),
  exit_on: Type.Array(oneOf(EXIT_EVENTS)),
  goal: nullable(goal),
  from: shownMailbox,
  reply_to: shownMailbox,
  sub_tenant_id: nullable(Type.String()),
  in_doubt: Type.Integer({
    description: 'Messages of it that may have arrived or not; `resend-in-doubt` sends these again.',
  }),
  created_at: timestamp,
  updated_at: timestamp,
});
export type SequenceWire = Static<typeof sequence>;

export const sequenceResend = Type.Object({
  object: Type.Literal('resend_in_doubt'),
  sequence_id: Type.String(),
  messages: Type.Integer({ description: 'Those that are in the queue again.' }),
});

export const sequenceRetry = Type.Object({
  object: Type.Literal('retry_failed'),
  sequence_id: Type.String(),
  enrollments: Type.Integer({ description: 'Enrollments that are active again.' }),
});

export const sequenceQuery = orderedQueryWith({ status: anyOf(SEQUENCE_STATUSES), q: partOf('the name') });
export const sequenceList = listOf(sequence);

export const enrollmentCreate = closed(
  {
    email: Type.Optional(Type.String()),
    contact_id: Type.Optional(Type.String()),
    variables: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          "For the templates of this enrolment; they win over the steps' and over the contact's fields.",
      }),
    ),
  },
  { examples: [{ email: 'ann@example.com', variables: { plan: 'pro' } }] },
);

export const enrollment = Type.Object({
  id: Type.String(),
  object: Type.Literal('enrollment'),
  sequence_id: Type.String(),
  contact_id: Type.String(),
  email: emailText,
  status: oneOf(ENROLLMENT_STATUSES),
  exit_reason: nullable(
    Type.String({
      description:
        '`goal`, `exit` (a step), an event such as `replied`, `suppressed`; of a failed one the code of what is wrong.',
    }),
  ),
  step: nullable(Type.String({ description: 'Id of the step that it is at; null once it has ended.' })),
  next_at: nullable(timestamp),
  waits_for: nullable(oneOf(BRANCH_EVENTS)),
  variables,
  created_at: timestamp,
  updated_at: timestamp,
});
export type EnrollmentWire = Static<typeof enrollment>;

export const enrollmentQuery = createdQueryWith({ status: anyOf(ENROLLMENT_STATUSES) });
export const enrollmentList = listOf(enrollment);
export const enrollmentParams = Type.Object({
  ...idParams.properties,
  enrollment_id: Type.String(),
});

const count = Type.Integer();
export const sequenceAnalytics = Type.Object({
  object: Type.Literal('sequence_analytics'),
  sequence_id: Type.String(),
  entered: count,
  active: count,
  completed: count,
  exited: count,
  canceled: count,
  failed: count,
  exits: Type.Array(Type.Object({ reason: Type.String(), enrollments: count })),
  failures: Type.Array(Type.Object({ reason: Type.String(), enrollments: count })),
  steps: Type.Array(
    Type.Object({
      id: Type.String(),
      type: oneOf(['wait', 'send', 'branch', 'exit', 'removed']),
      active: Type.Integer({ description: 'Enrolments that are at this step.' }),
      queued: count,
      sent: count,
      delivered: count,
      opened: count,
      clicked: count,
      replied: count,
      bounced: count,
      complained: count,
      unsubscribed: count,
      failed: count,
      suppressed: count,
      machine_opened: count,
      machine_clicked: count,
    }),
  ),
});
export type SequenceAnalyticsWire = Static<typeof sequenceAnalytics>;

nameSchemas({
  Mailbox: shownMailbox.anyOf[0],
  SequenceManualTrigger: trigger.anyOf[0],
  SequenceContactCreatedTrigger: trigger.anyOf[1],
  SequenceContactTaggedTrigger: trigger.anyOf[2],
  SequenceListJoinedTrigger: trigger.anyOf[3],
  SequenceStepInput: givenStep,
  SequenceWaitInput: givenStep.anyOf[0],
  SequenceSendInput: givenStep.anyOf[1],
  SequenceBranchInput: givenStep.anyOf[2],
  SequenceExitInput: givenStep.anyOf[3],
  SequenceStep: shownStep,
  SequenceWait: shownStep.anyOf[0],
  SequenceSend: shownStep.anyOf[1],
  SequenceBranch: shownStep.anyOf[2],
  SequenceExit: shownStep.anyOf[3],
  SequenceGoal: goal,
  SequenceEventGoal: goal.anyOf[0],
  SequenceTagGoal: goal.anyOf[1],
  SequenceCreate: sequenceCreate,
  SequenceUpdate: sequenceUpdate,
  Sequence: sequence,
  SequenceProblem: sequence.properties.problem.anyOf[0],
  SequenceResendInDoubt: sequenceResend,
  SequenceRetryFailed: sequenceRetry,
  EnrollmentCreate: enrollmentCreate,
  Enrollment: enrollment,
  SequenceAnalytics: sequenceAnalytics,
  SequenceExitCount: sequenceAnalytics.properties.exits.items,
  SequenceFailureCount: sequenceAnalytics.properties.failures.items,
  SequenceStepAnalytics: sequenceAnalytics.properties.steps.items,
});
