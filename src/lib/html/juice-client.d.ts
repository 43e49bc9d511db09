// Declares the part of juice that only converts HTML; its main module also loads code that fetches and reads
// files.
declare module 'juice/client' {
  import type { Options } from 'juice';

  type Juice = {
    (html: string, options?: Options): string;
    /** Delimiters of template languages that juice leaves alone: `{ HBS: { start: '{{', end: '}}' } }`. */
    codeBlocks: Record<string, { start: string; end: string }>;
  };
  const juice: Juice;
  export default juice;
}
