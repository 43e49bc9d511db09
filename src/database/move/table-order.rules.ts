// The order in which tables can be filled: each after those that its foreign keys refer to.

export interface Reference {
  /** Table with the foreign key. */
  from: string;
  to: string;
}

/** The names in an order in which every reference leads back; otherwise as they were. Throws when references lead round in a circle. */
export function inOrderOfReferences(names: readonly string[], references: readonly Reference[]): string[] {
  const ordered: string[] = [];
  const open = new Set<string>();
  const visit = (name: string): void => {
    if (ordered.includes(name)) return;
    if (open.has(name)) throw new Error(`The foreign keys of ${name} lead back to it.`);
    open.add(name);
    for (const { from, to } of references) {
      if (from === name && to !== name && names.includes(to)) visit(to);
    }
    open.delete(name);
    ordered.push(name);
  };
  for (const name of names) visit(name);
  return ordered;
}
