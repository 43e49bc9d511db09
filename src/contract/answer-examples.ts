export const ANSWER_EXAMPLES: Readonly<Record<string, string>> = {};
