// Listens for a server that only starts with its first connection, so that an unused server costs nothing.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

const MAX_CONNECTIONS = 50;

export interface FirstConnectionListener {
  port: number;
  close(): void;
}

/**
 * Listens until the first connection, then stops listening and calls `startServer`, which must listen on the
 * same port. Forwards the accepted connections to it, or destroys them if `startServer` rejects. Rejects with
 * the system's error if the port is unavailable.
 */
export async function listenForFirstConnection(
  place: { host: string; port: number },
  startServer: (port: number) => Promise<unknown>,
): Promise<FirstConnectionListener> {
  let started: Promise<unknown> | null = null;
  const listener = createServer({ pauseOnConnect: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    listener.close();
    started ??= startServer(port);
    started.then(
      () => passOn(socket, port),
      () => socket.destroy(),
    );
  });
  listener.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(place, resolve);
  });
  const { port } = listener.address() as AddressInfo;
  listener.unref();
  return { port, close: () => void listener.close() };
}

function passOn(socket: Socket, port: number): void {
  const server = connect({ host: socket.localAddress ?? '127.0.0.1', port });
  server.on('error', () => socket.destroy());
  socket.on('close', () => server.destroy());
  server.on('close', () => socket.destroy());
  socket.pipe(server).pipe(socket);
  socket.resume();
}
