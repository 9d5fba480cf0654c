import { buildCommand } from '@stricli/core'
import { action, describe } from '../../action.ts'
import { briefs } from '../../help/briefs.ts'
import { type CliContext, type GlobalFlags, globalFlags } from '../../cli-context.ts'
import { completionScripts, type Shell, shells } from './completion-scripts.ts'
import type { Session } from '../../session.ts'

async function completion(session: Session, _flags: GlobalFlags, shell: Shell): Promise<void> {
  session.output.document({ shell, script: completionScripts[shell] })
  if (!session.output.json) session.output.raw(completionScripts[shell])
}

function parseShell(input: string): Shell {
  const shell = shells.find((shell) => shell === input)
  if (shell !== undefined) return shell
  throw new Error('use bash, zsh or fish')
}

/** Defines `signalbox completion`. */
export const completionCommand = buildCommand<GlobalFlags, [Shell], CliContext>({
  func: action(completion),
  parameters: {
    flags: globalFlags,
    positional: {
      kind: 'tuple',
      parameters: [
        {
          brief: shells.join(', '),
          parse: parseShell,
          placeholder: 'shell',
          proposeCompletions: (partial) => shells.filter((shell) => shell.startsWith(partial)),
        },
      ],
    },
  },
  docs: {
    brief: briefs.completion,
    fullDescription: describe(
      'Prints a script for the shell. When you press the tab key, it asks the server for environments and keys, for at most 1.5 seconds.',
      [
        'source <(signalbox completion bash)         # in ~/.bashrc',
        'source <(signalbox completion zsh)          # in ~/.zshrc, after compinit',
        'signalbox completion fish > ~/.config/fish/completions/signalbox.fish',
      ],
    ),
  },
})
