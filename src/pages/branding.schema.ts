// Branding of the pages that recipients and other outsiders see: of an organization, or of a sub-tenant.
import { Type, type Static } from 'typebox';
import { PAGE_LANGUAGES } from '../contract/names.js';
import { closed, nameSchemas, nullable, oneOf, uriText } from '../contract/schema.js';

const LANGUAGE = { description: 'Of the pages; null: the one that the browser of the reader asks for.' };

export const branding = Type.Object(
  {
    name: nullable(Type.String({ description: 'Shown at the head of the pages.' })),
    logo_url: nullable(
      Type.String({ ...uriText, description: 'Where the logo is served; it changes with the logo.' }),
    ),
    color: nullable(Type.String({ description: 'Of buttons and links, as `#rrggbb`.' })),
    website_url: nullable(Type.String({ ...uriText, description: 'Link of the head of the pages.' })),
    postal_address: nullable(
      Type.String({
        description: "Shown at the foot of the pages; null: the organization's postal address.",
      }),
    ),
    language: nullable(oneOf(PAGE_LANGUAGES, LANGUAGE)),
    privacy_url: nullable(
      Type.String({
        ...uriText,
        description: 'The privacy policy, linked in a line of consent where people sign up; null: no line.',
      }),
    ),
  },
  {
    description:
      'Of the pages that recipients see: sign-up, confirmation, preferences, unsubscribe, shared pages. What is null for a ' +
      'sub-tenant is as for its organization.',
  },
);
export type BrandingWire = Static<typeof branding>;

export const brandingPatch = closed(
  {
    name: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 100 }))),
    logo: Type.Optional(
      nullable(
        Type.String({
          maxLength: 90_000,
          description:
            'A PNG or SVG picture in base64, at most 64 KiB, shown up to 56 pixels high. It is kept and served here, so ' +
            'that the pages ask no other host; null removes it.',
        }),
      ),
    ),
    color: Type.Optional(
      nullable(
        Type.String({
          pattern: '^#[0-9A-Fa-f]{6}$',
          description: 'Made darker or lighter where it could not be read on the ground of the page.',
        }),
      ),
    ),
    website_url: Type.Optional(nullable(Type.String({ maxLength: 500, description: 'With http or https.' }))),
    postal_address: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 500 }))),
    language: Type.Optional(nullable(oneOf(PAGE_LANGUAGES, LANGUAGE))),
    privacy_url: Type.Optional(nullable(Type.String({ maxLength: 500, description: 'With http or https.' }))),
  },
  { description: 'Fields that are not given do not change; null clears one.' },
);
export type BrandingPatch = Static<typeof brandingPatch>;

nameSchemas({ Branding: branding, BrandingUpdate: brandingPatch });
