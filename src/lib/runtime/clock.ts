// The only place where the program asks what time it is.

/** Milliseconds since the Unix epoch, UTC. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();
