import type { PushPlan } from '../push/plan-push.ts'
import { validateStored } from './validate-stored.ts'

/** Limits the keys that one address names. More are read with all others. */
const namedMax = 50

/**
 * Lists the stored values that only the validators of the code refuse, one line each, of the keys that a push changes. The
 * server cannot find them. Values that the push leaves alone are the business of `check`.
 */
export async function findRefusedByCode(plan: PushPlan): Promise<string[]> {
  const { api, organization, definition, remote, effective } = plan
  const names = effective.flatMap((change) =>
    change.kind === 'changed' && change.after.partial ? [change.key] : [],
  )
  if (remote === undefined || names.length === 0) return []
  const only = names.length > namedMax ? undefined : names
  const keys = new Map([...definition.keys].filter(([key]) => names.includes(key)))
  const environments = await api.environments(organization.id)
  const refused = environments.map(async (environment) => {
    const target = { api, organization, environment, schema: remote }
    const { invalid } = await validateStored({ keys }, target, only)
    return invalid.map(({ key, detail }) => `${environment.name}: ${key}: ${detail}`)
  })
  return (await Promise.all(refused)).flat()
}
