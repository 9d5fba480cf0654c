/** Divides a path such as `/shop/production/db/password`. */
export function toPath(text: string): string[] {
  return text.split('/').filter((part) => part !== '')
}

/**
 * Returns a function that takes from a path what names lose: the folders of `prefix`, or without one those that all paths
 * have in common. What is left becomes the name: `db/password` → `db_password`.
 */
export function createShorten(
  paths: readonly (readonly string[])[],
  prefix: string | undefined,
): (path: readonly string[]) => string {
  const dropped = prefix === undefined ? findCommonFolder(paths) : toPath(prefix)
  return (path) => {
    const hasPrefix =
      path.length > dropped.length && dropped.every((part, index) => path[index] === part)
    return path.slice(hasPrefix ? dropped.length : 0).join('_')
  }
}

function findCommonFolder(paths: readonly (readonly string[])[]): readonly string[] {
  const [first, ...rest] = paths.map((path) => path.slice(0, -1))
  if (first === undefined) return []
  return rest.reduce((common, folder) => {
    const end = common.findIndex((part, index) => folder[index] !== part)
    return end === -1 ? common : common.slice(0, end)
  }, first)
}
