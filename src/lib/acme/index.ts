export {
  type AcmeChallenges,
  createAcmeChallenges,
  type ListenAddress,
  openChallengeListener,
} from './acme-challenges.js';
export { type AcmeFailure, newAccountKey, orderCertificate, type OrderOutcome } from './acme-order.js';
export { acmeAdvice } from './acme-problem.rules.js';
