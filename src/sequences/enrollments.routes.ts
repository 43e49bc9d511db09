// Routes of enrollments: enroll a contact, list, cancel.
import type { SequenceContext } from './context.js';
import { idParams } from '../contract/schema.js';
import { invalidFields, Refusal } from '../contract/refusal.js';
import {
  enrollment,
  enrollmentCreate,
  enrollmentList,
  enrollmentParams,
  enrollmentQuery,
  type EnrollmentWire,
} from './sequence.schema.js';
import type { Scope } from '../database/scope.js';
import { sequenceVariablesProblem } from './edit.js';
import { cancelEnrollment, enroll } from './enroll.js';
import type { ResendDoubtful } from '../messages/accept/resend-in-doubt.js';
import { readAddress } from '../http/body/fields.js';
import type { Api } from '../http/api.js';
import { listAnswer, readPage } from '../http/lists/pages.js';
import { presentEnrollment } from './sequence.view.js';
import type { Contact } from '../contacts/contacts.tables.js';
import type { Sequence } from './sequences.tables.js';

export interface SequenceRoutes extends SequenceContext {
  resendInDoubt: ResendDoubtful;
  /** Starts the next run now. */
  notifySequences: () => void;
}

const tags = ['Sequences'];

export function sequenceEnrollmentRoutes(app: Api, deps: SequenceRoutes): void {
  enrollRoute(app, deps);
  listRoute(app, deps);
  cancelRoute(app, deps);
}

export async function findSequence(
  { store }: Pick<SequenceRoutes, 'store'>,
  scope: Scope,
  id: string,
): Promise<Sequence> {
  const found = await store.sequences.sequence(scope, id);
  if (!found) throw new Refusal('not_found');
  return found;
}

function enrollRoute(app: Api, deps: SequenceRoutes): void {
  app.post(
    '/v1/sequences/:id/enroll',
    {
      schema: {
        operationId: 'sequences.enroll',
        tags,
        summary: 'Enroll a contact',
        description:
          'Enrolls a contact in a sequence, whatever its trigger. A contact who has been through the sequence can be enrolled again; an active enrollment fails with `already_enrolled`. In a paused sequence, the enrollment begins when the sequence is resumed.',
        params: idParams,
        body: enrollmentCreate,
        response: { 201: enrollment },
      },
    },
    async (request, reply) => {
      const { variables = {}, email, contact_id } = request.body;
      const problem = sequenceVariablesProblem(variables);
      if (problem !== null) throw invalidFields([{ path: 'variables', message: problem }]);
      const { scope } = request.caller;
      const sequence = await findSequence(deps, scope, request.params.id);
      const contact = await findContact(
        deps,
        { ...scope, subTenantId: sequence.sub_tenant_id },
        { email, contact_id },
      );
      const id = await enroll(deps, scope, sequence, { contact, variables, now: deps.clock() });
      deps.notifySequences();
      return reply.status(201).send(await show(deps, sequence, id));
    },
  );
}

/** Reads a contact of exactly the sequence's scope. */
async function findContact(
  { store }: SequenceRoutes,
  scope: Scope,
  { email, contact_id: id }: { email: string | undefined; contact_id: string | undefined },
): Promise<Contact> {
  if ((email === undefined) === (id === undefined)) {
    throw invalidFields([{ path: 'email', message: 'specify either `email` or `contact_id`' }]);
  }
  const found =
    id === undefined
      ? await store.contacts.contactByAddress(scope, readAddress('email', email ?? '').key)
      : await store.contacts.contact(scope, id);
  if (found && found.sub_tenant_id === scope.subTenantId) return found;
  const param = id === undefined ? 'email' : 'contact_id';
  throw new Refusal(
    'recipient_not_a_contact',
    'The contact does not exist. Only existing contacts can be enrolled.',
    {
      param,
    },
  );
}

function listRoute(app: Api, deps: SequenceRoutes): void {
  app.get(
    '/v1/sequences/:id/enrollments',
    {
      schema: {
        operationId: 'sequences.listEnrollments',
        tags,
        summary: "List a sequence's enrollments",
        description:
          'Returns the enrollments of a sequence, newest first. If you filter by `status`, a page may have fewer than `limit` items while `has_more` is `true`.',
        params: idParams,
        querystring: enrollmentQuery,
        response: { 200: enrollmentList },
      },
    },
    async (request) => {
      const { id, number } = await findSequence(deps, request.caller.scope, request.params.id);
      const { status } = request.query;
      const filter = status === undefined ? {} : { status };
      const page = readPage(request);
      const found = await deps.store.sequences.enrollments(number, page, filter);
      return listAnswer(request, found, (row) => presentEnrollment(row, id));
    },
  );
}

function cancelRoute(app: Api, deps: SequenceRoutes): void {
  app.post(
    '/v1/sequences/:id/enrollments/:enrollment_id/cancel',
    {
      schema: {
        operationId: 'sequences.cancelEnrollment',
        tags,
        summary: 'Cancel an enrollment',
        description: 'Ends an enrollment. Messages that are already queued are still sent.',
        params: enrollmentParams,
        response: { 200: enrollment },
      },
    },
    async (request) => {
      const sequence = await findSequence(deps, request.caller.scope, request.params.id);
      await cancelEnrollment(deps, sequence, request.params.enrollment_id);
      return show(deps, sequence, request.params.enrollment_id);
    },
  );
}

async function show({ store }: SequenceRoutes, sequence: Sequence, id: string): Promise<EnrollmentWire> {
  const row = await store.sequences.enrollment(sequence.number, id);
  if (!row) throw new Refusal('not_found');
  return presentEnrollment(row, sequence.id);
}
