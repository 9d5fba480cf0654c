import type { AnswerOf } from '../api/routes.ts'
import { useRead } from '../api/use-api.ts'

type Integrations = AnswerOf<'GET /organizations/{org_id}/integrations'>

/** Describes one thing that Signalbox does with a connected provider, or why it can't. */
export type Capability = Integrations[keyof Integrations]['capabilities'][number]

/** Returns whether something works with the connected provider. `undefined`: nothing is connected, or it isn't known yet. */
export function useCapability(
  kind: keyof Integrations,
  name: Capability['name'],
): Capability | undefined {
  const { data } = useRead('GET /organizations/{org_id}/integrations')
  return data?.[kind].capabilities.find((one) => one.name === name)
}

/** Returns why something doesn't work with the connected provider, and what to do. `undefined`: it works, or it isn't known. */
export function useLack(
  kind: keyof Integrations,
  name: Capability['name'],
): Capability | undefined {
  const capability = useCapability(kind, name)
  return capability?.works === false ? capability : undefined
}

/** Returns the sentences of a capability that doesn't work. */
export function explainLack({ detail, nextStep }: Pick<Capability, 'detail' | 'nextStep'>): string {
  return nextStep === null ? detail : `${detail} ${nextStep}`
}
