import {
  canonicalJson,
  createFlagEvaluator,
  type ConfigValue,
  type EvaluationContext,
  type WrittenRule,
} from '@signalbox/contract'
import type { ImportedKey, ReadExport } from '../importer.ts'
import type { OpenJudge } from './judge.ts'
import type { NumberedContext } from './read-contexts.ts'

/** Describes a context for which a flag has another value there than here. It never holds the context. */
export interface Difference {
  readonly key: string
  readonly environment: string
  /** Counts the lines of the file with the contexts, from 1. */
  readonly line: number
  /** `null`: the SDK has no value, so each call has its own default. */
  readonly theirs: unknown
  readonly ours: unknown
}

/** Describes how a flag of an environment was decided. */
export interface ComparedFlag {
  readonly key: string
  readonly environment: string
  readonly verdict: ImportedKey['verdict']
  readonly differences: number
}

/** Holds the outcome of a comparison. */
export interface Comparison {
  readonly contexts: number
  readonly decisions: number
  readonly different: number
  readonly flags: readonly ComparedFlag[]
  /** Lists the first ones of each flag. */
  readonly differences: readonly Difference[]
  /** Names what the import leaves out: nothing here decides it. */
  readonly notCompared: readonly string[]
}

/** Limits how many differences of one flag in one environment are listed. All are counted. */
const listedPerFlag = 20

/** Decides every flag for every context, there by the judge and here by the rules that the import would store. */
export async function compareFlags(
  { keys, leftOut }: ReadExport,
  judge: OpenJudge,
  contexts: AsyncIterable<NumberedContext>,
): Promise<Comparison> {
  // A key beside a flag, which holds what its variants carry, is decided by nobody.
  const decided = keys.filter(({ from }, at) => keys.findIndex((key) => key.from === from) === at)
  const flags = decided.flatMap((key) =>
    key.values.map((own) => ({
      key,
      environment: own.environment,
      decide: prepareOwn(key, own),
      counted: 0,
    })),
  )
  const differences: Difference[] = []
  let count = 0
  for await (const { line, context } of contexts) {
    count += 1
    for (const flag of flags) {
      const { key, environment } = flag
      const ours = toComparable(flag.decide(context))
      const theirs = toComparable(await judge.decide({ key, environment }, context))
      if (theirs === ours) continue
      flag.counted += 1
      if (flag.counted <= listedPerFlag) {
        differences.push({ key: key.key, environment, line, theirs, ours })
      }
    }
  }
  return {
    contexts: count,
    decisions: count * flags.length,
    different: flags.reduce((sum, { counted }) => sum + counted, 0),
    flags: flags.map(({ key, environment, counted }) => {
      return { key: key.key, environment, verdict: key.verdict, differences: counted }
    }),
    differences,
    notCompared: leftOut.map(({ from }) => from),
  }
}

type OwnValue = ImportedKey['values'][number]

/** Returns the function that decides an imported key as a client does: its value, or the variant of a flag that has some. */
export function prepareOwn(
  { key, variants }: ImportedKey,
  { value, rules = [] }: OwnValue,
): (context: EvaluationContext) => ConfigValue {
  const decide = createFlagEvaluator<ConfigValue>({
    // Shares of an import are dealt as there, so they do not depend on the schema.
    schemaId: '',
    key,
    value,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the readers write rules, and the server checks them
    rules: rules as WrittenRule[],
    variants,
  })
  return (context) => {
    const decision = decide(context)
    return decision.variant ?? decision.value
  }
}

/** Returns a value so that equal ones are the same: objects and lists as their canonical text. */
function toComparable(value: unknown): unknown {
  if (value === null || value === undefined) return null
  return typeof value === 'object' ? canonicalJson(value) : value
}
