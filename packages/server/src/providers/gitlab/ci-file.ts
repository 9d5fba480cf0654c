import { parse } from 'yaml'
import { z } from 'zod'
import type { WorkflowInput } from '../codehost.ts'

/** Of the header: a reader of YAML takes long, and nothing else is done meanwhile. */
const charactersMax = 16 * 1024
const inputsMax = 25
const textMax = 1_000
const optionsMax = 100

const cut = (text: string): string => text.slice(0, textMax)
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

/**
 * Reads from the header of a CI file which inputs its pipelines take; `undefined` where it cannot be understood. A file without a
 * header takes none.
 *
 * @see https://docs.gitlab.com/ci/inputs/
 */
export function parseCiFile(bytes: Buffer): readonly WorkflowInput[] | undefined {
  const lines = bytes.toString('utf8').split(/\r?\n/)
  const first = lines.findIndex((line) => !/^\s*(?:#.*)?$/.test(line) && line !== '---')
  if (first === -1 || !/^spec\s*:/.test(lines[first] ?? '')) return []
  const end = lines.findIndex((line, at) => at > first && /^---\s*$/.test(line))
  if (end === -1) return []
  const text = lines.slice(first, end).join('\n')
  const { data } = header.safeParse(text.length > charactersMax ? undefined : parseYaml(text))
  if (data === undefined) return undefined
  return Object.entries(data.spec?.inputs ?? {})
    .slice(0, inputsMax)
    .map(toInput)
}

function toInput([name, said]: [string, unknown]): WorkflowInput {
  const { description, type, default: given, options } = input.parse(said ?? {})
  const plain = Object.entries(types).find(([of]) => of === type)?.[1] ?? 'unknown'
  return {
    name: cut(name),
    description,
    type: options.length > 0 ? 'choice' : plain,
    isRequired: given === undefined,
    default: textOrNull.parse(given),
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
