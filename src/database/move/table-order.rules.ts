// Orders tables so that each is filled after those that its foreign keys reference.

export interface Reference {
  /** The referencing table. */
  from: string;
  to: string;
}

/** Returns the names so that referenced tables come first, and otherwise in the given order. Throws if references form a cycle. */
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
