import { cutText, toStorableText } from '@signalbox/contract'
import { parse } from 'yaml'
import { z } from 'zod'
import { requestedEvent, type WorkflowInterface, type WorkflowInput } from './workflow.ts'

/** Of what the file says of its triggers: a reader of YAML takes long, and nothing else is done meanwhile. */
const charactersMax = 16 * 1024
const inputsMax = 25
const textMax = 1_000
const optionsMax = 100

const cut = (text: string): string => toStorableText(cutText(text, textMax))
const textOrNull = z
  .union([z.string(), z.number(), z.boolean()])
  .nullish()
  .catch(null)
  .transform((value) => (value === null || value === undefined ? null : cut(String(value))))
const options = z
  .array(z.union([z.string(), z.number(), z.boolean()]).transform((option) => cut(String(option))))
  .catch([])
  .transform((list) => list.slice(0, optionsMax))
const types = ['string', 'number', 'boolean', 'choice', 'environment'] as const

/** An input that says nothing of itself is an optional text. */
const input = z
  .object({
    description: textOrNull,
    type: z.enum(types).or(z.literal('unknown')).default('string').catch('unknown'),
    required: z.boolean().catch(false),
    default: textOrNull,
    options,
  })
  .catch({ description: null, type: 'string', required: false, default: null, options: [] })

const names = z.record(z.string(), z.unknown())
const inputsOf = z.object({ inputs: names.catch({}) }).catch({ inputs: {} })
const trigger = requestedEvent
/** One trigger, a list of them, or each with what it takes. */
const triggers = z.union([
  z.string().transform((name) => new Map<string, unknown>([[name, null]])),
  z
    .array(z.string())
    .transform((list) => new Map<string, unknown>(list.map((name) => [name, null]))),
  names.transform((entries) => new Map(Object.entries(entries))),
])
const workflow = z.object({ on: triggers })

/**
 * Reads from the file of a workflow how it is started by hand; `undefined` where the file cannot be understood. Several code hosts
 * write their workflows like this. Anchors are followed only as far as no small file becomes a large value.
 *
 * @see https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#onworkflow_dispatchinputs
 */
export function parseWorkflowFile(bytes: Buffer): WorkflowInterface | undefined {
  const text = bytes.toString('utf8')
  const { data } = workflow.safeParse(parseYaml(cutSection(text, 'on')))
  if (data === undefined) return undefined
  const isStartable = data.on.has(trigger)
  const declared = Object.entries(inputsOf.parse(data.on.get(trigger)).inputs)
  const inputs = declared.slice(0, inputsMax).map(toInput)
  return { isStartable, inputs, shownInputs: findShownInputs(text, inputs) }
}

const title = z.object({ 'run-name': z.string() })
/** An input that stands alone, or before what stands there without it: `${{ inputs.test_run_id || 'manual' }}`. */
const inputExpression = /\$\{\{\s*(?:[a-z]+\.event\.)?inputs\.([\w-]+)\s*(?:\|\|[^}]*)?\}\}/g

/** Finds the declared inputs that the title of every run shows. */
function findShownInputs(text: string, inputs: readonly WorkflowInput[]): string[] {
  const { data } = title.safeParse(parseYaml(cutSection(text, 'run-name')))
  const matches = (data?.['run-name'] ?? '').matchAll(inputExpression)
  const titled = new Set([...matches].map(([, name]) => name))
  return inputs.map(({ name }) => name).filter((name) => titled.has(name))
}

function toInput([name, said]: [string, unknown]): WorkflowInput {
  const { required: isRequired, ...declared } = input.parse(said)
  return { name: cut(name), isRequired, ...declared }
}

/**
 * Returns the lines of a key, up to the next one. The rest of a file, which is most of it, says nothing of how it is started; what
 * is written in another way, such as JSON, is not understood.
 */
function cutSection(text: string, key: 'on' | 'run-name'): string | undefined {
  const lines = text.split(/\r?\n/)
  const start = new RegExp(`^(?:${key}|"${key}"|'${key}')\\s*:`)
  const from = lines.findIndex((line) => start.test(line))
  if (from === -1) return undefined
  const after = lines.findIndex((line, at) => at > from && /^[^\s#\]}-]/.test(line))
  const section = lines.slice(from, after === -1 ? undefined : after).join('\n')
  return section.length > charactersMax ? undefined : section
}

/** Parses YAML. No file is a reason to fail: one nested without end exhausts the parser's stack. */
function parseYaml(text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return parse(text, { logLevel: 'error' })
  } catch {
    return undefined
  }
}
