// Maps a message's TLS requirement (RFC 8689) to the column that stores it.
import type { Message } from './messages.tables.js';

/** `required`: verified TLS end to end is required; `waived`: policies are ignored. */
export type TlsTerms = 'policy' | 'required' | 'waived';

const COLUMN = { required: 1, policy: 0, waived: -1 } as const;

export function tlsTermsColumn(terms: TlsTerms): Message['require_tls'] {
  return COLUMN[terms];
}

export function readTlsTerms(column: Message['require_tls']): TlsTerms {
  return column === 1 ? 'required' : column === -1 ? 'waived' : 'policy';
}
