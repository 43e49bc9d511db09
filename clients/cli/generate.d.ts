/** The text of src/operations.ts as the document wants it. */
export function generatedOperations(): Promise<string>;
