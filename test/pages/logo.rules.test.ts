// Tests logos as customers supply them.
import { describe, expect, it } from 'vitest';
import { LOGO_LIMIT_BYTES, readLogo } from '../../src/pages/logo.rules.js';

const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><path d="M0 0h2v2z"/></svg>';

function png(width: number, height: number, size = 60): Buffer {
  const octets = Buffer.alloc(size);
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(octets);
  octets.writeUInt32BE(width, 16);
  octets.writeUInt32BE(height, 20);
  return octets;
}

it('logos are PNG or SVG, by their octets', () => {
  expect(readLogo(base64(png(200, 40)))).toMatchObject({ type: 'image/png' });
  for (const text of [SVG, `<?xml version="1.0"?>\n${SVG}`, `\uFEFF<!-- by us -->${SVG}\n`]) {
    expect(readLogo(base64(text))).toEqual({ type: 'image/svg+xml', content: Buffer.from(text) });
  }
});

describe('refused logos', () => {
  it.each([
    ['no base64', 'not base64!', /base64/],
    ['nothing', '', /base64/],
    ['a page', base64('<html><script>1</script></html>'), /PNG or an SVG/],
    ['a JPEG', base64(Buffer.from('ffd8ffe000104a464946', 'hex')), /PNG or an SVG/],
    ['too many octets', base64(png(9, 9, LOGO_LIMIT_BYTES + 1)), /at most 65536 bytes \(currently 65537\)/],
    ['a bomb of pixels', base64(png(60_000, 60_000)), /4096 pixels/],
    ['a PNG of nothing', base64(png(0, 1)), /4096 pixels/],
    ['the head of a PNG alone', base64(png(9, 9).subarray(0, 20)), /complete PNG/],
    ['a page behind a comment', base64('<!-- x --><p>hi</p>'), /complete SVG/],
    ['half an SVG', base64(SVG.slice(0, -2)), /complete SVG/],
    ['entities', base64(`<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "b">]>${SVG}`), /document type/],
    ['a script', base64(SVG.replace('<path', '<script>alert(1)</script><path')), /scripts/],
    ['a handler', base64(SVG.replace('<path', '<path onload="alert(1)"')), /scripts/],
    ['html inside', base64(SVG.replace('<path', '<foreignObject></foreignObject><path')), /scripts/],
  ])('%s', (_name, text, problem) => {
    expect(readLogo(text)).toMatch(problem);
  });
});
