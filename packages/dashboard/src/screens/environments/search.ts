/** Describes what of the environments is open, as the address says it. */
export interface EnvironmentsSearch {
  readonly panel?: 'create' | 'edit' | 'delete'
  /** The id of the environment that it is about. */
  readonly environment?: string
}

const panels = ['create', 'edit', 'delete'] as const

/** Reads the address of the screen; what it does not know is left out. */
export function readEnvironmentsSearch(search: Record<string, unknown>): EnvironmentsSearch {
  const panel = panels.find((one) => one === search['panel'])
  const { environment } = search
  return {
    ...(panel !== undefined && { panel }),
    ...(typeof environment === 'string' && { environment }),
  }
}
