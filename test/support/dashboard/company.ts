// Data of the dashboard's tests: a booking platform, its customers, and their mail. The same in every run.
import { BUSY_DOMAIN, MAILBOXES } from './program.js';

export const COMPANY = {
  name: 'Fernhill Bookings',
  domain: 'fernhill.example',
  postalAddress: 'Fernhill Bookings Ltd, 14 Quay Street, Halden HA1 4QS',
  from: { email: 'hello@fernhill.example', name: 'Fernhill Bookings' },
  bookings: { email: 'bookings@fernhill.example', name: 'Fernhill Bookings' },
  news: { email: 'news@fernhill.example', name: 'Mara at Fernhill' },
};

export interface Person {
  email: string;
  name: string;
  firstName: string;
  city: string;
  plan: 'free' | 'studio' | 'pro';
  tags: string[];
}

const NAMES = [
  ...['Amelie Fontaine', 'Björn Åkesson', 'Chiamaka Obi', 'Dmitri Volkov', 'Elif Yıldız', 'Farah Haddad'],
  ...['Grace Whitfield', 'Hiroshi Tanaka', 'Ingrid Solberg', 'Jonas Weber', 'Katarzyna Nowak', 'Liam Doyle'],
  ...['Mei-Ling Chen', 'Nadia Rahman', 'Oskar Lindqvist', 'Priya Raghavan', 'Quentin Moreau', 'Rosa Delgado'],
  ...['Søren Kjær', 'Tomás Oliveira', 'Ursula Brandt', 'Valentina Rossi', 'Wanjiru Kamau', 'Xavier Dupont'],
  ...['Yasmin Darwish', 'Zoë Hendriks', 'מאיה לוי', 'ليلى منصور', '山田 花子', 'Nguyễn Thị Hồng'],
];
const CITIES = ['Halden', 'Brookmere', 'Port Astrid', 'Wellingby', 'St. Orban', 'Kirkdale'];
const PLANS = ['free', 'studio', 'studio', 'pro'] as const;
const TAGS = ['pottery', 'yoga', 'cooking', 'bouldering', 'choir', 'early-bird'];

/** The first thirty have plain names, later ones a second initial. */
function personOf(index: number): Person {
  const base = NAMES[index % NAMES.length] ?? '';
  const round = Math.floor(index / NAMES.length);
  const name = round === 0 ? base : base.replace(' ', ` ${'ABCDEFGHIJ'[round] ?? 'K'}. `);
  const local = plainLetters(base) || `guest.${index}`;
  const domain = MAILBOXES[index % MAILBOXES.length] ?? '';
  return {
    email: `${local}${round === 0 ? '' : round}@${domain}`,
    name,
    firstName: base.split(' ')[0] ?? base,
    city: CITIES[index % CITIES.length] ?? '',
    plan: PLANS[index % PLANS.length] ?? 'free',
    tags: TAGS.filter((_tag, i) => (index + i * 3) % (i + 3) === 0),
  };
}

function plainLetters(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z]+/g, '.')
    .replace(/^\.|\.$/g, '');
}

export const PEOPLE: readonly Person[] = Array.from({ length: 200 }, (_one, index) => personOf(index));

export const person = (index: number): Person => PEOPLE[index] ?? personOf(index);

/** A person whose mailbox accepts no mail for now. */
export const BUSY_PERSON = { email: `petra.lang@${BUSY_DOMAIN}`, name: 'Petra Lang' };

export const LONG_SUBJECT =
  'Your booking of the weekend course “Throwing, trimming and glazing for everybody who has never sat at a wheel before”, ' +
  'on Saturday and Sunday in the second week of the month, with lunch on both days, clay and firing included, has moved to the ' +
  'large studio on the first floor: please use the door in the yard';

export const bookingHtml = (first: string, course: string): string =>
  `<!doctype html><html><body style="font-family: Georgia, serif; color: #22302b">
<h1 style="font-size: 22px">See you on Saturday, ${first}</h1>
<p>Your place in <strong>${course}</strong> is booked. Bring an apron; everything else is there.</p>
<p><a href="https://fernhill.example/bookings/4711">Look at your booking</a> or
<a href="https://fernhill.example/help">ask us something</a>.</p>
<p><img src="https://fernhill.example/studio.jpg" alt="The studio" width="480"></p></body></html>`;

