// The sealed token of a mailed link, as stored; delivery opens it for its recipient alone.

/** `~s1.` and what `sealSecret` makes, in the alphabet of URLs. */
const SEALED = /~s1\.([A-Za-z0-9_-]{40,2000})/g;
const MARK = '~s1.';

export function sealedTokenText(sealed: string): string {
  return MARK + Buffer.from(sealed, 'base64').toString('base64url');
}

/** The text with its tokens opened; what `open` does not know (null) stays as it is. */
export function withTokensOpened(text: string, open: (sealed: string) => string | null): string {
  if (!text.includes(MARK)) return text;
  return text.replace(SEALED, (whole, base64url: string) => {
    return open(Buffer.from(base64url, 'base64url').toString('base64')) ?? whole;
  });
}
