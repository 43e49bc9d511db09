// Kills the server, or causes another failure, while transactional messages are accepted and delivered. Counts lost and
// duplicated messages, and checks that the trail flagged the duplicates.
import { setTimeout as pause } from 'node:timers/promises';
import { startMailRig, type MailRig } from './mail-rig.js';
import { startSmtpSink, type SmtpSink } from './smtp-sink.js';
import { waitFor } from './wait.js';

export interface KillRun {
  messages: number;
  clients: number;
  /** The program is killed, and started again, when so many have arrived. */
  killAt: readonly number[];
  /** A failure that replaces the kill. */
  misfortune?: (rig: MailRig) => Promise<void>;
  env?: Record<string, string>;
}

export interface KillResult {
  accepted: number;
  lost: string[];
  /** Arrived without having been accepted. */
  foreign: string[];
  doubles: number;
  /** Duplicates whose trail does not report them as in doubt. */
  unflagged: string[];
  mostCopies: number;
  /** Requests with a 503 response, and those of them without a retry time. */
  refused: number;
  withoutRetryAfter: number;
  /** Requests whose connection broke. */
  unanswered: number;
}

type Answers = Pick<KillResult, 'refused' | 'withoutRetryAfter' | 'unanswered'> & {
  ids: Map<string, string>;
};

/** After the last kill, the program continues in the test process. */
async function kill({ appliance }: MailRig, isLast: boolean): Promise<void> {
  await appliance.end('SIGKILL');
  await (isLast ? appliance.startHere() : appliance.start());
}

/** Sends, kills, restarts, waits until the queue is empty, and counts. */
export async function runWithKills(run: KillRun): Promise<KillResult> {
  let whenCounted: (() => void) | null = null;
  const sink = await startSmtpSink({ keep: true, onMessage: () => whenCounted?.() });
  const rig = await startMailRig({ mxPort: sink.port, ...(run.env === undefined ? {} : { env: run.env }) });
  try {
    const answers: Answers = { refused: 0, withoutRetryAfter: 0, unanswered: 0, ids: new Map() };
    const sending = Promise.all(
      Array.from({ length: run.clients }, (_, client) => sendShare(rig, run, client, answers)),
    );
    for (const [at, count] of run.killAt.entries()) {
      await new Promise<void>((resolve) => {
        whenCounted = () => {
          if (sink.messages.length >= count) resolve();
        };
        whenCounted();
      });
      await (run.misfortune ?? kill)(rig, at === run.killAt.length - 1);
    }
    await sending;
    await waitFor(
      'the queue to be empty',
      () => waitingIn(rig),
      (count) => count === 0,
      120_000,
    );
    return await countUp(rig, sink, answers);
  } finally {
    await rig.close();
    await sink.close();
  }
}

/** One client: sends its share, and repeats a request with the same key if the server ended before it responded. */
async function sendShare(rig: MailRig, run: KillRun, client: number, answers: Answers): Promise<void> {
  for (let number = client; number < run.messages; number += run.clients) {
    const key = String(number);
    const body = rig.draft(`r${key}`, { idempotency_key: key, headers: { 'X-Number': key } });
    for (;;) {
      const answer = await rig.appliance.api('POST', '/v1/messages', { body }).catch(() => null);
      if (answer?.status === 202) {
        answers.ids.set(key, (answer.json as { id: string }).id);
        break;
      }
      if (answer && answer.status !== 503) throw new Error(`${answer.status} ${answer.text}`);
      if (answer === null) answers.unanswered += 1;
      else answers.refused += 1;
      if (answer?.headers.has('retry-after') === false) answers.withoutRetryAfter += 1;
      await pause(50);
    }
  }
}

async function waitingIn(rig: MailRig): Promise<number> {
  const lists = await Promise.all(
    ['queued', 'sending', 'sent'].map((status) =>
      rig.appliance.api('GET', `/v1/messages?limit=1&status=${status}`),
    ),
  );
  return lists.reduce((sum, { json }) => sum + (json as { data: unknown[] }).data.length, 0);
}

async function countUp(rig: MailRig, sink: SmtpSink, { ids, ...answers }: Answers): Promise<KillResult> {
  const copies = new Map<string, number>();
  for (const { raw } of sink.messages) {
    const number = /^X-Number: (\d+)\r$/m.exec(raw.toString())?.[1] ?? 'none';
    copies.set(number, (copies.get(number) ?? 0) + 1);
  }
  const doubles = [...copies].filter(([, count]) => count > 1);
  const unflagged: string[] = [];
  for (const [number] of doubles) {
    const trail = await rig.trail(ids.get(number) ?? '');
    if (!trail.some(({ metadata }) => metadata['ambiguous'] === true)) unflagged.push(number);
  }
  return {
    ...answers,
    accepted: ids.size,
    lost: [...ids.keys()].filter((number) => !copies.has(number)),
    foreign: [...copies.keys()].filter((number) => !ids.has(number)),
    doubles: doubles.length,
    unflagged,
    mostCopies: Math.max(...copies.values()),
  };
}
