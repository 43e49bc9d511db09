// A consumer of the event stream that works like EventSource: it remembers the last ID, with or without an event.
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { waitFor } from './wait.js';

interface StreamedEvent {
  id: string;
  event: string;
  // the tests read what they expect
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  data: any;
}

export interface EventSourceClient {
  status: number;
  headers: IncomingMessage['headers'];
  /** The body of a response that is not a stream. */
  body(): string;
  events: StreamedEvent[];
  comments: string[];
  readonly retryMs: number | null;
  readonly lastEventId: string;
  /** How the stream ended; null while it is open. */
  readonly ending: 'clean' | 'broken' | null;
  /** Stops reading, so that the server cannot write for ever. */
  pause(): void;
  resume(): void;
  /** Waits for this many events. */
  waitFor(count: number, deadlineMs?: number): Promise<StreamedEvent[]>;
  ended(): Promise<'clean' | 'broken'>;
  /** Breaks the connection. */
  kill(): void;
}

/** Resolves with the head of the response. */
export async function openEventSource(
  port: number,
  /** `key` '' for a caller without one. */
  options: { key: string; query?: string; lastEventId?: string; headers?: Record<string, string> },
): Promise<EventSourceClient> {
  const { key, query = '', lastEventId: from } = options;
  const headers = {
    ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
    accept: 'text/event-stream',
    ...(from === undefined ? {} : { 'last-event-id': from }),
    ...options.headers,
  };
  const asked = request({
    host: '127.0.0.1',
    port,
    path: `/v1/events/stream${query}`,
    headers,
    agent: false,
  });
  const response = await answerOf(asked);
  const events: StreamedEvent[] = [];
  const comments: string[] = [];
  let retryMs: number | null = null;
  let lastEventId = from ?? '';
  let ending: 'clean' | 'broken' | null = null;
  let text = '';

  function take(block: string): void {
    const fields = { event: 'message', data: '' };
    for (const line of block.split('\n')) {
      const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
      if (name === '') comments.push(value);
      if (name === 'id') lastEventId = value;
      if (name === 'retry') retryMs = Number(value);
      if (name === 'event') fields.event = value;
      if (name === 'data') fields.data += value;
    }
    if (fields.data !== '') {
      events.push({ id: lastEventId, event: fields.event, data: JSON.parse(fields.data) as unknown });
    }
  }

  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
    if (response.statusCode !== 200) return;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) take(block);
  });
  response.on('end', () => (ending ??= 'clean'));
  response.on('error', () => (ending ??= 'broken'));
  response.on('close', () => (ending ??= 'broken'));
  asked.on('error', () => (ending ??= 'broken'));

  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: () => text,
    events,
    comments,
    get retryMs() {
      return retryMs;
    },
    get lastEventId() {
      return lastEventId;
    },
    get ending() {
      return ending;
    },
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    async waitFor(count, deadlineMs = 10_000) {
      await waitFor(`${count} events have come`, () => events.length >= count, Boolean, deadlineMs);
      return events;
    },
    async ended() {
      await waitFor('the stream has ended', () => ending !== null);
      return ending ?? 'broken';
    },
    kill: () => void asked.destroy(),
  };
}

function answerOf(asked: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    asked.once('response', resolve);
    asked.once('error', reject);
    asked.end();
  });
}
