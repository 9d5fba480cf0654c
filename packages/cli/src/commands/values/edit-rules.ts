import { defineCommand, type FlagValues } from '../../action.ts'
import { repeatedFlag, textFlag } from '../../cli-context.ts'
import { readConditions } from '../../values/read-condition.ts'
import { readServe, type RuledKey } from '../../values/read-serve.ts'
import type { Rule, Rules } from '../../values/rules.ts'
import type { Session } from '../../session.ts'
import { openSchemaTarget, type SchemaTarget } from '../../target.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { countOf } from '../../terminal/count.ts'
import { readPresentedValues } from '../../values/read-values.ts'
import { definitionOf, requireKey } from './get.ts'
import { saveFlags, saveRules, type SaveFlags } from './save-rules.ts'

const keyArgument = { brief: 'Name of the flag or the targeted key', placeholder: 'key' } as const
const ruleArgument = { brief: 'Number or id of the rule', placeholder: 'rule' } as const

const partFlags = {
  when: repeatedFlag('condition', "Who it is for, such as 'plan is pro'; all must hold"),
  serve: textFlag('value', 'What it serves: a value, a variant, on, off, or 10% of a flag'),
  split: repeatedFlag('shares', 'Values or variants with their percentages: small=90,large=10'),
  by: textFlag('attribute', 'Attribute that divides users (default: targetingKey)'),
  name: textFlag('text', 'Name that is shown for its conditions'),
} as const

type PartFlags = FlagValues<typeof partFlags>

/** Holds the rules of a key in one environment, which they are edited in. */
interface KeyRules extends RuledKey {
  readonly target: SchemaTarget
  readonly version: number
  readonly rules: Rules
}

/** Reads the rules that an environment sets. @throws {CliError} `value_missing` where it sets none itself, so has no place for rules */
async function openRules(
  session: Session,
  env: string | undefined,
  key: string,
): Promise<KeyRules> {
  const target = await openSchemaTarget(session, env)
  const name = requireKey(target, key)
  const definition = definitionOf(target, name)
  if (definition.tier !== 'featureFlags' && definition.targeted !== true) throw notTargeted(name)
  const { values, version } = await session.progress('Reading the rules', () =>
    readPresentedValues(target),
  )
  const stored = values[name]
  if (stored?.source !== 'set') throw notSet(name, target, stored?.value)
  return { target, name, definition, version, rules: stored.rules ?? [] }
}

function notTargeted(name: string): CliError {
  return new CliError(
    'validation',
    'not_targeted',
    `${name} is not targeted, so it has no rules.`,
    {
      advice: `Declare it as targeted(…) in the definition file, then: signalbox push`,
    },
  )
}

function notSet(name: string, { environment }: SchemaTarget, value: unknown): CliError {
  const why = `${environment.name} sets no value of ${name} itself, and rules belong to one.`
  const typed = isPlain(value) ? value : '<value>'
  const lines = [
    `Set what everyone else gets: signalbox set ${name} ${typed} --env ${environment.name}`,
    ...(environment.parentId === null ? [] : ['From then on it inherits no rules of its parent.']),
  ]
  return new CliError('failure', 'value_missing', why, { advice: lines.join('\n') })
}

/** Returns whether a value can be typed as it is. */
function isPlain(value: unknown): value is string | number | boolean {
  return (
    typeof value === 'number' ||
    typeof value === 'boolean' ||
    (typeof value === 'string' && /^[\w.-]+$/.test(value))
  )
}

/** Returns the index of a rule by its number, as it is shown, or by its id. @throws {CliError} `unknown_rule` */
function findRule({ rules, name }: KeyRules, text: string): number {
  const index = text.startsWith('rul_')
    ? rules.findIndex(({ id }) => id === text)
    : toIndex(text, rules.length)
  const rule = rules[index]
  if (rule === undefined) {
    const count = rules.length === 0 ? 'no rules' : countOf(rules.length, 'rule')
    throw new CliError('validation', 'unknown_rule', `${name} has ${count}, and no rule ${text}.`, {
      advice: `signalbox rules ${name}   shows them with their numbers and ids`,
    })
  }
  if (rule.aside !== undefined) throw turnedOff(name, text)
  return index
}

/** Returns the index of a number from 1, or -1. */
function toIndex(text: string, count: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : 0
  return number <= count ? number - 1 : -1
}

/** Reads the place of a rule among `count`. @throws {CliError} `invalid_position` */
function readPosition({ rules, name }: KeyRules, text: string, count: number): number {
  const index = toIndex(text, count)
  if (index < 0) {
    const range = count === 1 ? '1' : `a number from 1 to ${count}`
    throw new CliError('usage', 'invalid_position', `--at: "${text}" is no place in the list.`, {
      advice: `Use ${range}.`,
    })
  }
  if (index === 0 && rules[0]?.aside !== undefined) throw turnedOff(name, '1')
  return index
}

function turnedOff(name: string, text: string): CliError {
  return new CliError('conflict', 'turned_off', `Rule ${text} keeps ${name} turned off.`, {
    advice: `signalbox turn on ${name}   ends that. The rules behind it can be edited meanwhile.`,
  })
}

/** Returns the parts of a rule that flags name. The others stay as they are. */
function readParts(key: RuledKey, { when, name, ...served }: PartFlags): Partial<Rule> {
  const serve = readServe(key, served)
  return {
    ...(name !== undefined && { description: name }),
    ...(when !== undefined && { when: readConditions(when) }),
    ...(serve !== undefined && { serve }),
  }
}

