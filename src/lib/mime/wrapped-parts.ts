// Unwraps leaves that contain a message or files in their own format: opaque S/MIME signatures (RFC 8551
// section 3.5.2), winmail.dat and uuencoded files.
import { cleanFilename, type Leaf } from './mail-content.js';
import { readTnefFiles } from './tnef.js';

const SIGNED_TYPES = ['application/pkcs7-mime', 'application/x-pkcs7-mime'];
const TNEF_TYPES = ['application/ms-tnef', 'application/vnd.ms-tnef'];
export const WRAPPED_TYPES: readonly string[] = [...SIGNED_TYPES, ...TNEF_TYPES];

const SIGNED_DATA = '1.2.840.113549.1.7.2';
/** Larger signatures remain files, because the decoder keeps several copies in memory. */
const MAX_SIGNED_OCTETS = 16 * 1024 * 1024;

/**
 * Returns the MIME entity inside an opaque S/MIME signature, without verifying it; `null` for any other leaf.
 */
export async function extractSignedEntity({ type, content }: Leaf): Promise<Buffer | null> {
  if (!SIGNED_TYPES.includes(type) || content.length > MAX_SIGNED_OCTETS) return null;
  const { default: forge } = await import('node-forge');
  const octets = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1');
  try {
    // ContentInfo has a type and [0] SignedData: version, digest algorithms, encapContentInfo (RFC 5652
    // section 5.1).
    const [contentType, wrapped] = childNodes(forge.asn1.fromDer(octets, false));
    if (readOid(forge, contentType) !== SIGNED_DATA) return null;
    const signedData = childNodes(wrapped)[0];
    const [, explicit] = childNodes(childNodes(signedData)[2]);
    const text = octetString(childNodes(explicit)[0]);
    return text === '' ? null : Buffer.from(text, 'latin1');
  } catch {
    // The octets have another format.
    return null;
  }
}

type Asn1Node = { value: string | Asn1Node[] };

function childNodes(node: unknown): Asn1Node[] {
  const { value } = (node ?? {}) as Partial<Asn1Node>;
  return Array.isArray(value) ? value : [];
}

function readOid(
  forge: { asn1: { derToOid: (octets: string) => string } },
  node: Asn1Node | undefined,
): string {
  return typeof node?.value === 'string' ? forge.asn1.derToOid(node.value) : '';
}

/** Returns an octet string, which may come in pieces. */
function octetString(node: Asn1Node | undefined): string {
  if (node === undefined) return '';
  return typeof node.value === 'string' ? node.value : node.value.map(octetString).join('');
}

/** Returns the files of a winmail.dat as attachments of unknown type; `null` for any other leaf. */
export function extractTnefLeaves({ type, content }: Leaf): Leaf[] | null {
  if (!TNEF_TYPES.includes(type)) return null;
  const files = readTnefFiles(content);
  return (
    files?.map((file) => ({
      type: 'application/octet-stream',
      isAttachment: true,
      filename: cleanFilename(file.filename ?? undefined),
      contentId: null,
      params: {},
      content: new Uint8Array(file.content),
    })) ?? null
  );
}

const BEGIN = /^begin [0-7]{3,4} [^\r\n]{1,255}\r?\n/m;

/** Decodes `x-uuencode`; `null` if no line begins it. Malformed lines end it. */
export function uudecoded(content: Uint8Array): Uint8Array | null {
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1');
  const begin = BEGIN.exec(text);
  if (begin === null) return null;
  const octets = Buffer.alloc(Math.ceil((text.length * 3) / 4));
  let size = 0;
  for (let at = begin.index + begin[0].length; at < text.length;) {
    const lineEnd = text.indexOf('\n', at);
    const line = text.slice(at, lineEnd < 0 ? text.length : lineEnd).trimEnd();
    const count = sextet(line, 0);
    if (count === 0 || line === 'end' || line.length > 100) break;
    for (let from = 1, left = count; left > 0; from += 4, left -= 3) {
      const bits =
        (sextet(line, from) << 18) |
        (sextet(line, from + 1) << 12) |
        (sextet(line, from + 2) << 6) |
        sextet(line, from + 3);
      for (let i = 0; i < Math.min(left, 3); i++) octets[size++] = (bits >> (16 - 8 * i)) & 0xff;
    }
    at = lineEnd < 0 ? text.length : lineEnd + 1;
  }
  return new Uint8Array(octets.subarray(0, size));
}

/** Returns six bits; a missing character at the end of a line is zero. */
function sextet(line: string, at: number): number {
  return at < line.length ? (line.charCodeAt(at) - 32) & 63 : 0;
}
