// Pipelines and code hosts may use the same ids in one repository.
const pipelineMark = 'api:'
const callMark = 'call:'

/** Returns the id that a pipeline gives as it is stored. */
export function externalIdOfPipeline(id: string): string {
  return pipelineMark + id
}

/** Returns the id of a deployment where a pipeline gives none: `made` is of this call alone. */
export function externalIdOfCall(made: string): string {
  return callMark + made
}

/** Returns an id as it is shown: `null` where the pipeline gave none. */
export function toShownExternalId(stored: string): string | null {
  if (stored.startsWith(callMark)) return null
  return stored.startsWith(pipelineMark) ? stored.slice(pipelineMark.length) : stored
}
