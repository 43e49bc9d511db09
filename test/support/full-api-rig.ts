// The program with every route, over a DNS server without zones. Nothing is delivered, and nothing changes but by requests.
import type { Store } from '../../src/app/store.js';
import { startDnsServer } from './dns-server.js';
import { assembleProgram } from './program.js';

export type FullApiRig = Awaited<ReturnType<typeof startFullApi>>;

/** `before` writes what the program reads when it is made. */
export async function startFullApi({
  env = {},
  before,
}: { env?: Record<string, string>; before?: (store: Store) => Promise<unknown> } = {}) {
  const dns = await startDnsServer({ zones: {} });
  const program = await assembleProgram({
    env: {
      MAILKEEL_DNS_SERVERS: dns.address,
      MAILKEEL_DNS_TIMEOUT: '200ms',
      MAILKEEL_HOSTNAME: 'mx.example.test',
      MAILKEEL_BOUNCE_DOMAIN: '',
      MAILKEEL_INBOUND_DOMAIN: '',
      MAILKEEL_WEBHOOK_ALLOW_PRIVATE: 'true',
      ...env,
    },
    ...(before ? { before } : {}),
  });
  return {
    ...program,
    app: program.app,
    store: program.store,
    async close() {
      await program.close();
      await dns.close();
    },
  };
}
