// The words of config/reply-rules.json, ready for use.
import { compileReplyRules, type ReplyRules } from '../../src/mail/reply-rules.js';
import { readShipped } from '../../src/runtime/config/shipped.js';

export function shippedReplyRules(): ReplyRules {
  return compileReplyRules(readShipped('reply-rules'));
}
