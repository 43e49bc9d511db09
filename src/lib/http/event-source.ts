// The wire of an event stream: text/event-stream as the HTML standard's EventSource reads it, written no faster than the
// client takes it.
import type { ServerResponse } from 'node:http';

/** Time that a browser waits before it connects again. */
const RETRY_MS = 2_000;
/** A client that takes nothing for so long is gone. */
const STALLED_MS = 30_000;
/** After the end of the stream a client that does not read is cut off. */
const LINGER_MS = 500;

export interface EventSourceWriter {
  /** Resolves when the connection has taken the text, so that no more than this waits in memory; false if the client is gone or took nothing for 30 s. */
  write(text: string): Promise<boolean>;
  /** The client ended the connection. */
  readonly isGone: boolean;
  end(): void;
}

/** Answers 200 with the headers, to which those of a stream are added. */
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
    // Proxies that gather an answer before they pass it on would keep every event.
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

/** Where the stream stands, without an event: a client that is cut off goes on from there. */
export function placeText(id: string): string {
  return `id: ${id}\n\n`;
}

export function openingText(id: string): string {
  return `retry: ${RETRY_MS}\n${placeText(id)}`;
}

export function eventText(event: { id: string; event: string }): string {
  return `id: ${event.id}\nevent: ${event.event}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** The client has seen events that are not any more; the stream goes on after the event `id`. */
export function resetText(id: string): string {
  return `id: ${id}\nevent: reset\ndata: ${JSON.stringify({ object: 'event_reset', resume_after: id })}\n\n`;
}

/** A comment, which no client hands on. */
export const HEARTBEAT = ': alive\n\n';
