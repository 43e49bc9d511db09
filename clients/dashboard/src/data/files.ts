// Files of the API for links and for saving.
import type { Place } from './place.js';

/** The address of a file of the API as a link opens it: the session by the cookie, the place by the query. */
export function fileHref({ workspace, environment }: Place, path: string, query: Record<string, string> = {}): string {
  const search = new URLSearchParams({ ...query, workspace_id: workspace.id, environment });
  return `${path}?${search.toString()}`;
}

/** Marks that turn the direction of text, which show `exe.pdf` for a name that ends in `.exe`. */
const DIRECTION = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Makes the name of an external file safe to display, with its letters in reading order. */
export function shownFileName(name: string): string {
  return name.replace(DIRECTION, '');
}

/** Downloads a file that was created in the browser. */
export function saveFile(name: string, content: string, type = 'application/json'): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
