// The image's health check: asks the server of this container, where its own configuration says that it listens.
import { loadProcessConfig } from '../dist/settings/process-config.js';

const TIMEOUT_MS = 4_000;
const LOOPBACK = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
]);

try {
  const { config } = loadProcessConfig();
  const host =
    LOOPBACK.get(config.httpHost) ??
    (config.httpHost.includes(':') ? `[${config.httpHost}]` : config.httpHost);
  const url = `http://${host}:${config.httpPort}/healthz`;
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
