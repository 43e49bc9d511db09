// Takes the small screenshots of docs/screens: each page of the dashboard with a company's mail.
import { mkdir, writeFile } from 'node:fs/promises';
import { LOOKS, startDashboardRig, type DashboardRig } from '../dashboard-rig.js';
import { pagesOf } from './pages.js';

const FOLDER = process.env['SCREENS_FOLDER'] ?? 'docs/screens';
const [{ width, height } = { width: 1280, height: 800 }] = LOOKS;
/** Scale of the window, large enough to recognize a page. */
const SCALE = 0.6;
const QUALITY = 65;

const rig = await startDashboardRig();
try {
  await mkdir(FOLDER, { recursive: true });
  await rig.wear({ width, height });
  await rig.signIn();
  for (const { name, path, environment = 'live' } of pagesOf(rig.world)) {
    await rig.open(path, { environment });
    await writeFile(`${FOLDER}/${name}.webp`, await pictureOf(rig));
  }
} finally {
  await rig.close();
}
process.exit(0);

async function pictureOf({ page }: DashboardRig): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const clip = { x: 0, y: 0, width, height, scale: SCALE };
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY, clip });
  await session.detach();
  return Buffer.from(data, 'base64');
}
