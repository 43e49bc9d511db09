// Opens the palette, whose code is loaded beside the page.
import { createSpotlight } from '@mantine/spotlight';

export const [paletteStore, palette] = createSpotlight();

export function openPalette(): void {
  palette.open();
}
