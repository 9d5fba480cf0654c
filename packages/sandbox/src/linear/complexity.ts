import { Kind, type DocumentNode, type FieldNode, type SelectionSetNode } from 'graphql'

/** Holds the points that one query may have. */
export const complexityMax = 10_000
const pageSizeDefault = 50

/**
 * Returns the points of a query by Linear's rule: a tenth for each property, one for each object, and for a list as many times what is
 * asked of each entry as it may have. Fragments count as what they hold.
 *
 * @see https://linear.app/developers/rate-limiting
 */
export function complexityOf(
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
): number {
  const points = document.definitions.map((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? pointsOf(definition.selectionSet, variables)
      : 0,
  )
  return Math.ceil(points.reduce((sum, one) => sum + one, 0))
}

function pointsOf(set: SelectionSetNode, variables: Readonly<Record<string, unknown>>): number {
  let points = 0
  for (const selection of set.selections) {
    if (selection.kind !== Kind.FIELD) continue
    const { selectionSet } = selection
    points +=
      selectionSet === undefined
        ? 0.1
        : (1 + pointsOf(selectionSet, variables)) * sizeOf(selection, variables)
  }
  return points
}

function sizeOf(field: FieldNode, variables: Readonly<Record<string, unknown>>): number {
  if (field.name.value !== 'issues' && field.name.value !== 'teams') return 1
  const value = field.arguments?.find(({ name }) => name.value === 'first')?.value
  if (value?.kind === Kind.INT) return Number(value.value)
  if (value?.kind === Kind.VARIABLE) return Number(variables[value.name.value])
  return pageSizeDefault
}
