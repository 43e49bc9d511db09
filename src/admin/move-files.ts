// Moves the files of an installation between the data folder and a server's rows for `mailkeel admin move`. Each file is read
// again at both ends and compared.
import { createHash } from 'node:crypto';
import { isSegmentFile } from '../events/archive/segment.rules.js';
import type { FileReads, StoredFiles, WholeFiles } from '../lib/files/index.js';
import { ACME_FILES } from '../operations/certificates/acme.js';
import { SELF_SIGNED_FILE } from '../operations/certificates/self-signed.js';
import type { InstallationFiles } from '../operations/files/installation-files.js';

/** Octets of a file that are read at a time. */
const PIECE_BYTES = 1024 * 1024;
/** Names of transferred files. Other files in the folders belong to the operator. */
const IS_TRANSFER = /^[a-z]{3}_\w+\.[a-z]+$/;

export interface MovedFolder {
  folder: string;
  files: number;
  bytes: number;
  /** Names of files that differ at the target. */
  differ: string[];
}

/** Replaces files of the same names at the target. */
export async function moveFiles(from: InstallationFiles, to: InstallationFiles): Promise<MovedFolder[]> {
  const transfers = (await from.transfers.names()).filter((name) => IS_TRANSFER.test(name));
  const archive = (await from.archive.names()).filter(isSegmentFile);
  return [
    await moveFolder('transfers', transfers, (name) => moveLarge(from.transfers, to.transfers, name)),
    await moveFolder('archive', archive, (name) => moveLarge(from.archive, to.archive, name)),
    await moveFolder('tls', [SELF_SIGNED_FILE, ...ACME_FILES], (name) => moveSmall(from.tls, to.tls, name)),
  ];
}

interface MovedFile {
  bytes: number;
  isSame: boolean;
}

async function moveFolder(
  folder: string,
  names: readonly string[],
  moveFile: (name: string) => Promise<MovedFile | null>,
): Promise<MovedFolder> {
  const moved: MovedFolder = { folder, files: 0, bytes: 0, differ: [] };
  for (const name of names) {
    const file = await moveFile(name);
    if (file === null) continue;
    moved.files += 1;
    moved.bytes += file.bytes;
    if (!file.isSame) moved.differ.push(name);
  }
  return moved;
}

async function moveLarge(from: StoredFiles, to: StoredFiles, name: string): Promise<MovedFile> {
  await to.remove(name);
  const bytes = await to.receive(name, readPieces(from, name));
  return { bytes, isSame: (await readDigest(from, name)) === (await readDigest(to, name)) };
}

/** Returns null if the file does not exist. */
async function moveSmall(from: FileReads, to: WholeFiles, name: string): Promise<MovedFile | null> {
  const octets = await from.read(name);
  if (octets === null) return null;
  await to.replace(name, octets);
  const there = await to.read(name);
  return { bytes: octets.length, isSame: there !== null && Buffer.compare(there, octets) === 0 };
}

async function* readPieces(files: StoredFiles, name: string): AsyncGenerator<Uint8Array> {
  for (let at = 0; ;) {
    const piece = await files.readAt(name, at, PIECE_BYTES);
    if (piece === null || piece.length === 0) return;
    yield piece;
    at += piece.length;
  }
}

async function readDigest(files: StoredFiles, name: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of readPieces(files, name)) hash.update(piece);
  return hash.digest('hex');
}
