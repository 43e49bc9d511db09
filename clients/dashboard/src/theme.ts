// Colors, type and defaults of Mantine's components. The accent and the neutrals are those of the reference and the public pages.
import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

/** Post blue: shade 7 is the accent in light; in dark 3 for text, and 5 below white text. */
const post: MantineColorsTuple = [
  '#eef0ff',
  '#dcdfff',
  '#bfc4ff',
  '#a3a8ff',
  '#7f85f5',
  '#5c60e6',
  '#4549d9',
  '#3538cd',
  '#2a2da8',
  '#202285',
];

/** The cooler grays of the public pages. Mantine's own do not have AA contrast for dimmed text. */
const gray: MantineColorsTuple = [
  '#f6f7f9',
  '#eff1f4',
  '#e4e8ed',
  '#d8dee4',
  '#c2cad3',
  '#9aa5b1',
  '#77828e',
  '#57606a',
  '#3a424b',
  '#1b1f24',
];

const dark: MantineColorsTuple = [
  '#e8ebef',
  '#a4adb8',
  '#7f8995',
  '#4a535e',
  '#363e48',
  '#2c333c',
  '#1d222a',
  '#0f1216',
  '#0b0e11',
  '#07090b',
];

export const theme = createTheme({
  primaryColor: 'post',
  primaryShade: { light: 7, dark: 5 },
  colors: { post, gray, dark },
  black: '#1b1f24',
  fontFamily: "'IBM Plex Sans Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'IBM Plex Mono', ui-monospace, monospace",
  headings: {
    fontFamily: "'IBM Plex Sans Variable', system-ui, sans-serif",
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.25' },
      h2: { fontSize: '1.125rem', lineHeight: '1.35' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
    },
  },
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  defaultRadius: 'sm',
  radius: { xs: '2px', sm: '4px', md: '6px', lg: '10px', xl: '16px' },
  focusRing: 'auto',
  cursorType: 'pointer',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    TextInput: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { size: 'sm', autosize: true, minRows: 3 } },
    Select: { defaultProps: { size: 'sm', allowDeselect: false } },
    MultiSelect: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    NumberInput: { defaultProps: { size: 'sm' } },
    Tooltip: { defaultProps: { openDelay: 300, multiline: true, maw: 320 } },
    Modal: {
      defaultProps: {
        centered: true,
        size: 'lg',
        overlayProps: { blur: 2 },
        // A page can have only one banner, so a dialog's header is not one.
        attributes: { header: { role: 'presentation' } },
      },
    },
    Drawer: { defaultProps: { attributes: { header: { role: 'presentation' } } } },
    Tabs: { defaultProps: { classNames: { list: 'mk-tabs' } } },
    Menu: { defaultProps: { shadow: 'md', position: 'bottom-end' } },
    Alert: { defaultProps: { variant: 'light' } },
    Badge: { defaultProps: { variant: 'light', radius: 'sm' } },
  },
});

/** Shades with enough contrast (WCAG AA) in both schemes, and the surfaces of the shell. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': gray[7],
    '--mantine-color-placeholder': gray[7],
    '--mantine-color-anchor': post[7],
    '--mantine-color-error': '#b3261e',
    '--mk-raised': '#f6f7f9',
    '--mk-line': '#d8dee4',
    '--mk-edge': '#77828e',
    '--mk-accent': '#3538cd',
    '--mk-accent-soft': '#eef0ff',
    '--mk-good': '#176b37',
    '--mk-good-soft': '#e3f4e9',
    '--mk-bad': '#a8201a',
    '--mk-bad-soft': '#fdeceb',
    '--mk-warn': '#7a4b00',
    '--mk-warn-soft': '#fff3d6',
    '--mk-quiet': '#4b545e',
    '--mk-quiet-soft': '#eff1f4',
    '--mk-stamp': '#f2b600',
  },
  dark: {
    '--mantine-color-body': '#0f1216',
    '--mantine-color-text': dark[0],
    '--mantine-color-dimmed': dark[1],
    '--mantine-color-placeholder': dark[1],
    '--mantine-color-anchor': post[3],
    '--mantine-color-error': '#ff9b94',
    '--mk-raised': '#171b21',
    '--mk-line': '#2c333c',
    '--mk-edge': '#7f8995',
    '--mk-accent': '#a3a8ff',
    '--mk-accent-soft': '#20234a',
    '--mk-good': '#7fd49a',
    '--mk-good-soft': '#12301d',
    '--mk-bad': '#ff9b94',
    '--mk-bad-soft': '#3a1614',
    '--mk-warn': '#eebf6d',
    '--mk-warn-soft': '#33260a',
    '--mk-quiet': '#b4bcc6',
    '--mk-quiet-soft': '#20262e',
    '--mk-stamp': '#f2b600',
  },
});
