// DNS records of a domain's DKIM keys (RFC 6376 section 3.6.1): the records that its owner publishes, and the text at a key's
// own name, wherever that name is.
import { mainKey, type LifecycleKey } from './dkim-lifecycle.rules.js';

/**
 * Publication of a domain's keys: its owner publishes the record of each (txt); or publishes aliases to names of ours
 * once (cname); or the domain is below our zone, and we answer for it (zone).
 */
export type DkimMode = 'txt' | 'cname' | 'zone';

/** RFC 6376 section 3.6.1: an empty key is a revoked one. */
const REVOKED_TEXT = 'v=DKIM1; p=';

const FIXED_SELECTORS = {
  'rsa-sha256': ['svc1', 'svc2'],
  'ed25519-sha256': ['svc-ed1', 'svc-ed2'],
} as const;

/** Selector of the key in a slot, 0 or 1. */
export function fixedSelector(algorithm: LifecycleKey['algorithm'], slot: 0 | 1): string {
  return FIXED_SELECTORS[algorithm][slot];
}

/** Name below our zone that holds the key of an alias; `tenantId` with its prefix. */
export function aliasTarget({
  selector,
  tenantId,
  zone,
}: {
  selector: string;
  tenantId: string;
  zone: string;
}): string {
  return `${selector}.${tenantId.replace(/^tnt_/, '')}.dkim.${zone}`;
}

/** Text to publish under the key's selector; null: none any more. */
export function keyText(key: Pick<LifecycleKey, 'state' | 'record_value'>): string | null {
  if (key.state === 'retired') return null;
  return key.state === 'revoked' ? REVOKED_TEXT : key.record_value;
}

export interface PublishedDkimRecord {
  type: 'TXT' | 'CNAME';
  selector: string;
  /** `<selector>._domainkey.<domain>`. */
  host: string;
  value: string;
  /** Whether `verified` needs it. */
  required: boolean;
  /** The key whose record it is, or that the alias leads to at present; null for an alias without a key. */
  keyId: string | null;
  algorithm: LifecycleKey['algorithm'];
}

interface KeyPublication {
  domain: string;
  mode: DkimMode;
  /** Our zone and the owner whose names below it the aliases lead to; null where there is no zone. */
  aliases: { zone: string; tenantId: string } | null;
}

/**
 * The DKIM records of a domain, RSA first. Keys that are no longer in use are left out: of a revoked or retired one
 * nothing is to be published (its record may go, or be emptied). Aliases are all there from the start, since they are
 * published once for all keys to come; both RSA ones are required where the key that counts is behind one of them.
 */
export function publishedRecords(
  keys: readonly LifecycleKey[],
  { domain, mode, aliases }: KeyPublication,
): PublishedDkimRecord[] {
  const shown = keys.filter((key) => key.domain === domain && IN_USE.has(key.state));
  const main = mainKey(shown);
  const isAliased = mode !== 'zone' && aliases !== null;
  const texts = shown.filter((key) => key.slot === null || !isAliased);
  const records = texts.map((key) => ({
    type: 'TXT' as const,
    selector: key.selector,
    host: hostOf(key.selector, domain),
    value: key.record_value,
    required: key.id === main?.id,
    keyId: key.id,
    algorithm: key.algorithm,
  }));
  const all = isAliased ? [...records, ...aliasRecords(shown, main, { domain, mode, ...aliases })] : records;
  const rank = ({ algorithm }: PublishedDkimRecord): number => (algorithm === 'rsa-sha256' ? 0 : 1);
  return all.sort((a, b) => rank(a) - rank(b) || Number(b.required) - Number(a.required));
}

const IN_USE: ReadonlySet<string> = new Set(['pending', 'published', 'active', 'retiring']);

function hostOf(selector: string, domain: string): string {
  return `${selector}._domainkey.${domain}`;
}

function aliasRecords(
  shown: readonly LifecycleKey[],
  main: LifecycleKey | null,
  { domain, mode, zone, tenantId }: { domain: string; mode: DkimMode; zone: string; tenantId: string },
) {
  return (['rsa-sha256', 'ed25519-sha256'] as const).flatMap((algorithm) =>
    FIXED_SELECTORS[algorithm].flatMap((selector, slot) => {
      const key = shown.find((each) => each.algorithm === algorithm && each.slot === slot);
      // Of an owner that left its aliases only those still lead anywhere that have a key.
      if (!key && mode !== 'cname') return [];
      const isMain = main !== null && main.slot !== null && algorithm === 'rsa-sha256';
      return [
        {
          type: 'CNAME' as const,
          selector,
          host: hostOf(selector, domain),
          value: aliasTarget({ selector, tenantId, zone }),
          required: isMain && (mode === 'cname' || key?.id === main.id),
          keyId: key?.id ?? null,
          algorithm,
        },
      ];
    }),
  );
}
