// Refuses a message that its schema refuses, with all its other problems.
import type { FastifyRequest } from 'fastify';
import { createMessage, type MessageRequest } from './message.schema.js';
import { invalidFields, type FieldProblem } from '../contract/refusal.js';
import type { Submission } from './accept/accept.js';
import { submittedBy } from './submitted-by.routes.js';
import { schemaCheck } from '../http/body/validation.js';

/** Replaces an invalid recipient. */
const SOMEBODY = 'somebody@example.com';

type RefuseInFull = (body: unknown, problems: FieldProblem[], request: FastifyRequest) => Promise<never>;

/**
 * Always throws: the given `problems`, and the problems of the other fields, which are checked as if the request came without the
 * invalid fields.
 */
export function createRefuseInFull(submission: Pick<Submission, 'accept'>): RefuseInFull {
  return async (body, problems, request) => {
    const sound = soundPart(body, problems);
    if (sound === null) throw invalidFields(problems);
    await submission.accept(request.caller.scope, sound, {
      ...submittedBy(request),
      idempotencyHeader: null,
      problems,
    });
    throw invalidFields(problems);
  };
}

/** The body without the fields at fault; null where more is wrong than `problems` names. */
export function soundPart(body: unknown, problems: readonly FieldProblem[]): MessageRequest | null {
  const sound = withoutFields(body, problems);
  const isSound =
    sound !== null &&
    schemaCheck(createMessage)
      .validator()
      .Check({ to: SOMEBODY, ...sound });
  return isSound ? (sound as MessageRequest) : null;
}

/** Returns `null` if the value is not an object. */
function withoutFields(body: unknown, problems: readonly FieldProblem[]): Record<string, unknown> | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null;
  const heads = new Set(problems.map(({ path }) => path.split('.', 1)[0]));
  return Object.fromEntries(Object.entries(body).filter(([name]) => !heads.has(name)));
}
