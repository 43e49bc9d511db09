// Measures the bytes of program, styles and fonts that a browser really loads for each page: entry, route, and later loads.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDashboardRig, type DashboardRig } from '../../support/dashboard-rig.js';

const KB = 1000;
/** Compressed, as sent, with two fonts of 61 KB. */
const OVERVIEW = 345 * KB;
const PAGE = 385 * KB;
const EDITOR = 392 * KB;
/** Loaded for the name of a contact, not for the page. */
const NAMES_FONT = /-vietnamese-/;
const PAGES: readonly (readonly [path: string, most: number])[] = [
  ['/', OVERVIEW],
  ...[
    ...['/get-started', '/messages', '/messages/new', '/contacts', '/campaigns', '/sequences', '/bounces'],
    ...['/usage', '/queue', '/health', '/webhooks', '/sub-tenants', '/settings'],
  ].map((path) => [path, PAGE] as const),
  ['/templates/new', EDITOR],
];

let rig: DashboardRig;
beforeAll(async () => {
  rig = await startDashboardRig();
  await rig.signIn();
}, 120_000);
afterAll(() => rig.close());

/** Names and sizes of the dashboard files that the page requested. */
const LOADED = `JSON.stringify(performance.getEntriesByType('resource')
  .filter(({ name }) => new URL(name).pathname.startsWith('/assets/'))
  .map(({ name, encodedBodySize }) => [new URL(name).pathname, encodedBodySize]))`;

it.each(PAGES)('%s loads at most %i octets', async (path, most) => {
  await rig.open(path);
  const loaded = new Map(JSON.parse(await rig.page.evaluate<string>(LOADED)) as [string, number][]);
  expect(loaded.size).toBeGreaterThan(5);
  // A file from the browser's cache has its size as well.
  expect([...loaded].filter(([, size]) => size === 0)).toEqual([]);
  const total = [...loaded].reduce((sum, [name, size]) => (NAMES_FONT.test(name) ? sum : sum + size), 0);
  expect(total).toBeLessThanOrEqual(most);
});
