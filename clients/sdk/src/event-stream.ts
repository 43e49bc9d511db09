// Follows the events of the appliance over server-sent events (the HTML standard's text/event-stream), and resumes after the last
// event when the connection breaks.
import type { Config } from './config.js';
import { ApiError, ConnectionError, EventResetError, MailkeelError } from './errors.js';
import { backOffMs, pause, send, type RequestOptions } from './request.js';
import type { Event, FeedEventName } from './schemas.js';

export interface EventStreamOptions extends Pick<RequestOptions, 'signal' | 'subTenant' | 'timeoutMs'> {
  /** Event names to receive. Defaults to all. */
  types?: readonly FeedEventName[];
  /** ID of the last event you handled. The stream starts after this event. Defaults to new events only. */
  lastEventId?: string;
  /**
   * Reconnect after this many milliseconds without data. Defaults to 45,000; the server sends data at least every 15
   * s.
   */
  heartbeatTimeoutMs?: number;
  /**
   * Called when the server was restored from a backup, which rolls back events you may have received. The stream
   * resumes after the event `resumeAfter`, the last one before the histories diverge. If you omit this callback, the
   * stream throws EventResetError.
   */
  onReset?: (reset: { resumeAfter: string }) => void;
  /** Called when a connection opens, and when it is lost and the stream reconnects. */
  onConnection?: (connection: StreamConnection) => void;
}

export interface StreamConnection {
  isOpen: boolean;
  /** Time of the last data from the server by the local clock, or null before the first connection. */
  heardAt: Date | null;
}

interface Progress {
  /** The last ID received, with or without an event. */
  lastId: string | null;
  /** Milliseconds that the server asks to wait before connecting again. */
  retryMs: number | null;
  failures: number;
  heardAt: Date | null;
}

const HEARTBEAT_TIMEOUT_MS = 45_000;
const LONGEST_WAIT_MS = 30_000;
const MAX_EVENT_CHARACTERS = 8 * 1024 * 1024;

/**
 * Yields each event once, in order, over any number of connections. Ends when the signal is aborted, and throws when the server
 * refuses.
 */
export async function* followEvents(
  config: Config,
  options: EventStreamOptions = {},
): AsyncGenerator<Event, void, undefined> {
  const { signal } = options;
  const progress: Progress = {
    lastId: options.lastEventId ?? null,
    retryMs: null,
    failures: 0,
    heardAt: null,
  };
  let isFirst = true;
  while (!isAborted(signal)) {
    const ending = new AbortController();
    const passOn = (): void => ending.abort(signal?.reason);
    signal?.addEventListener('abort', passOn, { once: true });
    try {
      const response = await connect(config, options, { progress, ending, isFirst });
      isFirst = false;
      progress.heardAt = new Date();
      options.onConnection?.({ isOpen: true, heardAt: progress.heardAt });
      yield* eventsOf(response, { progress, ending, ...options });
    } catch (error) {
      if (isAborted(signal)) return;
      if (isFirst || !isPassing(error)) throw error;
      progress.failures += 1;
    } finally {
      signal?.removeEventListener('abort', passOn);
      // Also closes the connection if the caller left the loop.
      ending.abort();
    }
    options.onConnection?.({ isOpen: false, heardAt: progress.heardAt });
    await pause(waitMs(progress), signal).catch(() => undefined);
  }
}

async function connect(
  config: Config,
  options: EventStreamOptions,
  { progress, ending, isFirst }: { progress: Progress; ending: AbortController; isFirst: boolean },
): Promise<Response> {
  const { types, subTenant, timeoutMs } = options;
  const { data } = await send<Response>(config, {
    route: 'GET /v1/events/stream',
    query: types === undefined ? {} : { events: types.join(',') },
    asFile: true,
    accept: 'text/event-stream',
    options: {
      signal: ending.signal,
      ...(subTenant === undefined ? {} : { subTenant }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      // If a later connection fails, the loop below tries again without a limit.
      ...(isFirst ? {} : { maxRetries: 0 }),
      headers: progress.lastId === null ? {} : { 'Last-Event-ID': progress.lastId },
    },
  });
  return data;
}

async function* eventsOf(
  { body }: Response,
  {
    progress,
    ending,
    heartbeatTimeoutMs: silentMs = HEARTBEAT_TIMEOUT_MS,
    onReset,
  }: { progress: Progress; ending: AbortController } & Pick<
    EventStreamOptions,
    'heartbeatTimeoutMs' | 'onReset'
  >,
): AsyncGenerator<Event, void, undefined> {
  if (body === null) throw new ConnectionError('The event stream response has no body.');
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const silence = setTimeout(() => ending.abort(), silentMs);
    const { done, value } = await reader.read().finally(() => clearTimeout(silence));
    if (done) return;
    progress.failures = 0;
    progress.heardAt = new Date();
    text += decoder.decode(value, { stream: true });
    if (text.length > MAX_EVENT_CHARACTERS) throw new ConnectionError('An event in the stream is too large.');
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = readBlock(block, progress, onReset);
      if (event !== null) yield event;
    }
  }
}

/** Stores the position and retry time of a block. Returns its event, if it has one that was not seen before. */
function readBlock(block: string, progress: Progress, onReset: EventStreamOptions['onReset']): Event | null {
  let data = '';
  let id: string | null = null;
  let isReset = false;
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const value = line.slice(colon + 1).trim();
    const name = line.slice(0, Math.max(colon, 0));
    if (name === 'id') id = value;
    else if (name === 'retry' && /^\d{1,6}$/.test(value)) progress.retryMs = Number(value);
    else if (name === 'data') data += value;
    else if (name === 'event') isReset = value === 'reset';
  }
  if (isReset && id !== null) {
    progress.lastId = id;
    if (onReset === undefined) throw new EventResetError(id);
    onReset({ resumeAfter: id });
    return null;
  }
  const isKnown = id !== null && id === progress.lastId;
  if (id !== null) progress.lastId = id;
  if (data === '' || isKnown) return null;
  // in the server's format
  return JSON.parse(data) as Event;
}

function isPassing(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500 || error.status === 429 || error.status === 408;
  // Fail if an event cannot be parsed, because continuing would skip that event.
  if (error instanceof SyntaxError) return false;
  // If the connection breaks during a read, the runtime throws its own error.
  return error instanceof ConnectionError || !(error instanceof MailkeelError);
}

function waitMs({ retryMs, failures }: Progress): number {
  if (failures <= 1) return retryMs ?? backOffMs(1);
  return Math.min((retryMs ?? 1_000) * 2 ** (failures - 1), LONGEST_WAIT_MS) * (0.5 + Math.random() / 2);
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
