import { proposeCompletions, type Application } from '@stricli/core'
import type { CliContext } from '../cli-context.ts'
import { findCommand, isGroup, type Targets, toKebab } from '../find-command.ts'
import { fromCommand } from '../hoist-global-flags.ts'

/** Holds the commands that the typed words may mean. */
export interface Commands {
  readonly app: Application<CliContext>
  readonly targets: Targets
  readonly context: CliContext
}

/** Describes a completion of the last word, and its description. */
export interface Proposal {
  readonly word: string
  readonly brief: string
}

/** Lists names that only the server knows. */
export interface KnownNames {
  environments(): Promise<readonly string[]>
  segments(): Promise<readonly string[]>
  webhooks(): Promise<readonly string[]>
  targets(): Promise<readonly string[]>
  apiKeys(): Promise<readonly string[]>
  agentTokens(): Promise<readonly string[]>
  groups(): Promise<readonly string[]>
  keys(): Promise<readonly Proposal[]>
}

const environmentFlags = new Set(['env', 'environment', 'from', 'to', 'against', 'parent'])
const commandsOfKeys = new Set(['get', 'set', 'unset', 'rules', 'promote'])
/** Commands whose key stands behind the subcommand. */
const groupsOfKeys = new Set(['rules', 'turn'])

/**
 * Returns the completions of the last word: commands, flags, values of a flag, environments, keys. Empty where a file
 * or another program's command belongs, which the shell completes itself.
 */
export async function propose(
  commands: Commands,
  typed: readonly string[],
  names: KnownNames,
): Promise<Proposal[]> {
  const words = fromCommand(typed)
  const before = words.slice(0, -1)
  const partial = words.at(-1) ?? ''
  if (before.includes('--')) return []
  const assignment = /^(--[a-z-]+)=(.*)$/.exec(partial)
  if (assignment !== null) {
    const [, flag = '', value = ''] = assignment
    const values = await propose(commands, [...before, flag, value], names)
    return values.map(({ word, brief }) => ({ word: `${flag}=${word}`, brief }))
  }
  const all = [
    ...(await proposeNames(commands, before, names)),
    ...(await proposeOwn(commands, before, partial)),
  ]
  return all.filter(({ word }) => word.startsWith(partial))
}

/** Maps groups of commands to the subcommands that take a name, and to the list of the names. */
const groupsOfNames: Readonly<
  Partial<
    Record<
      string,
      {
        readonly subcommands: readonly string[]
        readonly list: 'segments' | 'webhooks' | 'targets' | 'apiKeys' | 'agentTokens' | 'groups'
        readonly brief: string
      }
    >
  >
> = {
  segments: { subcommands: ['show', 'update', 'delete'], list: 'segments', brief: 'segment' },
  webhooks: {
    subcommands: ['test', 'rotate', 'deliveries', 'replay', 'delete'],
    list: 'webhooks',
    brief: 'outgoing webhook',
  },
  targets: { subcommands: ['plan', 'run'], list: 'targets', brief: 'target' },
  'service-accounts': { subcommands: ['list', 'add', 'remove'], list: 'apiKeys', brief: 'API key' },
  groups: {
    subcommands: ['members', 'add', 'remove', 'rename', 'delete'],
    list: 'groups',
    brief: 'group',
  },
  'agent-tokens': { subcommands: ['end'], list: 'agentTokens', brief: 'agent token' },
}

async function proposeNames(
  { targets }: Commands,
  before: readonly string[],
  names: KnownNames,
): Promise<Proposal[]> {
  const last = before.at(-1) ?? ''
  const command = before[0] ?? ''
  if (awaitsEnvironment(command, last)) {
    return (await names.environments()).map((word) => ({ word, brief: 'environment' }))
  }
  const group = groupsOfNames[command]
  if (group?.subcommands.includes(last)) {
    return (await names[group.list]()).map((word) => ({ word, brief: group.brief }))
  }
  if (!takesKey(targets, before) || awaitsValue(targets, before)) return []
  const typedWords = new Set(before)
  return (await names.keys()).filter(({ word }) => !typedWords.has(word))
}

/** Returns whether the name of a key is next: behind the command, or behind the subcommand of a group. */
function takesKey(targets: Targets, before: readonly string[]): boolean {
  const [command = '', second = ''] = before
  const target = targets[command]
  if (before.length === 2 && groupsOfKeys.has(command) && isGroup(target)) {
    return target.getRoutingTargetForInput(second) !== undefined
  }
  const takesMore = command === 'unset' || command === 'promote' || before.length === 1
  return commandsOfKeys.has(command) && takesMore
}

function awaitsEnvironment(command: string, last: string): boolean {
  if (last.startsWith('--')) return environmentFlags.has(last.slice(2))
  if (last === command) return command === 'freeze' || command === 'unfreeze'
  return command === 'environments' && /^(update|delete)$/.test(last)
}

/** Returns whether the last word is a flag that takes a value. */
function awaitsValue(targets: Targets, before: readonly string[]): boolean {
  const last = before.at(-1) ?? ''
  const flags = Object.entries(findCommand(targets, before)?.parameters.flags ?? {})
  const flag = flags.find(([name]) => `--${toKebab(name)}` === last)
  return flag !== undefined && flag[1]?.kind !== 'boolean'
}

async function proposeOwn(
  { app, targets, context }: Commands,
  before: readonly string[],
  partial: string,
): Promise<Proposal[]> {
  const [first] = before
  const group = first === undefined ? undefined : targets[first]
  const subcommands =
    isGroup(group) && before.length === 1
      ? group.getAllEntries().map(({ name, target }) => ({
          word: name.original,
          brief: target.brief,
        }))
      : []
  const completions = await proposeCompletions(app, [...before, partial], context)
  const takesWords = findCommand(targets, before)?.parameters.positional !== undefined
  const own = completions.flatMap(({ kind, completion, brief }): Proposal[] => {
    const isFlag = kind === 'argument:flag'
    if (completion === '--' || (isFlag && partial === '' && (takesWords || isGroup(group)))) {
      return []
    }
    return [{ word: completion, brief }]
  })
  return [...subcommands, ...own]
}
