// Chromium, Debian's, driven over its debugging pipe: opens pages, tells what they asked for and complained of, fills in and
// sends forms as people do.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { ensurePackages } from './apt.js';

const PROGRAM = '/usr/bin/chromium';
const ANSWER_MS = 60_000;

/** Null when it is there, else why not. */
export function ensureChromium(): string | null {
  return ensurePackages({
    packages: ['chromium', 'fonts-dejavu-core'],
    isThere: () => existsSync(PROGRAM),
  });
}

export interface Shown {
  status: number;
  title: string;
  /** Errors and warnings of the console and the log. */
  complaints: string[];
  /** Addresses of everything that was asked for, the page first. */
  requests: string[];
}

export interface Look {
  /** CSS pixels; 1280 × 800 when absent. */
  width?: number;
  height?: number;
  scheme?: 'light' | 'dark';
}

export type Browser = Awaited<ReturnType<typeof startChromium>>;

interface Reply {
  id?: number;
  method?: string;
  sessionId?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { message: string };
}

/** `hosts` lead to 127.0.0.1 at this port, all others nowhere. */
export async function startChromium({ hosts, port }: { hosts: readonly string[]; port: number }) {
  const profile = await mkdtemp(join(tmpdir(), 'chromium-'));
  const rules = [
    ...hosts.map((host) => `MAP ${host}:80 127.0.0.1:${port}`),
    'MAP * ~NOTFOUND',
    'EXCLUDE 127.0.0.1',
  ];
  const child = spawn(
    PROGRAM,
    [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable',
      '--no-first-run',
      '--hide-scrollbars',
      `--user-data-dir=${profile}`,
      `--host-resolver-rules=${rules.join(', ')}`,
      '--remote-debugging-pipe',
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  );
  const pipe = debuggingPipe(child);
  const { targetInfos } = await pipe.ask('Target.getTargets');
  const page = (targetInfos as { type: string; targetId: string }[]).find(({ type }) => type === 'page');
  const targetId =
    page?.targetId ?? (await pipe.ask('Target.createTarget', { url: 'about:blank' }))['targetId'];
  const { sessionId } = await pipe.ask('Target.attachToTarget', { targetId, flatten: true });
  const ask = (method: string, params: object = {}) => pipe.ask(method, params, String(sessionId));
  for (const domain of ['Page', 'Network', 'Runtime', 'Log']) await ask(`${domain}.enable`);

  async function wear({ width = 1280, height = 800, scheme = 'light' }: Look): Promise<void> {
    const mobile = width < 600;
    await ask('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: mobile ? 2 : 1,
      mobile,
    });
    await ask('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
  }

  async function evaluate(expression: string): Promise<unknown> {
    const answer = await ask('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true });
    if (answer['exceptionDetails'] !== undefined) throw new Error(JSON.stringify(answer['exceptionDetails']));
    return (answer['result'] as { value?: unknown }).value;
  }

  /** Does what leads to another page, and waits until that is loaded. */
  async function shownBy(act: () => Promise<unknown>): Promise<Shown> {
    const seen: Reply[] = [];
    const stop = pipe.listen((event) => void seen.push(event));
    const loaded = pipe.once('Page.loadEventFired');
    try {
      await act();
      await loaded;
      const title = String(await evaluate('document.title'));
      return { title, ...told(seen) };
    } finally {
      stop();
    }
  }

  return {
    open: (url: string, look: Look = {}): Promise<Shown> =>
      wear(look).then(() => shownBy(() => ask('Page.navigate', { url }))),
    /** Fills in fields by name, and presses the button with this text. */
    press: (button: string, fields: Record<string, string> = {}): Promise<Shown> =>
      shownBy(() =>
        evaluate(`(${pressing.toString()})(${JSON.stringify(button)}, ${JSON.stringify(fields)})`),
      ),
    evaluate,
    wear,
    /** PNG. */
    async picture(): Promise<Buffer> {
      const { data } = await ask('Page.captureScreenshot', { format: 'png' });
      return Buffer.from(String(data), 'base64');
    },
    async close(): Promise<void> {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGKILL');
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Runs in the page. */
function pressing(text: string, fields: Record<string, string>): void {
  const page = (globalThis as unknown as { document: PageDocument }).document;
  for (const [name, value] of Object.entries(fields)) {
    for (const field of page.querySelectorAll(`[name="${name}"]`)) field.value = value;
  }
  const button = Array.from(page.querySelectorAll('button')).find((one) => one.textContent === text);
  if (!button) throw new Error(`There is no button ${text}.`);
  button.click();
}

interface PageDocument {
  querySelectorAll(selector: string): Iterable<{ value: string; textContent: string; click(): void }>;
}

function told(seen: readonly Reply[]): Omit<Shown, 'title'> {
  const complaints: string[] = [];
  const requests: string[] = [];
  let status = 0;
  for (const { method, params = {} } of seen) {
    if (method === 'Network.requestWillBeSent') requests.push((params['request'] as { url: string }).url);
    if (method === 'Network.responseReceived' && params['type'] === 'Document') {
      ({ status } = params['response'] as { status: number });
    }
    if (method === 'Runtime.exceptionThrown') complaints.push(JSON.stringify(params['exceptionDetails']));
    if (method === 'Runtime.consoleAPICalled') complaints.push(JSON.stringify(params['args']));
    if (method === 'Log.entryAdded') {
      const { level, text, url = '' } = params['entry'] as { level: string; text: string; url?: string };
      complaints.push(`${level}: ${text} ${url}`);
    }
  }
  return { status, complaints, requests };
}

/** JSON texts ended by a null octet, to descriptor 3 and from descriptor 4. */
function debuggingPipe(child: ChildProcess) {
  const toChild = child.stdio[3] as Writable;
  const fromChild = child.stdio[4] as Readable;
  const waiting = new Map<
    number,
    { resolve: (result: Record<string, unknown>) => void; reject: (e: Error) => void }
  >();
  const listeners = new Set<(event: Reply) => void>();
  let asked = 0;
  let rest = Buffer.alloc(0);
  toChild.on('error', () => undefined);
  fromChild.on('data', (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    for (let end = rest.indexOf(0); end !== -1; end = rest.indexOf(0)) {
      const reply = JSON.parse(rest.toString('utf8', 0, end)) as Reply;
      rest = rest.subarray(end + 1);
      if (reply.id === undefined) for (const listener of [...listeners]) listener(reply);
      else {
        const asker = waiting.get(reply.id);
        waiting.delete(reply.id);
        if (reply.error) asker?.reject(new Error(reply.error.message));
        else asker?.resolve(reply.result ?? {});
      }
    }
  });

  function bounded<T>(what: string, promise: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`Chromium does not answer: ${what}`)), ANSWER_MS);
    });
    return Promise.race([promise, late]).finally(() => clearTimeout(timer));
  }

  return {
    ask(method: string, params: object = {}, sessionId?: string): Promise<Record<string, unknown>> {
      const id = ++asked;
      const answered = new Promise<Record<string, unknown>>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
      });
      toChild.write(`${JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) })}\0`);
      return bounded(method, answered);
    },
    listen(listener: (event: Reply) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    once(method: string): Promise<void> {
      return bounded(
        method,
        new Promise<void>((resolve) => {
          const listener = (event: Reply): void => {
            if (event.method !== method) return;
            listeners.delete(listener);
            resolve();
          };
          listeners.add(listener);
        }),
      );
    },
  };
}
