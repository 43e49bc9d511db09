// Creates, changes, pauses, resumes and deletes sequences. Their lists and templates must exist.
import type { SequenceContext } from './context.js';
import type { SequenceCreate, SequenceTrigger, SequenceUpdate } from './sequence.schema.js';
import { invalidFields, Refusal, type FieldProblem } from '../contract/refusal.js';
import { variablesProblem } from '../lib/templating/index.js';
import { DEFAULT_EXITS, type Goal } from './sequence.rules.js';
import {
  circleProblems,
  placeSteps,
  stepProblems,
  type GivenStep,
  type SequenceStep,
} from './steps.rules.js';
import { newId } from '../lib/runtime/index.js';
import type { Change } from '../database/change.js';
import type { Scope } from '../database/scope.js';
import { readMailbox } from '../messages/accept/recipients.js';
import { type Sequence, sequences } from './sequences.tables.js';
import { changeTime } from '../contract/time.js';
import { type ChangeGuard, insert, update } from '../database/rows.js';
import type { SequenceStores } from './stores.js';

type SequenceColumns = Partial<Omit<Sequence, 'number' | 'id'>>;

/** Limit for the JSON of one step's variables. */
const MAX_VARIABLES = 16 * 1024;

/** The part of the context that the checks of a sequence use. */
type SequencePlanning = Pick<SequenceContext, 'clock'> & {
  store: Pick<SequenceStores, 'sequences' | 'templates'>;
  config: Pick<SequenceContext['config'], 'sequenceMinIntervalMs'>;
};

/** Creates a sequence and returns its ID. Refused as `planSequence` is. */
export async function createSequence(
  context: SequenceContext,
  scope: Scope,
  body: SequenceCreate,
): Promise<string> {
  const { id, change } = await planSequence(context, scope, body);
  await context.store.commit([change]);
  return id;
}

/**
 * Plans a new sequence; `scope` is narrowed to its sub-tenant. Refused with `validation_error`, `list_not_found` or
 * `template_not_found`.
 */
export async function planSequence(
  context: SequencePlanning,
  scope: Scope,
  body: SequenceCreate,
): Promise<{ id: string; change: Change }> {
  const now = context.clock();
  const { name, type = 'marketing', trigger, steps, status = 'active', exit_on: exitOn } = body;
  const { goal, from, reply_to } = body;
  const edits = definedOf({ goal, from, reply_to });
  const columns = await columnsOf(context, { scope, type, before: [] }, { ...edits, trigger, steps });
  const row: Omit<Sequence, 'number'> = {
    id: newId('seq', now),
    environment_id: scope.environmentId,
    sub_tenant_id: scope.subTenantId,
    name,
    type,
    trigger_kind: 'manual',
    trigger_value: '',
    steps: '[]',
    exit_on: JSON.stringify(exitOn === undefined ? DEFAULT_EXITS : [...new Set(exitOn)]),
    goal: null,
    from_email: null,
    from_name: null,
    reply_to_email: null,
    reply_to_name: null,
    status,
    problem: null,
    ...columns,
    created_at: now,
    updated_at: now,
    deleted_at: null,
  };
  return { id: row.id, change: insert(sequences, { row }) };
}

function definedOf<T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** Changes the given fields. Refused as a new sequence is, and with `conflict` if another change came first. */
export async function changeSequence(
  context: SequenceContext,
  scope: Scope,
  row: Sequence,
  { body, guard }: { body: SequenceUpdate; guard: ChangeGuard },
): Promise<void> {
  const before = JSON.parse(row.steps) as SequenceStep[];
  const owner = { ...scope, subTenantId: row.sub_tenant_id };
  const set = await columnsOf(context, { scope: owner, type: row.type, before }, body);
  await context.store.commit([
    update(sequences, {
      set: { ...set, updated_at: changeTime(row, context.clock()) },
      where: { number: row.number, steps: row.steps, updated_at: row.updated_at, deleted_at: null },
      otherwise: guard.otherwise ?? {
        code: 'conflict',
        message: 'The sequence was changed by another request. Try again.',
      },
    }),
  ]);
}

/** Changes nothing if the sequence is paused already. */
export async function pauseSequence(context: SequenceContext, sequence: Sequence): Promise<void> {
  await switchSequence(context, sequence, { from: 'active', to: 'paused' });
}

/** Changes nothing if the sequence is active already. */
export async function resumeSequence(context: SequenceContext, sequence: Sequence): Promise<void> {
  await switchSequence(context, sequence, { from: 'paused', to: 'active' });
}

async function switchSequence(
  { store, clock }: SequenceContext,
  { number }: Sequence,
  { from, to }: { from: Sequence['status']; to: Sequence['status'] },
): Promise<void> {
  await store.commit([
    update(sequences, {
      // Resuming checks again whether the problem that paused the sequence is solved.
      set: { status: to, problem: null, updated_at: clock() },
      where: { number, status: from, deleted_at: null },
    }),
  ]);
}

