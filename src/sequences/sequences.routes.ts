// Routes of sequences: list, create, read, change, pause, resume, delete, and statistics.
import { readPrecondition } from '../http/server/preconditions.js';
import { deleted, idParams } from '../contract/schema.js';
import {
  sequence,
  sequenceAnalytics,
  sequenceCreate,
  sequenceList,
  sequenceQuery,
  sequenceResend,
  sequenceRetry,
  sequenceUpdate,
  type SequenceWire,
} from './sequence.schema.js';
import type { Scope } from '../database/scope.js';
import { changeSequence, createSequence, deleteSequence, pauseSequence, resumeSequence } from './edit.js';
import { retryFailed } from './enroll.js';
import type { Api } from '../http/api.js';
import { listAnswer, readPage } from '../http/lists/pages.js';
import { presentSequence, presentSequenceAnalytics } from './sequence.view.js';
import { scopeWithField } from '../tenants/scope.routes.js';
import { trailActor } from '../http/access/caller.js';
import { findSequence, sequenceEnrollmentRoutes, type SequenceRoutes } from './enrollments.routes.js';

const tags = ['Sequences'];

export function sequenceRoutes(app: Api, deps: SequenceRoutes): void {
  listRoute(app, deps);
  createRoute(app, deps);
  itemRoutes(app, deps);
  changeRoute(app, deps);
  switchRoutes(app, deps);
  resendRoute(app, deps);
  retryRoute(app, deps);
  sequenceEnrollmentRoutes(app, deps);
}

async function show(deps: SequenceRoutes, scope: Scope, id: string): Promise<SequenceWire> {
  const row = await findSequence(deps, scope, id);
  const inDoubt = await deps.store.messages.countInDoubt('sequence_id', [row.id]);
  return presentSequence(row, inDoubt.get(row.id) ?? 0);
}

function listRoute(app: Api, { store }: SequenceRoutes): void {
  app.get(
    '/v1/sequences',
    {
      schema: {
        operationId: 'sequences.list',
        tags,
        summary: 'List sequences',
        description: 'Returns the sequences of the environment, newest first.',
        querystring: sequenceQuery,
        response: { 200: sequenceList },
      },
    },
    async (request) => {
      const { q, status } = request.query;
      const filter = { ...(q === undefined ? {} : { q }), ...(status === undefined ? {} : { status }) };
      const page = readPage(request);
      const found = await store.sequences.sequences(request.caller.scope, page, filter);
      const inDoubt = await store.messages.countInDoubt(
        'sequence_id',
        found.rows.map(({ id }) => id),
      );
      return listAnswer(request, found, (row) => presentSequence(row, inDoubt.get(row.id) ?? 0));
    },
  );
}

function createRoute(app: Api, deps: SequenceRoutes): void {
  const { store } = deps;
  app.post(
    '/v1/sequences',
    {
      schema: {
        operationId: 'sequences.create',
        tags,
        summary: 'Create a sequence',
        description:
          'Creates a sequence and starts enrolling contacts immediately, unless you create it paused.',
        body: sequenceCreate,
        response: { 201: sequence },
      },
    },
    async (request, reply) => {
      const { body, caller } = request;
      const scope = await scopeWithField(store.tenants, caller.scope, body.sub_tenant_id);
      const id = await createSequence(deps, scope, body);
      return reply.status(201).send(await show(deps, scope, id));
    },
  );
}

