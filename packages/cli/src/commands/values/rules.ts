import { buildRouteMap } from '@stricli/core'
import { defineCommand } from '../../action.ts'
import { textFlag, targetFlags, type CliContext } from '../../cli-context.ts'
import { briefs } from '../../help/briefs.ts'
import { readJsonFile } from '../../project/json.ts'
import type { Rules } from '../../values/rules.ts'
import { showRules } from '../../values/show-rules.ts'
import type { Session } from '../../session.ts'
import { openSchemaTarget } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { readPresentedValues } from '../../values/read-values.ts'
import { addRule, changeRule, moveRule, removeRules } from './edit-rules.ts'
import { requireKey } from './get.ts'
import { saveFlags, saveRules } from './save-rules.ts'

const keyArgument = { brief: 'Name of the flag or the targeted key', placeholder: 'key' } as const

const show = defineCommand({
  brief: 'Show the rules of a key',
  about:
    'Shows the rules of a flag or a targeted key in an environment, in their order, each with its number and its id.',
  examples: [
    'signalbox rules maxTokens --env production',
    'signalbox rules show maxTokens --env production --json > rules.json',
  ],
  flags: targetFlags,
  args: [keyArgument],
  run: async (session, flags, name) => {
    const target = await openSchemaTarget(session, flags.env)
    const key = requireKey(target, name)
    const stored = (await readPresentedValues(target)).values[key]
    const { output } = session
    const environment = target.environment.name
    output.document({ key, environment, value: stored?.value, rules: stored?.rules ?? [] })
    showRules(output, stored)
  },
})

const replace = defineCommand({
  brief: 'Replace all rules of a key',
  about:
    'Replaces the rules of a flag or a targeted key by those of a JSON file: shows who gets what afterwards, asks, and saves. An empty list removes them.',
  examples: [
    'signalbox rules replace maxTokens --file rules.json --env production --dry-run',
    'signalbox rules replace maxTokens --file rules.json --env production',
  ],
  flags: {
    ...saveFlags,
    file: textFlag('path', 'JSON file with the rules, or what rules show --json prints'),
  },
  args: [keyArgument],
  run: async (session, flags, name) => {
    if (flags.file === undefined) {
      throw new CliError('usage', 'file_required', 'Name the file with the rules.', {
        advice: `signalbox rules replace ${name} --file rules.json`,
      })
    }
    const rules = await readRules(session, flags.file)
    const target = await openSchemaTarget(session, flags.env)
    const key = requireKey(target, name)
    await saveRules(session, flags, target, {
      key,
      rules,
      question: `Replace the rules of ${key}`,
      done: `Replaced the rules of ${key}`,
    })
  },
})

/** Reads a list of rules, or what `rules show --json` prints. */
async function readRules(session: Session, file: string): Promise<Rules> {
  const list = findRules(await readJsonFile(session, file))
  if (list !== undefined) return list
  throw new CliError('usage', 'invalid_rules', `${file} is no JSON list of rules.`, {
    advice: `Write it like this: ${JSON.stringify(example)}`,
  })
}

const example = [
  { when: [{ attribute: 'plan', operator: 'equals', value: 'pro' }], serve: { value: 50 } },
]

function findRules(content: unknown): Rules | undefined {
  const list = Array.isArray(content) ? content : Object(content).rules
  // The server checks the rules, and points at each violation.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Array.isArray(list) ? (list as Rules) : undefined
}

/** Defines `signalbox rules`, whose default shows them. */
export const rulesRoutes = buildRouteMap<
  'show' | 'add' | 'change' | 'move' | 'remove' | 'replace',
  CliContext
>({
  routes: {
    show,
    add: addRule,
    change: changeRule,
    move: moveRule,
    remove: removeRules,
    replace,
  },
  defaultCommand: 'show',
  docs: { brief: briefs.rules },
})
