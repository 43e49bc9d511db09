// The portable subset that columns are made of, by the names the tables use.

/** Epoch milliseconds, UTC. */
export type Instant = number;
/** JSON text. */
export type Json = string;
export type Flag = 0 | 1;
