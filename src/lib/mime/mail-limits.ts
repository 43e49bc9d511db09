// Limits the reading of a received message. The message is stored whole, and `problems` lists omitted parts.

export interface MailLimits {
  /** Octets of the header that are read; a part's header may have a quarter of it. */
  headerBytes: number;
  fields: number;
  /** Nodes of the MIME tree. This also bounds its depth, since every level is a node. */
  parts: number;
  /** Characters of text and of HTML. The full version of a truncated one is among the parts. */
  bodyLength: number;
}

export const MAIL_LIMITS: MailLimits = {
  headerBytes: 262_144,
  fields: 2_000,
  parts: 1_000,
  bodyLength: 2_000_000,
};
