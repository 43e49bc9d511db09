// Limits on reading a received message. Parts that are left out are named in its `problems`; the octets are stored whole.

export interface MailLimits {
  /** Octets of the header that are read; a part's header may have a quarter of it. */
  headerBytes: number;
  fields: number;
  /** Nodes of the MIME tree, which bounds its depth too: every level is a node. */
  parts: number;
  /** Characters of text and of html; what is cut is whole among the parts. */
  bodyLength: number;
}

export const MAIL_LIMITS: MailLimits = {
  headerBytes: 262_144,
  fields: 2_000,
  parts: 1_000,
  bodyLength: 2_000_000,
};
