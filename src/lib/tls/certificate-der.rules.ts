// The two parts of a certificate that node:crypto does not hand out: its public key octet for octet, as TLSA records
// digest it (RFC 6698 section 2.1.2), and how many authorities may stand below it (RFC 5280 section 4.2.1.9).

const SEQUENCE = 0x30;
const BOOLEAN = 0x01;
const INTEGER = 0x02;
const OCTET_STRING = 0x04;
const VERSION = 0xa0;
const EXTENSIONS = 0xa3;
/** 2.5.29.19 */
const BASIC_CONSTRAINTS = Buffer.from([0x06, 0x03, 0x55, 0x1d, 0x13]);

interface Element {
  tag: number;
  /** With its header. */
  whole: Buffer;
  content: Buffer;
}

/** The first element of `bytes`; null when it is cut off or of a form that certificates do not have. */
function first(bytes: Buffer): Element | null {
  const tag = bytes[0];
  const lead = bytes[1];
  if (tag === undefined || lead === undefined) return null;
  const lengthOctets = lead < 0x80 ? 0 : lead & 0x7f;
  if (lead === 0x80 || lengthOctets > 4 || bytes.length < 2 + lengthOctets) return null;
  const length = lengthOctets === 0 ? lead : bytes.readUIntBE(2, lengthOctets);
  const start = 2 + lengthOctets;
  if (start + length > bytes.length) return null;
  return {
    tag,
    whole: bytes.subarray(0, start + length),
    content: bytes.subarray(start, start + length),
  };
}

/** What a constructed element holds, up to the first octet that makes no sense. */
function parts(content: Buffer): Element[] {
  const found: Element[] = [];
  for (let rest = content; rest.length > 0;) {
    const element = first(rest);
    if (element === null) break;
    found.push(element);
    rest = rest.subarray(element.whole.length);
  }
  return found;
}

/** The fields of the certificate proper (RFC 5280 section 4.1), from the serial number on. */
function fields(certificate: Buffer): Element[] {
  const outer = first(certificate);
  const inner = outer === null ? null : first(outer.content);
  const all = inner === null ? [] : parts(inner.content);
  return all[0]?.tag === VERSION ? all.slice(1) : all;
}

/** The SubjectPublicKeyInfo as it stands in the certificate (DER); null when there is none to be found. */
export function publicKeyOf(certificate: Buffer): Buffer | null {
  // serial number, signature, issuer, validity, subject, key
  const key = fields(certificate)[5];
  return key?.tag === SEQUENCE ? key.whole : null;
}

/** How many authorities may follow below this one on the way to a server; Infinity where the certificate sets no limit. */
export function pathLengthOf(certificate: Buffer): number {
  const extensions = fields(certificate).find(({ tag }) => tag === EXTENSIONS);
  const list = extensions === undefined ? null : first(extensions.content);
  for (const extension of list === null ? [] : parts(list.content)) {
    const [id, ...rest] = parts(extension.content);
    if (id?.whole.equals(BASIC_CONSTRAINTS) !== true) continue;
    const value = rest.find(({ tag }) => tag === OCTET_STRING);
    const constraints = value === undefined ? null : first(value.content);
    const limit = parts(constraints?.content ?? Buffer.alloc(0)).find(({ tag }) => tag !== BOOLEAN);
    if (limit?.tag !== INTEGER || limit.content.length === 0 || limit.content.length > 4) return Infinity;
    return limit.content.readUIntBE(0, limit.content.length);
  }
  return Infinity;
}
