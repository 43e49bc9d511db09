// The part of juice that only turns HTML into HTML; its main module also loads what fetches and reads files.
declare module 'juice/client' {
  import type { Options } from 'juice';

  type Juice = {
    (html: string, options?: Options): string;
    /** Marks of other template languages, which juice would leave alone: `{ HBS: { start: '{{', end: '}}' } }`. */
    codeBlocks: Record<string, { start: string; end: string }>;
  };
  const juice: Juice;
  export default juice;
}
