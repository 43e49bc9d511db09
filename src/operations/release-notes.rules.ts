// The newest entry of a change log in the form of CHANGELOG.md: `## heading`, `### title`, and items that begin with `- `.

export interface ReleaseNotes {
  heading: string;
  sections: { title: string; items: string[] }[];
}

/** Most items of one entry. */
const MAX_ITEMS = 200;

/** Returns `null` if the text has no second-level heading. Leaves out prose and other lines. */
export function newestRelease(changelog: string): ReleaseNotes | null {
  let notes: ReleaseNotes | null = null;
  let items = 0;
  let isInItem = false;
  for (const line of changelog.split(/\r?\n/)) {
    const [, heading] = /^## (.+)$/.exec(line) ?? [];
    if (heading !== undefined) {
      if (notes !== null) return notes;
      notes = { heading: heading.trim(), sections: [] };
      continue;
    }
    const [, title] = /^### (.+)$/.exec(line) ?? [];
    if (title !== undefined) notes?.sections.push({ title: title.trim(), items: [] });
    const section = notes?.sections.at(-1);
    const [, item] = /^- (.+)$/.exec(line) ?? [];
    const [, more] = /^ {2}(\S.*)$/.exec(line) ?? [];
    if (section && item !== undefined) {
      if (++items > MAX_ITEMS) return notes;
      section.items.push(item.trim());
    } else if (section && isInItem && more !== undefined) {
      section.items.push(`${section.items.pop() ?? ''} ${more.trim()}`);
    }
    isInItem = section !== undefined && (item !== undefined || (isInItem && more !== undefined));
  }
  return notes;
}
