// The dashboard as a company's people use it: the filled program, a browser in which its owner is signed in, and the checks of
// every page: accessibility, the OpenAPI document, no other hosts, a quiet console.
import { readFile } from 'node:fs/promises';
import axeCore from 'axe-core';
import type { ConsoleMessage, Page, Request } from 'playwright-core';
import { startChromium, type Look } from './chromium.js';
import { credentialsOf, type RoleOfPerson } from './dashboard/account.js';
import { startFilledProgram, type DashboardWorld } from './dashboard-world.js';
import { startDashboardProgram } from './dashboard/program.js';
import { isFullSize, sized } from './run-size.js';

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

/** The looks in which every page must be complete; every check uses the two that differ most. */
export const LOOKS: readonly (Required<Look> & { name: string })[] = sized({
  small: [
    { name: 'wide-light', ...WIDE, scheme: 'light' },
    { name: 'phone-dark', ...PHONE, scheme: 'dark' },
  ],
  full: [
    { name: 'wide-light', ...WIDE, scheme: 'light' },
    { name: 'wide-dark', ...WIDE, scheme: 'dark' },
    { name: 'phone-light', ...PHONE, scheme: 'light' },
    { name: 'phone-dark', ...PHONE, scheme: 'dark' },
  ],
});

const SETTLED_MS = 30_000;
/** Frames without requests and skeletons after which no more follow. */
const QUIET_FRAMES = 3;
const API_DOCUMENT = new URL('../../docs/openapi.json', import.meta.url);

interface Asked {
  method: string;
  url: string;
}

export interface Place {
  /** The workspace that is filled, unless given. */
  workspace?: string;
  environment?: 'live' | 'test';
}

export type DashboardRig = Awaited<ReturnType<typeof startDashboardRig>>;

/** `world: 'none'` leaves the workspace empty, as on a new server. */
export async function startDashboardRig({ world: wished = 'filled' }: { world?: 'filled' | 'none' } = {}) {
  const { program, world: filled } =
    wished === 'none' ? { program: await startDashboardProgram(), world: null } : await startFilledProgram();
  const { url, port, keys } = program.appliance;
  const isDocumented = await documentedPaths();
  try {
    const browser = await startChromium({ hosts: [], port });
    const { page } = browser;
    const watched = watch(page);

    /** Waits until no request is in progress and no skeleton is shown. */
    async function settled(): Promise<void> {
      const deadline = Date.now() + SETTLED_MS;
      for (let quiet = 0; quiet < QUIET_FRAMES;) {
        const isShown = await page.evaluate(nextFrame);
        quiet = isShown && watched.underWay.size === 0 ? quiet + 1 : 0;
        if (Date.now() < deadline) continue;
        const waits = [...watched.underWay].map((request) => request.url());
        throw new Error(`the page does not come to rest: ${waits.join(', ') || 'a skeleton is shown'}`);
      }
    }

    async function signIn(role: RoleOfPerson = 'owner'): Promise<void> {
      const person = credentialsOf(role);
      await page.goto(`${url}/sign-in`);
      await page.locator('[name="email"]').fill(person.email);
      await page.locator('[name="password"]').fill(person.password);
      await page.locator('button[type="submit"]').click();
      await page.waitForURL(/\/ws_[0-9a-z]+\/(live|test)/);
      await settled();
      // The page first requests the session, and is refused.
      watched.forget('status of 401');
    }

    /** Opens `/messages?status=bounced` of the workspace, live by default. */
    async function open(path: string, { workspace = keys.workspace_id, environment = 'live' }: Place = {}) {
      await page.goto(`${url}/${workspace}/${environment}${path === '/' ? '' : path}`);
      await settled();
    }

    /**
     * Navigates like a link of the page, without loading the program again or repeating recent reads. In full size the page is
     * opened, and in every check it is opened if it is already shown or a dialog would remain.
     */
    async function visit(path: string, place: Place = {}) {
      const { workspace = keys.workspace_id, environment = 'live' } = place;
      const href = JSON.stringify(`/${workspace}/${environment}${path === '/' ? '' : path}`);
      const isLeft =
        !isFullSize &&
        (await page.evaluate<boolean>(`{
          const isElsewhere = '__TSR_ROUTER__' in self && __TSR_ROUTER__.latestLocation.href !== ${href};
          const goes = isElsewhere && document.querySelector('[role="dialog"]') === null;
          if (goes) __TSR_ROUTER__.history.push(${href}, undefined, { ignoreBlocker: true });
          goes;
        }`));
      await (isLeft ? settled() : open(path, place));
    }

    return {
      ...{ program, browser, page, url, open, visit, settled, signIn },
      wear: browser.wear,
      /** Throws in a rig without a world. */
      get world(): DashboardWorld {
        if (filled === null) throw new Error('this workspace is empty');
        return filled;
      },
      /** All requests of the page, in order. */
      requests: watched.requests,
      /** Console output: errors, violations of the policy, failed requests. */
      complaints: watched.complaints,
      /** The findings of axe on the current page. */
      violations: () => violationsOf(page),
      /** Throws with the findings of axe. */
      async expectNoViolations(): Promise<void> {
        const found = await violationsOf(page);
        if (found.length > 0) throw new Error(`axe finds on ${page.url()}:\n${found.join('\n')}`);
      },
      /**
       * Throws if the page contacted other hosts or undocumented paths of `/v1`, or if the console has output other than
       * responses with these statuses. Then starts over.
       */
      expectQuiet({ answers = [] }: { answers?: readonly number[] } = {}): void {
        const wrong = watched.requests.flatMap((asked) => faultOf(asked, url, isDocumented));
        const said = watched.complaints.filter(
          (text) => !answers.some((status) => text.includes(`status of ${status}`)),
        );
        watched.requests.length = 0;
        watched.complaints.length = 0;
        const all = [...new Set([...wrong, ...said])];
        if (all.length > 0) throw new Error(`${page.url()}:\n${all.join('\n')}`);
      },
      /** Labels of adjacent fields whose inputs are not aligned. */
      unaligned: () => page.evaluate<string[]>(UNALIGNED),
      /** How many CSS pixels the page is wider than the window. */
      overflow: () => page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth'),
      async close(): Promise<void> {
        await browser.close();
        await program.close();
      },
    };
  } catch (error) {
    await program.close();
    throw error;
  }
}

