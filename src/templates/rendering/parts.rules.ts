// The parts of a message that templates fill. Apart from the work itself, which brings parsers of HTML and CSS into memory.

export const PARTS = ['subject', 'html', 'text'] as const;
export type Part = (typeof PARTS)[number];
export type Sources = Readonly<Record<Part, string | null>>;
