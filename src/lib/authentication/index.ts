export { lookUpWith } from './look-ups.js';
export {
  createMailAuthentication,
  type MailAuthentication,
  type MailEnvelope,
} from './mail-authentication.js';
export { lookUpSpf } from './spf-check.js';
export { unauthenticated } from './unauthenticated-mail.js';
