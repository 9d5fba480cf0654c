import type { Environment } from '../../api/operations.ts'

/** Returns an environment in words. Example: `the environment live (production)  env_01…`. */
export function describeEnvironment({ name, production, id }: Environment): string {
  return `the environment ${name}${production ? ' (production)' : ''}  ${id}`
}

/** Describes the argument that names an environment. */
export const nameParameter = {
  kind: 'tuple',
  parameters: [
    { brief: 'Name of the environment', parse: (text: string) => text, placeholder: 'name' },
  ],
} as const
