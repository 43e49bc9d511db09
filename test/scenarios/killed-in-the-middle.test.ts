// SIGKILL while 500 transactional messages are accepted and delivered: none is lost; doubles only where the trail says that
// the program stopped between the final dot and the reply.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { setTimeout as pause } from 'node:timers/promises';
import { startMailRig, type MailRig } from '../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { waitFor } from '../support/wait.js';

const MESSAGES = 500;
const CLIENTS = 10;
const KILL_AT = [120, 300];

let sink: SmtpSink;
let rig: MailRig;
let whenCounted: (() => void) | null = null;

beforeEach(async () => {
  sink = await startSmtpSink({ keep: true, onMessage: () => whenCounted?.() });
  rig = await startMailRig({ mxPort: sink.port });
});

afterEach(async () => {
  await rig.close();
  await sink.close();
});

const copiesOf = () => {
  const copies = new Map<string, number>();
  for (const { raw } of sink.messages) {
    const number = /^X-Number: (\d+)\r$/m.exec(raw.toString())?.[1] ?? 'none';
    copies.set(number, (copies.get(number) ?? 0) + 1);
  }
  return copies;
};

/** One client: sends its share, and asks again with the same key whenever the server went away before it answered. */
async function sendShare(client: number, ids: Map<string, string>): Promise<void> {
  for (let number = client; number < MESSAGES; number += CLIENTS) {
    const key = String(number);
    const body = rig.draft(`r${key}`, { idempotency_key: key, headers: { 'X-Number': key } });
    for (;;) {
      const answer = await rig.appliance.api('POST', '/v1/messages', { body }).catch(() => null);
      if (answer?.status === 202) {
        ids.set(key, (answer.json as { id: string }).id);
        break;
      }
      if (answer && answer.status !== 503) throw new Error(`${answer.status} ${answer.text}`);
      await pause(50);
    }
  }
}

function counted(count: number): Promise<void> {
  return new Promise((resolve) => {
    whenCounted = () => {
      if (sink.messages.length >= count) resolve();
    };
    whenCounted();
  });
}

it('every accepted message arrives, and only flagged ones arrive twice', async () => {
  const ids = new Map<string, string>();
  const sending = Promise.all(Array.from({ length: CLIENTS }, (_, client) => sendShare(client, ids)));
  for (const count of KILL_AT) {
    await counted(count);
    await rig.appliance.end('SIGKILL');
    await rig.appliance.start();
  }
  await sending;
  expect(ids.size).toBe(MESSAGES);

  const waiting = async () => {
    const lists = await Promise.all(
      ['queued', 'sending', 'sent'].map((status) =>
        rig.appliance.api('GET', `/v1/messages?limit=1&status=${status}`),
      ),
    );
    return lists.reduce((sum, { json }) => sum + (json as { data: unknown[] }).data.length, 0);
  };
  await waitFor('the queue to be empty', waiting, (count) => count === 0, 60_000);

  const copies = copiesOf();
  const lost = [...ids.keys()].filter((number) => !copies.has(number));
  expect(lost).toEqual([]);
  expect([...copies.keys()].filter((number) => !ids.has(number))).toEqual([]);

  const doubles = [...copies].filter(([, count]) => count > 1);
  const unflagged: string[] = [];
  for (const [number] of doubles) {
    const trail = await rig.trail(ids.get(number) ?? '');
    if (!trail.some(({ metadata }) => metadata['ambiguous'] === true)) unflagged.push(number);
  }
  console.info(
    `${KILL_AT.length} kills during ${MESSAGES} messages: ${lost.length} lost, ` +
      `${doubles.length} arrived twice, ${unflagged.length} of them without a flag`,
  );
  expect(unflagged).toEqual([]);
  expect(Math.max(...copies.values())).toBeLessThanOrEqual(1 + KILL_AT.length);
}, 120_000);
