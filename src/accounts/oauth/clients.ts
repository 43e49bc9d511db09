// OAuth clients: those that registered, and those whose ID is the URL of their metadata document.
import { clientNetwork } from '../../lib/addresses/index.js';
import type { GuardedClient } from '../../lib/http/index.js';
import { type Clock, createLruCache, newId } from '../../lib/runtime/index.js';
import { Refusal } from '../../contract/refusal.js';
import { insert, remove } from '../../database/rows.js';
import type { AccountStores } from '../stores.js';
import {
  clientUrlProblem,
  type OauthClient,
  readClientDocument,
  readRegistration,
} from './client-metadata.rules.js';
import { OauthError } from './oauth-error.rules.js';
import { oauthClients } from './oauth.tables.js';

const DAY_MS = 86_400_000;
/** Limits registered clients: per network (`clientNetwork`), and of all networks together. */
const MAX_OF_NETWORK = 50;
const MAX_CLIENTS = 5_000;
const MAX_DOCUMENT_BYTES = 10 * 1024;
const CACHED_DOCUMENTS = 200;
const DOCUMENT_TTL_MS = 5 * 60_000;

interface ClientsContext {
  store: Pick<AccountStores, 'commit' | 'oauth'>;
  clock: Clock;
  /** Opens a client for one request to a client's own server, which is closed afterwards. */
  openFetch: () => GuardedClient;
}

export class OauthClients {
  readonly #context: ClientsContext;
  readonly #documents = createLruCache<string, OauthClient>(CACHED_DOCUMENTS, { ttl: DOCUMENT_TTL_MS });

  constructor(context: ClientsContext) {
    this.#context = context;
  }

  /**
   * Registers a client. Refuses with `rate_limited` if the network has too many. If all networks have too many, the one that ends
   * first is deleted, so that they do not block others.
   */
  async register(metadata: unknown, ip: string): Promise<{ client: OauthClient; createdAt: number }> {
    const { store, clock } = this.#context;
    const { name, redirectUris } = readRegistration(metadata);
    const network = clientNetwork(ip);
    if ((await store.oauth.clientsOfNetwork(network, MAX_OF_NETWORK)) >= MAX_OF_NETWORK) {
      throw new Refusal('rate_limited', 'This network has registered too many clients. Try again tomorrow.');
    }
    const now = clock();
    const id = newId('ocl', now);
    const first = await store.oauth.firstClientToEnd(MAX_CLIENTS);
    await store.commit([
      ...(first === null ? [] : [remove(oauthClients, { where: { id: first } })]),
      insert(oauthClients, {
        row: {
          ...{ id, name, network, created_at: now, expires_at: now + DAY_MS },
          redirect_uris: JSON.stringify(redirectUris),
        },
      }),
    ]);
    return { client: { id, name, redirectUris, verifiedHost: null }, createdAt: now };
  }

  /** Throws an `OauthError` if there is no such client, or if its document cannot be fetched or used. */
  async find(id: string): Promise<OauthClient> {
    if (/^https?:/i.test(id)) return this.#documents.get(id) ?? this.#fetchDocument(id);
    const found = await this.#context.store.oauth.client(id);
    if (found === null) {
      throw new OauthError(
        'invalid_client',
        'The application is not registered, or its registration has ended.',
      );
    }
    const redirectUris = JSON.parse(found.redirect_uris) as string[]; // written by `register`
    return { id, name: found.name, redirectUris, verifiedHost: null };
  }

  async #fetchDocument(id: string): Promise<OauthClient> {
    const problem = clientUrlProblem(id);
    if (problem !== null) throw new OauthError('invalid_client', `The client_id ${problem}.`);
    const fetching = this.#context.openFetch();
    try {
      const headers = { accept: 'application/json' };
      const answer = await fetching.request(id, { headers, maxBytes: MAX_DOCUMENT_BYTES });
      if (answer.kind === 'error') {
        throw new OauthError('invalid_client', `The client's document cannot be fetched: ${answer.error}`);
      }
      const type = String(answer.headers['content-type'] ?? '');
      if (answer.status !== 200 || !/^application\/([a-z0-9.-]+\+)?json\b/i.test(type)) {
        throw new OauthError(
          'invalid_client',
          `The client's document is not JSON, or not there (HTTP ${answer.status}).`,
        );
      }
      const client = readClientDocument(id, answer.body.toString('utf8'));
      this.#documents.set(id, client);
      return client;
    } finally {
      await fetching.close();
    }
  }
}
