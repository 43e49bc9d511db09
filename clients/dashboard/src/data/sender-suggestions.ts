// Addresses that a From field suggests.
import type { Sender } from '@mailkeel/sdk';

/** `ann@…` or `Ann <ann@…>`, as typed so far. */
const TYPED = /^(.*<\s*)?([^\s<>@]+)(?:@[^\s<>]*)?>?$/;

/** Verified addresses, and the typed local part on each verified domain. */
export function suggestions(
  senders: readonly Pick<Sender, 'kind' | 'email' | 'domain' | 'status'>[],
  typed: string,
): string[] {
  const text = typed.trim();
  const match = TYPED.exec(text);
  if (match === null && text !== '') return [];
  const [, name = '', local] = match ?? [];
  const found = senders.flatMap(({ kind, email, domain, status }) => {
    if (status !== 'verified') return [];
    const address = kind === 'domain' ? (local === undefined ? null : `${local}@${domain}`) : email;
    if (address === null || !address.startsWith(local ?? '')) return [];
    return [name === '' ? address : `${name}${address}>`];
  });
  return [...new Set(found)];
}
