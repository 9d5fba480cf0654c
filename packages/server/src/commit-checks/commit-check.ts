import type { CommitCheck } from '@signalbox/contract/rest'
import type { StoredDefinition } from '../config-model/definition.ts'
import type { ComparedSchema } from '../configs/schemas/compare-definitions.ts'

/** Describes a schema of a commit as its check found it. */
export type CheckedSchema = CommitCheck['schemas'][number]
type CheckedEnvironment = CheckedSchema['environments'][number]
type Conclusion = CommitCheck['conclusion']

/** Names the definitions that the commits which run in an environment declare, by the name of the schema in small letters. */
export type LiveDefinitions = ReadonlyMap<string, ReadonlyMap<string, StoredDefinition>>

/** Returns what a check says of one schema of a commit. `live`: what runs in each environment, by the environment's id. */
export function checkSchema(
  name: string,
  declared: StoredDefinition,
  { schemaId, environments }: ComparedSchema,
  live: LiveDefinitions,
): CheckedSchema {
  return {
    name,
    schemaId,
    environments: environments.map((each): CheckedEnvironment => {
      const running = live.get(each.environmentId)?.get(name.toLowerCase())
      const breaking = running === undefined ? [] : findBreaking(running, declared)
      const { missing, invalid } = each
      return {
        ...each,
        missing: [...missing],
        invalid: [...invalid],
        breaking,
        result: resultOf({ missing, invalid, breaking }),
      }
    }),
  }
}

function resultOf({
  missing,
  invalid,
  breaking,
}: Readonly<
  Record<'missing' | 'invalid' | 'breaking', readonly unknown[]>
>): CheckedEnvironment['result'] {
  if (missing.length > 0) return 'missing'
  if (invalid.length > 0) return 'invalid'
  return breaking.length > 0 ? 'breaking' : 'ready'
}

/** Lists the keys that a program which runs reads, and that a definition lacks or types otherwise. */
function findBreaking(
  running: StoredDefinition,
  declared: StoredDefinition,
): { key: string; detail: string }[] {
  return Object.entries(running).flatMap(([key, { type }]) => {
    const next = declared[key]
    if (next === undefined)
      return [{ key, detail: 'The commit that runs there still declares it.' }]
    if (next.type === type) return []
    return [{ key, detail: `The commit that runs there declares it as ${type}.` }]
  })
}

/** Returns what a check says as a whole: what is missing or invalid anywhere fails it, and what breaks a running program warns. */
export function concludeCheck(schemas: readonly CheckedSchema[]): Conclusion {
  const results = new Set(schemas.flatMap(({ environments }) => environments.map((e) => e.result)))
  if (results.has('missing') || results.has('invalid')) return 'failure'
  return results.has('breaking') ? 'neutral' : 'success'
}

/** Holds what a code host shows of a check. */
export interface CheckText {
  readonly title: string
  /** In Markdown. */
  readonly summary: string
}

const listOf = (keys: readonly string[], max: number) =>
  keys.length <= max
    ? keys.join(', ')
    : `${keys.slice(0, max).join(', ')} and ${keys.length - max} more`

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

/** Describes a check for a pull request. Example: `production lacks stripeKey`. */
export function describeCheck(schemas: readonly CheckedSchema[]): CheckText {
  const environments = schemas.flatMap(({ name, environments: all }) =>
    all.map((each) => ({ schema: name, ...each })),
  )
  return { title: toTitle(environments), summary: toSummary(schemas) }
}

interface NamedEnvironment extends CheckedEnvironment {
  readonly schema: string
}

function toTitle(environments: readonly NamedEnvironment[]): string {
  const byWeight = environments.toSorted((a, b) => Number(b.production) - Number(a.production))
  const lacking = byWeight.filter(({ missing }) => missing.length > 0)
  const [first] = lacking
  if (first !== undefined) {
    const rest = lacking.length > 1 ? `, and ${count(lacking.length - 1, 'more environment')}` : ''
    return `${first.environment} lacks ${listOf(first.missing, 2)}${rest}`
  }
  const invalid = byWeight.find((each) => each.invalid.length > 0)
  if (invalid !== undefined) {
    const keys = invalid.invalid.map(({ key }) => key)
    return `${invalid.environment} has a value that isn’t allowed: ${listOf(keys, 2)}`
  }
  const names = new Set(environments.map(({ environmentId }) => environmentId))
  const ready =
    names.size === 0
      ? 'There is no environment yet'
      : `Ready in ${count(names.size, 'environment')}`
  const breaking = new Set(environments.flatMap((e) => e.breaking.map(({ key }) => key)))
  if (breaking.size === 0) return ready
  return `${ready}. What runs now still reads ${listOf([...breaking], 2)}`
}

function toSummary(schemas: readonly CheckedSchema[]): string {
  return schemas
    .map(({ name, schemaId, environments }) =>
      [
        `### ${name}`,
        ...(schemaId === null
          ? ['Nobody has pushed this schema yet: `signalbox push` makes it.', '']
          : []),
        '| Environment | Result | Keys |',
        '|---|---|---|',
        ...environments.map(toRow),
      ].join('\n'),
    )
    .join('\n\n')
}

function toRow({ environment, missing, invalid, breaking }: CheckedEnvironment): string {
  const cells = [
    ...(missing.length > 0 ? [`no value: ${listOf(missing.map(code), 20)}`] : []),
    ...invalid.slice(0, 20).map(({ key, detail }) => `${code(key)}: ${cell(detail)}`),
    ...breaking.slice(0, 20).map(({ key, detail }) => `${code(key)}: ${cell(detail)}`),
  ]
  const isReady = missing.length === 0 && invalid.length === 0
  const result = isReady ? (breaking.length > 0 ? 'ready, with a warning' : 'ready') : 'not ready'
  return `| ${cell(environment)} | ${result} | ${cells.join('<br>')} |`
}

/** Names the file of a definition, and the lines of its keys. */
export interface DeclaredLines {
  readonly schemaName: string
  readonly path: string | null
  readonly lines: Readonly<Record<string, number>> | null
}

/** Lists what a pull request shows beside the lines of its files: one note for each key. */
export function annotateLines(
  schemas: readonly CheckedSchema[],
  declared: readonly DeclaredLines[],
): { readonly path: string; readonly line: number; readonly message: string }[] {
  return declared.flatMap(({ schemaName, path, lines }) => {
    const schema = schemas.find(({ name }) => name === schemaName)
    if (path === null || schema === undefined) return []
    return Object.entries(lines ?? {}).flatMap(([key, line]) => {
      const message = describeKey(key, schema.environments)
      return message === undefined ? [] : [{ path, line, message }]
    })
  })
}

/** Example: `No value in production. staging: The value must be at most 10.` */
function describeKey(key: string, environments: readonly CheckedEnvironment[]): string | undefined {
  const lacking = environments.filter(({ missing }) => missing.includes(key))
  const refused = environments.flatMap(({ environment, invalid }) =>
    invalid.filter((each) => each.key === key).map(({ detail }) => `${environment}: ${detail}`),
  )
  const names = lacking.map(({ environment }) => environment)
  const parts = [...(names.length > 0 ? [`No value in ${listOf(names, 5)}.`] : []), ...refused]
  return parts.length === 0 ? undefined : parts.join(' ')
}

const code = (key: string) => `\`${key}\``
/** Keeps a text within its cell of a table, and as text. */
const cell = (text: string) => text.replaceAll(/[\r\n|<>`]/g, ' ')
