// Returns a free loopback port, for a peer whose port must be known in advance or that restarts on the same one.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports that systems assign to connections and to listeners on port 0, so that none of those takes it. */
const LOWEST = 15_000;
const HIGHEST = 32_000;
const TRIES = 200;

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port between ${LOWEST} and ${HIGHEST}`);
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
