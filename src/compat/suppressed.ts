// Finds the suppressions of one address, because /v1 only lists addresses that contain a text.
import type { SuppressionWire } from '../suppressions/suppression.schema.js';
import { addressKey } from '../lib/mime/index.js';
import type { V1 } from './v1.js';

/** Most pages of one search; each scans up to 200,000 rows. */
const MAX_PAGES = 100;

/** Returns the suppressions of exactly this address, in any spelling. */
export async function suppressionsOfAddress(
  v1: V1,
  email: string,
  filter: { reason?: SuppressionWire['reason'] } = {},
): Promise<SuppressionWire[]> {
  const wanted = addressKey(email);
  const found: SuppressionWire[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const query = { ...filter, q: wanted, limit: 100, ...(cursor === null ? {} : { cursor }) };
    const page = await v1.suppressions.list(query);
    found.push(...page.data.filter((one) => addressKey(one.email) === wanted));
    cursor = page.next_cursor;
    if (cursor === null) break;
  }
  return found;
}
