// Packs a client as `npm pack` does, so that the server can offer it for `npm install`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { create } from 'tar';

/** Writes package.json and the `files` it lists into a tarball. The same files give the same octets. */
export async function packFolder(folder, tarball) {
  const { files } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const options = { cwd: folder, prefix: 'package', gzip: true, portable: true, mtime: new Date(0) };
  await create({ ...options, file: tarball }, ['package.json', ...files].sort());
}
