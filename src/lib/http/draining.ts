// Drains the server between the signal to stop and its end. It still answers, reports that it is not ready,
// and asks clients to close connections, so that load balancers stop sending requests before the ports close.

export interface Draining {
  readonly isDraining: boolean;
  /**
   * Resolves after load balancers had their time, or immediately if no other server can take the requests.
   */
  run(): Promise<void>;
}

export function createDraining({
  ms,
  peers,
}: {
  ms: number;
  /** Looks for servers that can take the requests; `null` if there are none. */
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
