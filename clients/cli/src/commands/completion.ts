// posthorn completion: scripts for three shells. Each asks the program itself what may come next, so that none of them grows old.
import { Argument, type Command } from 'commander';
import type { World } from '../world.js';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** What a shell asks: the words so far, the last of which is being typed. */
export const COMPLETE = '__complete';

const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# posthorn: completion for bash. Load it with: source <(posthorn completion bash)
_posthorn() {
  local IFS=$'\\n'
  local word="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=( $(posthorn ${COMPLETE} -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1) )
  if [ \${#COMPREPLY[@]} -eq 0 ]; then COMPREPLY=( $(compgen -f -- "$word") ); fi
}
complete -F _posthorn posthorn
`,
  zsh: `#compdef posthorn
# posthorn: completion for zsh. Load it with: source <(posthorn completion zsh)
_posthorn() {
  local -a found lines
  local line
  lines=("\${(@f)$(posthorn ${COMPLETE} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in $lines; do
    [[ -z $line ]] && continue
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#found} )); then _describe 'posthorn' found; else _files; fi
}
compdef _posthorn posthorn
`,
  fish: `# posthorn: completion for fish. Load it with: posthorn completion fish | source
function __posthorn_complete
  set -l words (commandline -opc) (commandline -ct)
  posthorn ${COMPLETE} -- $words[2..-1] 2>/dev/null
end
complete -c posthorn -f -a '(__posthorn_complete)'
complete -c posthorn -n '__fish_seen_subcommand_from import verify' -F
`,
};

export function addCompletion(program: Command, world: World): void {
  program
    .command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText('after', '\nExample, for ~/.bashrc:\n  source <(posthorn completion bash)')
    .action((shell: Shell) => void world.stdout.write(SCRIPTS[shell]));
}

/** What may stand where the last of `words` stands: names with a tab and what they are. */
export function completionsOf(program: Command, words: readonly string[]): string[] {
  const typed = words.at(-1) ?? '';
  let command = program;
  for (const word of words.slice(0, -1)) {
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (next !== undefined) command = next;
  }
  const before = words.at(-2) ?? '';
  const option = command.options.find(({ long }) => long === before);
  if (option?.required === true) return choicesIn(option.description, typed);
  const names = typed.startsWith('-')
    ? command.options.filter((one) => !one.hidden).map((one) => [one.long ?? '', one.description] as const)
    : command.commands
        .filter((one) => !one.name().startsWith('_'))
        .map((one) => [one.name(), one.description()] as const);
  return names.filter(([name]) => name.startsWith(typed)).map(([name, about]) => `${name}\t${about}`);
}

/** Help texts of options name their choices. */
function choicesIn(description: string, typed: string): string[] {
  const [, list = ''] = /One of ([\w., -]+)\.$/.exec(description) ?? [];
  return list.split(', ').filter((one) => one !== '' && one.startsWith(typed));
}
