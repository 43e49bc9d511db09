// The JSON files of a replica: claims and manifests of base copies.
const FORMAT = 1;

/** Nothing can be restored from the storage. The message gives the reason. */
export class ReplicaError extends Error {
  constructor(problem: string, options?: ErrorOptions) {
    super(problem, options);
    this.name = 'ReplicaError';
  }
}

/** Checks that this program wrote the file. Throws a ReplicaError if another program or a later release did. */
export function parseReplicaJson<T extends { format: number; kind: string }>(
  octets: Buffer,
  { kind, name }: { kind: T['kind']; name: string },
): T {
  let value: Partial<T> | null;
  try {
    value = JSON.parse(octets.toString()) as Partial<T> | null;
  } catch (error) {
    throw new ReplicaError(`${name} is not readable.`, { cause: error });
  }
  if (value?.kind !== kind) throw new ReplicaError(`${name} is not a file of a replica.`);
  if (value.format !== FORMAT) throw new ReplicaError(`${name} has a format that this release cannot read.`);
  return value as T;
}
