// One request that stands for many messages with the same content: how much it may come to, and its texts filled for each.
import { Refusal } from '../../contract/refusal.js';

/** Refused with `payload_too_large` when `copies` of the texts are more than a request of /v1 could say. */
export function refuseExpansion(
  texts: readonly (string | undefined)[],
  { copies, limitBytes }: { copies: number; limitBytes: number },
): void {
  const size = texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
  if (size * copies <= limitBytes) return;
  throw new Refusal(
    'payload_too_large',
    `The content is made anew for each of ${copies} recipients, which is more than the ${limitBytes} bytes of one request. Name ` +
      'fewer recipients in each request.',
  );
}

/** Replaces all of the keys in one pass: what was filled in is not looked at again. */
export function createFiller(values: Readonly<Record<string, string>>): (text: string) => string {
  const keys = Object.keys(values)
    .filter((key) => key !== '')
    .toSorted((a, b) => b.length - a.length);
  if (keys.length === 0) return (text) => text;
  const pattern = new RegExp(keys.map((key) => key.replace(/[$()*+.?[\\\]^{|}/-]/g, '\\$&')).join('|'), 'g');
  return (text) => text.replace(pattern, (key) => values[key] ?? '');
}
