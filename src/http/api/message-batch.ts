// A batch of messages: every item is checked and accepted by itself, and has its own result.
import { setImmediate } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { Compile } from 'typebox/compile';
import { createMessage, type MessageObject } from '../../contract/message.js';
import type { ErrorBody } from '../../contract/error-body.js';
import { invalidFields, Refusal } from '../../contract/refusal.js';
import type { Submission } from '../../work/submission/accept.js';
import { nullRemover } from './absent-nulls.js';
import { errorBodyOf, refusalOf } from './errors.js';
import { createRefuseInFull } from './message-problems.js';
import { presentAccepted } from './present/message.js';
import { submitterOf } from './trail-actor.js';
import { createProblemFinder } from './validation.js';

/** Items that run together: enough to fill a group commit, few enough to let others have their turn. */
const PARALLEL = 100;
/** Leaves room for the place of each message. */
const MAX_BATCH_KEY = 245;

export interface BatchDeps {
  submission: Pick<Submission, 'accept'>;
  maxItems: number;
}

type ItemAnswer = MessageObject | ErrorBody;
/** `key`: of the batch as a whole; null without one. */
type BatchAnswerer = (
  items: readonly unknown[],
  request: FastifyRequest,
  key: string | null,
) => Promise<ItemAnswer[]>;

/** Answers in the order of the items. Refused as a whole only when there are too many. */
export function createBatchAnswerer({ submission, maxItems }: BatchDeps): BatchAnswerer {
  const validator = Compile(createMessage);
  const problemsOf = createProblemFinder(createMessage);
  const removeNulls = nullRemover(createMessage);
  const refuseInFull = createRefuseInFull(submission);

  async function answerItem(item: unknown, request: FastifyRequest, key: string | null): Promise<ItemAnswer> {
    const { scope } = request.caller;
    try {
      removeNulls(item);
      if (!validator.Check(item)) return await refuseInFull(item, problemsOf(item), request);
      const idempotencyHeader = item.idempotency_key === undefined ? key : null;
      const accepted = await submission.accept(scope, item, {
        ...submitterOf(request.caller),
        idempotencyHeader,
      });
      return presentAccepted(accepted, scope.mode);
    } catch (error) {
      const refusal = refusalOf(error);
      // The other items are kept already: a fault of one must not hide them from the caller.
      if (!refusal) request.log.error({ err: error }, 'batch item failed');
      return errorBodyOf(refusal ?? new Refusal('internal_error'), request.id);
    }
  }

  return async (items, request, key) => {
    if (items.length > maxItems) {
      const problem = `has ${items.length} messages; ${maxItems} are allowed`;
      throw invalidFields([{ path: 'messages', message: problem }]);
    }
    if (key !== null && key.length > MAX_BATCH_KEY) {
      const message = `must be 1 to ${MAX_BATCH_KEY} characters for a batch, whose messages get keys that begin with it`;
      throw invalidFields([{ path: 'Idempotency-Key', message }]);
    }
    const answers: ItemAnswer[] = [];
    for (let i = 0; i < items.length; i += PARALLEL) {
      const chunk = items.slice(i, i + PARALLEL);
      const keyOf = (place: number): string | null => (key === null ? null : `${key}/${i + place}`);
      answers.push(
        ...(await Promise.all(chunk.map((item, place) => answerItem(item, request, keyOf(place))))),
      );
      // Refusals wait for nothing: without this a batch of them would hold everybody else until its end.
      await setImmediate();
    }
    return answers;
  };
}
