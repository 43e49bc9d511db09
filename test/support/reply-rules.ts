// The phrases of config/reply-rules.json, ready for use.
import { compileReplyRules, type ReplyRules } from '../../src/inbound/replies/reply-rules.rules.js';
import { readShipped } from '../../src/settings/shipped.js';

export function shippedReplyRules(): ReplyRules {
  return compileReplyRules(readShipped('reply-rules'));
}
