// Checks whether an address belongs to this machine.
import { createServer } from 'node:net';

/** Asks the system, which also knows addresses that no interface lists. */
export function isLocalAddress(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: address, port: 0 }, () => server.close(() => resolve(true)));
  });
}
