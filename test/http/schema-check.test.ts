// Tests that each schema is compiled once, regardless of how many routes and APIs use it.
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { createValidatorCompiler, schemaCheck } from '../../src/http/body/validation.js';

const schema = () => Type.Object({ name: Type.String() }, { additionalProperties: false });

describe('a compiled schema check', () => {
  it('is created and compiled once', () => {
    const one = schema();
    expect(schemaCheck(one)).toBe(schemaCheck(one));
    expect(schemaCheck(one).validator()).toBe(schemaCheck(one).validator());
  });

  it('differs for another schema, even with the same content', () => {
    const [one, other] = [schema(), schema()];
    expect(schemaCheck(one)).not.toBe(schemaCheck(other));
  });

  it('keeps no data of a refused body', () => {
    const validate = createValidatorCompiler()({
      ...{ schema: schema(), httpPart: 'body', method: 'POST', url: '/' },
    });
    const refused = () => validate({ nam: 'x' }) as unknown;
    const first = refused();
    expect(first).toMatchObject({ error: { code: 'validation_error' } });
    expect(validate({ name: 'x' })).toEqual({ value: { name: 'x' } });
    expect(refused()).toEqual(first);
  });
});