export async function deleteSequence(
  { store, clock }: SequenceContext,
  { number }: Sequence,
  guard: ChangeGuard,
): Promise<void> {
  const now = clock();
  await store.commit([
    update(sequences, {
      set: { status: 'paused', deleted_at: now, updated_at: now },
      where: { number, deleted_at: null, ...guard.where },
      otherwise: guard.otherwise ?? { code: 'not_found' },
    }),
  ]);
}

interface Editing {
  scope: Scope;
  type: Sequence['type'];
  before: readonly SequenceStep[];
}

async function columnsOf(
  context: SequencePlanning,
  editing: Editing,
  body: SequenceUpdate,
): Promise<SequenceColumns> {
  const problems: FieldProblem[] = [];
  const { name, trigger, steps, exit_on: exitOn, goal, from, reply_to: replyTo } = body;
  const columns: SequenceColumns = {};
  if (name !== undefined) columns.name = name;
  if (trigger !== undefined) Object.assign(columns, await triggerColumns(context, editing.scope, trigger));
  if (steps !== undefined) columns.steps = await stepsColumn(context, editing, steps.map(readStep));
  if (exitOn !== undefined) columns.exit_on = JSON.stringify([...new Set(exitOn)]);
  if (goal !== undefined) columns.goal = goal === null ? null : JSON.stringify(readGoal(goal));
  if (from !== undefined) {
    const mailbox = from === null ? null : readMailbox(from, 'from', problems);
    columns.from_email = mailbox?.email ?? null;
    columns.from_name = mailbox?.name ?? null;
  }
  if (replyTo !== undefined) {
    const mailbox = replyTo === null ? null : readMailbox(replyTo, 'reply_to', problems);
    columns.reply_to_email = mailbox?.email ?? null;
    columns.reply_to_name = mailbox?.name ?? null;
  }
  if (problems.length > 0) throw invalidFields(problems);
  return columns;
}

async function triggerColumns(
  { store }: SequencePlanning,
  scope: Scope,
  trigger: SequenceTrigger,
): Promise<Pick<Sequence, 'trigger_kind' | 'trigger_value'>> {
  const { type } = trigger;
  if (type === 'contact_tagged') return { trigger_kind: type, trigger_value: trigger.tag };
  if (type !== 'list_joined') return { trigger_kind: type, trigger_value: '' };
  if (!(await store.sequences.joinableList(scope, trigger.list_id))) {
    const message = 'The list does not exist, or it is a segment, which contacts cannot join.';
    throw new Refusal('list_not_found', message, { param: 'trigger.list_id' });
  }
  return { trigger_kind: type, trigger_value: trigger.list_id };
}

function readGoal(goal: NonNullable<SequenceUpdate['goal']>): Goal {
  return goal.event === 'contact_tagged' ? { event: goal.event, tag: goal.tag } : { event: goal.event };
}

function readStep(step: NonNullable<SequenceUpdate['steps']>[number]): GivenStep {
  const { id, type } = step;
  switch (type) {
    case 'wait':
      return { id, type, hours: step.hours };
    case 'send': {
      const { template, subject = null, variables = {} } = step;
      return { id, type, template, subject, variables };
    }
    case 'branch': {
      const { event, within_hours, next_step_id } = step;
      return { id, type, event, within_hours, next_step_id };
    }
    case 'exit':
      return { id, type };
  }
}

async function stepsColumn(
  context: SequencePlanning,
  { scope, type, before }: Editing,
  steps: readonly GivenStep[],
): Promise<string> {
  const problems = [...stepProblems(steps), ...variableProblems(steps)];
  if (problems.length > 0) throw invalidFields(problems);
  const circles = circleProblems(steps, context.config.sequenceMinIntervalMs);
  if (circles.length > 0) throw invalidFields(circles);
  for (const [i, step] of steps.entries()) {
    if (step.type === 'send') await assertTemplate(context, scope, { type, name: step.template, i });
  }
  return JSON.stringify(placeSteps(steps, before));
}

function variableProblems(steps: readonly GivenStep[]): FieldProblem[] {
  return steps.flatMap((step, i) => {
    if (step.type !== 'send') return [];
    const message = sequenceVariablesProblem(step.variables);
    return message === null ? [] : [{ path: `steps.${i}.variables`, message }];
  });
}

/** Returns why variables cannot be stored, or `null`. */
export function sequenceVariablesProblem(variables: Readonly<Record<string, unknown>>): string | null {
  const bytes = Buffer.byteLength(JSON.stringify(variables));
  if (bytes > MAX_VARIABLES) return `must not exceed 16 KiB of JSON (currently ${bytes} bytes)`;
  return variablesProblem(variables);
}

async function assertTemplate(
  { store }: SequencePlanning,
  scope: Scope,
  { type, name, i }: { type: Sequence['type']; name: string; i: number },
): Promise<void> {
  const path = `steps.${i}.template`;
  const byId = name.startsWith('tpl_') ? await store.templates.template(scope, name) : null;
  const template = byId ?? (await store.templates.templateBySlug(scope, name));
  if (!template)
    throw new Refusal('template_not_found', `The template ${name} does not exist.`, { param: path });
  if (template.type !== 'any' && template.type !== type) {
    throw invalidFields([{ path, message: `the template is for ${template.type} messages` }]);
  }
}
