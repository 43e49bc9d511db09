// The fields of a sequence in a request body, checked, as columns of its row: its list and templates must exist.
import type { SequenceCreate, SequenceTrigger, SequenceUpdate } from './sequence.schema.js';
import { invalidFields, Refusal, type FieldProblem } from '../contract/refusal.js';
import { variablesProblem } from '../lib/templating/template-values.js';
import { DEFAULT_EXITS } from './sequence.rules.js';
import { circleProblems } from './circles.rules.js';
import { placeSteps, stepProblems, type GivenStep, type SequenceStep } from './steps.rules.js';
import { newId } from '../lib/runtime/ids.js';
import type { Scope } from '../database/scope.js';
import type { SequenceStore } from './sequences.store.js';
import type { SequenceStores } from './stores.js';
import { readMailbox } from '../messages/accept/recipients.js';
import type { Sequence } from './sequences.tables.js';

export interface EditDeps {
  store: Pick<SequenceStores, 'templates'> & { sequences: SequenceStore };
  /** The least that a circle of steps must wait. */
  minIntervalMs: number;
}

export type NewSequence = Omit<Sequence, 'number'>;
export type SequenceColumns = Partial<Omit<Sequence, 'number' | 'id'>>;

/** JSON of one step's variables may not be larger. */
const MAX_VARIABLES = 16 * 1024;

/**
 * The row of a new sequence; `scope` is narrowed to its sub-tenant. Refused with `validation_error` or
 * `template_not_found`.
 */
export async function newSequence(
  deps: EditDeps,
  scope: Scope,
  body: SequenceCreate,
  now: number,
): Promise<NewSequence> {
  const { name, type = 'marketing', trigger, status = 'active', exit_on: exitOn, ...rest } = body;
  const { goal, from, reply_to, steps } = rest;
  const edits = definedOf({ goal, from, reply_to });
  const columns = await columnsOf(deps, { scope, type, before: [] }, { ...edits, trigger, steps });
  return {
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
}

function definedOf<T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** The columns that a change sets. Refused as a new one is. */
export function changedColumns(
  deps: EditDeps,
  scope: Scope,
  row: Sequence,
  body: SequenceUpdate,
): Promise<SequenceColumns> {
  const before = JSON.parse(row.steps) as SequenceStep[];
  const owner = { ...scope, subTenantId: row.sub_tenant_id };
  return columnsOf(deps, { scope: owner, type: row.type, before }, body);
}

interface Editing {
  scope: Scope;
  type: Sequence['type'];
  before: readonly SequenceStep[];
}

async function columnsOf(deps: EditDeps, editing: Editing, body: SequenceUpdate): Promise<SequenceColumns> {
  const problems: FieldProblem[] = [];
  const { name, trigger, steps, exit_on: exitOn, goal, from, reply_to: replyTo } = body;
  const columns: SequenceColumns = {};
  if (name !== undefined) columns.name = name;
  if (trigger !== undefined) Object.assign(columns, await triggerColumns(deps, editing.scope, trigger));
  if (steps !== undefined) columns.steps = await stepsColumn(deps, editing, steps.map(completed));
  if (exitOn !== undefined) columns.exit_on = JSON.stringify([...new Set(exitOn)]);
  if (goal !== undefined) columns.goal = goal === null ? null : JSON.stringify(goal);
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
  { store }: EditDeps,
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

function completed(step: NonNullable<SequenceUpdate['steps']>[number]): GivenStep {
  if (step.type !== 'send') return step;
  return { ...step, subject: step.subject ?? null, variables: step.variables ?? {} };
}

async function stepsColumn(
  deps: EditDeps,
  { scope, type, before }: Editing,
  steps: readonly GivenStep[],
): Promise<string> {
  const problems = [...stepProblems(steps), ...variableProblems(steps)];
  if (problems.length > 0) throw invalidFields(problems);
  const circles = circleProblems(steps, deps.minIntervalMs);
  if (circles.length > 0) throw invalidFields(circles);
  for (const [i, step] of steps.entries()) {
    if (step.type === 'send') await assertTemplate(deps, scope, { type, name: step.template, i });
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

/** Why variables cannot be kept; null when they can. */
export function sequenceVariablesProblem(variables: Readonly<Record<string, unknown>>): string | null {
  const bytes = Buffer.byteLength(JSON.stringify(variables));
  if (bytes > MAX_VARIABLES) return `must not exceed 16 KiB of JSON (currently ${bytes} bytes)`;
  return variablesProblem(variables);
}

async function assertTemplate(
  { store }: EditDeps,
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
