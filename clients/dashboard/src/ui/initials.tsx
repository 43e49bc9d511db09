// A person as a round picture with their initials.
import type { ReactNode } from 'react';

/** Returns the first letters of the first and last word of a name, or the first letter of an address. */
function initialsOf(name: string): string {
  const words = (name.includes('@') ? name.slice(0, name.indexOf('@')) : name).split(/\s+/).filter(Boolean);
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : ''];
  return (Array.from(first)[0] ?? '').concat(Array.from(last)[0] ?? '').toUpperCase();
}

/** Drawn by the style sheet, because the adjacent name or the surrounding button has the text. */
export function Initials({ of }: { of: string }) {
  return <span className="mk-initials" data-initials={initialsOf(of)} />;
}

/** A person in a list: the picture, with the list's details. */
export function Person({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="mk-person">
      <Initials of={name} />
      <div>{children}</div>
    </div>
  );
}
