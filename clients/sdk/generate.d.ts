/** The files that are generated, by name, as the document wants them. */
export function generatedFiles(): Promise<Record<string, string>>;
