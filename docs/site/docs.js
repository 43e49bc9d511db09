// Search as one types, and a switch between light and dark. Everything else works without it.
const input = document.getElementById('search');
const list = document.getElementById('found');
const MOST = 12;
let entries = null;

async function load() {
  entries ??= fetch('/docs/search.json').then((answer) => answer.json());
  return entries;
}

function rank(entry, words) {
  const title = entry.title.toLowerCase();
  // The first of an operation's words is its id.
  const id = entry.href.startsWith('/docs/api/') ? entry.words.split(' ')[0] : '';
  if (words.some((word) => id.endsWith(`.${word}`))) return 0;
  if (title.startsWith(words[0])) return 1;
  if (words.some((word) => id.includes(word))) return 2;
  return words.some((word) => title.includes(word)) ? 3 : 4;
}

async function find() {
  const query = input.value.trim().toLowerCase();
  if (query === '') return show([]);
  const words = query.split(/\s+/);
  const all = await load();
  const found = all
    .filter(({ title, words: more }) =>
      words.every((word) => `${title.toLowerCase()} ${more}`.includes(word)),
    )
    .map((entry) => [rank(entry, words), entry])
    .sort(([a], [b]) => a - b)
    .slice(0, MOST)
    .map(([, entry]) => entry);
  if (input.value.trim().toLowerCase() === query) show(found);
}

function show(found) {
  list.replaceChildren(
    ...found.map(({ title, place, href }) => {
      const item = document.createElement('li');
      const link = document.createElement('a');
      const where = document.createElement('span');
      link.href = href;
      link.textContent = title;
      where.textContent = place;
      link.append(where);
      item.append(link);
      return item;
    }),
  );
  list.hidden = found.length === 0;
}

function move(event) {
  const links = [...list.querySelectorAll('a')];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === 'Escape') {
    show([]);
    input.focus();
  } else if (step !== undefined && links.length > 0) {
    event.preventDefault();
    const at = links.indexOf(document.activeElement) + step;
    (at < 0 ? input : links[Math.min(at, links.length - 1)]).focus();
  }
}

input.addEventListener('focus', load, { once: true });
input.addEventListener('input', find);
input.closest('search').addEventListener('keydown', move);
document.addEventListener('click', ({ target }) => {
  if (!target.closest('search')) show([]);
});
list.addEventListener('click', () => show([]));
document.addEventListener('keydown', (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === 'k') {
    event.preventDefault();
    input.focus();
  }
});

const THEMES = ['auto', 'light', 'dark'];
const button = document.createElement('button');
button.type = 'button';
button.className = 'theme';

function paint(theme) {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  button.textContent = `Colours: ${theme}`;
}

let theme = localStorage.getItem('posthorn-docs-theme') ?? 'auto';
paint(theme);
button.addEventListener('click', () => {
  theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  localStorage.setItem('posthorn-docs-theme', theme);
  paint(theme);
});
document.querySelector('header').append(button);

// On narrow screens the contents begin folded.
const menu = document.querySelector('details.menu');
if (matchMedia('(max-width: 56rem)').matches) menu.open = false;
