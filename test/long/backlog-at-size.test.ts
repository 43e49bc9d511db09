// Measures how long POST /v1/messages and GET /v1/campaigns take while the server works through a backlog: 1.5 million stored
// messages (over five million rows with events and attempts), of which 18,000 fell due while the server was down. BACKLOG_STORED
// makes it smaller.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fillFolder } from '../support/large-folder.js';
import { startMailRig, type MailRig } from '../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';

const STORED = Number(process.env['BACKLOG_STORED'] ?? 1_500_000);
const DUE = 18_000;
/** On a disk, because the file takes 3 KB per message, more than fits into memory. */
const FOLDER = '/var/tmp/backlog-';
const CLIENTS = 10;
const SENDERS = 4;
/** Time to hand in the due messages before they fall due. */
const AHEAD_MS = 180_000;
const FILL_MS = 3_600_000;
/** Upper bound for the slowest percent of requests on a machine that runs nothing else. */
const POST_P99_MS = 1_000;
const CAMPAIGNS_P99_MS = 1_000;

let sink: SmtpSink;
let rig: MailRig;
let dataDir: string;

beforeAll(async () => {
  sink = await startSmtpSink({ keep: false });
  dataDir = await mkdtemp(FOLDER);
  rig = await startMailRig({ dataDir, mxPort: sink.port, env: { MAILKEEL_RETRY_SCHEDULE: '1m,5m…' } });
  await rig.appliance.end();
  const since = performance.now();
  fillFolder(join(dataDir, 'mail.db'), STORED);
  console.info(`${STORED} messages written in ${((performance.now() - since) / 1000).toFixed(0)} s`);
  await rig.appliance.start();
}, FILL_MS);

afterAll(async () => {
  await rig.close();
  await sink.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function post(name: string, more: Record<string, unknown> = {}): Promise<number> {
  const since = performance.now();
  const { status, text } = await rig.appliance.api('POST', '/v1/messages', { body: rig.draft(name, more) });
  expect(status, text).toBe(202);
  return performance.now() - since;
}

const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(Math.floor(values.length * part), values.length - 1)] ?? 0;

const inWords = (values: readonly number[]): string =>
  `p50 ${quantile(values, 0.5).toFixed(0)} ms, p99 ${quantile(values, 0.99).toFixed(0)} ms, longest ${quantile(values, 1).toFixed(0)} ms of ${values.length}`;

it('accepts mail and lists campaigns while 18,000 due messages are sent', async () => {
  const dueAt = Date.now() + AHEAD_MS;
  const sendAt = new Date(dueAt).toISOString();
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let n = client; n < DUE; n += CLIENTS) await post(`due${n}`, { send_at: sendAt });
    }),
  );
  expect(Date.now(), 'the due messages were handed in too slowly').toBeLessThan(dueAt);
  await rig.appliance.end();
  await pause(dueAt - Date.now() + 1_000);
  const before = sink.count();
  await rig.appliance.start();
  const since = performance.now();
  const posts: number[] = [];
  const campaigns: number[] = [];
  const arrived = (): number => sink.count() - before;
  const busy = (): boolean => arrived() < DUE;
  await Promise.all([
    ...Array.from({ length: SENDERS }, async (_, sender) => {
      for (let n = 0; busy(); n += 1) posts.push(await post(`beside${sender}-${n}`));
    }),
    (async () => {
      while (busy()) {
        const asked = performance.now();
        expect((await rig.appliance.api('GET', '/v1/campaigns')).status).toBe(200);
        campaigns.push(performance.now() - asked);
        await pause(200);
      }
    })(),
  ]);
  console.info(`${arrived()} messages arrived in ${((performance.now() - since) / 1000).toFixed(0)} s`);
  console.info(`POST /v1/messages: ${inWords(posts)}; GET /v1/campaigns: ${inWords(campaigns)}`);
  expect(quantile(posts, 0.99)).toBeLessThan(POST_P99_MS);
  expect(quantile(campaigns, 0.99)).toBeLessThan(CAMPAIGNS_P99_MS);
}, 3_600_000);