const FRAME = (body: string): string =>
  `<!doctype html><html><head><style>a { color: #2c5f4b } h1 { font-size: 24px }</style></head>
<body style="font-family: Georgia, serif; margin: 24px auto; max-width: 560px; color: #22302b">${body}</body></html>`;

export interface TemplateText {
  name: string;
  slug: string;
  type: 'transactional' | 'marketing' | 'sales' | 'any';
  subject: string;
  html: string;
  text?: string;
}

export const TEMPLATES = {
  confirmation: {
    name: 'Booking confirmed',
    slug: 'booking-confirmed',
    type: 'transactional',
    subject: 'Booked: {{course}} on {{day}}',
    html: FRAME(`<h1>You are in, {{first_name}}</h1><p>{{course}} on {{day}}, {{time}}, at {{studio}}.</p>
<p><a href="https://fernhill.example/bookings/{{booking_id}}">Change or cancel</a></p>`),
    text: 'You are in, {{first_name}}: {{course}} on {{day}}, {{time}}, at {{studio}}.\n',
  },
  reset: {
    name: 'Reset your password',
    slug: 'password-reset',
    type: 'transactional',
    subject: 'Reset your Fernhill password',
    html: FRAME(
      '<h1>A new password</h1><p><a href="{{url}}">Choose a new password</a>. The link works for an hour.</p>',
    ),
    text: 'Choose a new password: {{url}}\nThe link works for an hour.\n',
  },
  letter: {
    name: 'Monthly letter',
    slug: 'monthly-letter',
    type: 'marketing',
    subject: 'What is on in {{city}} this month 🌿',
    html: FRAME(`<h1>Hello {{first_name}}</h1><p>Twelve new courses have opened in {{city}}.</p>
{{#if plan}}<p>With your {{plan}} plan you book two days earlier.</p>{{/if}}
<p><a href="https://fernhill.example/courses?city={{city}}">See what is on</a></p>`),
  },
  letterPottery: {
    name: 'Monthly letter, pottery',
    slug: 'monthly-letter-pottery',
    type: 'marketing',
    subject: '{{first_name}}, the kiln is warm 🏺',
    html: FRAME(`<h1>Hello {{first_name}}</h1><p>Six new pottery courses, two of them in {{city}}.</p>
<p><a href="https://fernhill.example/courses/pottery">See the pottery courses</a></p>`),
  },
  welcome: {
    name: 'Welcome',
    slug: 'welcome',
    type: 'any',
    subject: 'Welcome to Fernhill, {{first_name}}',
    html: FRAME(
      '<h1>Good to have you</h1><p><a href="https://fernhill.example/courses">Find your first course</a></p>',
    ),
    text: 'Good to have you. Find your first course: https://fernhill.example/courses\n',
  },
  nudge: {
    name: 'First course at half price',
    slug: 'first-course',
    type: 'marketing',
    subject: 'Your first course at half price',
    html: FRAME(
      '<h1>Half price, this week</h1><p><a href="https://fernhill.example/first">Take your place</a></p>',
    ),
  },
  receipt: {
    name: 'Receipt with every line of the booking, its taxes and the studio’s own terms (long name)',
    slug: 'receipt',
    type: 'transactional',
    subject: 'Receipt {{number}}',
    html: FRAME(`<h1>Receipt {{number}}</h1><table>{{#each lines}}<tr><td>{{this.title}}</td><td>{{this.price}}</td></tr>
{{/each}}</table><p>Total: {{total}}</p>`),
  },
} as const satisfies Record<string, TemplateText>;

/** Single mails of a working day: their subjects by tag. */
export const DAILY_MAIL = [
  { subject: 'Your place in “Raku for beginners” is booked', tags: ['booking', 'pottery'] },
  { subject: 'Reminder: “Slow pasta” is tomorrow at 18:30', tags: ['reminder', 'cooking'] },
  { subject: 'Receipt F-20931', tags: ['receipt'] },
  { subject: 'Reset your Fernhill password', tags: ['account'] },
  { subject: 'A place has become free in “First steps on the wall”', tags: ['waiting-list', 'bouldering'] },
  { subject: 'How was “Morning yoga at the quay”?', tags: ['feedback', 'yoga'] },
  { subject: 'Your course has a new room 🚪', tags: ['booking', 'change'] },
] as const;
