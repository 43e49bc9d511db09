// Several requests that enter in one transaction: all of them, or none.
import { invalidFields, Refusal } from '../../contract/refusal.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { IdempotencyRace } from './accept.store.js';
import type { Change } from '../../store/plan.js';
import type { Message } from '../messages.store.js';
import type { Scope } from '../../store/scope.js';
import type { Store } from '../../store/store.js';
import type { Accepted, Submission, SubmissionContext, TogetherRequest } from './accept.js';
import type { Facts, SenderSide } from './facts.js';
import { madeBefore, MAX_ROUNDS, type IdempotencyKey } from './idempotency.js';
import type { Draft, MessageRow } from './plan-message.js';

/** Requests whose facts are read at the same time. */
const PARALLEL = 50;

export interface Entering {
  scope: Scope;
  context: SubmissionContext;
  idempotency: IdempotencyKey | null;
}

/** What `submit` needs besides the draft. */
export interface Submitting extends Entering {
  side: SenderSide;
  now: number;
}

/** A request that is read, with what makes its draft. */
export interface Entered extends Entering {
  draft: (side: SenderSide, now: number) => Promise<Draft>;
}

export interface TogetherDeps {
  store: Pick<Store, 'messages'>;
  facts: Pick<Facts, 'senderSide'>;
  clock: Clock;
  read: (scope: Scope, request: TogetherRequest) => Promise<Entered>;
  replay: (scope: Scope, first: Message) => Promise<Accepted>;
  planOf: (draft: Draft, submitting: Submitting) => Promise<{ rows: MessageRow[]; plan: Change[] }>;
  keep: (plan: Change[]) => Promise<void>;
  answerOf: (draft: Draft, rows: readonly MessageRow[]) => Accepted;
}

/** A request that may be kept: its answer, and what keeps it; no changes where it was kept before. */
interface Ready {
  answer: Accepted;
  plan: Change[];
}

export function createTogether(deps: TogetherDeps): Submission['acceptTogether'] {
  const { store, facts, clock, read, replay, planOf, keep, answerOf } = deps;

  async function makeReady(scope: Scope, request: TogetherRequest): Promise<Ready> {
    const entered = await read(scope, request);
    const { idempotency } = entered;
    const first = idempotency === null ? null : await madeBefore(store.messages, entered.scope, idempotency);
    if (first !== null) return { answer: await replay(entered.scope, first), plan: [] };
    const now = clock();
    const side = await facts.senderSide(entered.scope);
    const draft = await entered.draft(side, now);
    const { rows, plan } = await planOf(draft, { ...entered, side, now });
    return { answer: answerOf(draft, rows), plan };
  }

  async function makeAllReady(scope: Scope, requests: readonly TogetherRequest[]): Promise<Ready[]> {
    const ready: Ready[] = [];
    const refused: { index: number; refusal: Refusal }[] = [];
    for (let i = 0; i < requests.length; i += PARALLEL) {
      const some = requests.slice(i, i + PARALLEL).map((request) => makeReady(scope, request));
      for (const [place, result] of (await Promise.allSettled(some)).entries()) {
        if (result.status === 'fulfilled') ready.push(result.value);
        else if (result.reason instanceof Refusal) refused.push({ index: i + place, refusal: result.reason });
        else throw result.reason;
      }
    }
    if (refused.length > 0) throw refusalOfAll(refused);
    return ready;
  }

  return async (scope, requests) => {
    refuseSameKeys(requests);
    for (let round = 1; ; round++) {
      const ready = await makeAllReady(scope, requests);
      const plan = ready.flatMap((one) => one.plan);
      try {
        if (plan.length > 0) await keep(plan);
        return ready.map(({ answer }) => answer);
      } catch (error) {
        // Another request was first with one of the keys: its message is the answer for it.
        if (!(error instanceof IdempotencyRace) || round >= MAX_ROUNDS) throw error;
      }
    }
  };
}

function refuseSameKeys(requests: readonly TogetherRequest[]): void {
  const places = new Map<string, number>();
  for (const [index, { request, context }] of requests.entries()) {
    const key = request.idempotency_key ?? context.idempotencyHeader;
    if (key === null) continue;
    const before = places.get(key);
    if (before !== undefined) {
      const message = `is that of messages.${before} too; give each message a key of its own`;
      throw invalidFields([{ path: `messages.${index}.idempotency_key`, message }]);
    }
    places.set(key, index);
  }
}

/** The refusal of the first one, with what is wrong with each. */
function refusalOfAll(refused: readonly { index: number; refusal: Refusal }[]): Refusal {
  const [{ index, refusal } = { index: 0, refusal: new Refusal('internal_error') }] = refused;
  const items = refused.map(({ index: at, refusal: one }) => ({
    index: at,
    code: one.code,
    message: one.message,
    ...(one.param === undefined ? {} : { param: one.param }),
    ...(one.details === undefined ? {} : { details: one.details }),
  }));
  const sentence = `Nothing was sent. messages.${index}: ${refusal.message}`;
  const param = `messages.${index}${refusal.param === undefined ? '' : `.${refusal.param}`}`;
  return new Refusal(refusal.code, sentence, { param, details: { items } });
}
