// The icons, drawn on a 24 by 24 grid with lines of 1.75. They are decorative, because a text or label gives their meaning.

const SHAPES = {
  start: 'M5 21V4m0 1h11l-2 3.5L16 12H5',
  overview: 'M4 20V10m5.3 10V4m5.4 16v-7M20 20V8',
  mail: 'M3.5 6.5h17v11h-17zM4 7l8 6 8-6',
  sandbox: 'M4 8.5 12 4l8 4.5v7L12 20l-8-4.5zM4 8.5l8 4.5 8-4.5M12 13v7',
  approval: 'M6 3.5h12v17H6zM9 12.5l2.2 2.2L15.5 9.5',
  threads: 'M4 5h12v8H9l-4 3v-3H4zM9 16v1h6l4 3v-3h1V9h-1',
  template: 'M5 3.5h14v17H5zM8 8h8M8 12h8M8 16h4',
  contacts: 'M12 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M5 20c.6-3.6 3.4-5.5 7-5.5s6.4 1.9 7 5.5',
  lists: 'M8.5 6h11.5M8.5 12h11.5M8.5 18h11.5M4 6h.01M4 12h.01M4 18h.01',
  import: 'M12 4v10m-4-4 4 4 4-4M4.5 15v4.5h15V15',
  export: 'M12 14V4m-4 4 4-4 4 4M4.5 15v4.5h15V15',
  campaign: 'M4 10v4h3l8 4.5v-13L7 10zM18 9.5a4 4 0 0 1 0 5M7 14v4.5h2.5',
  sequence: 'M6 4v4m0 0a2 2 0 1 0 0 4 2 2 0 0 0 0-4m0 4v2a3 3 0 0 0 3 3h5m0 0a2 2 0 1 0 4 0 2 2 0 0 0-4 0',
  suppressed: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17M6 6l12 12',
  tenants: 'M4 20V9l8-5 8 5v11M4 20h16M9.5 20v-6h5v6',
  domain:
    'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17M3.5 12h17M12 3.5c2.5 2.5 3.5 5.3 3.5 8.5s-1 6-3.5 8.5c-2.5-2.5-3.5-5.3-3.5-8.5s1-6 3.5-8.5',
  queue: 'M4 6h16M4 10.5h16M4 15h10M4 19.5h6',
  bounce: 'M4 6l7 7m0 0 4-4m-4 4v0M15 9h5v5M20 9l-8 8-8-5',
  health: 'M3 12h4l2.5-6 4 12 2.5-6h5',
  key: 'M14.5 13.5a5 5 0 1 0-4-4L4 16v4h4v-2.5h2.5V15zM16 8h.01',
  smtp: 'M4 5h16v5H4zM4 14h16v5H4zM7.5 7.5h.01M7.5 16.5h.01',
  webhook:
    'M9 16.5a4 4 0 1 1-4.5-5M8.5 16h7.5m0 0a2.5 2.5 0 1 1 2.5 2.5M15.5 8.5a4 4 0 1 0-6.5.500l-3.5 6M12 6.5l4 7',
  events: 'M13 3 5.5 13.5H12l-1 7.5 7.5-10.5H12z',
  requests: 'M8 8l-4 4 4 4M16 8l4 4-4 4M13.5 5l-3 14',
  settings:
    'M4 7h8m4 0h4M4 17h4m4 0h8M14 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M10 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5',
  people:
    'M9 11a3.2 3.2 0 1 0 0-6.4A3.2 3.2 0 0 0 9 11M3 19.5c.4-3.4 2.7-5 6-5s5.6 1.6 6 5M15.5 5a3.2 3.2 0 0 1 0 5.7M17 14.8c2.3.500 3.7 2.1 4 4.7',
  usage: 'M4.5 16.5a8.5 8.5 0 1 1 15 0M12 13.5l4-4M12 15a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3',
  audit: 'M6 3.5h9l4 4v13H6zM15 3.5v4h4M9 12h7M9 16h7',
  account:
    'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17M12 12.5a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6M6.5 18.3c1-2.3 3-3.3 5.5-3.3s4.5 1 5.5 3.3',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M15.5 15.5 20.5 20.5',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  bookmark: 'M6.5 4h11v16L12 15.5 6.5 20z',
  check: 'M5 12.5 10 17.5 19.5 7',
  cross: 'M6 6l12 12M18 6 6 18',
  chevron: 'M9 6l6 6-6 6',
  down: 'M6 9l6 6 6-6',
  up: 'M6 15l6-6 6 6',
  left: 'M19 12H5m6-6-6 6 6 6',
  right: 'M5 12h14m-6-6 6 6-6 6',
  out: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  code: 'M9 7l-5 5 5 5M15 7l5 5-5 5',
  menu: 'M4 6.5h16M4 12h16M4 17.5h16',
  more: 'M12 5.5h.01M12 12h.01M12 18.5h.01',
  refresh: 'M19.5 12A7.5 7.5 0 1 1 17 6.4M19.5 3.5v4h-4',
  retry: 'M4.5 12A7.5 7.5 0 1 0 7 6.4M4.5 3.5v4h4',
  pause: 'M8 5v14M16 5v14',
  play: 'M7 4.5v15l12-7.5z',
  stop: 'M6 6h12v12H6z',
  trash: 'M4.5 6.5h15M9 6.5V4h6v2.5M6.5 6.5l1 14h9l1-14M10 10.5v6M14 10.5v6',
  edit: 'M4 20l1-4.5L16 4.5 19.5 8 8.5 19zM14 6.5 17.5 10',
  eye: 'M2.5 12C5 7.5 8.2 5.5 12 5.5s7 2 9.5 6.5c-2.5 4.5-5.7 6.5-9.5 6.5S5 16.5 2.5 12M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6',
  click: 'M8 4v3M4 8h3M5.5 5.5l1.5 1.5M9.5 9.5l10.5 4-4.5 1.8-1.8 4.7z',
  reply: 'M9 7l-5 5 5 5M4.5 12H14c3.5 0 6 2 6 6',
  send: 'M3.5 11.5 20.5 4l-5 16.5-4-7zM11.5 13.5l9-9.5',
  clock: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17M12 7v5l3.5 2',
  warning: 'M12 4 2.5 20h19zM12 10v4.5M12 17.3h.01',
  info: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17M12 11v5.5M12 7.7h.01',
  lock: 'M6 11h12v9H6zM8.5 11V7.5a3.5 3.5 0 0 1 7 0V11',
  shield: 'M12 3.5 5 6v5.5c0 4.3 2.8 7.3 7 9 4.2-1.7 7-4.7 7-9V6zM9 12l2 2 4-4',
  filter: 'M4 5.5h16l-6.2 7.5v6l-3.6-2v-4z',
  download: 'M12 4v11m-4.5-4.5L12 15l4.5-4.5M4.5 19.5h15',
  share:
    'M8.5 13.5 15.5 17.5M15.5 6.5l-7 4M6.5 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M17.5 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M17.5 21a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4',
  moon: 'M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10',
  globe:
    'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17M3.5 12h17M12 3.5c4.5 5 4.5 12 0 17-4.5-5-4.5-12 0-17',
  signOut: 'M14 4H5v16h9M10 12h10.5m-4-4 4 4-4 4',
  desktop: 'M3.5 5h17v11h-17zM9 20h6M12 16v4',
  phone: 'M7.5 3h9v18h-9zM11 18h2',
  text: 'M5 6h14M5 10h14M5 14h10M5 18h7',
  image: 'M4 5h16v14H4zM8.5 10.5a1.2 1.2 0 1 0 0-2.4 1.2 1.2 0 0 0 0 2.4M4.5 17l5-5 4 4 2.5-2.5 3.5 3.5',
  split: 'M4 12h5l6-6h5M9 12l6 6h5M17 3l3 3-3 3M17 15l3 3-3 3',
  drag: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
} as const;

export type IconName = keyof typeof SHAPES;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      className="mk-icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={SHAPES[name]} />
    </svg>
  );
}
