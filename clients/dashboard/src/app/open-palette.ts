// Opens the palette, whose code is loaded beside the page.
import { createSpotlight } from '@mantine/spotlight';

const [store, palette] = createSpotlight();

export const paletteStore = store;

export function openPalette(): void {
  palette.open();
}
