/** Describes the dialog that is open, as the address holds it. */
export interface EnvironmentsSearch {
  readonly panel?: 'create' | 'edit' | 'delete'
  /** Holds the id of the environment. */
  readonly environment?: string
}

const panels = ['create', 'edit', 'delete'] as const

/** Reads the address of the screen. Unknown values are left out. */
export function readEnvironmentsSearch(search: Record<string, unknown>): EnvironmentsSearch {
  const panel = panels.find((one) => one === search['panel'])
  const { environment } = search
  return {
    ...(panel !== undefined && { panel }),
    ...(typeof environment === 'string' && { environment }),
  }
}
