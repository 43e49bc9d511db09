// The forms in which DSN parameters travel: xtext (RFC 3461 section 4), and the one for addresses that are not ascii (RFC 6533
// section 3). SMTP commands and delivery reports have both.

const XTEXT = /^(?:[!-*,-<>-~]|\+[0-9A-F]{2})*$/;

/** Whether it can stand in a command as it is. */
export function isXtext(value: string): boolean {
  return XTEXT.test(value);
}

/** Everything outside the printable range, and "+" and "=", as +XX of its UTF-8 octets. */
export function encodeXtext(value: string): string {
  return value.replace(/[^!-*,-<>-~]/gu, (char) =>
    Array.from(Buffer.from(char), (octet) => `+${octet.toString(16).toUpperCase().padStart(2, '0')}`).join(
      '',
    ),
  );
}

/** `+2B` stands for one octet; the octets are UTF-8 where they can be. What is no xtext stays as it is. */
export function decodeXtext(encoded: string): string {
  return encoded.replace(/(?:\+[0-9A-F]{2})+/g, (run) =>
    Buffer.from(run.replaceAll('+', ''), 'hex').toString('utf8'),
  );
}

/** `\x{5186}` stands for one character; what names none stays as it is. */
export function decodeUnitext(encoded: string): string {
  return encoded.replace(/\\x\{([0-9A-Fa-f]{1,6})\}/g, (written, hex: string) => {
    const point = Number.parseInt(hex, 16);
    return point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff) ? written : String.fromCodePoint(point);
  });
}

/** The address type and the address as ORCPT takes them: `rfc822;` in xtext, or `utf-8;` where the address is not ascii. */
export function originalRecipient(address: string): string {
  if (!/[^\x00-\x7f]/.test(address)) return `rfc822;${encodeXtext(address)}`;
  const escaped = address.replace(/[^!-*,-<>-[\]-~]/gu, (char) => {
    const point = char.codePointAt(0) ?? 0;
    return `\\x{${point.toString(16).toUpperCase().padStart(2, '0')}}`;
  });
  return `utf-8;${escaped}`;
}
