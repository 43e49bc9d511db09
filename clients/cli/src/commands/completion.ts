// Command completion: scripts for three shells. Each asks the program for the possible words, so the scripts never become outdated.
import { Argument, type Command, type Option } from 'commander';
import { OPERATIONS } from '../operations.js';
import { readProfiles } from '../profiles.js';
import type { World } from '../world.js';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** Hidden command that a shell calls with the words so far. The last word is being typed. */
export const COMPLETE = '__complete';

const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# mailkeel: completion for bash. Load it with: source <(mailkeel completion bash)
_mailkeel() {
  local IFS=$'\\n'
  local word="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=( $(mailkeel ${COMPLETE} -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1) )
  if [ \${#COMPREPLY[@]} -eq 0 ]; then COMPREPLY=( $(compgen -f -- "$word") ); fi
}
complete -F _mailkeel mailkeel
`,
  zsh: `#compdef mailkeel
# mailkeel: completion for zsh. Load it with: source <(mailkeel completion zsh)
_mailkeel() {
  local -a found lines
  local line
  lines=("\${(@f)$(mailkeel ${COMPLETE} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in $lines; do
    [[ -z $line ]] && continue
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#found} )); then _describe 'mailkeel' found; else _files; fi
}
compdef _mailkeel mailkeel
`,
  fish: `# mailkeel: completion for fish. Load it with: mailkeel completion fish | source
function __mailkeel_complete
  set -l words (commandline -opc) (commandline -ct)
  mailkeel ${COMPLETE} -- $words[2..-1] 2>/dev/null
end
complete -c mailkeel -f -a '(__mailkeel_complete)'
complete -c mailkeel -n '__fish_seen_subcommand_from import verify' -F
`,
};

export function addCompletion(program: Command, world: World): void {
  program
    .command('completion')
    .description('Generate a shell completion script')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText('after', '\nExample, for ~/.bashrc:\n  source <(mailkeel completion bash)')
    .action((shell: Shell) => void world.stdout.write(SCRIPTS[shell]));
}

/** Values of options and arguments that a shell may offer, and that are too many for the help, or may be others. */
const VALUES = new WeakMap<Option | Command, readonly string[]>();

/** Lets a shell offer these as values of the option, or as the first argument of the command. */
export function offerValues(of: Option | Command, values: readonly string[]): void {
  VALUES.set(of, values);
}

/** Lets a shell offer the names of events for the option --events of the command. */
export function offerEvents(command: Command): void {
  const create = OPERATIONS.find(({ id }) => id === 'webhookEndpoints.create');
  const names = create?.body?.find(({ name }) => name === 'events')?.values ?? [];
  for (const option of command.options) if (option.long === '--events') offerValues(option, names);
}

/** Returns names for the place of the last of `words`, each with a tab and its meaning. */
export async function completionsOf(
  program: Command,
  words: readonly string[],
  world: World,
): Promise<string[]> {
  const typed = words.at(-1) ?? '';
  let command = program;
  for (const word of words.slice(0, -1)) {
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (next !== undefined) command = next;
  }
  const before = words.at(-2) ?? '';
  const option = command.options.find(({ long }) => long === before);
  if (option?.required === true) return offered(await valuesOf(option, world), typed);
  const isName = command.commands.length > 0 || typed.startsWith('-');
  if (!isName) return offered(VALUES.get(command) ?? command.registeredArguments[0]?.argChoices ?? [], typed);
  const names = typed.startsWith('-')
    ? command.options.filter((one) => !one.hidden).map((one) => [one.long ?? '', one.description] as const)
    : command.commands
        .filter((one) => !one.name().startsWith('_'))
        .map((one) => [one.name(), one.description()] as const);
  return names.filter(([name]) => name.startsWith(typed)).map(([name, about]) => `${name}\t${about}`);
}

async function valuesOf(option: Option, world: World): Promise<readonly string[]> {
  if (option.long === '--profile') {
    const { profiles } = await readProfiles(world);
    return Object.keys(profiles);
  }
  return option.argChoices ?? VALUES.get(option) ?? [];
}

/** Returns the values that begin with the typed text, or, in a comma-separated list, with its last item. */
function offered(values: readonly string[], typed: string): string[] {
  const at = typed.lastIndexOf(',') + 1;
  const [before, begun] = [typed.slice(0, at), typed.slice(at)];
  return values.filter((one) => one.startsWith(begun)).map((one) => before + one);
}
