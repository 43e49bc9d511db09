// Creates an undici agent with its first request. The package takes 5 MB of memory, and most servers send no
// request for a long time (docs/adr/0107-idle-memory.md).
import type { Agent, buildConnector, Dispatcher, request } from 'undici';
import { trustContext } from '../tls/index.js';

type RequestOptions = NonNullable<Parameters<typeof request<null>>[1]>;

export interface LazyAgent {
  request(url: string | URL, options: Omit<RequestOptions, 'dispatcher'>): Promise<Dispatcher.ResponseData>;
  dispatcher(): Promise<Dispatcher>;
  /** Waits for requests in progress. */
  close(): Promise<void>;
  /** Aborts requests in progress. */
  destroy(): Promise<void>;
}

interface AgentOptions extends Omit<Agent.Options, 'connect'> {
  connect?: buildConnector.BuildOptions;
  /** PEM certificates trusted in addition to the public ones. */
  extraCa?: readonly string[];
}

export function createAgent({ connect, extraCa, ...options }: AgentOptions): LazyAgent {
  let opened: ReturnType<typeof open> | null = null;
  let isClosed = false;

  async function open() {
    const undici = await import('./undici.js');
    const secureContext = trustContext(extraCa);
    return { undici, agent: new undici.Agent({ ...options, connect: { ...connect, secureContext } }) };
  }
  async function ready() {
    if (isClosed) throw new Error('the agent is closed');
    return (opened ??= open());
  }

  return {
    async request(url, asked) {
      const { agent, undici } = await ready();
      return undici.request(url, { ...asked, dispatcher: agent });
    },
    dispatcher: async () => (await ready()).agent,
    async close() {
      isClosed = true;
      await (await opened)?.agent.close();
    },
    async destroy() {
      isClosed = true;
      await (await opened)?.agent.destroy();
    },
  };
}
