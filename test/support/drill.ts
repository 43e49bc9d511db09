// Reads what an operator sees of a running program in an incident: metrics, log lines, health checks, and the output of a
// command.
import { mailkeel, type Appliance } from './appliance.js';
import { tuned } from './tuning.js';
import { waitFor } from './wait.js';

/** Values that the metrics read in the database are as old as that, instead of 15 seconds. */
export const READ_OFTEN = { metricsReadMs: 200 };
/** The settings of a monitored program, with metrics on a free port. Additional tuning must include `READ_OFTEN`. */
export const WATCHED = {
  ...{ MAILKEEL_METRICS: 'true', MAILKEEL_METRICS_PORT: '0', MAILKEEL_LOG_LEVEL: 'info' },
  ...tuned(READ_OFTEN),
};

export interface LogLine {
  msg: string;
  [field: string]: unknown;
}

export function watch(appliance: Appliance) {
  /** Values of a series by their labels as written, such as `{kind="suspend"}`; '' without labels. */
  async function series(name: string): Promise<Map<string, number>> {
    const [, url] = /Metrics +(http:\S+)/.exec(appliance.output()) ?? [];
    if (url === undefined) throw new Error(`the program names no port of metrics: ${appliance.output()}`);
    const text = await (await fetch(url)).text();
    const found = new Map<string, number>();
    for (const line of text.split('\n')) {
      const [, key, labels = '', value] = /^(\w+)(\{[^}]*\})? (\S+)$/.exec(line) ?? [];
      if (key === name) found.set(labels, Number(value));
    }
    return found;
  }

  /** The sum of a series over the labels that hold `part`. */
  async function metric(name: string, part = ''): Promise<number> {
    const values = [...(await series(name))].filter(([labels]) => labels.includes(part));
    return values.reduce((sum, [, value]) => sum + value, 0);
  }

  /** Waits until the sum satisfies the condition. */
  function metricIs(name: string, part: string, isSo: (value: number) => boolean): Promise<number> {
    return waitFor(`${name}${part}`, () => metric(name, part), isSo, 40_000);
  }

  function log(): LogLine[] {
    return appliance
      .output()
      .split('\n')
      .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as LogLine] : []));
  }

  /** Waits for the first line with this message. */
  function logged(msg: string): Promise<LogLine> {
    const find = () => Promise.resolve(log().find((line) => line.msg === msg));
    return waitFor(`the log line "${msg}"`, find, (line) => line !== undefined, 40_000).then(
      (line) => line ?? { msg },
    );
  }

  /** `mailkeel admin …`, as the operator types it on this machine. */
  const admin = (...args: string[]) => mailkeel(['admin', ...args], appliance.env);

  return { series, metric, metricIs, log, logged, admin };
}
