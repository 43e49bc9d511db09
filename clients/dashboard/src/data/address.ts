// Reads the page's address: parts of its path, and its search parameters.
import { useParams, useSearch } from '@tanstack/react-router';

/** A part of the path, such as `id` of `/messages/$id`. */
export function usePathPart(name: string): string {
  // The dashboard's pages are not registered with the router as types.
  const parts: unknown = useParams({ strict: false });
  return (parts as Partial<Record<string, string>>)[name] ?? '';
}

/** The search as texts; `searchOf` of the router reads it so. */
export function useSearchTexts(): Readonly<Partial<Record<string, string>>> {
  const search: unknown = useSearch({ strict: false });
  return search as Partial<Record<string, string>>;
}
