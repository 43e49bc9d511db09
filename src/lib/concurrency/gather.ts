// Gathers questions that are asked at about the same time and answers them together.
import { AsyncResource } from 'node:async_hooks';

/** Maximum questions per round. */
const MOST = 64;
/** The next round does not wait longer (ms) than this, so that one slow answer does not delay the others. */
const SLOW_MS = 50;

interface Waiting<Question, Answer> {
  question: Question;
  resolve: (answer: Promise<Answer> | undefined) => void;
}

/**
 * Gathers the questions of one turn of the event loop, and those asked during a round, into the next round,
 * so a burst takes few rounds. The next round waits at most `slowMs`. A round begins after its last question
 * was asked, so no answer is stale. `answer` returns a promise per question, in order; a rejection only
 * affects its question.
 */
export function gather<Question, Answer>(
  answer: (questions: readonly Question[]) => readonly Promise<Answer>[],
  slowMs = SLOW_MS,
): (question: Question) => Promise<Answer> {
  let waiting: Waiting<Question, Answer>[] = [];
  let isRunning = false;

  // Work for several requests belongs to the scope of none.
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
