// Standby of a server whose database is in use, read-only, or being upgraded. It is reported in the log and to probes, and
// requests are refused so that clients retry.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { certificateFiles } from './installation/certificate-files.js';
import { type Log, systemClock, workerUrl } from '../lib/runtime/index.js';
import { certificateToShow } from '../operations/certificates/in-use.js';
import type { Config } from '../settings/settings.js';
import type { FromStandby, StandbySettings, ToStandby } from './standby-messages.js';

export class Standby {
  readonly #config: Config;
  readonly #log: Log;
  #thread: Worker | null = null;
  #reason: string | null = null;

  constructor(config: Config, log: Log) {
    this.#config = config;
    this.#log = log;
  }

  /** Resolves when both ports answer or cannot be opened. Further calls change the reason. */
  async begin(reason: string): Promise<void> {
    if (reason === this.#reason) return;
    this.#reason = reason;
    this.#log.warn({ reason }, 'on standby');
    if (this.#thread !== null) {
      this.#post({ kind: 'reason', reason });
      return;
    }
    const { httpHost: host, httpPort: port, logLevel } = this.#config;
    try {
      const thread = this.#open({ host, port, logLevel, reason });
      await this.#listens(thread);
      await this.#secure(thread);
    } catch (error) {
      // Failing to listen must not end the process, because the server may still be needed.
      this.#log.error({ err: error }, 'standby listener failed: requests are not answered on standby');
    }
  }

  /** Closes the ports. */
  async end(): Promise<void> {
    const thread = this.#thread;
    if (thread === null) return;
    this.#thread = null;
    await thread.terminate();
    this.#log.info('standby ended');
  }

  #open(workerData: StandbySettings): Worker {
    const thread = new Worker(workerUrl('app/standby-worker.js'), {
      workerData,
      // The process's environment contains secrets, and its flags are not meant for a worker.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 },
    });
    thread.on('error', (error) => this.#log.error({ err: error }, 'standby thread failed'));
    this.#thread = thread;
    return thread;
  }

  /** Resolves when the thread listens on another port or has failed to. */
  async #listens(thread: Worker): Promise<void> {
    const [{ problem }] = (await once(thread, 'message')) as [FromStandby]; // the only message that it sends
    if (problem !== null) this.#log.warn({ reason: problem }, 'port not available on standby');
  }

  async #secure(thread: Worker): Promise<void> {
    const { https, httpsPort: port } = this.#config;
    if (!https) return;
    const files = certificateFiles(this.#config);
    const { key, cert } = await certificateToShow(this.#config, files, systemClock());
    this.#post({ kind: 'secure', port, key, cert });
    await this.#listens(thread);
  }

  #post(message: ToStandby): void {
    this.#thread?.postMessage(message);
  }
}
