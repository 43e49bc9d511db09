// Patterns for LIKE.

/** A LIKE pattern that finds `text` anywhere; its own wildcards lose their meaning as far as both engines allow. */
export function likePattern(text: string): string {
  return `%${text.replace(/[%_\\]/g, '_')}%`;
}

/** One that finds texts which begin with `text`. */
export function likePrefix(text: string): string {
  return likePattern(text).slice(1);
}
