// A smarthost as an operator names it: smtp[s]://user:password@host:port, or with an OAuth token in place of the password.

const SUBMISSION_PORT = 587;
const SMTPS_PORT = 465;
const SMTP_PORT = 25;

export const SMARTHOST_FORM =
  'smtp[s]://[user:password@]host[:port] or smtp[s]://user@host[:port]?oauth2_token_file=path';

const TOKEN_FILE = 'oauth2_token_file';

/** An application that obtains access tokens from a server of OAuth 2.0. */
export interface OAuthApplication {
  tokenUrl: string;
  clientId: string;
  /** Null for a public client. */
  clientSecret: string | null;
  /** File with the refresh token of the mailbox. `null` if the application signs in as itself. */
  refreshTokenFile: string | null;
  scope: string | null;
}

export interface Smarthost {
  /** Name or address; an IPv6 address is in brackets. */
  host: string;
  port: number;
  tlsMode: 'opportunistic' | 'required' | 'implicit';
  verifyTls: boolean;
  auth:
    | { user: string; pass: string }
    | { user: string; tokenFile: string }
    | { user: string; application: OAuthApplication }
    | null;
  /** Header fields that the smarthost reads and removes. They are added above the signature. */
  headers: readonly (readonly [name: string, value: string])[];
  /**
   * Envelope sender of all mail, for servers that accept only their own user. Bounces go to it. `null` for Mailkeel's own return
   * path.
   */
  mailFrom: string | null;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/**
 * With credentials, TLS with a verified certificate is required. Without, TLS is used if offered. Throws an Error that does not
 * repeat the URL, which may contain a password.
 */
export function readSmarthost(text: string): Smarthost {
  const url = URL.canParse(text) ? new URL(text) : null;
  const user = decoded(url?.username ?? '');
  const pass = decoded(url?.password ?? '');
  const isSmtp = url?.protocol === 'smtp:' || url?.protocol === 'smtps:';
  const isBare = url !== null && ['', '/'].includes(url.pathname) && url.hash === '';
  const tokenFile = url?.searchParams.get(TOKEN_FILE) ?? null;
  const isKnown =
    tokenFile === null
      ? url?.search === ''
      : url?.searchParams.size === 1 && tokenFile !== '' && user !== '' && pass === '';
  if (
    !isSmtp ||
    !isBare ||
    !isKnown ||
    url.hostname === '' ||
    url.port === '0' ||
    user === null ||
    pass === null
  ) {
    throw new Error(`a smarthost must be ${SMARTHOST_FORM}`);
  }
  const isImplicit = url.protocol === 'smtps:';
  const auth = user === '' ? null : tokenFile === null ? { user, pass } : { user, tokenFile };
  const defaultPort = isImplicit ? SMTPS_PORT : auth ? SUBMISSION_PORT : SMTP_PORT;
  return {
    host: url.hostname,
    port: url.port === '' ? defaultPort : Number(url.port),
    tlsMode: isImplicit ? 'implicit' : auth ? 'required' : 'opportunistic',
    verifyTls: isImplicit || auth !== null,
    auth,
    headers: [],
    mailFrom: null,
  };
}
