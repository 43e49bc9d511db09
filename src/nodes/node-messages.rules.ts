// Messages between nodes: that there is work, or that something has changed which others remember. They are hints: the rows are the
// truth, and who misses a message finds it there a little later.

export type NodeMessage =
  /** A node has joined, is leaving, or has released leases. */
  | { kind: 'nodes' }
  /** Queues that received mail. `null` for all queues. */
  | { kind: 'queues'; ids: readonly number[] | null }
  /** Something was appended to an event chain. */
  | { kind: 'events' }
  /** Mail came in. */
  | { kind: 'inbound' }
  /** Pauses, suspended sources, routes of the operator, limits of sub-tenants, or their names. */
  | { kind: 'traffic' }
  /** The operator removed a limit that replies had set. */
  | { kind: 'limit removed'; id: string }
  /** A destination that could not be reached is to be tried now. */
  | { kind: 'probe'; domain: string }
  /** An API key or a sub-tenant was changed. */
  | { kind: 'credentials'; id: string }
  /** DKIM keys have moved. */
  | { kind: 'dkim' }
  /** The database has lost commits in a fail-over. */
  | { kind: 'epochs' }
  /** The files of outgoing mail are to be read again. */
  | { kind: 'reload' };

/** Ids of one message: PostgreSQL takes 8,000 octets. */
const MOST_IDS = 400;
/** Longest text of a message: a name of a domain, or an id. */
const MOST_CHARACTERS = 300;

type Form<K> = (message: Extract<NodeMessage, { kind: K }>) => boolean;

const isText = (value: unknown): boolean => typeof value === 'string' && value.length <= MOST_CHARACTERS;
const always = (): boolean => true;

/** Whether the fields are as they should be. */
const FORMS: { [K in NodeMessage['kind']]: Form<K> } = {
  nodes: always,
  queues: ({ ids }) =>
    ids === null ||
    (Array.isArray(ids) && ids.length <= MOST_IDS && ids.every((id) => Number.isSafeInteger(id))),
  events: always,
  inbound: always,
  traffic: always,
  'limit removed': ({ id }) => isText(id),
  probe: ({ domain }) => isText(domain),
  credentials: ({ id }) => isText(id),
  dkim: always,
  epochs: always,
  reload: always,
};

export function encodeNodeMessage(from: string, message: NodeMessage): string {
  const isLong = message.kind === 'queues' && (message.ids?.length ?? 0) > MOST_IDS;
  return JSON.stringify({ from, ...(isLong ? { kind: 'queues', ids: null } : message) });
}

/** `null` for an unknown message, because another release may send more kinds. */
export function decodeNodeMessage(payload: string): { from: string; message: NodeMessage } | null {
  try {
    const { from, ...message } = JSON.parse(payload) as { from: string } & NodeMessage;
    if (!isText(from) || typeof message.kind !== 'string' || !Object.hasOwn(FORMS, message.kind)) return null;
    const isWhole = FORMS[message.kind] as (message: NodeMessage) => boolean;
    return isWhole(message) ? { from, message } : null;
  } catch {
    return null;
  }
}
