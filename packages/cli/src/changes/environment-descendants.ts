import type { Environment } from '../api/operations.ts'

/** Returns the first production environment that a change of `environment` reaches: itself, or one that inherits from it. */
export function findReached(
  environment: Environment,
  environments: readonly Environment[],
): Environment | undefined {
  if (environment.production) return environment
  for (const child of environments) {
    const reached = child.parentId === environment.id ? findReached(child, environments) : undefined
    if (reached !== undefined) return reached
  }
  return undefined
}
