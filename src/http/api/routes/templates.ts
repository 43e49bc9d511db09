// Templates: sources of subject, html and text, kept in versions.
import { LRUCache } from 'lru-cache';
import { listOf, pageQuery } from '../../../contract/lists.js';
import { Refusal, invalidFields } from '../../../contract/refusal.js';
import { deleted } from '../../../contract/schema.js';
import { Type } from 'typebox';
import {
  renderedTemplate,
  slugOf,
  slugProblem,
  template,
  templateCreate,
  templateRender,
  templateUpdate,
  templateVersion,
} from '../../../contract/template.js';
import { addressKey } from '../../../mail/address.js';
import { mergeVariables } from '../../../rules/personalization.js';
import type { Clock } from '../../../runtime/clock.js';
import { newId, randomBytesPooled } from '../../../runtime/ids.js';
import type { Contact } from '../../../store/audience.js';
import type { Scope } from '../../../store/scope.js';
import type { Store } from '../../../store/store.js';
import type { TemplateWithContent } from '../../../store/templates.js';
import type { RenderProblem, Renderer, RendererBusy } from '../../../work/submission/renderer.js';
import type { Api } from '../api.js';
import { listAnswer, readPage, ROW_NUMBER } from '../pages.js';
import { presentTemplate, presentTemplateVersion } from '../present/template.js';
import { scopeWithField } from '../sub-tenant-scope.js';
