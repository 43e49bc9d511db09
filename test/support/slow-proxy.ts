// A proxy between the program and a server that forwards bytes later, not for a while, or never again.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface SlowProxy {
  port: number;
  /** Time (ms) that each chunk waits before it is forwarded. */
  delayMs: number;
  /** The same for chunks from the server only: 1 adds a millisecond to each round trip. */
  answerDelayMs: number;
  /** Forwards nothing until `flow`. Connections are accepted. */
  stall(): void;
  flow(): void;
  /** Stalls at the next piece to the server that holds this text. Resolves then. */
  stallAt(text: string): Promise<void>;
  /** Existing connections stay open but forward nothing, as behind a firewall that has forgotten them; new ones work. */
  forget(): void;
  /** Ends all connections; new ones lead to another port. */
  retarget(port: number): void;
  close(): Promise<void>;
}

export async function startSlowProxy(first: number): Promise<SlowProxy> {
  const sockets = new Set<Socket>();
  let target = first;
  let isStalled = false;
  /** Functions that forward waiting chunks of connections that were not forgotten. */
  let waiting: (() => void)[] = [];
  let age = 0;
  let stop: { text: string; reached: () => void } | null = null;

  function isStoppedBy(bytes: Buffer): boolean {
    if (stop === null || !bytes.includes(stop.text)) return false;
    stop.reached();
    stop = null;
    return true;
  }

  function pass(from: Socket, to: Socket, { born, isAnswer }: { born: number; isAnswer: boolean }): void {
    let queue = Promise.resolve();
    from.on('data', (bytes: Buffer) => {
      queue = queue.then(async () => {
        const delayMs = proxy.delayMs + (isAnswer ? proxy.answerDelayMs : 0);
        if (delayMs > 0) await new Promise<void>((resolve) => setTimeout(resolve, delayMs));
        if (!isAnswer && isStoppedBy(bytes)) isStalled = true;
        if (isStalled) await new Promise<void>((resolve) => waiting.push(resolve));
        if (born === age) to.write(bytes);
      });
    });
    from.on('error', () => from.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    sockets.add(from);
  }

  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: target, host: '127.0.0.1', noDelay: true });
    pass(client, upstream, { born: age, isAnswer: false });
    pass(upstream, client, { born: age, isAnswer: true });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: SlowProxy = {
    port: (server.address() as AddressInfo).port,
    delayMs: 0,
    answerDelayMs: 0,
    stall() {
      isStalled = true;
    },
    flow() {
      isStalled = false;
      for (const resume of waiting) resume();
      waiting = [];
    },
    stallAt: (text) => new Promise((reached) => (stop = { text, reached })),
    forget() {
      age += 1;
    },
    retarget(port) {
      target = port;
      for (const socket of sockets) socket.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return proxy;
}
