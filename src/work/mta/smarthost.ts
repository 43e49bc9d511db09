// A smarthost as the configuration names it: smtp[s]://user:password@host:port.
import type { Credentials } from '../../net/smtp/auth.js';
import type { SmtpTlsOptions } from '../../net/smtp/tls-facts.js';

const SUBMISSION_PORT = 587;
const SMTPS_PORT = 465;
const SMTP_PORT = 25;

export interface Smarthost {
  host: string;
  port: number;
  tlsMode: SmtpTlsOptions['mode'];
  verifyTls: boolean;
  auth: Credentials | null;
}

/** With credentials TLS is required and its certificate verified; without, it is used when offered. */
export function readSmarthost(url: string): Smarthost {
  const { protocol, hostname, port, username, password } = new URL(url);
  const isImplicit = protocol === 'smtps:';
  const auth =
    username === '' ? null : { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  const defaultPort = isImplicit ? SMTPS_PORT : auth ? SUBMISSION_PORT : SMTP_PORT;
  return {
    host: hostname,
    port: port === '' ? defaultPort : Number(port),
    tlsMode: isImplicit ? 'implicit' : auth ? 'required' : 'opportunistic',
    verifyTls: isImplicit || auth !== null,
    auth,
  };
}
