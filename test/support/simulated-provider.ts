// A receiver in simulated time, with a maximum number of simultaneous sessions and a fixed time for each message. It opens no
// socket.
import type { SmtpSession } from '../../src/lib/smtp/index.js';
import type { Connected, Connector } from '../../src/outbound/deliver/connector.js';

export interface SimulatedProvider {
  connector: Connector;
  /** May be changed at any time. */
  maxSessions: number;
  readonly open: number;
  readonly refused: number;
  readonly accepted: number;
  /** The maximum number of simultaneously open sessions since the last call. */
  takePeak(): number;
}

const CONNECT_MS = 100;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export function simulatedProvider(
  host: string,
  settings: { maxSessions: number; messageMs: number },
): SimulatedProvider {
  const { messageMs } = settings;
  let { maxSessions } = settings;
  let open = 0;
  let refused = 0;
  let accepted = 0;
  let peak = 0;

  function refusal(): Connected {
    refused += 1;
    return {
      kind: 'refused',
      phase: 'greeting',
      reply: { code: 421, enhanced: '4.7.0', text: 'Too many connections from your address, try later' },
      host,
      address: '192.0.2.1',
      tlsPolicy: 'opportunistic',
      conversation: [],
      times: null,
    };
  }

  function session(): SmtpSession {
    let isOpen = true;
    let delivered = 0;
    const end = (): Promise<void> => {
      if (isOpen) open -= 1;
      isOpen = false;
      return Promise.resolve();
    };
    const fake: Partial<SmtpSession> = {
      facts: { host, address: '192.0.2.1', localAddress: '192.0.2.9', tls: null } as SmtpSession['facts'],
      opening: [],
      get usable() {
        return isOpen;
      },
      get accepted() {
        return delivered;
      },
      async deliver() {
        await wait(messageMs);
        delivered += 1;
        accepted += 1;
        return {
          kind: 'accepted',
          phase: 'dot',
          reply: { code: 250, enhanced: '2.0.0', text: 'taken', lines: ['taken'] },
        };
      },
      conversation: () => [],
      lastTimes: () => ({}),
      quit: end,
      destroy: () => void end(),
    };
    return fake as SmtpSession;
  }

  return {
    connector: {
      async connect() {
        await wait(CONNECT_MS);
        if (open >= maxSessions) return refusal();
        open += 1;
        peak = Math.max(peak, open);
        return { kind: 'ready', session: session(), tlsPolicy: 'opportunistic' };
      },
    },
    get maxSessions() {
      return maxSessions;
    },
    set maxSessions(value) {
      maxSessions = value;
    },
    get open() {
      return open;
    },
    get refused() {
      return refused;
    },
    get accepted() {
      return accepted;
    },
    takePeak() {
      const was = peak;
      peak = open;
      return was;
    },
  };
}
