// Drives Debian's Chromium: opens pages, reports their requests and errors, fills in and submits forms as people do. For
// everything else use `page`, which is Playwright's.
import { existsSync } from 'node:fs';
import { chromium, type ConsoleMessage, type Page, type Request, type Response } from 'playwright-core';
import { ensurePackages } from './apt.js';
import { sized } from './run-size.js';

/** The browser without windows, which takes less CPU than the full one in headless mode. */
const PROGRAM = '/usr/bin/chromium-headless-shell';
const ANSWER_MS = 60_000;
/** Device pixels per CSS pixel on a phone; at 2, four times as many pixels are painted. */
const PHONE_SCALE = sized({ small: 1, full: 2 });
/** Animations are painted sixty times per second without a graphics card. */
const MOTION = sized({ small: 'reduce', full: 'no-preference' } as const);
/** Chromium requests it automatically if a page names no icon. */
const UNASKED = '/favicon.ico';

/** Returns null if Chromium is available, otherwise the reason. */
export function ensureChromium(): string | null {
  return ensurePackages({
    packages: ['chromium-headless-shell', 'fonts-dejavu-core'],
    isThere: () => existsSync(PROGRAM),
  });
}

export interface Shown {
  status: number;
  title: string;
  /** Console output: errors, violations of the page's policy, failed loads, and output of scripts. */
  complaints: string[];
  /** All requested addresses, the page first. */
  requests: string[];
}

export interface Look {
  /** CSS pixels; 1280 × 800 by default. A width below 600 is a phone. */
  width?: number;
  height?: number;
  scheme?: 'light' | 'dark';
}

export type Browser = Awaited<ReturnType<typeof startChromium>>;

/** `hosts` lead to 127.0.0.1 at this port, all others nowhere. */
export async function startChromium({ hosts, port }: { hosts: readonly string[]; port: number }) {
  const rules = [
    ...hosts.map((host) => `MAP ${host}:80 127.0.0.1:${port}`),
    'MAP * ~NOTFOUND',
    'EXCLUDE 127.0.0.1',
  ];
  const program = await chromium.launch({
    executablePath: PROGRAM,
    timeout: ANSWER_MS,
    // A page lives for seconds, so optimizing its scripts costs more than it saves.
    args: ['--disable-gpu', '--js-flags=--no-opt', `--host-resolver-rules=${rules.join(', ')}`],
  });
  // Playwright must not set the window size, because it could not turn a page into a phone's later.
  const page = await program.newPage({ viewport: null });
  page.setDefaultTimeout(ANSWER_MS);
  const session = await page.context().newCDPSession(page);

  async function wear({ width = 1280, height = 800, scheme = 'light' }: Look): Promise<void> {
    const mobile = width < 600;
    const metrics = { width, height, deviceScaleFactor: mobile ? PHONE_SCALE : 1, mobile };
    await session.send('Emulation.setDeviceMetricsOverride', metrics);
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: MOTION });
  }

  /** Performs an action that leads to another page, and waits until that is loaded. */
  async function shownBy(act: () => Promise<unknown>): Promise<Shown> {
    const seen = listenTo(page);
    try {
      await act();
      return { title: await page.title(), ...seen.all() };
    } finally {
      seen.stop();
    }
  }

  return {
    page,
    open: (url: string, look: Look = {}): Promise<Shown> =>
      wear(look).then(() => shownBy(() => page.goto(url))),
    /** Fills in fields by name, and presses the button with this text. */
    press: (button: string, fields: Record<string, string> = {}): Promise<Shown> =>
      shownBy(async () => {
        for (const [name, value] of Object.entries(fields))
          await page.locator(`[name="${name}"]`).fill(value);
        const loaded = page.waitForEvent('load');
        await page.getByRole('button', { name: button, exact: true }).click();
        await loaded;
      }),
    evaluate: (expression: string): Promise<unknown> => page.evaluate(expression),
    wear,
    /** PNG. */
    picture: (): Promise<Buffer> => page.screenshot(),
    close: (): Promise<void> => program.close(),
  };
}

/** Records the requests and console output of a page, until `stop`. */
function listenTo(page: Page) {
  const complaints: string[] = [];
  const requests: string[] = [];
  let status = 0;
  const asked = (request: Request): void => void requests.push(request.url());
  const answered = (response: Response): void => {
    if (response.request().isNavigationRequest()) status = response.status();
  };
  const said = (message: ConsoleMessage): void => {
    const { url } = message.location();
    if (!url.endsWith(UNASKED)) complaints.push(`${message.type()}: ${message.text()} ${url}`);
  };
  const failed = (error: Error): void => void complaints.push(String(error));
  page.on('request', asked);
  page.on('response', answered);
  page.on('console', said);
  page.on('pageerror', failed);
  return {
    all: () => ({ status, complaints, requests }),
    stop(): void {
      page.off('request', asked);
      page.off('response', answered);
      page.off('console', said);
      page.off('pageerror', failed);
    },
  };
}
