// Writes event streams (text/event-stream, as the HTML standard's EventSource reads them), no faster than the
// client reads.
import type { ServerResponse } from 'node:http';

/** Time that a browser waits before it reconnects. */
const RETRY_MS = 2_000;
/** A client that reads nothing for this long counts as gone. */
const STALLED_MS = 30_000;
/** After the end of a stream, a client that does not read is disconnected. */
const LINGER_MS = 500;

export interface EventSourceWriter {
  /**
   * Resolves once the connection has accepted the text, so that no more than this waits in memory; to false if the client has
   * disconnected or read nothing for 30 s.
   */
  write(text: string): Promise<boolean>;
  /** True once the client has disconnected. */
  readonly isGone: boolean;
  end(): void;
}

/** Responds 200 with the given headers and those of a stream. */
export function openEventSource(
  response: ServerResponse,
  headers: Record<string, number | string | string[] | undefined>,
  onGone: () => void,
): EventSourceWriter {
  let isGone = false;
  response.once('close', () => {
    isGone = true;
    onGone();
  });
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    // Proxies that buffer a response would hold back every event.
    'x-accel-buffering': 'no',
  });

  return {
    write(text) {
      if (isGone) return Promise.resolve(false);
      return new Promise((resolve) => {
        const finish = (isTaken: boolean): void => {
          clearTimeout(stalled);
          response.off('close', onClose);
          resolve(isTaken);
        };
        const onClose = (): void => finish(false);
        const stalled = setTimeout(onClose, STALLED_MS);
        response.once('close', onClose);
        response.write(text, (error) => finish(!error));
      });
    },
    get isGone() {
      return isGone;
    },
    end() {
      if (isGone) return;
      response.end();
      setTimeout(() => response.destroy(), LINGER_MS).unref();
    },
  };
}

/** Formats the position of the stream without an event, from which a disconnected client resumes. */
export function placeText(id: string): string {
  return `id: ${id}\n\n`;
}

export function openingText(id: string): string {
  return `retry: ${RETRY_MS}\n${placeText(id)}`;
}

export function eventText(event: { id: string; event: string }): string {
  return `id: ${event.id}\nevent: ${event.event}\ndata: ${JSON.stringify(event)}\n\n`;
}

/**
 * Formats a reset: the client has seen events that no longer exist, and the stream continues after event
 * `id`.
 */
export function resetText(id: string): string {
  return `id: ${id}\nevent: reset\ndata: ${JSON.stringify({ object: 'event_reset', resume_after: id })}\n\n`;
}

/** A comment, which clients ignore. */
export const HEARTBEAT = ': alive\n\n';
