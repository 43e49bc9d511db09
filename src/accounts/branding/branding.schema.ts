// Branding of public pages, by organization or sub-tenant.
import { Type, type Static } from 'typebox';
import { PAGE_LANGUAGES } from '../../contract/names.js';
import { closed, nameSchemas, nullable, oneOf, uriText } from '../../contract/schema.js';

const LANGUAGE = { description: "The language of the pages. `null` uses the visitor's browser language." };

export const branding = Type.Object(
  {
    name: nullable(Type.String({ description: 'The name shown in the page header.' })),
    logo_url: nullable(
      Type.String({ ...uriText, description: 'The URL of the logo. It changes when the logo does.' }),
    ),
    color: nullable(Type.String({ description: 'The color of buttons and links, as `#rrggbb`.' })),
    website_url: nullable(Type.String({ ...uriText, description: 'The URL that the page header links to.' })),
    postal_address: nullable(
      Type.String({
        description:
          "The postal address shown in the page footer. `null` uses the organization's postal address.",
      }),
    ),
    language: nullable(oneOf(PAGE_LANGUAGES, LANGUAGE)),
    privacy_url: nullable(
      Type.String({
        ...uriText,
        description:
          'The URL of the privacy policy, linked from a consent line on sign-up pages. `null` omits the line.',
      }),
    ),
  },
  {
    description:
      "Branding of the pages that recipients see: sign-up, confirmation, preferences, unsubscribe and shared pages. Fields of a sub-tenant that are `null` use the organization's values.",
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
            'A PNG or SVG image in base64, up to 64 KiB, displayed up to 56 pixels high. Mailkeel hosts the image, so the pages make no requests to other hosts. `null` removes it.',
        }),
      ),
    ),
    color: Type.Optional(
      nullable(
        Type.String({
          pattern: '^#[0-9A-Fa-f]{6}$',
          description:
            'The color of buttons and links. Mailkeel darkens or lightens it if it is not legible on the page background.',
        }),
      ),
    ),
    website_url: Type.Optional(
      nullable(Type.String({ maxLength: 500, description: 'An http or https URL.' })),
    ),
    postal_address: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 500 }))),
    language: Type.Optional(nullable(oneOf(PAGE_LANGUAGES, LANGUAGE))),
    privacy_url: Type.Optional(
      nullable(Type.String({ maxLength: 500, description: 'An http or https URL.' })),
    ),
  },
  { description: 'Branding fields to change. Omitted fields keep their value; `null` clears a field.' },
);
export type BrandingPatch = Static<typeof brandingPatch>;

nameSchemas({ Branding: branding, BrandingUpdate: brandingPatch });
