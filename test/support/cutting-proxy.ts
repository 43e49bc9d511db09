// A proxy between Mailkeel and a real server. On demand it withholds the reply to the final dot and drops the connection, which
// no server does on demand. It must read the dialogue, so it does not offer STARTTLS.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface CuttingProxy {
  port: number;
  /** Drops the reply to the next `count` messages after the server has accepted them. */
  cutNext(count: number): void;
  /** Number of withheld replies. */
  cut: () => number;
  close(): Promise<void>;
}

export async function startCuttingProxy(target: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let toCut = 0;
  let done = 0;
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    let isInData = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', (bytes: Buffer) => upstream.write(bytes));
    upstream.on('data', (bytes: Buffer) => {
      const text = bytes.toString('latin1');
      if (isInData && toCut > 0 && /^2\d\d /m.test(text)) {
        toCut -= 1;
        done += 1;
        client.resetAndDestroy();
        return;
      }
      // A 354 is alone or last, because the server waits for the message.
      isInData = /^354 .*\r\n$/m.test(text);
      client.write(text.replace('250-STARTTLS\r\n', ''), 'latin1');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cutNext: (count) => {
      toCut = count;
    },
    cut: () => done,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
