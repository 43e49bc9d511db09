// Code of a page that cannot be loaded: while the server restarts the page waits for it, and a new release is loaded whole.
const PROBE_MS = 1_000;

/** Loads code. If that fails, waits until the server runs and tries again; never fails while the server is away. */
export async function loadChunk<M>(load: () => Promise<M>): Promise<M> {
  try {
    return await load();
  } catch {
    await serverRuns();
    try {
      return await load();
    } catch {
      // The server runs and does not have the file: it is another release by now.
      window.location.reload();
      return new Promise<never>(() => undefined);
    }
  }
}

async function serverRuns(): Promise<void> {
  for (;;) {
    const answer = await fetch('/healthz', { cache: 'no-store' }).catch(() => null);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, PROBE_MS));
  }
}
