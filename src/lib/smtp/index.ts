export type { AccessTokens, Credentials } from './auth.js';
export type { SmtpCapabilities } from './capabilities.js';
export { dotStuff, type MailJob, type SmtpSession } from './client-session.js';
export { type ConnectOutcome, connectSmtp } from './connect.js';
export { knownMailHosts } from './known-mail-hosts.js';
export { createProbe, type Probe } from './probe.js';
export { DEFAULT_SMTP_TIMEOUTS, type SmtpTimeouts } from './timeouts.js';
export { oldVersionsContext, type SmtpTlsOptions } from './tls-facts.js';
export type { DeliveryOutcome } from './transaction.js';
