// Causes failures of nodes while messages are accepted and delivered. Counts lost and duplicated messages, and checks that the
// trail flagged the duplicates.
import { setTimeout as pause } from 'node:timers/promises';
import type { Appliance } from './appliance.js';
import { receives, type NodeRig } from './mail-rig.js';
import type { SmtpSink } from './smtp-sink.js';
import { waitFor } from './wait.js';

export interface NodeRun {
  messages: number;
  clients: number;
  /** Recipients are at so many domains. */
  domains: number;
  /** Runs in parallel with the clients until all messages are accepted. */
  misfortune: (signal: AbortSignal) => Promise<void>;
}

export interface NodeRunResult {
  accepted: number;
  lost: string[];
  doubles: number;
  /** Duplicates whose trail does not report them as in doubt. */
  unflagged: string[];
  /** Requests with a 503 response, and those of them without a retry time. */
  refused: number;
  withoutRetryAfter: number;
}

/** Sends through all nodes, waits until the queue is empty, and counts the sink's mail. */
export async function runNodes(
  rig: NodeRig,
  { sink, nodes }: { sink: SmtpSink; nodes: readonly Appliance[] },
  run: NodeRun,
): Promise<NodeRunResult> {
  for (let i = 0; i < run.domains; i++) receives(rig.dns, `place-${i}.example`);
  const ids = new Map<string, string>();
  const counts = { refused: 0, withoutRetryAfter: 0 };

  /** Sends its share of the messages; a request without a response is repeated at the next node with the same key. */
  async function sendShare(client: number): Promise<void> {
    let at = client;
    for (let number = client; number < run.messages; number += run.clients) {
      const key = String(number);
      const to = `n${key}@place-${number % run.domains}.example`;
      while (!ids.has(key)) {
        const node = nodes[at % nodes.length];
        if (node === undefined) return;
        const body = rig.draft(to, { idempotency_key: key, headers: { 'X-Number': key } });
        const answer = await node.api('POST', '/v1/messages', { body }).catch(() => null);
        if (answer?.status === 202) {
          ids.set(key, (answer.json as { id: string }).id);
          break;
        }
        at += 1;
        if (answer !== null && answer.status !== 503) throw new Error(`${answer.status} ${answer.text}`);
        if (answer?.status === 503) {
          counts.refused += 1;
          if (!answer.headers.has('retry-after')) counts.withoutRetryAfter += 1;
        }
        await pause(50);
      }
    }
  }

  const done = new AbortController();
  const misfortune = run.misfortune(done.signal);
  await Promise.all(Array.from({ length: run.clients }, (_, client) => sendShare(client)));
  done.abort();
  await misfortune;
  await waitFor(
    'the queue to be empty',
    async () => Number((await rig.first.query('SELECT COUNT(*) AS n FROM queue'))[0]?.['n']),
    (waiting) => waiting === 0,
    180_000,
  );
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
    ...counts,
    accepted: ids.size,
    lost: [...ids.keys()].filter((number) => !copies.has(number)),
    doubles: doubles.length,
    unflagged,
  };
}
