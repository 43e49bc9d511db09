// Opens the command palette, whose code is loaded separately.
import { createSpotlight } from '@mantine/spotlight';

const [store, palette] = createSpotlight();

export const paletteStore = store;

export function openPalette(): void {
  palette.open();
}
