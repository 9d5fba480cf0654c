import type { Environment } from '../../api/operations.ts'

/** An environment in a sentence. Example: `the environment live (production)  env_01…`. */
export function describeEnvironment({ name, production, id }: Environment): string {
  return `the environment ${name}${production ? ' (production)' : ''}  ${id}`
}

/** The argument that names an environment. */
export const nameParameter = {
  kind: 'tuple',
  parameters: [
    { brief: 'Name of the environment', parse: (text: string) => text, placeholder: 'name' },
  ],
} as const
