// Fills the texts of a request that stands for many messages with the same content, within the limits of one request.
import { Refusal } from '../contract/refusal.js';
import type { Parts, Values } from '../lib/templating/index.js';
import type { Renderer } from '../templates/rendering/renderer.js';

/** Most values of one recipient; each may be inserted anywhere in the content. */
const MAX_VALUES = 500;

interface Expansion {
  common: Parts;
  copies: readonly { own?: Parts; values: Values }[];
  /** Base64 of files that every copy includes. */
  files?: readonly { content: string }[];
}

/** Fills the parts of each copy. Refuses with `payload_too_large` if the result exceeds one request of /v1. */
export type Expand = (expansion: Expansion) => Promise<Record<string, unknown>[]>;

export function createExpand({
  renderer,
  limitBytes,
  owner,
}: {
  renderer: Pick<Renderer, 'substitute'>;
  /** Total size of the messages of one request. */
  limitBytes: number;
  owner: string;
}): Expand {
  return async ({ common, copies, files = [] }) => {
    const most = copies.reduce((max, { values }) => Math.max(max, values.length), 0);
    if (most > MAX_VALUES) {
      throw tooLarge(`There are ${most} values for one recipient, but the limit is ${MAX_VALUES}.`);
    }
    const ofFiles = files.reduce((sum, { content }) => sum + content.length, 0) * copies.length;
    if (ofFiles > limitBytes) throw tooManyOctets(limitBytes);
    const request = { common, copies, limitBytes: limitBytes - ofFiles, owner };
    const answer = await renderer.substitute(request);
    if (Array.isArray(answer)) return answer;
    if (answer.kind === 'busy') throw new Refusal('unavailable');
    if (answer.kind === 'excess' && answer.excess === 'octets') throw tooManyOctets(limitBytes);
    throw tooLarge(
      'Filling in the values takes too long. Send to fewer recipients per request, or use a template.',
    );
  };
}

function tooManyOctets(limitBytes: number): Refusal {
  return tooLarge(
    `The rendered content of all recipients exceeds the limit of ${limitBytes} bytes per request. Send to fewer ` +
      'recipients per request, or use shorter values.',
  );
}

function tooLarge(message: string): Refusal {
  return new Refusal('payload_too_large', message);
}
