// The addresses that mail leaves from, in the short form of MAILKEEL_SOURCE_ADDRESSES.
import { canonicalAddress, forbiddenAddressReason, isAddress } from '../../lib/addresses/index.js';
import type { AddressFamily } from '../../lib/dns-answers/index.js';
import type { DataReader } from '../../lib/config/index.js';

const HOSTNAME =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
const ENTRY = /^(?:([a-z0-9][a-z0-9._-]{0,62})\/)?(?:\[([^\]]{1,45})\]|([^=[\]/]{1,45}))(?:=(.{1,253}))?$/i;
const MAX_ENTRIES = 256;

/** Sources of mail: addresses of which each has its PTR record at `ehloName`. */
export interface Source {
  name: string;
  /** `null` lets the system choose, unless there is an IPv6 address. */
  address4: string | null;
  address6: string | null;
  ehloName: string;
  /** The families that it can reach, the preferred one first; 6 only with an IPv6 address. */
  families: readonly AddressFamily[];
}

/** The address in its canonical spelling, or undefined with the problem noted. */
export function readSourceAddress(
  reader: DataReader,
  text: string,
  place: string,
  family: AddressFamily,
): string | undefined {
  const address = isAddress(text) ? canonicalAddress(text) : null;
  if (address === null || address.includes(':') !== (family === 6)) {
    reader.problem(place, `must be an IPv${family} address`);
    return undefined;
  }
  const reason = forbiddenAddressReason(address, { allowPrivate: true });
  if (reason === null) return address;
  reader.problem(place, `is ${reason} and can't be used to send mail`);
  return undefined;
}

/** A host name in lower case, or undefined with the problem noted. */
export function readEhloName(reader: DataReader, value: unknown, place: string): string | undefined {
  const name = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (HOSTNAME.test(name)) return name;
  reader.problem(place, 'must be a host name');
  return undefined;
}

/** Returns the address families of a source in order of preference. Without addresses, it uses IPv4. */
export function addressFamilies(
  address4: string | null,
  address6: string | null,
  prefer: AddressFamily = 4,
): AddressFamily[] {
  if (address6 === null) return [4];
  if (address4 === null) return [6];
  return prefer === 6 ? [6, 4] : [4, 6];
}

interface Entry {
  pool: string;
  address: string;
  family: AddressFamily;
  ehloName: string;
}

function entryOf(reader: DataReader, text: string, place: string, ehloName: string): Entry | null {
  const [, pool = 'default', bracketed, bare, name] = ENTRY.exec(text) ?? [];
  const written = bracketed ?? bare?.trim();
  if (written === undefined) {
    reader.problem(place, 'must be ip, ip=ehlo.name or [v6]=ehlo.name, optionally prefixed with pool/');
    return null;
  }
  const family = written.includes(':') ? 6 : 4;
  const address = readSourceAddress(reader, written, place, family);
  const ehlo = name === undefined ? ehloName : readEhloName(reader, name, place);
  return address === undefined || ehlo === undefined ? null : { pool, address, family, ehloName: ehlo };
}

interface Draft {
  pools: string[];
  ehloName: string;
  4: string | null;
  6: string | null;
}

/**
 * `192.0.2.1=mail1.example.com,[2001:db8::1]=mail1.example.com,bulk/192.0.2.2=mail2.example.com`: sources, each under its
 * first address as its name, and the members of the pools. An IPv4 and an IPv6 address of one pool and one EHLO name are
 * one source. An entry without a name says `ehloName`.
 */
export function readSourceList(
  reader: DataReader,
  text: string,
  ehloName: string,
): { sources: Source[]; pools: Map<string, string[]> } {
  const drafts: Draft[] = [];
  const texts = text.split(',').map((item) => item.trim());
  if (texts.length > MAX_ENTRIES) reader.problem('the list', `must have at most ${MAX_ENTRIES} addresses`);
  texts.slice(0, MAX_ENTRIES).forEach((item, i) => {
    const place = `entry ${i + 1}`;
    const entry = item === '' ? null : entryOf(reader, item, place, ehloName);
    if (entry) join(reader, drafts, entry, place);
  });
  if (drafts.length === 0) reader.problem('the list', 'must contain at least one address');
  const pools = new Map<string, string[]>();
  const sources = drafts.map((draft): Source => {
    const name = draft[4] ?? draft[6] ?? '';
    for (const pool of draft.pools) pools.set(pool, [...(pools.get(pool) ?? []), name]);
    return {
      name,
      address4: draft[4],
      address6: draft[6],
      ehloName: draft.ehloName,
      families: addressFamilies(draft[4], draft[6]),
    };
  });
  return { sources, pools };
}

/** Adds an address to the source that it belongs to, or creates a source for it. */
function join(reader: DataReader, drafts: Draft[], entry: Entry, place: string): void {
  const { pool, address, family, ehloName } = entry;
  const same = drafts.find((draft) => draft[family] === address);
  if (same && same.ehloName !== ehloName) reader.problem(place, 'sets a second EHLO name for an address');
  if (same) {
    if (!same.pools.includes(pool)) same.pools.push(pool);
    return;
  }
  const other = drafts.find(
    (draft) => draft.ehloName === ehloName && draft[family] === null && draft.pools.includes(pool),
  );
  if (other) other[family] = address;
  else drafts.push({ pools: [pool], ehloName, 4: null, 6: null, [family]: address });
}
