/** Describes the open target, as the address holds it. */
export interface TargetsSearch {
  /** Holds the id of a target. Default all of them. */
  readonly target?: string
  /** Names the open dialog. `change` and `delete` are about the target. */
  readonly panel?: 'create' | 'change' | 'delete'
}

const panels = ['create', 'change', 'delete'] as const

/** Reads the address of the screen. Unknown values are left out. */
export function readTargetsSearch({ target, panel }: Record<string, unknown>): TargetsSearch {
  const known = panels.find((each) => each === panel)
  return {
    ...(typeof target === 'string' && target !== '' && { target }),
    ...(known !== undefined && { panel: known }),
  }
}
