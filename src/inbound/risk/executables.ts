// Finds attachments that a computer may run when they are opened, also inside zip archives. Run it in a worker thread with limits
// on time and memory.
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { type MailPart, shownLine } from '../../lib/mime/index.js';
import type { ExecutableAttachment } from '../../messages/received.tables.js';

/** Entries of one archive whose names are read. */
const MAX_ENTRIES = 1_000;
/** Entries of one message whose first octets are unpacked. */
const MAX_UNPACKED = 50;
const MAX_NAME = 200;
const HEAD_BYTES = 8;

const EXTENSION =
  /\.(?:apk|app|appx|bat|bin|cmd|com|command|cpl|dll|dmg|elf|exe|gadget|hta|inf|jar|js|jse|lnk|msc|msi|msix|msp|pif|pkg|ps1|psm1|reg|run|scf|scr|sct|sh|url|vb|vbe|vbs|ws|wsc|wsf|wsh|xll)$/i;

/** First octets in hexadecimal: Windows programs and shortcuts, ELF, Mach-O, Java classes, and scripts with an interpreter. */
const MAGIC = /^(?:4d5a|4c000000|7f454c46|feedfac[ef]|c[ef]faedfe|cafebabe|2321(?:2f|20))/;

/** Never rejects because of the mail. Archives inside archives are not opened. */
export async function executableAttachments(parts: readonly MailPart[]): Promise<ExecutableAttachment[]> {
  const found: ExecutableAttachment[] = [];
  const budget = { unpacked: MAX_UNPACKED };
  for (const { filename, content } of parts) {
    const sign = signOf(filename ?? '', content);
    if (sign !== null) found.push({ filename: shown(filename), archive: null, sign });
    if (content[0] !== 0x50 || content[1] !== 0x4b) continue;
    const inside = await executablesInZip(content, budget);
    found.push(...inside.map((one) => ({ ...one, archive: shown(filename) })));
  }
  return found;
}

function signOf(filename: string, head: Uint8Array): ExecutableAttachment['sign'] | null {
  // Windows ignores full stops and spaces at the end of a name.
  if (EXTENSION.test(filename.replace(/[\s.]+$/, ''))) return 'extension';
  return MAGIC.test(Buffer.from(head.subarray(0, HEAD_BYTES)).toString('hex')) ? 'content' : null;
}

const shown = (filename: string | null): string | null =>
  filename === null ? null : shownLine(filename, MAX_NAME);

type Budget = { unpacked: number };

async function executablesInZip(
  content: Uint8Array,
  budget: Budget,
): Promise<Omit<ExecutableAttachment, 'archive'>[]> {
  const found: Omit<ExecutableAttachment, 'archive'>[] = [];
  try {
    const packed = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    // Without `decodeStrings`, names that would leave a folder do not end the reading. They are only compared and shown.
    const file = await fromBufferPromise(packed, { validateEntrySizes: false, decodeStrings: false });
    let left = MAX_ENTRIES;
    for await (const entry of file.eachEntry()) {
      if (left-- === 0) break;
      const name = entry.fileNameRaw.toString('utf8');
      const head = name.endsWith('/') ? new Uint8Array() : await headOf(file, entry, budget);
      const sign = signOf(name, head);
      if (sign !== null) found.push({ filename: shown(name), sign });
    }
  } catch {
    // The rest of a broken archive cannot be read by others either.
  }
  return found;
}

/**
 * Unpacks the first bytes, regardless of the size that the archive declares. Returns no bytes of an entry that cannot be unpacked.
 */
async function headOf(file: ZipFile, entry: Entry, budget: Budget): Promise<Uint8Array> {
  if (entry.isEncrypted() || budget.unpacked <= 0) return new Uint8Array();
  budget.unpacked -= 1;
  try {
    const stream = await file.openReadStreamPromise(entry);
    for await (const chunk of stream) return chunk as Buffer; // leaving the loop destroys the stream
  } catch {
    // The name still shows the type of the entry.
  }
  return new Uint8Array();
}
