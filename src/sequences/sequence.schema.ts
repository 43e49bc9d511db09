// Schemas of /v1/sequences: triggers, steps and enrollments.
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
  sentence,
} from '../contract/schema.js';

const MAX_STEPS = 50;
const MAX_HOURS = 8760;

const mailbox = Type.Union(
  [Type.String(), closed({ email: Type.String(), name: Type.Optional(nullable(Type.String())) })],
  { description: 'An address, `Name <address>`, or `{email, name}`.' },
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
      "The event that enrolls contacts, each of them only once. With `manual`, contacts are only enrolled with `POST …/enroll`, which also works with every other trigger. A sub-tenant's sequence enrolls the sub-tenant's contacts; a workspace's sequence enrolls the workspace's own contacts.",
  },
);
named('SequenceTrigger', trigger);
export type SequenceTrigger = Static<typeof trigger>;

const hours = (description: string) => Type.Number({ minimum: 0, maximum: MAX_HOURS, description });
const variables = Type.Record(Type.String(), Type.Unknown());
const waitFields = {
  hours: hours(
    'Hours to wait. Fractions are allowed. Contacts who are already waiting keep their original time.',
  ),
};
const branchFields = {
  event: oneOf(BRANCH_EVENTS, {
    description:
      'The event to check for the last message the sequence sent to the contact. Only opens and clicks by people count.',
  }),
  within_hours: hours(
    'Time limit in hours, counted from arrival at this step. If the event does not occur in time, the contact continues with the next step.',
  ),
  next_step_id: Type.String({
    description:
      'The ID of the step to continue with if the event occurs in time. A loop must contain `wait` steps of at least one hour in total.',
  }),
};

const stepId = {
  id: Type.Optional(
    Type.String({
      description:
        'The step ID, with up to 40 lowercase letters, digits, `-` and `_`. Generated if omitted. It never changes.',
    }),
  ),
};
const givenStep = Type.Union([
  closed({ ...stepId, type: Type.Literal('wait'), ...waitFields }),
  closed({
    ...stepId,
    type: Type.Literal('send'),
    template: Type.String({
      description: 'The slug or ID of a template. The version that is current when the step runs is sent.',
    }),
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
  { description: 'An event that ends the enrollment with the reason `goal`.' },
);

const name = Type.String({ minLength: 1, maxLength: 200 });
const steps = Type.Array(givenStep, {
  minItems: 1,
  maxItems: MAX_STEPS,
  description:
    'The steps, in order. If you remove a step, contacts at that step continue with the following step when their original wait ends. A contact never gets two messages of the same sequence within an hour; the second is delayed.',
});
const exitOn = Type.Array(oneOf(EXIT_EVENTS), {
  maxItems: EXIT_EVENTS.length,
  description:
    'Events that end an enrollment. A bounce always does, unless a branch checks for `bounced` and the address is not suppressed. Unsubscribes and complaints always end marketing and sales sequences.',
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
  { examples: [{ name: 'Welcome series v2', exit_on: ['replied', 'unsubscribed'] }] },
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
      { code: Type.String(), message: sentence() },
      {
        description:
          "Why a paused sequence was paused automatically, for example `template_not_found`. Fix the cause and resume it. For an active sequence, `quota_exceeded` means that the plan's sending limit has been reached. It continues automatically when the plan allows more.",
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
    description: 'Messages that may or may not have arrived. Resend them with `resend-in-doubt`.',
  }),
  created_at: timestamp,
  updated_at: timestamp,
});
export type SequenceWire = Static<typeof sequence>;

export const sequenceResend = Type.Object({
  object: Type.Literal('resend_in_doubt'),
  sequence_id: Type.String(),
  messages: Type.Integer({ description: 'Number of messages queued again.' }),
});

export const sequenceRetry = Type.Object({
  object: Type.Literal('retry_failed'),
  sequence_id: Type.String(),
  enrollments: Type.Integer({ description: 'Number of enrollments that are active again.' }),
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
          "Template variables for this enrollment. They override the variables of the steps and the contact's fields.",
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
        'Why the enrollment ended: `goal`, `exit` (a step), `suppressed` or an event such as `replied`. For a failed enrollment, the error code.',
    }),
  ),
  step: nullable(
    Type.String({ description: 'The ID of the current step. `null` once the enrollment has ended.' }),
  ),
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
      active: Type.Integer({ description: 'Enrollments currently at this step.' }),
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
