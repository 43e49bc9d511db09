export type { ReachFact } from './reach.rules.js';
export { cleanReplyText } from './reply-text.rules.js';
