import { mergeParts, type ReadFragment } from './merge-parts.ts'
import { isPart, type Part } from './part.ts'
import { isNothing, readJson, unwritableNumbers, type ReadJsonOptions } from './read-json.ts'
import { resolveReference } from './resolve-reference.ts'

interface Context extends ReadJsonOptions {
  readonly root: Part
  readonly depth: number
}

const depthMax = 8

/**
 * Returns `schema` as parts that all apply: references are followed, `allOf` is expanded, alternatives are merged
 * where possible.
 */
function partsOf(schema: unknown, context: Context): Part[] {
  if (schema === true) return []
  if (!isPart(schema) || context.depth > depthMax) return [{ violation: 'it cannot be followed' }]
  const { allOf, anyOf, oneOf, $ref, ...own } = schema
  const deeper = { ...context, depth: context.depth + 1 }
  return [
    own,
    ...($ref === undefined ? [] : partsOf(resolveReference(context.root, $ref), deeper)),
    ...(Array.isArray(allOf) ? allOf.flatMap((part) => partsOf(part, deeper)) : []),
    ...[anyOf, oneOf].filter(Array.isArray).map((branches) => oneOfMany(branches, deeper)),
  ]
}

const isUnwritable = ({ fragment }: ReadFragment) =>
  fragment.enum?.every((choice) => unwritableNumbers.has(choice)) ?? false

/** Merges several alternatives into one part. Where they differ, the part has `anyOf`. */
function oneOfMany(branches: readonly unknown[], context: Context): Part {
  const read = branches
    .filter((branch) => !isNothing(branch, context))
    .map((branch) => mergeParts(partsOf(branch, context)))
  const numeric = read.some(({ fragment }) => fragment.type === 'number')
  const candidates = numeric ? read.filter((each) => !isUnwritable(each)) : read
  const [first] = candidates
  const violation = candidates.find((each) => each.violation !== undefined)?.violation
  if (violation !== undefined) return { violation }
  if (candidates.length === 1 && first?.dropped.length === 0) return { ...first.fragment }
  const types = new Set(candidates.map(({ fragment }) => fragment.type))
  if (types.has('number')) types.delete('integer')
  if (types.has(undefined)) return { anyOf: branches.length }
  return candidates.every(({ fragment }) => fragment.enum !== undefined)
    ? { type: [...types], enum: candidates.flatMap(({ fragment }) => fragment.enum ?? []) }
    : { type: [...types], anyOf: branches.length }
}

/** Reads the keywords about one string, number or boolean, or about objects and lists, from a JSON Schema of any draft since 7. */
export function readFragment(schema: object, options: ReadJsonOptions = {}): ReadFragment {
  const root: Part = { ...schema }
  return readJson(root, options) ?? mergeParts(partsOf(root, { ...options, root, depth: 0 }))
}
