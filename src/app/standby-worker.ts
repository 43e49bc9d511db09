// The standby thread answers requests while the server cannot, even if its main thread is busy with an upgrade. Probes see that
// the process is alive but not ready; every other request gets 503, which clients retry.
import type { IncomingMessage } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { buildErrorBody, STATUS_OF_TYPE, UNAVAILABLE_RETRY_SECONDS } from '../http/errors.js';
import { readRequestId } from '../http/server/request-id.js';
import { Refusal } from '../contract/refusal.js';
import { type PlainAnswer, type PlainOptions, servePlain } from '../lib/http/index.js';
import { createLog, monotonicMs } from '../lib/runtime/index.js';
import type { FromStandby, StandbySettings, ToStandby } from './standby-messages.js';

/** Interval (ms) at which a server that stands by logs that again. */
const REMIND_MS = 10_000;
/** Retrying clients must not keep probes out. */
const MAX_CONNECTIONS = 1_000;
const NOT_YET = 'The server is on standby and does not accept requests yet. Retry in a moment.';

const parent = parentPort;
if (parent === null) throw new Error('This is the entry of a worker thread.');
const { host, port, logLevel, reason: firstReason } = workerData as StandbySettings;
const log = createLog(logLevel);
const since = monotonicMs();
let reason = firstReason;

const probes = {
  '/healthz': (): PlainAnswer => jsonAnswer(200, { status: 'standby' }),
  '/readyz': (): PlainAnswer =>
    jsonAnswer(503, { status: 'standby', reason, retry_after: UNAVAILABLE_RETRY_SECONDS }),
};

function refuse(request: IncomingMessage): PlainAnswer {
  const refusal = new Refusal('unavailable', NOT_YET);
  const requestId = readRequestId(request);
  const { headers, ...answer } = jsonAnswer(STATUS_OF_TYPE[refusal.type], buildErrorBody(refusal, requestId));
  return { ...answer, headers: { ...headers, 'x-request-id': requestId } };
}

function jsonAnswer(status: number, body: unknown): PlainAnswer {
  return {
    ...{ status, contentType: 'application/json; charset=utf-8', body: `${JSON.stringify(body)}\n` },
    ...(status < 500 ? {} : { headers: { 'retry-after': String(UNAVAILABLE_RETRY_SECONDS) } }),
  };
}

/** Failing to listen must not end the process, because the server may still be needed. */
async function listen(at: number, tls: Pick<PlainOptions, 'tls'> = {}): Promise<void> {
  let problem: string | null = null;
  try {
    await servePlain({ host, port: at }, probes, {
      ...{ ...tls, otherwise: refuse, maxConnections: MAX_CONNECTIONS },
    });
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  const message: FromStandby = { kind: 'listening', problem };
  parent?.postMessage(message);
}

parent.on('message', (message: ToStandby) => {
  if (message.kind === 'reason') ({ reason } = message);
  else void listen(message.port, { tls: { key: message.key, cert: message.cert } });
});
setInterval(() => {
  const seconds = Math.round((monotonicMs() - since) / 1000);
  log.warn({ reason, seconds }, 'still on standby');
}, REMIND_MS);
await listen(port);
