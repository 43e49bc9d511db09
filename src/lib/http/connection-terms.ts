// Limits incoming requests on every port of the API: the time for a request to arrive and the size of its
// header.
const CHECK_MS = 2_000;
const HEADERS_MS = 10_000;
const MAX_HEADER_BYTES = 16 * 1024;

/** Options for a `node:http` or `node:https` server. */
export const CONNECTION_TERMS = {
  /** Time for the request line and header fields, from the start of the connection. */
  headersTimeout: HEADERS_MS,
  /** Interval (ms) of the search for late requests. */
  connectionsCheckingInterval: CHECK_MS,
  maxHeaderSize: MAX_HEADER_BYTES,
} as const;
