// One request over a pool of connections with one deadline for everything, and a bounded reading of the answer: once the
// status line is there, the body may only take so long and be so long. Built on the dispatcher itself, because a stream
// and an abort signal for each request would cost as much as the request.
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

// A longer answer is read this far, so that the connection can be used again, and then dropped.
const MAX_DRAINED_BYTES = 64 * 1024;
// The status line has settled the outcome: a body that trickles in is not worth a place among the open requests.
const MAX_BODY_MS = 1_000;

/** The deadline has passed, or the answer was longer than is read. */
export class ExchangeEnded extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ExchangeEnded';
  }
}

export interface ExchangeRequest {
  origin: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | string;
  timeoutMs: number;
  /** Kept of the answer's body. */
  keepBytes: number;
}

export interface ExchangeAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Its beginning, as far as it came. */
  body: Buffer;
}

/** POSTs. Rejects with ExchangeEnded at the deadline, and with what the connection failed with. */
export function exchange(dispatcher: Dispatcher, request: ExchangeRequest): Promise<ExchangeAnswer> {
  const { origin, path, headers, body, timeoutMs, keepBytes } = request;
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | null = null;
    let answer: Omit<ExchangeAnswer, 'body'> | null = null;
    const kept: Buffer[] = [];
    let keptBytes = 0;
    let readBytes = 0;
    let ended: ExchangeEnded | null = null;
    const deadline = performance.now() + timeoutMs;
    let timer = setTimeout(() => endEarly('timed out'), timeoutMs);

    /** Whatever ended it: with a status line it was answered. */
    function settle(error?: unknown): void {
      clearTimeout(timer);
      if (answer) resolve({ ...answer, body: Buffer.concat(kept, keptBytes) });
      else reject(error instanceof Error ? error : new ExchangeEnded('connection closed before an answer'));
    }

    /** Destroys the connection, which is in the middle of an exchange. */
    function endEarly(why: string): void {
      ended ??= new ExchangeEnded(why);
      settle(ended);
      controller?.abort(ended);
    }

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(given) {
        controller = given;
        // It waited for a connection until now.
        if (ended) given.abort(ended);
      },
      onResponseStart(_controller, status, given) {
        // An interim answer.
        if (status < 200) return;
        answer = { status, headers: given };
        clearTimeout(timer);
        const leftMs = Math.min(MAX_BODY_MS, deadline - performance.now());
        timer = setTimeout(() => endEarly('the body took too long'), leftMs);
      },
      onResponseData(_controller, chunk) {
        readBytes += chunk.length;
        if (keptBytes < keepBytes) {
          const piece = chunk.subarray(0, keepBytes - keptBytes);
          kept.push(piece);
          keptBytes += piece.length;
        }
        if (readBytes > MAX_DRAINED_BYTES) endEarly('the body is too long');
      },
      onResponseEnd: () => settle(),
      onResponseError: (_controller, error) => settle(error),
    };
    try {
      dispatcher.dispatch({ origin, path, method: 'POST', headers, body }, handler);
    } catch (error) {
      settle(error);
    }
  });
}
