// One request that stands for many messages with the same content: how much it may come to, and its texts filled for each.
import { Refusal } from '../contract/refusal.js';

/** Counts octets that a request makes; refused with `payload_too_large` when they are too many. */
export type Spend = (octets: number) => void;

/** All messages of one request share it: they are no more than a request of /v1 could say. */
export function createBudget(limitBytes: number): Spend {
  let spent = 0;
  return (octets) => {
    spent += octets;
    if (spent <= limitBytes) return;
    throw new Refusal(
      'payload_too_large',
      `The content is made anew for each of its recipients, and comes to more than the ${limitBytes} bytes of one request. Name ` +
        'fewer recipients in each request, or fill in less.',
    );
  };
}

/** Spends what `copies` of the texts come to, before anything is filled in. */
export function spendCopies(texts: readonly (string | undefined)[], copies: number, spend: Spend): void {
  spend(texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0) * copies);
}

/** Of one recipient. Each is looked for at every place of the content, which thousands would make slow. */
const MAX_KEYS = 500;

/**
 * Replaces all of the keys in one pass: what was filled in is not expanded again. Refused with `payload_too_large` for too many
 * keys, and when filling for what `spend` refuses.
 */
export function createFiller(
  values: Readonly<Record<string, string>>,
  spend: Spend,
): (text: string) => string {
  const keys = Object.keys(values)
    .filter((key) => key !== '')
    .toSorted((a, b) => b.length - a.length);
  if (keys.length === 0) return (text) => text;
  if (keys.length > MAX_KEYS) {
    const message = `There are ${keys.length} values to fill in for one recipient; at most ${MAX_KEYS} are taken.`;
    throw new Refusal('payload_too_large', message);
  }
  const pattern = new RegExp(keys.map((key) => key.replace(/[$()*+.?[\\\]^{|}/-]/g, '\\$&')).join('|'), 'g');
  const sizes = new Map(keys.map((key) => [key, Buffer.byteLength(values[key] ?? '')]));
  return (text) => {
    // Counted first: a small request with a short key and a long value could fill all memory.
    for (const [key] of text.matchAll(pattern)) spend(sizes.get(key) ?? 0);
    return text.replace(pattern, (key) => values[key] ?? '');
  };
}