/** Runs in the page. Returns whether everything is shown in the next frame and belongs to the address. */
const nextFrame = `new Promise((resolve) => {
  requestAnimationFrame(() => {
    const router = self.__TSR_ROUTER__;
    const isThere = router === undefined || router.state.resolvedLocation?.href === router.latestLocation.href;
    resolve(isThere && document.querySelector('[data-loading], .mantine-Skeleton-root') === null);
  });
})`;

/** Runs in the page. Fields are adjacent if they have the same parent and their heights overlap. */
const UNALIGNED = `(() => {
  const boxes = new Map();
  for (const field of document.querySelectorAll('.mantine-InputWrapper-root')) {
    const input = field.querySelector(':scope > .mantine-Input-wrapper');
    if (input === null || field.offsetParent === null) continue;
    const { top, bottom } = field.getBoundingClientRect();
    const beside = boxes.get(field.parentElement) ?? [];
    boxes.set(field.parentElement, [...beside, { top, bottom, at: input.getBoundingClientRect().top, text: field.textContent }]);
  }
  const isOff = (one, other) => one.top < other.bottom && other.top < one.bottom && Math.abs(one.at - other.at) > 1;
  return [...boxes.values()].flatMap((beside) => beside.filter((one) => beside.some((other) => isOff(one, other)))).map(({ text }) => text);
})()`;

function watch(page: Page) {
  const requests: Asked[] = [];
  const complaints: string[] = [];
  const underWay = new Set<Request>();
  page.on('request', (request) => {
    requests.push({ method: request.method(), url: request.url() });
    if (!isEndless(request)) underWay.add(request);
  });
  page.on('requestfinished', (request) => void underWay.delete(request));
  page.on('requestfailed', (request) => {
    underWay.delete(request);
    // Reported by the browser but never sent, because the policy of the page or of a displayed mail forbade it.
    if (request.failure()?.errorText !== 'csp') return;
    const at = requests.findLastIndex(({ url }) => url === request.url());
    if (at !== -1) requests.splice(at, 1);
  });
  page.on('console', (message: ConsoleMessage) => {
    complaints.push(`${message.type()}: ${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => void complaints.push(`fault: ${String(error)}`));
  return {
    requests,
    complaints,
    underWay,
    forget(text: string): void {
      const others = complaints.filter((one) => !one.includes(text));
      complaints.splice(0, complaints.length, ...others);
    },
  };
}

/** The stream of events never ends. */
function isEndless(request: Request): boolean {
  return new URL(request.url()).pathname === '/v1/events/stream';
}

type IsDocumented = (method: string, path: string) => boolean;

async function documentedPaths(): Promise<IsDocumented> {
  const { paths } = JSON.parse(await readFile(API_DOCUMENT, 'utf8')) as { paths: Record<string, object> };
  const patterns = Object.entries(paths).map(([path, methods]) => ({
    methods: Object.keys(methods),
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
  }));
  return (method, path) =>
    patterns.some((one) => one.pattern.test(path) && one.methods.includes(method.toLowerCase()));
}

/** Returns the fault of a request; none for pages, their files, and documented paths. */
function faultOf({ method, url }: Asked, origin: string, isDocumented: IsDocumented): string[] {
  const { protocol, origin: asked, pathname } = new URL(url);
  if (protocol === 'data:' || protocol === 'blob:') return [];
  if (asked !== origin) return [`asked another host: ${method} ${url}`];
  if (!pathname.startsWith('/v1/')) return [];
  return isDocumented(method, pathname) ? [] : [`asked what the API's document lacks: ${method} ${pathname}`];
}

/** Excludes frames, because axe would wait for those without scripts, in which mail is displayed. */
async function violationsOf(page: Page): Promise<string[]> {
  // Fading elements are faint until they are shown. Endless animations are not waited for.
  await page.evaluate(`Promise.allSettled(document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
    .map(({ finished }) => finished)).then(() => null)`);
  if (!(await page.evaluate<boolean>(`typeof axe === 'object'`)))
    await page.evaluate(`${axeCore.source}; true`);
  return page.evaluate<string[]>(
    `axe.run(document, { iframes: false, resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, help, nodes }) =>
      id + ' (' + help + '): ' + nodes.slice(0, 5).map(({ target, html }) => target + ' ' + html.slice(0, 140)).join(' | ')))`,
  );
}
