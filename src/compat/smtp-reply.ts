// The reply of a mail server as vendors show it.
import type { MessageEvent } from '../webhooks/format.rules.js';

type Reply = MessageEvent['reply'];

/** Returns the text of a server's reply, preceded by its code as the vendor does. */
export function replyReason({ code, text }: Pick<Reply, 'code' | 'text'>): string {
  return code === null || text.startsWith(String(code)) ? text : `${code} ${text}`.trim();
}

/** Returns the enhanced code (RFC 3463) of a server's reply, or its basic code if it has none. */
export function replyStatus({ code, enhancedCode }: Pick<Reply, 'code' | 'enhancedCode'>): string {
  return enhancedCode ?? (code === null ? '' : String(code));
}
