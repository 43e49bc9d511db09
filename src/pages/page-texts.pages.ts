// Texts of the pages and mails for recipients, in every language.
import type { PageLanguage } from '../contract/names.js';
import { DE } from './texts.de.pages.js';
import { EN, type PageTexts } from './texts.en.pages.js';
import { ES } from './texts.es.pages.js';
import { FR } from './texts.fr.pages.js';
import { IT } from './texts.it.pages.js';
import { NL } from './texts.nl.pages.js';
import { PL } from './texts.pl.pages.js';
import { PT_BR } from './texts.pt-br.pages.js';

export const PAGE_TEXTS: Readonly<Record<PageLanguage, PageTexts>> = {
  ...{ en: EN, de: DE, es: ES, fr: FR, it: IT, nl: NL, pl: PL },
  'pt-BR': PT_BR,
};
