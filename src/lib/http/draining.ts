// Time between the signal to end and the end: the server still answers, says that it is not ready, and asks clients to close
// their connections, so that load balancers stop sending requests before the ports close.

export interface Draining {
  readonly isDraining: boolean;
  /** Resolves when load balancers have had their time; at once where no other server could take the requests. */
  run(): Promise<void>;
}

export function createDraining({
  ms,
  peers,
}: {
  ms: number;
  /** Other servers that could take the requests; null: there are none. */
  peers: { lookForPeers(): Promise<boolean> } | null;
}): Draining {
  let isDraining = false;
  return {
    get isDraining() {
      return isDraining;
    },
    async run() {
      isDraining = true;
      if (await peers?.lookForPeers()) await new Promise((resolve) => setTimeout(resolve, ms));
    },
  };
}