function itemRoutes(app: Api, deps: SequenceRoutes): void {
  const { store } = deps;

  app.get(
    '/v1/sequences/:id',
    {
      config: { versioned: true },
      schema: {
        operationId: 'sequences.get',
        tags,
        summary: 'Retrieve a sequence',
        description: 'Returns a sequence with its trigger, steps and exit conditions.',
        params: idParams,
        response: { 200: sequence },
      },
    },
    async (request) => show(deps, request.caller.scope, request.params.id),
  );

  app.delete(
    '/v1/sequences/:id',
    {
      config: { versioned: true },
      schema: {
        operationId: 'sequences.delete',
        tags,
        summary: 'Delete a sequence',
        description:
          'Deletes a sequence. Contacts do not reach any further steps. Messages already created are not deleted.',
        params: idParams,
        response: { 200: deleted('sequence') },
      },
    },
    async (request) => {
      const row = await findSequence(deps, request.caller.scope, request.params.id);
      await deleteSequence(deps, row, readPrecondition(request, row));
      return { id: row.id, object: 'sequence' as const, deleted: true as const };
    },
  );

  app.get(
    '/v1/sequences/:id/analytics',
    {
      schema: {
        operationId: 'sequences.getAnalytics',
        tags,
        summary: "Retrieve a sequence's statistics",
        description: 'Returns the results of the enrollments and of the messages of each step.',
        params: idParams,
        response: { 200: sequenceAnalytics },
      },
    },
    async (request) => {
      const row = await findSequence(deps, request.caller.scope, request.params.id);
      const [counts, stats] = await Promise.all([
        store.sequences.countEnrollments(row.number),
        store.sequences.statsOf(row.id),
      ]);
      return presentSequenceAnalytics(row, counts, stats);
    },
  );
}

function changeRoute(app: Api, deps: SequenceRoutes): void {
  app.patch(
    '/v1/sequences/:id',
    {
      config: { versioned: true },
      schema: {
        operationId: 'sequences.update',
        tags,
        summary: 'Update a sequence',
        description:
          'Changes a sequence in any status. `steps` is replaced as a whole, and contacts stay at the step with the same ID.',
        params: idParams,
        body: sequenceUpdate,
        response: { 200: sequence },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const row = await findSequence(deps, scope, request.params.id);
      const guard = readPrecondition(request, row);
      await changeSequence(deps, scope, row, { body: request.body, guard });
      return show(deps, scope, row.id);
    },
  );
}

const SWITCHES = [
  {
    path: 'pause',
    operationId: 'sequences.pause',
    summary: 'Pause a sequence',
    description: 'Stops all steps and new enrollments. Messages that are already queued are still sent.',
    act: pauseSequence,
  },
  {
    path: 'resume',
    operationId: 'sequences.resume',
    summary: 'Resume a sequence',
    description:
      'Resumes a paused sequence. Contacts whose next step became due in the meantime continue immediately.',
    act: resumeSequence,
  },
] as const;

function switchRoutes(app: Api, deps: SequenceRoutes): void {
  for (const { path, operationId, summary, description, act } of SWITCHES) {
    app.post(
      `/v1/sequences/:id/${path}`,
      { schema: { operationId, tags, summary, description, params: idParams, response: { 200: sequence } } },
      async (request) => {
        const { scope } = request.caller;
        const row = await findSequence(deps, scope, request.params.id);
        await act(deps, row);
        deps.notifySequences();
        return show(deps, scope, row.id);
      },
    );
  }
}

function resendRoute(app: Api, deps: SequenceRoutes): void {
  app.post(
    '/v1/sequences/:id/resend-in-doubt',
    {
      schema: {
        operationId: 'sequences.resendInDoubt',
        tags,
        summary: "Resend a sequence's messages in doubt",
        description:
          'Retries messages that may or may not have arrived, as `POST /v1/campaigns/{id}/resend-in-doubt` does for campaigns. Enrollments stay at their current step.',
        params: idParams,
        response: { 200: sequenceResend },
      },
    },
    async (request) => {
      const { scope } = request.caller;
      const { id } = await findSequence(deps, scope, request.params.id);
      const messages = await deps.resendInDoubt(scope, { sequenceId: id }, trailActor(request.caller));
      return { object: 'resend_in_doubt' as const, sequence_id: id, messages };
    },
  );
}

function retryRoute(app: Api, deps: SequenceRoutes): void {
  app.post(
    '/v1/sequences/:id/retry-failed',
    {
      schema: {
        operationId: 'sequences.retryFailed',
        tags,
        summary: "Retry a sequence's failed enrollments",
        description:
          'Continues each failed enrollment at the step where it failed, once the sequence is active. Contacts who have been enrolled again since are skipped.',
        params: idParams,
        response: { 200: sequenceRetry },
      },
    },
    async (request) => {
      const row = await findSequence(deps, request.caller.scope, request.params.id);
      const retried = await retryFailed(deps, row);
      deps.notifySequences();
      return { object: 'retry_failed' as const, sequence_id: row.id, enrollments: retried };
    },
  );
}
