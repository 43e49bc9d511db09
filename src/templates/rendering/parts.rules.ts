// The parts of a message that templates fill. This file is separate from rendering, which loads HTML and CSS parsers.

export const PARTS = ['subject', 'html', 'text'] as const;
export type Part = (typeof PARTS)[number];
export type Sources = Readonly<Record<Part, string | null>>;
