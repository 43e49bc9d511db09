// Look and language of a page for recipients: the name and color of the mail's sender, and the language that the reader chose or
// their browser requests. Without scripts or requests to other hosts.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageLanguage } from '../contract/names.js';
import { pageLanguage } from './page-language.rules.js';
import type { PageBranding } from './page-branding.rules.js';
import type { Scope } from '../database/scope.js';
import { html, type Html, page } from '../lib/http/index.js';
import { colorsPath } from './brand-files.pages.js';
import { logoPath } from './logo.rules.js';
import { PAGE_TEXTS } from './page-texts.pages.js';
import type { PageTexts } from './texts.en.pages.js';

export interface Look {
  /** `null` if the owner of the page is unknown. */
  branding: PageBranding | null;
  language: PageLanguage;
  texts: PageTexts;
}

/** Returns the branding of the scope's organization or sub-tenant; null without a scope. */
export type LookOf = (
  request: FastifyRequest,
  scope: Pick<Scope, 'organizationId' | 'subTenantId'> | null,
) => Promise<Look>;

interface PageBrandings {
  pageBranding(scope: Pick<Scope, 'organizationId' | 'subTenantId'>): Promise<PageBranding>;
}

export function createLooks(brandings: PageBrandings): LookOf {
  return async (request, scope) =>
    lookOf(request, scope === null ? null : await brandings.pageBranding(scope));
}

/** Returns the neutral look, because an unknown link must not reveal an owner. */
export function plainLook(request: FastifyRequest): Look {
  return lookOf(request, null);
}

function lookOf({ headers }: FastifyRequest, branding: PageBranding | null): Look {
  const language = pageLanguage(branding?.language ?? null, headers['accept-language']);
  return { branding, language, texts: PAGE_TEXTS[language] };
}

export interface PageContent {
  title: string;
  /** A `<main>`. */
  body: Html;
  /** The look of a page with a script, whose response needs a policy for it. */
  scriptPath?: string;
}

export function answerPage(
  reply: FastifyReply,
  status: number,
  look: Look,
  { title, body, scriptPath }: PageContent,
): FastifyReply {
  const { branding, language } = look;
  const { color = null, logo_id: logo = null } = branding ?? {};
  const own = {
    colorsPath: color === null ? null : colorsPath(color),
    iconPath: logo === null ? null : logoPath(logo),
  };
  const script = scriptPath === undefined ? html`` : html`<script src="${scriptPath}" defer></script>`;
  const whole = html`${headerOf(branding)}${body}${footerOf(branding)}${script}`;
  return reply
    .status(status)
    .type('text/html; charset=utf-8')
    .send(page(title, whole, { language, ...own }));
}

function headerOf(branding: PageBranding | null): Html {
  const { name = null, logo_id: logo = null, website_url: website = null } = branding ?? {};
  if (name === null && logo === null) return html``;
  const shown =
    logo === null ? html`${name ?? ''}` : html`<img src="${logoPath(logo)}" alt="${name ?? ''}" />`;
  // A link around an image needs a text. Without one, the image has no link.
  return website === null || name === null
    ? html`<header><strong>${shown}</strong></header>`
    : html`<header><a href="${website}" rel="noopener">${shown}</a></header>`;
}

function footerOf(branding: PageBranding | null): Html {
  const address = branding?.postal_address ?? null;
  return address === null ? html`` : html`<footer><p>${address}</p></footer>`;
}
