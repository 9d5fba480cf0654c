import { chooseByName, type Api } from '../../api/api.ts'
import type { Target } from '../../api/operations.ts'

/** Describes the argument that names a target. */
export const nameParameter = {
  kind: 'tuple',
  parameters: [
    {
      brief: 'Name or id of the target',
      parse: (text: string) => text,
      placeholder: 'name',
    },
  ],
} as const

/** Returns the target of that name or id. @throws {CliError} `target_not_found`, `ambiguous_name` */
export async function findTarget(api: Api, orgId: string, reference: string): Promise<Target> {
  return chooseByName(await api.targets(orgId), reference, {
    noun: 'target',
    code: 'target_not_found',
    create: 'signalbox targets',
  })
}
