// Pipelines and code hosts may use the same ids in one repository.
const pipelineMark = 'api:'
const callMark = 'call:'

/** As the id that a pipeline gives is stored. */
export function externalIdOfPipeline(given: string): string {
  return pipelineMark + given
}

/** In place of an id, where a pipeline gives none: `made` is of this call alone. */
export function externalIdOfCall(made: string): string {
  return callMark + made
}

/** As it is shown: `null` where nobody but us gave it one. */
export function toShownExternalId(stored: string): string | null {
  if (stored.startsWith(callMark)) return null
  return stored.startsWith(pipelineMark) ? stored.slice(pipelineMark.length) : stored
}
