// The interface of commands to the outside world. Tests pass their own.

export interface Output {
  write(text: string | Uint8Array): unknown;
  isTTY?: boolean;
  columns?: number;
}

export interface Prompts {
  text(question: string, initial?: string): Promise<string>;
  /** Reads input without echoing it. */
  secret(question: string): Promise<string>;
  confirm(question: string): Promise<boolean>;
}

export interface World {
  stdout: Output;
  stderr: Output;
  /** Whether prompts are possible. */
  isInteractive: boolean;
  readStdin: () => Promise<Buffer>;
  /** Lines of the input as they arrive, until it ends or the person interrupts. */
  stdinLines: () => AsyncIterable<string>;
  env: Readonly<Record<string, string | undefined>>;
  /** Aborted when the person interrupts. */
  signal: AbortSignal;
  /** Ends early, without failing, when the signal is aborted. */
  sleep: (ms: number) => Promise<void>;
  prompts: Prompts;
  /** Returns false if there is no browser. */
  openBrowser: (url: string) => Promise<boolean>;
  /** Runs the server's own command line with these arguments. Returns its exit code, or null if there is none on this machine. */
  runServer: (args: readonly string[]) => Promise<number | null>;
  /** Set after a server's response: the server and its release. */
  server?: { url: string; release: string };
}
