// Search as one types, buttons that copy code, samples in the language that was chosen last, and a switch between light and dark. Everything
// else works without it.
const input = document.getElementById('search');
const list = document.getElementById('found');
const MOST = 12;
/** Wait (ms) for the next letter before the server is asked. */
const PAUSE = 80;
let pause;

async function find() {
  const query = input.value.trim();
  if (query === '') return show([]);
  const answer = await fetch(`/docs/search.json?q=${encodeURIComponent(query)}`);
  if (!answer.ok) return;
  const found = await answer.json();
  // An answer that comes late is for what was typed before.
  if (input.value.trim() === query) show(found.slice(0, MOST));
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

input.addEventListener('input', () => {
  clearTimeout(pause);
  pause = setTimeout(find, PAUSE);
});
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

for (const block of document.querySelectorAll('pre')) {
  const copy = document.createElement('button');
  copy.type = 'button';
  copy.className = 'copy';
  copy.textContent = 'Copy';
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.textContent);
    copy.textContent = 'Copied';
    setTimeout(() => (copy.textContent = 'Copy'), 2_000);
  });
  const frame = document.createElement('div');
  frame.className = 'code';
  block.replaceWith(frame);
  frame.append(block, copy);
}

const LANGUAGE = 'mailkeel-docs-language';
const samples = [...document.querySelectorAll('.samples details[data-language]')];
function choose(language) {
  for (const sample of samples) if (sample.dataset.language === language) sample.open = true;
}
if (samples.length > 0) choose(localStorage.getItem(LANGUAGE) ?? 'curl');
for (const sample of samples) {
  sample.querySelector('summary').addEventListener('click', () => {
    // The click opens it afterwards.
    if (!sample.open) localStorage.setItem(LANGUAGE, sample.dataset.language);
  });
}

const THEMES = ['auto', 'light', 'dark'];
const button = document.createElement('button');
button.type = 'button';
button.className = 'theme';

function paint(theme) {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  button.textContent = `Colours: ${theme}`;
}

let theme = localStorage.getItem('mailkeel-docs-theme') ?? 'auto';
paint(theme);
button.addEventListener('click', () => {
  theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  localStorage.setItem('mailkeel-docs-theme', theme);
  paint(theme);
});
document.querySelector('header').append(button);

// On narrow screens the contents begin folded.
const menu = document.querySelector('details.menu');
if (matchMedia('(max-width: 56rem)').matches) menu.open = false;
