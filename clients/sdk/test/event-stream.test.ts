// Tests the event stream over connections that are cut, silent, refused and closed by the client.
import { afterEach, describe, expect, it } from 'vitest';
import { AuthenticationError, Mailkeel, ServerError, type EventStreamOptions } from '../src/index.js';
import { refusing, startScriptedServer, type Reply } from './support/scripted-server.js';

const KEY = `svc_test_${'k'.repeat(43)}`;
const OPENING = 'retry: 5\nid: evt_0\n\n';
const told = (id: number): string =>
  `id: evt_${id}\nevent: message.sent\ndata: ${JSON.stringify({ id: `evt_${id}`, event: 'message.sent', text: 'ü' })}\n\n`;

const open =
  (text: string, then: 'end' | 'break' | 'wait'): Reply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const octets = Buffer.from(text);
    // In chunks that split lines and characters.
    const half = Math.floor(octets.length / 2);
    response.write(octets.subarray(0, half), () =>
      response.write(octets.subarray(half), () => {
        if (then === 'end') response.end();
        if (then === 'break') response.destroy();
      }),
    );
  };

let server: Awaited<ReturnType<typeof startScriptedServer>> | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

/** Returns the first `count` ids, and the requests. */
async function follow(replies: Reply[], count: number, options: EventStreamOptions = {}) {
  const started = await startScriptedServer(...replies);
  server = started;
  const mailkeel = new Mailkeel({
    apiKey: `svc_test_${'k'.repeat(43)}`,
    baseUrl: started.url,
    maxRetries: 0,
  });
  const ids: string[] = [];
  for await (const event of mailkeel.events.stream(options)) {
    ids.push(event.id);
    if (ids.length === count) break;
  }
  return { ids, asked: started.asked, lastIds: started.asked.map(({ headers }) => headers['last-event-id']) };
}

describe('the stream of events', () => {
  it('continues after every interruption from the last event, each once and in order', async () => {
    const { ids, lastIds, asked } = await follow(
      [
        open(OPENING + told(1) + told(2), 'break'),
        refusing(503, 'unavailable', { 'retry-after': '0' }),
        // The last event again, half an event, and a place without one.
        open(
          `${OPENING.replace('evt_0', 'evt_2')}${told(2)}${told(3)}id: evt_9\n\n${told(10).slice(0, 20)}`,
          'end',
        ),
        open(told(10), 'wait'),
      ],
      4,
      { types: ['message.sent', 'message.bounced'] },
    );
    expect(ids).toEqual(['evt_1', 'evt_2', 'evt_3', 'evt_10']);
    expect(lastIds).toEqual([undefined, 'evt_2', 'evt_2', 'evt_9']);
    expect(asked[0]?.url).toBe('/v1/events/stream?events=message.sent%2Cmessage.bounced');
    expect(asked[0]?.headers).toMatchObject({ accept: 'text/event-stream' });
  });

  it('reports when its connection opens and is lost, and the last sign of the server', async () => {
    const opened: boolean[] = [];
    const heard: (Date | null)[] = [];
    await follow([open(OPENING + told(1), 'end'), open(OPENING + told(2), 'wait')], 2, {
      onConnection: ({ isOpen, heardAt }) => {
        opened.push(isOpen);
        heard.push(heardAt);
      },
    });
    expect(opened).toEqual([true, false, true]);
    expect(heard.every((at) => at instanceof Date)).toBe(true);
  });

  it("begins at the caller's position", async () => {
    const { lastIds } = await follow([open(told(8), 'wait')], 1, { lastEventId: 'evt_7' });
    expect(lastIds).toEqual(['evt_7']);
  });

  it('ends a silent connection, while a heartbeat keeps one open', async () => {
    const alive: Reply = (response) => {
      response.writeHead(200).write(OPENING);
      let heartbeats = 0;
      const heartbeat = setInterval(() => {
        heartbeats += 1;
        response.write(heartbeats < 6 ? ': alive\n\n' : told(2));
      }, 60);
      response.once('close', () => clearInterval(heartbeat));
    };
    const { ids, lastIds } = await follow([open(OPENING + told(1), 'wait'), alive], 2, {
      heartbeatTimeoutMs: 250,
    });
    expect(ids).toEqual(['evt_1', 'evt_2']);
    expect(lastIds).toEqual([undefined, 'evt_1']);
  });

  it('ends with the signal and closes its connection', async () => {
    const ending = new AbortController();
    let closed = (): void => undefined;
    const isClosed = new Promise<void>((resolve) => (closed = resolve));
    const watched: Reply = (response, asked) => {
      response.once('close', closed);
      open(OPENING + told(1), 'wait')(response, asked);
    };
    server = await startScriptedServer(watched);
    const mailkeel = new Mailkeel({ apiKey: KEY, baseUrl: server.url });
    const ids: string[] = [];
    for await (const event of mailkeel.events.stream({ signal: ending.signal })) {
      ids.push(event.id);
      ending.abort();
    }
    expect(ids).toEqual(['evt_1']);
    await isClosed;
    await server.close();
    expect((await follow([watched], 1, { signal: AbortSignal.abort() })).asked).toHaveLength(0);
  });

  it('fails if the first connection is refused, if a key is revoked later, and on invalid events', async () => {
    await expect(follow([refusing(503, 'unavailable')], 1)).rejects.toBeInstanceOf(ServerError);
    await server?.close();
    const revoked = [open(OPENING + told(1), 'end'), refusing(401, 'unauthorized')];
    await expect(follow(revoked, 2)).rejects.toBeInstanceOf(AuthenticationError);
    await server?.close();
    const unreadable = open(`${OPENING}id: evt_1\ndata: {"id":\n\n`, 'wait');
    await expect(follow([unreadable], 1)).rejects.toBeInstanceOf(SyntaxError);
  });
});
