// The languages of the dashboard. English texts are part of the page that shows them, all others are loaded when they are chosen.
import { createContext, use, useContext, useMemo, useState, type ReactNode } from 'react';

export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A translation has a text for every text, and a function with the same arguments for every function. */
export type Translated<T> = {
  [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...args: infer A) => ReactNode
      ? (...args: A) => string
      : Translated<T[K]>;
};

export interface Catalogue<T> {
  en: T;
  de: () => Promise<Translated<T>>;
}

/** The texts of one part of the dashboard. The German ones are loaded once. */
export function catalogue<T>(en: T, load: () => Promise<Translated<T>>): Catalogue<T> {
  let german: Promise<Translated<T>> | undefined;
  return { en, de: () => (german ??= load()) };
}

interface Chosen {
  language: Language;
  choose: (language: Language) => void;
}

const LanguageContext = createContext<Chosen>({ language: 'en', choose: () => undefined });
const KEPT_AS = 'mailkeel.language';

function firstLanguage(): Language {
  const kept = localStorage.getItem(KEPT_AS);
  const wanted = [kept, ...navigator.languages.map((tag) => tag.split('-', 1)[0])];
  return (
    LANGUAGES.find((language) => wanted.find((one) => LANGUAGES.some((l) => l === one)) === language) ?? 'en'
  );
}

/** Sets the language of the page before any data is read, because requests send it. */
function shownIn(language: Language): Language {
  document.documentElement.lang = language;
  return language;
}

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useState(() => shownIn(firstLanguage()));
  const chosen = useMemo(
    () => ({
      language,
      choose: (next: Language) => {
        localStorage.setItem(KEPT_AS, next);
        setLanguage(shownIn(next));
      },
    }),
    [language],
  );
  return <LanguageContext value={chosen}>{children}</LanguageContext>;
}

export function useLanguage(): Chosen {
  return useContext(LanguageContext);
}

/** Suspends while a translation is loaded for the first time. */
export function useTexts<T>(texts: Catalogue<T>): T | Translated<T> {
  const { language } = useLanguage();
  return language === 'en' ? texts.en : use(texts.de());
}
