// DNS records of a domain's DKIM keys (RFC 6376 section 3.6.1): those that its owner publishes, and the text at each key's own
// name.
import { mainKey, type LifecycleKey } from './dkim-lifecycle.rules.js';

/**
 * How keys are published: the owner publishes each record (`txt`), or publishes aliases to Mailkeel's zone once (`cname`), or the
 * domain is in Mailkeel's zone, which serves the records (`zone`).
 */
export type DkimMode = 'txt' | 'cname' | 'zone';

/** RFC 6376 section 3.6.1: an empty key is revoked. */
const REVOKED_TEXT = 'v=DKIM1; p=';

const FIXED_SELECTORS = {
  'rsa-sha256': ['svc1', 'svc2'],
  'ed25519-sha256': ['svc-ed1', 'svc-ed2'],
} as const;

/** Returns the fixed selector with an index of 0 or 1. */
export function fixedSelector(algorithm: LifecycleKey['algorithm'], slot: 0 | 1): string {
  return FIXED_SELECTORS[algorithm][slot];
}

/** Returns the name in Mailkeel's zone that an alias points to. `tenantId` includes its prefix. */
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

/** Returns the text to publish under the key's selector, or `null` if it is no longer published. */
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
  /** True if `verified` requires it. */
  required: boolean;
  /** The key of the record, or the current target of the alias. `null` for an alias without a key. */
  keyId: string | null;
  algorithm: LifecycleKey['algorithm'];
}

interface KeyPublication {
  domain: string;
  mode: DkimMode;
  /** Mailkeel's zone, and the owner of the names that aliases point to. `null` without a zone. */
  aliases: { zone: string; tenantId: string } | null;
}

/**
 * Returns the DKIM records of a domain, RSA first, without revoked and retired keys, whose records may be removed. All aliases
 * are present from the start, because they are published once for all future keys. Both RSA aliases are required if the main key
 * is behind one of them.
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
      // Without the `cname` mode, only aliases of existing keys are still useful.
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
