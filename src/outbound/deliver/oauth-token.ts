// Obtains access tokens for a smarthost that signs in with XOAUTH2, from its refresh token or as an application. A token is reused
// until shortly before it expires, by all sessions of the thread.
import { readFile, rename, writeFile } from 'node:fs/promises';
import type { GuardedClient } from '../../lib/http/index.js';
import type { Clock } from '../../lib/runtime/index.js';
import type { AccessTokens } from '../../lib/smtp/index.js';
import type { OAuthApplication } from '../route/smarthost.rules.js';

/** Time (ms) before its end at which a token is replaced. */
const EARLY_MS = 60_000;
/** Lifetime (s) of a token if the response does not give one. */
const DEFAULT_LIFETIME_S = 300;
const MAX_RESPONSE_BYTES = 64 * 1024;
const MAX_REASON = 200;

interface OAuthTokenContext {
  client: Pick<GuardedClient, 'request'>;
  clock: Clock;
}

interface TokenResponse {
  access_token?: unknown;
  expires_in?: unknown;
  refresh_token?: unknown;
  error?: unknown;
  error_description?: unknown;
}

export class OAuthToken implements AccessTokens {
  readonly #application: OAuthApplication;
  readonly #client: Pick<GuardedClient, 'request'>;
  readonly #clock: Clock;
  #token: { text: string; until: number } | null = null;
  #asking: Promise<string> | null = null;
  /** The newest refresh token, if the server has replaced the one in the file. */
  #refreshToken: string | null = null;

  constructor(application: OAuthApplication, { client, clock }: OAuthTokenContext) {
    this.#application = application;
    this.#client = client;
    this.#clock = clock;
  }

  get(): Promise<string> {
    if (this.#token !== null && this.#clock() < this.#token.until) return Promise.resolve(this.#token.text);
    return (this.#asking ??= this.#ask().finally(() => (this.#asking = null)));
  }

  refused(): void {
    this.#token = null;
  }

  async #ask(): Promise<string> {
    const { tokenUrl } = this.#application;
    const answer = await this.#client.request(tokenUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: (await this.#grant()).toString(),
      maxBytes: MAX_RESPONSE_BYTES,
    });
    if (answer.kind === 'error') throw new Error(`no OAuth access token: ${answer.error}`);
    const response = readResponse(answer.body);
    const { access_token: text, expires_in: lifetime } = response;
    if (answer.status !== 200 || typeof text !== 'string') {
      // The operator, or another process, may have put a new one into the file.
      this.#refreshToken = null;
      throw new Error(`no OAuth access token: ${answer.status} ${reasonOf(response)}`.trim());
    }
    const seconds = typeof lifetime === 'number' ? lifetime : DEFAULT_LIFETIME_S;
    this.#token = { text, until: this.#clock() + seconds * 1_000 - EARLY_MS };
    if (typeof response.refresh_token === 'string') await this.#keep(response.refresh_token);
    return text;
  }

  /** The form of RFC 6749 section 6 with a refresh token, or of section 4.4 without one. */
  async #grant(): Promise<URLSearchParams> {
    const { clientId, clientSecret, scope, refreshTokenFile } = this.#application;
    const form = new URLSearchParams({ client_id: clientId });
    if (clientSecret !== null) form.set('client_secret', clientSecret);
    if (scope !== null) form.set('scope', scope);
    if (refreshTokenFile === null) {
      form.set('grant_type', 'client_credentials');
      return form;
    }
    form.set('grant_type', 'refresh_token');
    form.set('refresh_token', this.#refreshToken ?? (await readRefreshToken(refreshTokenFile)));
    return form;
  }

  /** Microsoft replaces refresh tokens, and the former one ends within 90 days. */
  async #keep(refreshToken: string): Promise<void> {
    const { refreshTokenFile: file } = this.#application;
    if (file === null || refreshToken === this.#refreshToken) return;
    this.#refreshToken = refreshToken;
    try {
      const next = `${file}.${process.pid}.new`;
      await writeFile(next, `${refreshToken}\n`, { mode: 0o600 });
      await rename(next, file);
    } catch {
      // If a file cannot be written, such as a mounted secret, it keeps the former token. docs/leaving.md says so.
    }
  }
}

async function readRefreshToken(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').then(
    (content) => content.trim(),
    () => '',
  );
  if (text === '') throw new Error('no OAuth access token: the refresh token file is empty or missing');
  return text;
}

function readResponse(body: Buffer): TokenResponse {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** The server's own words, which contain no secrets (RFC 6749 section 5.2). */
function reasonOf({ error, error_description: description }: TokenResponse): string {
  const words = [error, description].filter((text) => typeof text === 'string');
  return words
    .join(': ')
    .replace(/[^\x20-\x7e]/g, ' ')
    .slice(0, MAX_REASON);
}
