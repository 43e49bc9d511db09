// Names of a replica's files. The number after `replica` is the set of keys, so several installations can share a folder or bucket.
//
//   replica-0123456789abcdef-claim-000012.json                    claim of generation 12
//   replica-0123456789abcdef-base-000012-0000000040.json          base copy after increment 40; written last
//   replica-0123456789abcdef-base-000012-0000000040.keys          its keys, sealed under the passphrase
//   replica-0123456789abcdef-base-000012-0000000040-000001.pages  its first part
//   replica-0123456789abcdef-000012-0000000041.pages              increment 41

const GENERATION_DIGITS = 6;
const NUMBER_DIGITS = 10;
const PART_DIGITS = 6;
const NAME =
  /^replica-([0-9a-f]{16})-(?:(claim|base)-)?(\d{6})(?:-(\d{10})(?:-(\d{6}))?)?\.(json|pages|keys)$/;

type ReplicaFile =
  | { kind: 'claim'; generation: number }
  /** The file that completes a base copy, its keys, or a part. */
  | { kind: 'base' | 'keys' | 'base_part'; generation: number; after: number }
  | { kind: 'increment'; generation: number; number: number };

/** Names of one set of keys. */
export function replicaNames(keySetId: string) {
  const start = `replica-${keySetId}-`;
  const base = (generation: number, after: number): string =>
    `${start}base-${digits(generation, GENERATION_DIGITS)}-${digits(after, NUMBER_DIGITS)}`;
  return {
    /** Start of all names. */
    all: start,
    claims: `${start}claim-`,
    bases: `${start}base-`,
    /** Start of the names of a generation's increments. */
    increments: (generation: number) => `${start}${digits(generation, GENERATION_DIGITS)}-`,
    claim: (generation: number) => `${start}claim-${digits(generation, GENERATION_DIGITS)}.json`,
    base: (generation: number, after: number) => `${base(generation, after)}.json`,
    keys: (generation: number, after: number) => `${base(generation, after)}.keys`,
    basePart: (generation: number, after: number, part: number) =>
      `${base(generation, after)}-${digits(part, PART_DIGITS)}.pages`,
    increment: (generation: number, number: number) =>
      `${start}${digits(generation, GENERATION_DIGITS)}-${digits(number, NUMBER_DIGITS)}.pages`,
  };
}

export type ReplicaNames = ReturnType<typeof replicaNames>;

function digits(number: number, count: number): string {
  return String(number).padStart(count, '0');
}

/** Returns null for any other file. */
export function parseReplicaName(name: string): (ReplicaFile & { keySetId: string }) | null {
  const [, keySetId, kind, generationText, numberText, part, ending] = NAME.exec(name) ?? [];
  if (keySetId === undefined) return null;
  const generation = Number(generationText);
  const number = Number(numberText);
  switch (
    `${kind ?? 'increment'}${numberText === undefined ? '' : '-n'}${part === undefined ? '' : '-p'}.${ending ?? ''}`
  ) {
    case 'claim.json':
      return { kind: 'claim', keySetId, generation };
    case 'base-n.json':
      return { kind: 'base', keySetId, generation, after: number };
    case 'base-n.keys':
      return { kind: 'keys', keySetId, generation, after: number };
    case 'base-n-p.pages':
      return { kind: 'base_part', keySetId, generation, after: number };
    case 'increment-n.pages':
      return { kind: 'increment', keySetId, generation, number };
    default:
      return null;
  }
}
