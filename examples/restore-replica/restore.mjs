// Restores the database from a replica without Mailkeel: node restore.mjs REPLICA-FOLDER MASTER-KEY-FILE NEW-FILE [TIME]
//
// The folder has the files of the replica (copy a bucket with any S3 tool first). The key file is keys/master.json of the server, or
// its MAILKEEL_MASTER_KEY_FILE. TIME, such as 2026-03-01T12:00:00Z, restores the state of that time. docs/replica.md describes the format.
import { createDecipheriv, createHash, hkdfSync } from 'node:crypto';
import { closeSync, fsyncSync, ftruncateSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';

const [folder, keyFile, target, time] = process.argv.slice(2);
if (target === undefined) fail('Usage: node restore.mjs REPLICA-FOLDER MASTER-KEY-FILE NEW-FILE [TIME]');
const until = time === undefined ? Infinity : Date.parse(time);
if (Number.isNaN(until)) fail(`${time} is not a time.`);

const sha256 = (octets) => createHash('sha256').update(octets).digest('hex');
const read = (name) => readFileSync(join(folder, name));
const derive = (salt, info, bytes) => Buffer.from(hkdfSync('sha256', masterKey, salt, info, bytes));

const masterKey = readMasterKey(readFileSync(keyFile, 'utf8'));
const keySet = derive('', 'service key set id', 8).toString('hex');
const key = derive(keySet, 'replica', 32);
const names = readdirSync(folder).sort();

const base = newestBase();
const file = openSync(target, 'wx', 0o600);
for (const part of base.parts) {
  const octets = read(part.file);
  if (sha256(octets) !== part.sha256) fail(`${part.file} is damaged or changed.`);
  write(unpack(octets));
}
const { reached, gap } = applyIncrements();
if (reached < base.consistent_from) fail(`The replica cannot be restored: ${gap}.`);
fsyncSync(file);
closeSync(file);
console.log(`Restored generation ${base.generation} up to increment ${reached}.`);
if (gap !== null) fail(`The replica has a gap: ${gap}.`);

/** Returns the newest base copy that is usable: its manifest is there, and so are the increments that make it consistent. */
function newestBase() {
  const found = names
    .filter((name) => name.startsWith(`replica-${keySet}-base-`) && name.endsWith('.json'))
    .map((name) => JSON.parse(read(name).toString()))
    .filter(({ consistent_at: at }) => Date.parse(at) <= until)
    .filter(({ generation, after, consistent_from: from }) =>
      Array.from({ length: from - after }, (_, i) => nameOf(generation, after + i + 1)).every((name) =>
        names.includes(name),
      ),
    )
    .at(-1);
  if (found === undefined) fail('There is no complete base copy for this key and time.');
  if (found.format !== 1) fail(`Format ${found.format} is not known.`);
  return found;
}

/**
 * Applies the increments. Each increment contains the SHA-256 of the previous one. The pages of a transaction apply only if its
 * last increment is there.
 */
function applyIncrements() {
  let hash = base.after_hash;
  let reached = base.after;
  let pending = [];
  for (let number = base.after + 1; ; number++) {
    const name = nameOf(base.generation, number);
    if (!names.includes(name)) {
      const isLast = names.every((other) => !other.startsWith(name.slice(0, -16)) || other < name);
      return { reached, gap: isLast ? null : `increment ${number} is missing` };
    }
    const octets = read(name);
    let unpacked;
    try {
      unpacked = unpack(octets);
    } catch (error) {
      return { reached, gap: `increment ${number} is damaged or belongs to another key (${error.message})` };
    }
    const { head } = unpacked;
    if (head.kind !== 'increment' || head.number !== number || head.previous !== hash)
      return { reached, gap: `increment ${number} does not follow the one before` };
    if (Date.parse(head.until) > until) return { reached, gap: null };
    hash = sha256(octets);
    pending.push(unpacked);
    if (head.database_pages === null) continue;
    for (const one of pending) write(one);
    pending = [];
    ftruncateSync(file, head.database_pages * head.page_bytes);
    reached = number;
  }
}

/**
 * Opens an increment or base file: a line of JSON, then a sealed part with version 1, nonce (12 octets), tag (16) and the
 * ciphertext of compressed numbers and images.
 */
function unpack(octets) {
  const end = octets.indexOf(0x0a);
  const line = octets.toString('utf8', 0, end);
  const sealed = octets.subarray(end + 1);
  if (sealed[0] !== 1) throw new Error('unknown version');
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 13), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(`service:1:replica:${line}`)).setAuthTag(sealed.subarray(13, 29));
  const content = Buffer.concat([decipher.update(sealed.subarray(29)), decipher.final()]);
  const head = JSON.parse(line);
  return { head, content: zstdDecompressSync(content) };
}

function write({ head: { pages, page_bytes: size }, content }) {
  for (let i = 0; i < pages; i++) {
    const image = content.subarray(pages * 4 + i * size, pages * 4 + (i + 1) * size);
    writeSync(file, image, 0, size, (content.readUInt32BE(i * 4) - 1) * size);
  }
}

function readMasterKey(text) {
  return Buffer.from(text.trimStart().startsWith('{') ? JSON.parse(text).keys[0].key : text.trim(), 'base64');
}

function nameOf(generation, number) {
  return `replica-${keySet}-${String(generation).padStart(6, '0')}-${String(number).padStart(10, '0')}.pages`;
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
