import type { Environment } from '../api/operations.ts'

/** The first production environment that a change of `environment` reaches: itself, or one that inherits from it. */
export function findReached(
  environment: Environment,
  environments: readonly Environment[],
): Environment | undefined {
  if (environment.production) return environment
  for (const heir of environments) {
    const reached = heir.parentId === environment.id ? findReached(heir, environments) : undefined
    if (reached !== undefined) return reached
  }
  return undefined
}
