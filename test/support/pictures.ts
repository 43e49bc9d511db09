// Takes screenshots of the tested pages for people, only if MAILKEEL_TEST_PICTURES names a folder for them.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from './chromium.js';

const FOLDER = process.env['MAILKEEL_TEST_PICTURES'];

export async function picture(browser: Browser, name: string): Promise<void> {
  if (FOLDER === undefined) return;
  await mkdir(FOLDER, { recursive: true });
  await writeFile(join(FOLDER, `${name}.png`), await browser.picture());
}
