import { cutText, toStorableText } from '@signalbox/contract'
import { parse } from 'yaml'
import { z } from 'zod'
import type { WorkflowInput } from '../codehosts/workflow.ts'

/** Of the header: a reader of YAML takes long, and nothing else is done meanwhile. */
const charactersMax = 16 * 1024
const inputsMax = 25
const textMax = 1_000
const optionsMax = 100

const cut = (text: string): string => toStorableText(cutText(text, textMax))
const scalar = z.union([z.string(), z.number(), z.boolean()])
const textOrNull = scalar
  .nullish()
  .catch(null)
  .transform((value) => (value === null || value === undefined ? null : cut(String(value))))
const types = { string: 'string', number: 'number', boolean: 'boolean' } as const

const input = z
  .object({
    description: textOrNull,
    type: z.string().catch('string'),
    default: z.unknown().optional(),
    options: z
      .array(scalar.transform((option) => cut(String(option))))
      .catch([])
      .transform((list) => list.slice(0, optionsMax)),
  })
  .catch({ description: null, type: 'string', default: undefined, options: [] })
const header = z.object({
  spec: z
    .object({ inputs: z.record(z.string(), z.unknown()).nullish().catch({}) })
    .nullish()
    .catch(null),
})

/** Describes what a CI file says of how its pipelines are started. */
export interface CiFile {
  /** Lists the inputs of the header. A file without a header takes none. */
  readonly inputs: readonly WorkflowInput[]
  /** Lists the inputs that the name of every pipeline shows. */
  readonly namedInputs: readonly string[]
}

/**
 * Reads a CI file; `undefined` where its header cannot be understood.
 *
 * @see https://docs.gitlab.com/ci/inputs/
 */
export function parseCiFile(bytes: Buffer): CiFile | undefined {
  const { header: lines, body } = splitHeader(bytes.toString('utf8').split(/\r?\n/))
  if (lines.length === 0) return { inputs: [], namedInputs: [] }
  const text = lines.join('\n')
  const { data } = header.safeParse(text.length > charactersMax ? undefined : parseYaml(text))
  if (data === undefined) return undefined
  const inputs = Object.entries(data.spec?.inputs ?? {})
    .slice(0, inputsMax)
    .map(toInput)
  const named = findNamedInputs(body)
  return { inputs, namedInputs: inputs.map(({ name }) => name).filter((name) => named.has(name)) }
}

/** Splits the lines at the `---` that ends the header. Both parts are empty where there is none. */
function splitHeader(lines: readonly string[]): {
  readonly header: readonly string[]
  readonly body: readonly string[]
} {
  const first = lines.findIndex((line) => !/^\s*(?:#.*)?$/.test(line) && line !== '---')
  const end = lines.findIndex((line, at) => at > first && /^---\s*$/.test(line))
  const isHeader = first !== -1 && end !== -1 && /^spec\s*:/.test(lines[first] ?? '')
  return isHeader
    ? { header: lines.slice(first, end), body: lines.slice(end + 1) }
    : { header: [], body: [] }
}

const named = z.object({ workflow: z.object({ name: z.string() }) })
/** GitLab refuses a name of more than 255 characters. The rest is for the ids of ours. */
const nameMax = 200
const inputExpression = /\$\[\[\s*inputs\.([\w-]+)\s*\]\]/g

/**
 * Finds the inputs in `workflow:name`. One that a function changes, such as `truncate`, is not shown as it is.
 *
 * @see https://docs.gitlab.com/ci/yaml/#workflowname
 */
function findNamedInputs(lines: readonly string[]): ReadonlySet<string> {
  const from = lines.findIndex((line) => /^workflow\s*:/.test(line))
  const after = lines.findIndex((line, at) => at > from && /^[^\s#]/.test(line))
  const section = from === -1 ? [] : lines.slice(from, after === -1 ? undefined : after)
  const text = section.join('\n')
  const { data } = named.safeParse(text.length > charactersMax ? undefined : parseYaml(text))
  const name = data?.workflow.name ?? ''
  const matches = name.length > nameMax ? [] : name.matchAll(inputExpression)
  return new Set([...matches].map(([, input = '']) => input))
}

function toInput([name, said]: [string, unknown]): WorkflowInput {
  const { description, type, default: declared, options } = input.parse(said ?? {})
  const plain = Object.entries(types).find(([of]) => of === type)?.[1] ?? 'unknown'
  return {
    name: cut(name),
    description,
    type: options.length > 0 ? 'choice' : plain,
    isRequired: declared === undefined,
    default: textOrNull.parse(declared),
    options,
  }
}

/** Parses YAML. No file is a reason to fail: one nested without end exhausts the parser's stack. */
function parseYaml(text: string): unknown {
  try {
    return parse(text, { logLevel: 'error' })
  } catch {
    return undefined
  }
}
