// Tests where a form shows the errors of a refused request.
import { expect, it } from 'vitest';
import { errorsByField } from '../src/data/form-errors.js';

const labels = { sub_tenant_id: 'Sub-tenant', template: 'Template' };

it('shows an error at its field, and once', () => {
  const found = { email: 'is not an address', sub_tenant_id: 'is unknown' };
  expect(errorsByField(found, ['email', 'name'], labels)).toEqual({
    errors: { email: 'is not an address' },
    others: ['Sub-tenant: is unknown'],
  });
});

it('shows an error within a field at that field, with the place', () => {
  const found = { 'steps.0.template': 'is required', 'steps.1.wait': 'is too short' };
  expect(errorsByField(found, ['steps', 'name'], labels)).toEqual({
    errors: { steps: '1, Template: is required 2: is too short' },
    others: [],
  });
});

it('prefers the field that names the path most closely', () => {
  expect(
    errorsByField({ 'branding.name': 'is too long' }, ['branding', 'branding.name'], labels).errors,
  ).toEqual({
    'branding.name': 'is too long',
  });
});
