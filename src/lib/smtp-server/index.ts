export { type AdmissionLimits, type ClientAdmission, createClientAdmission } from './client-admission.js';
export type {
  Envelope,
  EnvelopeRecipient,
  ListenerHooks,
  ListenerSession,
  ServerRefusal,
  ServerReply,
} from './hooks.js';
export {
  type CertificateSource,
  createSmtpListener,
  type ListenerLimits,
  type SmtpListener,
  type SmtpListenerOptions,
} from './listener.js';
export { createSignInGuard } from './sign-in-guard.js';
