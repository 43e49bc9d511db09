// Text of `format=flowed` with its soft line breaks removed. RFC 3676 section 4.

interface Paragraph {
  quoteDepth: number;
  text: string;
  isOpen: boolean;
}

/** Lines that flow become one; a quoted line keeps its marks as `>> text`. Line ends are LF. Linear. */
export function joinFlowedLines(text: string, removesSpace: boolean): string {
  const paragraphs: Paragraph[] = [];
  for (const line of text.split('\n')) {
    const quoteDepth = /^>*/.exec(line)?.[0].length ?? 0;
    const stuffed = line.slice(quoteDepth);
    const content = stuffed.startsWith(' ') ? stuffed.slice(1) : stuffed;
    const isSignatureMark = content === '-- ';
    const isOpen = content.endsWith(' ') && !isSignatureMark;
    const piece = isOpen && removesSpace ? content.slice(0, -1) : content;
    const last = paragraphs.at(-1);
    if (last?.isOpen === true && last.quoteDepth === quoteDepth && !isSignatureMark) {
      last.text += piece;
      last.isOpen = isOpen;
    } else {
      paragraphs.push({ quoteDepth, text: piece, isOpen });
    }
  }
  return paragraphs
    .map(({ quoteDepth, text: content }) =>
      quoteDepth === 0 ? content : `${'>'.repeat(quoteDepth)} ${content}`,
    )
    .join('\n');
}
