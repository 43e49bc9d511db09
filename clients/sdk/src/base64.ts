// Base64 without Node's Buffer.

/** A multiple of three, so that the parts can stand one after the other; small enough for arguments of a call. */
const PART = 24_576;

export function toBase64(octets: Uint8Array): string {
  let text = '';
  for (let at = 0; at < octets.length; at += PART) {
    text += btoa(String.fromCharCode(...octets.subarray(at, at + PART)));
  }
  return text;
}

/** Returns null if the text is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
