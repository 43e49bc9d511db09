// Encodes DSN parameters as xtext (RFC 3461 section 4), or in the form for non-ASCII addresses (RFC 6533
// section 3). SMTP commands and delivery reports use both.

const XTEXT = /^(?:[!-*,-<>-~]|\+[0-9A-F]{2})*$/;

/** Returns whether the value can be sent in a command unchanged. */
export function isXtext(value: string): boolean {
  return XTEXT.test(value);
}

/** Encodes "+", "=" and everything outside the printable range as +XX per UTF-8 octet. */
export function encodeXtext(value: string): string {
  return value.replace(/[^!-*,-<>-~]/gu, (char) =>
    Array.from(Buffer.from(char), (octet) => `+${octet.toString(16).toUpperCase().padStart(2, '0')}`).join(
      '',
    ),
  );
}

/** Decodes `+2B` to an octet, and runs of them as UTF-8. Leaves invalid text unchanged. */
export function decodeXtext(encoded: string): string {
  return encoded.replace(/(?:\+[0-9A-F]{2})+/g, (run) =>
    Buffer.from(run.replaceAll('+', ''), 'hex').toString('utf8'),
  );
}

/** Decodes `\x{5186}` to a character. Leaves invalid escapes unchanged. */
export function decodeUnitext(encoded: string): string {
  return encoded.replace(/\\x\{([0-9A-Fa-f]{1,6})\}/g, (written, hex: string) => {
    const point = Number.parseInt(hex, 16);
    return point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff) ? written : String.fromCodePoint(point);
  });
}

/** Formats an address for ORCPT: `rfc822;` and xtext, or `utf-8;` for a non-ASCII address. */
export function originalRecipient(address: string): string {
  if (!/[^\x00-\x7f]/.test(address)) return `rfc822;${encodeXtext(address)}`;
  const escaped = address.replace(/[^!-*,-<>-[\]-~]/gu, (char) => {
    const point = char.codePointAt(0) ?? 0;
    return `\\x{${point.toString(16).toUpperCase().padStart(2, '0')}}`;
  });
  return `utf-8;${escaped}`;
}
