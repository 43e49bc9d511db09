// Limits of incoming requests, the same on every port of the API: the time that one may take to arrive, and the size of its
// header fields.
const CHECK_MS = 2_000;
const HEADERS_MS = 10_000;
const MAX_HEADER_BYTES = 16 * 1024;

/** Options of a server of `node:http` or `node:https`. */
export const CONNECTION_TERMS = {
  /** Of a request line with its header fields, from the opening of the connection. */
  headersTimeout: HEADERS_MS,
  /** Interval (ms) at which late requests are searched. */
  connectionsCheckingInterval: CHECK_MS,
  maxHeaderSize: MAX_HEADER_BYTES,
} as const;
