/** Names a place in the file by its members and positions. Example: `['environments', 'staging', 'parent']`. */
export type Path = readonly (string | number)[]

/** Describes something wrong in the file. */
export interface Violation {
  readonly path: Path
  readonly message: string
  /** Says that the name of the member is wrong, and not its value. */
  readonly ofName?: boolean
}

/** Writes a path as people read it. Example: `testWorkflows[0].workflow`. */
export function renderPath(path: Path): string {
  return path
    .map((part, at) => (typeof part === 'number' ? `[${part}]` : at === 0 ? part : `.${part}`))
    .join('')
}
