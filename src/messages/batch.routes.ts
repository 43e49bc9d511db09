// Sends a batch of messages. Each item is checked and accepted separately and has its own result, or, if the batch is atomic, all
// are accepted or none.
import { setImmediate } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { createMessage, type MessageObject } from './message.schema.js';
import type { ErrorBody } from '../contract/error-body.js';
import { invalidFields, Refusal, type FieldProblem } from '../contract/refusal.js';
import type { Submission, TogetherRequest } from './accept/accept.js';
import { buildErrorBody, toRefusal } from '../http/errors.js';
import { createRefuseInFull, soundPart } from './problems.routes.js';
import { answerAccepted, submittedBy } from './submitted-by.routes.js';
import { schemaCheck } from '../http/body/validation.js';

/** Items that run together: enough to fill a group commit, few enough to let others have their turn. */
const PARALLEL = 100;
/** Leaves space for the index of each message. */
const MAX_BATCH_KEY = 245;

type ItemAnswer = MessageObject | ErrorBody;
interface BatchEntry {
  request: FastifyRequest;
  /** Idempotency key of the whole batch, or `null`. */
  key: string | null;
  /** All or nothing. */
  atomic: boolean;
}
type BatchAnswerer = (items: readonly unknown[], wish: BatchEntry) => Promise<ItemAnswer[]>;

/** Answers in the order of the items. Refused as a whole only when there are too many. */
export function createBatchAnswerer(
  submission: Pick<Submission, 'accept' | 'acceptTogether'>,
  maxItems: number,
): BatchAnswerer {
  const { validator, problemsOf, removeAbsent } = schemaCheck(createMessage);
  const refuseInFull = createRefuseInFull(submission);

  async function answerItem(item: unknown, request: FastifyRequest, key: string | null): Promise<ItemAnswer> {
    const { scope } = request.caller;
    try {
      removeAbsent(item, { isEmptyAbsent: true });
      if (!validator().Check(item)) return await refuseInFull(item, problemsOf(item), request);
      const idempotencyHeader = item.idempotency_key === undefined ? key : null;
      const accepted = await submission.accept(scope, item, {
        ...submittedBy(request),
        idempotencyHeader,
      });
      return answerAccepted(request, accepted);
    } catch (error) {
      const refusal = toRefusal(error);
      // The other items are kept already: a fault of one must not hide them from the caller.
      if (!refusal) request.log.error({ err: error }, 'batch item failed');
      return buildErrorBody(refusal ?? new Refusal('internal_error'), request.id);
    }
  }

  /** An item that the schema refuses is read without its invalid fields, so that its refusal lists all problems. */
  async function answerTogether(
    items: readonly unknown[],
    request: FastifyRequest,
    keyOf: (place: number) => string | null,
  ): Promise<ItemAnswer[]> {
    const { scope } = request.caller;
    const submitter = submittedBy(request);
    const requests = items.map((item, place): TogetherRequest => {
      removeAbsent(item, { isEmptyAbsent: true });
      if (!validator().Check(item)) {
        const problems = problemsOf(item);
        const sound = soundPart(item, problems);
        if (sound === null)
          throw invalidFields(problems.map((problem) => below(`messages.${place}`, problem)));
        return { request: sound, context: { ...submitter, idempotencyHeader: null, problems } };
      }
      const idempotencyHeader = item.idempotency_key === undefined ? keyOf(place) : null;
      return { request: item, context: { ...submitter, idempotencyHeader } };
    });
    const accepted = await submission.acceptTogether(scope, requests);
    return accepted.map((one) => answerAccepted(request, one));
  }

  return async (items, { request, key, atomic }) => {
    if (items.length > maxItems) {
      const problem = `has ${items.length} messages, but the limit is ${maxItems}`;
      throw invalidFields([{ path: 'messages', message: problem }]);
    }
    if (key !== null && key.length > MAX_BATCH_KEY) {
      const message = `must be 1 to ${MAX_BATCH_KEY} characters for a batch, because each message gets a key derived from it`;
      throw invalidFields([{ path: 'Idempotency-Key', message }]);
    }
    const headerOf = (place: number): string | null => (key === null ? null : `${key}/${place}`);
    if (atomic) return answerTogether(items, request, headerOf);
    const answers: ItemAnswer[] = [];
    for (let i = 0; i < items.length; i += PARALLEL) {
      const chunk = items.slice(i, i + PARALLEL);
      answers.push(
        ...(await Promise.all(chunk.map((item, place) => answerItem(item, request, headerOf(i + place))))),
      );
      // Refusals never wait, so a batch of them would block other requests until its end.
      await setImmediate();
    }
    return answers;
  };
}

function below(parent: string, { path, message }: FieldProblem): FieldProblem {
  return { path: path === '' ? parent : `${parent}.${path}`, message };
}