/** Defines `signalbox rules add`. */
export const addRule = defineCommand({
  brief: 'Add a rule',
  about:
    'Adds a rule behind the others, or at a place. Without --when it is for everyone. Shows who gets what afterwards, asks, and saves.',
  examples: [
    "signalbox rules add newCheckout --when 'email ends with @acme.example' --serve on --name staff",
    'signalbox rules add newCheckout --serve 10% --env production',
    "signalbox rules add maxTokens --when 'plan is pro' --when 'age >= 18' --serve 50 --at 1",
    "signalbox rules add model --when 'in segment beta' --split small=90,large=10",
  ],
  flags: {
    ...saveFlags,
    ...partFlags,
    at: textFlag('number', 'Place in the list (default: the last)'),
  },
  args: [keyArgument],
  run: async (session, flags, name) => {
    const edited = await openRules(session, flags.env, name)
    const { when = [], serve, ...others } = readParts(edited, flags)
    if (serve === undefined) {
      throw new CliError('usage', 'serve_required', 'A rule needs what it serves.', {
        advice: 'Use --serve <value> or --split <shares>.',
      })
    }
    const { rules } = edited
    const last = rules.length + 1
    const at = readPosition(edited, flags.at ?? String(last), last)
    await save(session, flags, edited, {
      rules: rules.toSpliced(at, 0, { ...others, when, serve }),
      question: `Add rule ${at + 1} to ${edited.name}`,
      done: `Added rule ${at + 1} to ${edited.name}`,
    })
  },
})

/** Defines `signalbox rules change`. */
export const changeRule = defineCommand({
  brief: 'Change who a rule is for, or what it serves',
  about:
    'Changes the parts of a rule that flags name, and keeps the others, its place and its id. --when replaces all of its conditions; everyone removes them. An empty --name removes the name.',
  examples: [
    'signalbox rules change maxTokens 2 --serve 60',
    "signalbox rules change newCheckout rul_01jd2m4x9k0000000000000000 --serve 25% --comment 'second step'",
    'signalbox rules change model 1 --when everyone --split small=50,large=50',
  ],
  flags: { ...saveFlags, ...partFlags },
  args: [keyArgument, ruleArgument],
  run: async (session, flags, name, text) => {
    const edited = await openRules(session, flags.env, name)
    const index = findRule(edited, text)
    const parts = readParts(edited, flags)
    if (Object.keys(parts).length === 0) {
      throw new CliError('usage', 'change_required', `Nothing to change in rule ${text}.`, {
        advice: 'Use --when, --serve, --split or --name.',
      })
    }
    await save(session, flags, edited, {
      rules: edited.rules.map((rule, at) => (at === index ? merge(rule, parts) : rule)),
      question: `Change rule ${index + 1} of ${edited.name}`,
      done: `Changed rule ${index + 1} of ${edited.name}`,
    })
  },
})

function merge(rule: Rule, parts: Partial<Rule>): Rule {
  const { description, ...merged } = { ...rule, ...parts }
  return description === undefined || description === '' ? merged : { ...merged, description }
}

/** Defines `signalbox rules move`. */
export const moveRule = defineCommand({
  brief: 'Move a rule to another place',
  about: 'Moves a rule to another place in the list. The first rule whose conditions hold decides.',
  examples: ['signalbox rules move maxTokens 3 --at 1'],
  flags: { ...saveFlags, at: textFlag('number', 'Its new number') },
  args: [keyArgument, ruleArgument],
  run: async (session, flags, name, text) => {
    if (flags.at === undefined) {
      throw new CliError('usage', 'place_required', 'Name the new place of the rule.', {
        advice: `signalbox rules move ${name} ${text} --at 1`,
      })
    }
    const edited = await openRules(session, flags.env, name)
    const { rules } = edited
    const from = findRule(edited, text)
    const to = readPosition(edited, flags.at, rules.length)
    await save(session, flags, edited, {
      rules: rules.toSpliced(from, 1).toSpliced(to, 0, ...rules.slice(from, from + 1)),
      question: `Move rule ${from + 1} of ${edited.name} to place ${to + 1}`,
      done: `Moved rule ${from + 1} of ${edited.name} to place ${to + 1}`,
    })
  },
})

/** Defines `signalbox rules remove`. */
export const removeRules = defineCommand({
  brief: 'Remove rules',
  about: 'Removes rules by their numbers or ids, several together. The others keep their order.',
  examples: ['signalbox rules remove maxTokens 2', 'signalbox rules remove newCheckout 1 3'],
  flags: saveFlags,
  args: {
    brief: 'Name of the key, then numbers or ids of rules',
    placeholder: 'key rule',
    minimum: 2,
  },
  run: async (session, flags, name = '', ...texts) => {
    const edited = await openRules(session, flags.env, name)
    const removed = new Set(texts.map((text) => findRule(edited, text)))
    const numbers = [...removed].toSorted((one, other) => one - other).map((index) => index + 1)
    const what = `rule${removed.size === 1 ? '' : 's'} ${numbers.join(', ')} of ${edited.name}`
    await save(session, flags, edited, {
      rules: edited.rules.filter((_, index) => !removed.has(index)),
      question: `Remove ${what}`,
      done: `Removed ${what}`,
    })
  },
})

function save(
  session: Session,
  flags: SaveFlags,
  { target, name, version }: KeyRules,
  change: { readonly rules: Rules; readonly question: string; readonly done: string },
): Promise<void> {
  return saveRules(session, flags, target, { key: name, version, ...change })
}
