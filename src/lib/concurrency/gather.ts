// Questions that are asked at about the same time, answered together.
import { AsyncResource } from 'node:async_hooks';

/** Questions of one round. */
const MOST = 64;
/** A round that takes longer (ms) is not waited for by the next: one slow answer does not hold everybody. */
const SLOW_MS = 50;

interface Waiting<Question, Answer> {
  question: Question;
  resolve: (answer: Promise<Answer> | undefined) => void;
}

/**
 * Questions of one turn of the event loop are one round, and so are those that come while a round is under way: a burst has few
 * rounds. A round of more than `slowMs` is not waited for. A round begins after its last question was asked, so nobody gets an
 * answer that was old by then. `answer` returns a promise for each question, in their order; one that rejects does so for its
 * question alone.
 */
export function gather<Question, Answer>(
  answer: (questions: readonly Question[]) => readonly Promise<Answer>[],
  slowMs = SLOW_MS,
): (question: Question) => Promise<Answer> {
  let waiting: Waiting<Question, Answer>[] = [];
  let isRunning = false;

  // Work for several requests is in the scope of none of them.
  const runRounds = AsyncResource.bind(async (): Promise<void> => {
    while (waiting.length > 0) {
      const round = waiting.slice(0, MOST);
      waiting = waiting.slice(MOST);
      const answers = answer(round.map(({ question }) => question));
      for (const [i, { resolve }] of round.entries()) resolve(answers[i]);
      await settledOr(answers, slowMs);
    }
    isRunning = false;
  });

  return (question) =>
    new Promise((resolve) => {
      waiting.push({ question, resolve: resolve as Waiting<Question, Answer>['resolve'] });
      if (isRunning) return;
      isRunning = true;
      setImmediate(() => void runRounds());
    });
}

/** Resolves when all have settled, or after `ms`. */
async function settledOr(answers: readonly Promise<unknown>[], ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([Promise.allSettled(answers), late]);
  clearTimeout(timer);
}
